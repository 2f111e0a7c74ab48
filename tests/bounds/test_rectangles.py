"""Fooling sets, covers and partitions, against the oracles and against going through all of them."""

from itertools import combinations
from typing import Any

import networkx as nx
import numpy as np
import pytest
from brute import matrix_of, oracle, subsets
from hypothesis import given
from hypothesis.extra.numpy import array_shapes, arrays

from commsim.arrays import Bits
from commsim.bounds.fooling import greedy_fooling_set, largest_fooling_set
from commsim.bounds.rectangles import (
    Rectangle,
    all_rectangles,
    fewest,
    fractional_cover,
    greedy_cover,
    greedy_partition,
    maximal_rectangles,
)

matrices = arrays(np.bool_, array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=4)).filter(
    lambda bits: bits.any()
)
SMALL = oracle("small_functions")["functions"]


def names(case: dict[str, Any]) -> str:
    return f"{case['function']} {case.get('n', 4)}"


def layers(case: dict[str, Any]) -> list[tuple[int, Bits]]:
    entries = matrix_of(case["function"], case.get("n", 4))
    return [(z, entries == z) for z in (0, 1)]


@pytest.mark.parametrize("case", SMALL + oracle("functions_n4")["functions"], ids=names)
def test_the_largest_fooling_sets_of_the_oracles(case: dict[str, Any]) -> None:
    for z, bits in layers(case):
        found = largest_fooling_set(bits)
        assert found.exact
        assert len(found.pairs) == case[f"max_fooling_set_{z}"]


@pytest.mark.parametrize("case", SMALL, ids=names)
def test_the_cover_numbers_of_the_oracles(case: dict[str, Any]) -> None:
    for z, bits in layers(case):
        maximal = maximal_rectangles(bits)
        assert maximal is not None
        found = fewest(bits, maximal, disjoint=False, seconds=30)
        assert found.exact
        assert len(found.rectangles) == found.lower == case[f"min_cover_{z}"]


def by_definition(bits: Bits) -> list[Rectangle]:
    """Every rectangle of entries that are set."""
    return [
        Rectangle(list(rows), list(columns))
        for rows in subsets(range(bits.shape[0]))
        for columns in subsets(range(bits.shape[1]))
        if bits[np.ix_(rows, columns)].all()
    ]


def times_held(bits: Bits, rectangles: list[Rectangle]) -> Any:
    held = np.zeros(bits.shape, dtype=int)
    for rectangle in rectangles:
        held[np.ix_(rectangle.rows, rectangle.columns)] += 1
    return held


def test_the_fewest_is_what_some_number_first_reaches() -> None:
    # complement of the identity of size 4: cover 4 by the oracle of equality, partition 4 as the rank is 4
    bits = ~np.eye(4, dtype=bool)
    rectangles = by_definition(bits)
    covers = [
        any(
            ((times_held(bits, list(some)) > 0) == bits).all()
            for some in combinations(maximal_rectangles(bits) or [], size)
        )
        for size in range(1, 5)
    ]
    assert covers == [False, False, False, True]
    assert len(fewest(bits, rectangles, disjoint=True, seconds=30).rectangles) == 4


@given(matrices)
def test_maximal_and_all_rectangles(bits: Bits) -> None:
    everything = by_definition(bits)
    found = all_rectangles(bits)
    assert found is not None
    key = lambda rectangle: (rectangle.rows, rectangle.columns)  # noqa: E731
    assert sorted(map(key, found)) == sorted(map(key, everything))
    maximal = [
        rectangle
        for rectangle in everything
        if not any(
            set(rectangle.rows) <= set(other.rows) and set(rectangle.columns) <= set(other.columns)
            for other in everything
            if other != rectangle
        )
    ]
    assert sorted(map(key, maximal_rectangles(bits) or [])) == sorted(map(key, maximal))


@given(matrices)
def test_fooling_set_below_fractional_cover_below_cover_below_partition(bits: Bits) -> None:
    maximal, everything = maximal_rectangles(bits), all_rectangles(bits)
    assert maximal is not None
    assert everything is not None
    cover = fewest(bits, maximal, disjoint=False, seconds=30)
    partition = fewest(bits, everything, disjoint=True, seconds=30)
    assert ((times_held(bits, cover.rectangles) > 0) == bits).all()
    assert (times_held(bits, partition.rectangles) == bits).all()
    solved = fractional_cover(bits, maximal)
    assert solved is not None
    weights, scale = solved
    assert not weights[~bits].any()
    assert all(weights[np.ix_(some.rows, some.columns)].sum() <= scale for some in everything)
    assert weights.sum() <= scale * len(cover.rectangles)
    assert len(largest_fooling_set(bits).pairs) <= len(cover.rectangles) <= len(partition.rectangles)
    assert len(cover.rectangles) <= len(greedy_cover(bits) or [])
    assert len(partition.rectangles) <= len(greedy_partition(bits))


@given(matrices)
def test_greedy_ones_are_what_they_claim(bits: Bits) -> None:
    assert ((times_held(bits, greedy_cover(bits) or []) > 0) == bits).all()
    assert greedy_cover(bits, deadline=0.0) is None
    assert (times_held(bits, greedy_partition(bits)) == bits).all()
    assert is_fooling_set(greedy_fooling_set(bits), bits)


def is_fooling_set(pairs: list[tuple[int, int]], bits: Bits) -> bool:
    apart = [not (bits[row, other[1]] and bits[other[0], column]) for (row, column), other in combinations(pairs, 2)]
    return all(apart) and all(bits[pair] for pair in pairs)


@pytest.mark.parametrize("seed", range(5))
def test_a_largest_fooling_set_is_a_largest_clique(seed: int) -> None:
    bits = np.random.default_rng(seed).random((9, 10)) < 0.6
    entries = np.argwhere(bits).tolist()
    graph: nx.Graph[int] = nx.Graph()
    graph.add_nodes_from(range(len(entries)))
    for v, w in combinations(range(len(entries)), 2):
        if not (bits[entries[v][0], entries[w][1]] and bits[entries[w][0], entries[v][1]]):
            graph.add_edge(v, w)
    found = largest_fooling_set(bits)
    assert found.exact
    assert len(found.pairs) == len(nx.max_weight_clique(graph, weight=None)[0])


def test_out_of_time_a_fooling_set_is_one_all_the_same() -> None:
    bits = np.random.default_rng(0).random((30, 30)) < 0.5
    found = largest_fooling_set(bits, deadline=0.0)
    assert not found.exact
    assert is_fooling_set(found.pairs, bits)


def test_too_many_rectangles_are_not_listed() -> None:
    assert maximal_rectangles(~np.eye(20, dtype=bool)) is None
    assert all_rectangles(np.ones((10, 10), dtype=bool)) is None
