"""The textbook problems against their definitions in plain Python, and what is known of their complexity."""

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from commsim.errors import InputError
from commsim.formula import evaluate
from commsim.problem import (
    Disjointness,
    Equality,
    GreaterThan,
    Index,
    InnerProduct,
    Intersection,
    KnownBound,
    Problem,
)

Definition = Callable[[str, str], bool]


def _elements(bits: str) -> set[int]:
    return {place for place, bit in enumerate(bits, start=1) if bit == "1"}


DEFINITIONS: dict[type[Problem], Definition] = {
    Disjointness: lambda x, y: not _elements(x) & _elements(y),
    Intersection: lambda x, y: bool(_elements(x) & _elements(y)),
    Equality: lambda x, y: x == y,
    GreaterThan: lambda x, y: int(x, 2) > int(y, 2),
    InnerProduct: lambda x, y: len(_elements(x) & _elements(y)) % 2 == 1,
    Index: lambda x, i: x[int(i) - 1] == "1",
}
PROBLEMS = list(DEFINITIONS)


def _definition(problem: Problem, x: np.ndarray, y: np.ndarray) -> bool:
    return DEFINITIONS[type(problem)](problem.alice_inputs.format(x), problem.bob_inputs.format(y))


@pytest.mark.parametrize("problem", PROBLEMS)
@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_all_pairs_one_by_one_and_as_one_batch(problem: type[Problem], n: int) -> None:
    function = problem(n)
    x, y = function.alice_inputs.all(), function.bob_inputs.all()
    expected = [[_definition(function, one, other) for other in y] for one in x]
    batch = function.evaluate(x[:, None], y[None])
    assert batch.dtype == bool
    assert batch.tolist() == expected
    assert [[bool(function.evaluate(one, other)) for other in y] for one in x] == expected
    # one party's single input against the other's batch
    assert [function.evaluate(one, y).tolist() for one in x] == expected
    assert np.transpose([function.evaluate(x, other) for other in y]).tolist() == expected
    assert function.pairs == batch.size


@pytest.mark.parametrize("problem", PROBLEMS)
def test_pairs_drawn_at_n_100(problem: type[Problem]) -> None:
    function = problem(100)
    x, y = function.balanced_pairs(np.random.default_rng(7), 200)
    answers = [_definition(function, one, other) for one, other in zip(x, y, strict=True)]
    assert function.evaluate(x, y).tolist() == answers
    assert 20 < sum(answers) < 180


@pytest.mark.parametrize("problem", PROBLEMS)
@pytest.mark.parametrize("n", [0, -1])
def test_n_is_at_least_one(problem: type[Problem], n: int) -> None:
    with pytest.raises(InputError, match=f"^{problem.name} needs n at least 1, not n = {n}$"):
        problem(n)


@pytest.mark.parametrize("problem", PROBLEMS)
@pytest.mark.parametrize("n", [1, 2, 3, 5, 12, 40])
def test_balanced_pairs_give_both_answers_often(problem: type[Problem], n: int) -> None:
    x, y = problem(n).balanced_pairs(np.random.default_rng(n), 1000)
    assert x.shape == (1000, n)
    assert x.dtype == problem(n).alice_inputs.all().dtype if n <= 12 else bool
    ones = int(problem(n).evaluate(x, y).sum())
    assert 150 < ones < 850


@pytest.mark.parametrize("problem", PROBLEMS)
@pytest.mark.parametrize("count", [0, 1, 2, 3])
def test_few_balanced_pairs(problem: type[Problem], count: int) -> None:
    function = problem(3)
    x, y = function.balanced_pairs(np.random.default_rng(0), count)
    assert (len(x), len(y)) == (count, count)
    assert function.evaluate(x, y).shape == (count,)


@pytest.mark.parametrize("problem", [Disjointness, Intersection])
def test_hard_pairs_of_sets(problem: type[Problem]) -> None:
    x, y = problem(20).balanced_pairs(np.random.default_rng(3), 400)
    common = (x & y).sum(axis=-1)
    assert set(common[0::4]) == {0}
    assert set(common[1::4]) == {1}
    assert set(common[2::4]) == {2, 3}
    assert len(set(common[3::4])) > 3  # uniform sets meet in about five places
    # the meeting place, and what surrounds it, is anywhere
    assert len({int(place) for place in (x & y)[1::4].argmax(axis=-1)}) == 20


def test_hard_pairs_of_equality() -> None:
    x, y = Equality(10).balanced_pairs(np.random.default_rng(3), 400)
    differ = (x != y).sum(axis=-1)
    assert set(differ[0::4]) == set(differ[2::4]) == {0}
    assert set(differ[1::4]) == {1}
    assert len(set(differ[3::4])) > 3
    assert len({int(place) for place in (x != y)[1::4].argmax(axis=-1)}) == 10


