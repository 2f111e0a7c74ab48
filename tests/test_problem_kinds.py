"""Problems that are partial functions or relations, or have answers beyond bits, against plain definitions."""

from collections.abc import Callable
from statistics import median_low
from typing import Any

import networkx as nx
import numpy as np
import pytest

from commsim.domain import Listed, Maps, NonemptySubsets, SparseSubsets
from commsim.errors import InputError
from commsim.problem import (
    CliqueIndependentSet,
    ComposedWithIndex,
    DecisionTree,
    Formula,
    GapHamming,
    HammingDistance,
    KarchmerWigderson,
    Median,
    PointerJumping,
    Problem,
    SparseDisjointness,
)
from commsim.problem.composed import parity_formula


def elements(row: np.ndarray) -> set[int]:
    return {place + 1 for place, bit in enumerate(row) if bit}


def differences(x: np.ndarray, y: np.ndarray) -> int:
    return sum(int(a != b) for a, b in zip(x, y, strict=True))


def first_one(x: np.ndarray, y: np.ndarray) -> int:
    """The default of ComposedWithIndex at b = 1: the parity of the place of the first 1 among z_i = y_i[x_i]."""
    z = [y[2 * place + int(x[place])] for place in range(len(x))]
    return (z.index(True) + 1) % 2 if any(z) else 0


def jump(x: np.ndarray, y: np.ndarray) -> int:
    return int(y[x[0] - 1])


DEFINITIONS: list[tuple[Problem, Callable[[Any, Any], int]]] = [
    (HammingDistance(4, 1), lambda x, y: differences(x, y) <= 1),
    (HammingDistance(3, 0), lambda x, y: differences(x, y) == 0),
    (SparseDisjointness(5, 2), lambda x, y: not elements(x) & elements(y)),
    (Median(4), lambda x, y: median_low([*elements(x), *elements(y)])),
    (CliqueIndependentSet(4), lambda x, y: bool(elements(x) & elements(y))),
    (PointerJumping(3, 2), jump),
    (PointerJumping(3, 3), lambda x, y: int(x[jump(x, y) - 1])),
    (ComposedWithIndex(3), first_one),
]


@pytest.mark.parametrize(("problem", "definition"), DEFINITIONS, ids=lambda value: getattr(value, "name", ""))
def test_all_pairs_one_by_one_and_as_one_batch(problem: Problem, definition: Callable[[Any, Any], int]) -> None:
    xs, ys = problem.alice_inputs.all(), problem.bob_inputs.all()
    expected = [[int(definition(x, y)) for y in ys] for x in xs]
    assert problem.evaluate(xs[:, None], ys[None]).astype(int).tolist() == expected
    right = problem.accepts(xs[:, None], ys[None], np.array(expected))
    assert right.all()
    assert not problem.accepts(xs[:, None], ys[None], np.array(expected) + 1).any()


def test_gap_hamming_promises_a_distance_far_from_half() -> None:
    # n = 4: sqrt(n) = 2, so only distances 0 and 4 are promised
    problem = GapHamming(4)
    xs, ys = problem.alice_inputs.all(), problem.bob_inputs.all()
    for x in xs:
        for y in ys:
            distance = differences(x, y)
            assert problem.promised(x, y) == (distance in (0, 4))
            for output in (0, 1):
                expected = distance not in (0, 4) or output == (distance == 4)
                assert problem.accepts(x, y, np.asarray(output)) == expected


def test_karchmer_wigderson_accepts_each_place_that_differs_and_no_other() -> None:
    problem = KarchmerWigderson(3)
    for x in problem.alice_inputs.all():
        assert x.sum() % 2 == 1
        for y in problem.bob_inputs.all():
            for place in range(-1, 6):
                right = 1 <= place <= 3 and x[place - 1] != y[place - 1]
                assert bool(problem.accepts(x, y, np.asarray(place))) == right
            assert problem.accepts(x, y, problem.evaluate(x, y))


@pytest.mark.parametrize(("n", "depth"), [(1, 0), (2, 2), (3, 4), (4, 4), (8, 6)])
def test_parity_by_halving(n: int, depth: int) -> None:
    # THEORY: the games of PARITY_2, PARITY_3, PARITY_4 have complexity 2, 4, 4
    formula = parity_formula(n)
    assert formula.depth == depth
    assignments = np.array([[bool(number >> place & 1) for place in range(n)] for number in range(2**n)])
    assert formula.evaluate(assignments).tolist() == [bin(number).count("1") % 2 == 1 for number in range(2**n)]


def test_a_graph_of_ones_own() -> None:
    # a path a - b - c: cliques are {}, the vertices and the edges; independent sets {}, the vertices and the ends
    problem = CliqueIndependentSet(3, nx.path_graph(3))
    assert [elements(row) for row in problem.alice_inputs.all()] == [set(), {3}, {2}, {2, 3}, {1}, {1, 2}]
    assert [elements(row) for row in problem.bob_inputs.all()] == [set(), {3}, {2}, {1}, {1, 3}]
    with pytest.raises(InputError, match="is not a clique of the graph"):
        problem.alice_inputs.parse("{1,3}")
    with pytest.raises(InputError, match="the graph has 3 vertices, not n = 4"):
        CliqueIndependentSet(4, nx.path_graph(3))


