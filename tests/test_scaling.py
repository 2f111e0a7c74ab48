"""Fits of growth: on numbers made for it, and on protocols whose cost is known."""

import math

import pytest

from commsim.analysis.scaling import Point, fit, measure
from commsim.errors import InputError
from commsim.registry import at_sizes, find_protocol


def point(value: int, mean: float) -> Point:
    return Point(value=value, runs=1, wrong=0, worst=1, mean=str(round(mean)), declared=1, lower_bound=None)


@pytest.mark.parametrize(
    ("growth", "f"),
    [
        ("1", lambda n: 500.0),
        ("log n", lambda n: 100 + 70 * math.log2(n)),
        ("sqrt n", lambda n: 30 + 100 * math.sqrt(n)),
        ("n", lambda n: 3 * n + 7),
        ("n log n", lambda n: 5 * n * math.log2(n)),
        ("n^2", lambda n: n * n),
    ],
)
def test_a_growth_is_recognised(growth: str, f: object) -> None:
    assert callable(f)
    scaling = fit("p", "n", [point(2**e, f(2**e)) for e in range(4, 21)])
    assert scaling.growth == growth
    assert scaling.residual < 0.01


def test_the_line_is_found() -> None:
    scaling = fit("p", "n", [point(n, 3 * n + 7) for n in range(8, 21)])
    assert (scaling.growth, round(scaling.slope, 6), round(scaling.offset, 6)) == ("n", 3, 7)


def test_falling_numbers_do_not_grow() -> None:
    assert fit("p", "n", [point(n, 1000 - 10 * n) for n in range(8, 21)]).growth == "1"


def test_three_sizes_are_needed() -> None:
    with pytest.raises(InputError, match="at least three sizes"):
        fit("p", "n", [point(1, 1), point(2, 2)])


def test_one_size_is_measured() -> None:
    found = measure(find_protocol("equality-trivial")(12), 12, runs=8, seed=0)
    assert (found.worst, found.mean, found.declared, found.lower_bound) == (13, "13", 13, 13)
    assert (found.runs, found.wrong) == (8, 0)


def scaling_of(name: str, over: str, values: list[int], **sizes: int) -> tuple[str, float]:
    make, points = find_protocol(name), []
    for value in values:
        chosen = {"n": 1, **sizes, over: value}
        points.append(measure(at_sizes(make, chosen.pop("n"), chosen), value, runs=12, seed=1))
    scaling = fit(name, over, points)
    return scaling.growth, scaling.slope


def test_sparse_disjointness_is_flat_in_n_and_linear_in_k() -> None:
    name = "sparse-disjointness-hastad-wigderson"
    assert scaling_of(name, "n", [2**e for e in range(8, 21, 2)], k=16) == ("1", 0)
    growth, slope = scaling_of(name, "k", list(range(4, 49, 4)), n=1000)
    assert growth == "n"
    assert 8 < slope < 14


def test_a_code_takes_the_square_root() -> None:
    growth, _ = scaling_of("equality-code", "n", [4**e for e in range(3, 8)])
    assert growth == "sqrt n"