def test_hard_pairs_of_greater_than() -> None:
    x, y = GreaterThan(20).balanced_pairs(np.random.default_rng(3), 400)
    assert (x[2::4] == y[2::4]).all()
    differ = x != y
    first = np.where(differ.any(axis=-1), differ.argmax(axis=-1), 20)
    # a uniform pair agrees on three leading bits with probability 1/8, a prefix of random length is longer as a rule
    assert Counter(first[1::4] >= 3)[True] < 30
    assert Counter(first[0::4] >= 3)[True] > 70
    assert Counter(first[3::4] >= 3)[True] > 70


def test_bits_stored_by_columns_or_rows_are_the_same_to_inner_product() -> None:
    x = InnerProduct(3).alice_inputs.all()
    assert not x.flags.c_contiguous
    rows = np.ascontiguousarray(x)
    assert np.array_equal(InnerProduct(3).evaluate(x, x), InnerProduct(3).evaluate(rows, rows))


def _oracle() -> list[tuple[type[Problem], int, int, int]]:
    text = (Path(__file__).parent / "oracles" / "small_functions.json").read_text()
    names: dict[str, type[Problem]] = {
        "EQ": Equality,
        "DISJ": Disjointness,
        "GT (x > y)": GreaterThan,
        "IP": InnerProduct,
    }
    return [
        (names[entry["function"]], entry["n"], entry["D_both_know"], entry["one_way_bob_outputs"])
        for entry in json.loads(text)["functions"]
        if entry["function"] in names
    ]


def _value(bound: KnownBound, n: int) -> int:
    value = evaluate(bound.formula, {"n": n})
    assert value.denominator == 1
    return int(value)


@pytest.mark.parametrize(("problem", "n", "both_know", "one_way"), _oracle())
def test_known_bounds_are_the_exact_small_values(problem: type[Problem], n: int, both_know: int, one_way: int) -> None:
    values = {(bound.quantity, bound.output): _value(bound, n) for bound in problem.bounds if bound.relation == "="}
    assert values["two-way", "both"] == both_know
    assert values["one-way from alice", "one"] == one_way


def test_the_oracle_covers_every_symmetric_problem() -> None:
    assert Counter(problem for problem, *_ in _oracle()) == {
        Equality: 3,
        Disjointness: 3,
        GreaterThan: 3,
        InnerProduct: 3,
    }
    # the complement has the same bounds
    assert Intersection.bounds == Disjointness.bounds


@pytest.mark.parametrize("problem", PROBLEMS)
@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_one_way_bounds_count_distinct_rows_and_columns(problem: type[Problem], n: int) -> None:
    function = problem(n)
    matrix = function.evaluate(function.alice_inputs.all()[:, None], function.bob_inputs.all()[None])
    rows, columns = len(np.unique(matrix, axis=0)), len(np.unique(matrix, axis=1).T)
    one_way = {bound.quantity: _value(bound, n) for bound in problem.bounds if bound.quantity != "two-way"}
    assert one_way["one-way from alice"] == (rows - 1).bit_length()
    assert one_way["one-way from bob"] == (columns - 1).bit_length()


def _complexity(matrix: np.ndarray) -> int:
    """D with both parties knowing, by trying every split of every rectangle."""
    remembered: dict[tuple[int, int], int] = {}
    height, width = matrix.shape

    def cost(rows: int, columns: int) -> int:
        if (rows, columns) not in remembered:
            row_list = [row for row in range(height) if rows >> row & 1]
            column_list = [column for column in range(width) if columns >> column & 1]
            values = matrix[np.ix_(row_list, column_list)]
            if (values == values[0, 0]).all():
                remembered[rows, columns] = 0
            else:
                splits = [max(cost(part, columns), cost(rows ^ part, columns)) for part in _parts(rows)]
                splits += [max(cost(rows, part), cost(rows, columns ^ part)) for part in _parts(columns)]
                remembered[rows, columns] = 1 + min(splits)
        return remembered[rows, columns]

    return cost(2**height - 1, 2**width - 1)


def _parts(whole: int) -> list[int]:
    """Every nonempty proper subset of a set of bits."""
    return [part for part in range(1, whole) if part & ~whole == 0]


@pytest.mark.parametrize(("problem", "n"), [(Index, 1), (Index, 2), (Index, 3), (Intersection, 1), (Intersection, 2)])
def test_two_way_bounds_by_brute_force(problem: type[Problem], n: int) -> None:
    function = problem(n)
    matrix = function.evaluate(function.alice_inputs.all()[:, None], function.bob_inputs.all()[None])
    two_way = {bound.output: _value(bound, n) for bound in problem.bounds if bound.quantity == "two-way"}
    assert two_way["both"] == _complexity(matrix)


@pytest.mark.parametrize("problem", PROBLEMS)
@pytest.mark.parametrize("n", [1, 2, 3, 8, 9])
def test_bounds_of_one_problem_fit_together(problem: type[Problem], n: int) -> None:
    values = {(bound.quantity, bound.output): _value(bound, n) for bound in problem.bounds}
    assert values["two-way", "one"] <= values["two-way", "both"] <= values["two-way", "one"] + 1
    for sender in ("alice", "bob"):
        assert values["two-way", "one"] <= values[f"one-way from {sender}", "one"]  # type: ignore[index]
    assert all(bound.reference for bound in problem.bounds)