def test_a_tree_of_ones_own() -> None:
    both = DecisionTree(1, 0, DecisionTree(2, 0, 1))  # AND of two variables
    problem = ComposedWithIndex(2, 1, both)
    assert (both.depth, both.variables) == (2, 2)
    # x points at the second bit of 01 and at the first of 10: z = 1, 1
    assert problem.evaluate(problem.alice_inputs.parse("10"), problem.bob_inputs.parse("0110"))
    assert not problem.evaluate(problem.alice_inputs.parse("11"), problem.bob_inputs.parse("0110"))
    with pytest.raises(InputError, match="the tree looks at variable 2, but n = 1"):
        ComposedWithIndex(1, 1, both)


def test_a_formula_of_ones_own() -> None:
    x1, x2 = Formula("literal", variable=1), Formula("literal", variable=2)
    conjunction = KarchmerWigderson(2, Formula("and", x1, x2))
    assert [elements(row) for row in conjunction.alice_inputs.all()] == [{1, 2}]
    assert conjunction.bob_inputs.size == 3
    nothing = Formula("and", x1, Formula("literal", variable=1, negated=True))
    with pytest.raises(InputError, match="the formula is constant"):
        KarchmerWigderson(2, nothing)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: HammingDistance(4, -1), "needs k at least 0, not k = -1"),
        (lambda: SparseDisjointness(4, 0), "needs k at least 1, not k = 0"),
        (lambda: PointerJumping(4, 0), "needs k at least 1, not k = 0"),
        (lambda: ComposedWithIndex(4, 0), "needs b at least 1, not b = 0"),
        (lambda: ComposedWithIndex(4, 30), "not n = 4 and b = 30"),
        (lambda: Median(0), "median needs n at least 1, not n = 0"),
        (lambda: Median(2**24 + 1), "median takes n up to 2"),
    ],
)
def test_sizes_that_make_no_sense(make: Callable[[], Problem], message: str) -> None:
    with pytest.raises(InputError, match=message):
        make()


def test_sparse_subsets() -> None:
    domain = SparseSubsets(4, 2)
    rows = domain.all()
    assert len(rows) == domain.size == 1 + 4 + 6
    assert [domain.format(row) for row in rows[:5]] == ["{}", "{4}", "{3}", "{3,4}", "{2}"]
    assert domain.parse("{3, 4}").tolist() == domain.parse([4, 3]).tolist() == domain.parse("0011").tolist()
    with pytest.raises(InputError, match="has 3 elements: write a set of at most 2 of the numbers from 1 to 4"):
        domain.parse("{1,2,3}")
    drawn = domain.sample(np.random.default_rng(0), 2000)
    assert set(drawn.sum(axis=1).tolist()) == {0, 1, 2}
    # 6 of the 11 sets have two elements
    assert 0.45 < (drawn.sum(axis=1) == 2).mean() < 0.65


def test_nonempty_subsets() -> None:
    domain = NonemptySubsets(3)
    assert len(domain.all()) == domain.size == 7
    assert domain.all().any(axis=1).all()
    assert domain.sample(np.random.default_rng(0), 500).any(axis=1).all()
    with pytest.raises(InputError, match="the set is empty"):
        domain.parse("{}")
    assert [row.tolist() for row in domain.simpler(domain.parse("{2}"))] == []
    assert len(list(domain.simpler(domain.parse("{1,2}")))) == 2


def test_maps() -> None:
    domain = Maps(2)
    assert domain.all().tolist() == [[1, 1], [1, 2], [2, 1], [2, 2]]
    assert domain.format(domain.parse("2,1")) == "2,1"
    assert domain.parse([2, 2]).tolist() == [2, 2]
    for wrong in ("2", "2,3", "0,1", "1,2,1", "a,b", [1, True], 3):
        with pytest.raises(InputError, match="write 2 numbers from 1 to 2, such as 2,1"):
            domain.parse(wrong)
    assert [row.tolist() for row in domain.simpler(domain.parse("2,1"))] == [[1, 1]]
    assert domain.sample(np.random.default_rng(0), 50).max() == 2


def test_listed() -> None:
    domain = Listed(np.array([[False, True], [True, True]]), "in the list")
    assert domain.size == 2
    assert domain.format(domain.parse("01")) == "01"
    with pytest.raises(InputError, match="'10' is not in the list"):
        domain.parse("10")
    assert [row.tolist() for row in domain.simpler(domain.parse("11"))] == [[False, True]]
    assert {domain.format(row) for row in domain.sample(np.random.default_rng(0), 50)} == {"01", "11"}


@pytest.mark.parametrize("problem", [GapHamming(64), HammingDistance(40, 3), SparseDisjointness(100, 5)])
def test_balanced_pairs_hold_both_answers_and_keep_the_promise(problem: Problem) -> None:
    x, y = problem.balanced_pairs(np.random.default_rng(1), 200)
    assert 60 <= problem.evaluate(x, y).sum() <= 140
    if isinstance(problem, GapHamming):
        assert problem.promised(x, y).all()
    if isinstance(problem, SparseDisjointness):
        assert (x.sum(axis=1) == 5).all() and (y.sum(axis=1) == 5).all()
        assert set((x & y).sum(axis=1).tolist()) == {0, 1}
