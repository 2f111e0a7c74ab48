"""Disjointness and intersection to q-SA: tokens by hand, and the output formula on all small pairs."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from commsim.arrays import Array
from commsim.errors import InputError
from commsim.reductions.disjointness_qsa import DisjointnessToQSA, IntersectionToQSA


def bits(text: str) -> Array:
    return np.array([character == "1" for character in text])


def all_pairs(reduction: DisjointnessToQSA) -> tuple[Array, Array]:
    x, y = reduction.problem.alice_inputs.all(), reduction.problem.bob_inputs.all()
    return np.repeat(x, len(y), axis=0), np.tile(y, (len(x), 1))


@pytest.mark.parametrize(
    ("x", "y", "length", "owners", "z", "reads"),
    [
        ("10", "11", None, "BBBBA", [-1, 1, -1, 1, -1], [2, 3]),
        ("01", "10", None, "BBBBA", [-1, 1, -1, -1, -1], [1, 4]),
        ("110", "011", None, "BBBBBBA", [-1, -1, -1, 1, -1, 1, -1], [2, 4, 5]),
        ("001", "000", 9, "BBBBBBPPA", [-1] * 9, [1, 3, 6]),
    ],
)
def test_tokens_by_hand(x: str, y: str, length: int | None, owners: str, z: list[int], reads: list[int]) -> None:
    reduction = DisjointnessToQSA(len(x), length)
    shape = reduction.shape()
    names = {"A": "alice", "B": "bob", "P": "public"}
    assert shape.owners == tuple(names[owner] for owner in owners)
    assert shape.reader == len(owners)
    assert shape.task.parameters == {"N": len(owners), "q": len(x), "d": 1}
    tokens = reduction.assemble(bits(x), bits(y))
    shape.task.check(tokens)
    assert tokens["z"][:, 0].tolist() == z
    assert tokens["y"][-1].tolist() == reads
    # the others' sets are constants
    assert tokens["y"][:-1].tolist() == [list(range(1, len(x) + 1))] * (len(owners) - 1)


@pytest.mark.parametrize("spare", [0, 3])
@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_output_and_answer_on_all_pairs(n: int, spare: int) -> None:
    reduction, twin = DisjointnessToQSA(n, 2 * n + 1 + spare), IntersectionToQSA(n, 2 * n + 1 + spare)
    x, y = all_pairs(reduction)
    tokens = reduction.assemble(x, y)
    assert (twin.assemble(x, y) == tokens).all()
    outputs = reduction.shape().task.evaluate(tokens, [reduction.shape().reader])[:, 0]
    common = [sum(map(int.__mul__, one, two)) for one, two in zip(x.tolist(), y.tolist(), strict=True)]
    assert outputs[:, 0].tolist() == [Fraction(2 * count, n) - 1 for count in common]
    assert reduction.decode(outputs).tolist() == [count == 0 for count in common]
    assert twin.decode(outputs).tolist() == [count > 0 for count in common]
    # one output alone, exact and as a float
    for output, count in zip(outputs, common, strict=True):
        assert [bool(made.decode(output)) for made in (reduction, twin)] == [count == 0, count > 0]
        assert [bool(made.decode(output.astype(float))) for made in (reduction, twin)] == [count == 0, count > 0]


@pytest.mark.parametrize("n", [1, 2, 3, 10])
def test_decoding_stands_an_error_below_half_the_gap(n: int) -> None:
    reduction, twin = DisjointnessToQSA(n), IntersectionToQSA(n)
    error = Fraction(999, 1000) / n
    for common in range(n + 1):
        for shift in (-error, 0, error):
            output: Any = np.array([Fraction(2 * common, n) - 1 + shift], dtype=object)
            assert bool(reduction.decode(output)) == (common == 0)
            assert bool(twin.decode(output)) == (common > 0)


@pytest.mark.parametrize("reduction", [DisjointnessToQSA(40), IntersectionToQSA(40)], ids=lambda made: str(made.name))
def test_right_on_balanced_pairs_of_forty_elements(reduction: DisjointnessToQSA) -> None:
    x, y = reduction.problem.balanced_pairs(np.random.default_rng(2), 500)
    outputs = reduction.shape().task.evaluate(reduction.assemble(x, y), [reduction.shape().reader])[:, 0]
    expected = reduction.problem.evaluate(x, y)
    assert 100 < expected.sum() < 400
    assert (reduction.decode(outputs) == expected).all()


def test_a_sequence_too_short_is_refused() -> None:
    with pytest.raises(InputError, match=r"disjointness-to-qsa at n = 3 needs N at least 2\*n \+ 1 = 7, not N = 6"):
        DisjointnessToQSA(3, 6)
    with pytest.raises(InputError, match="intersection needs n at least 1, not n = 0"):
        IntersectionToQSA(0)
