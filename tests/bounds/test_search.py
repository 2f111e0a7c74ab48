"""Exact deterministic complexity: the oracles, the definition, and the trees and refutations that come with it."""

import time
from collections import Counter

import numpy as np
import pytest
from brute import depth_by_definition, matrix_of, oracle, planted, searched
from hypothesis import given
from hypothesis import strategies as st

from commsim.arrays import Integers
from commsim.bounds.evidence import refutation_record, tree_record
from commsim.bounds.search import Search
from commsim.bounds.trees import OutOfTime
from commsim.certificate import certificate, check
from commsim.given import depth
from commsim.matrix import CommunicationMatrix


@st.composite
def small_matrices(draw: st.DrawFn, values: int = 2, most: int = 4) -> Integers:
    rows, columns = draw(st.integers(1, most)), draw(st.integers(1, most))
    entries = draw(st.lists(st.integers(0, values - 1), min_size=rows * columns, max_size=rows * columns))
    return np.array(entries, dtype=np.int64).reshape(rows, columns)


@pytest.mark.parametrize("case", oracle("deterministic_complexity")["cases"], ids=lambda case: case["origin"])
def test_the_oracle_is_reproduced(case: dict[str, object]) -> None:
    assert searched(np.array(case["matrix"]))[0] == case["D"]


@pytest.mark.parametrize("size", [2, 3])
def test_the_census_is_reproduced(size: int) -> None:
    found = Counter(
        searched((number >> np.arange(size * size) & 1).reshape(size, size))[0] for number in range(2 ** (size * size))
    )
    assert {str(depth): count for depth, count in found.items()} == oracle("census")["counts"][str(size)]


@given(small_matrices())
def test_it_is_the_least_depth_by_definition(entries: Integers) -> None:
    assert searched(entries)[0] == depth_by_definition(entries)


@given(small_matrices(values=4))
def test_also_with_several_values(entries: Integers) -> None:
    assert searched(entries)[0] == depth_by_definition(entries)


def test_the_size_of_the_intersection_by_hand() -> None:
    # |x & y| for sets of one element is AND, of two bits; for two elements one party sends its set and hears 0, 1 or 2
    x = np.arange(4)
    assert searched(np.bitwise_count(x[:2, None] & x[None, :2]).astype(np.int64))[0] == 2
    assert searched(np.bitwise_count(x[:, None] & x[None]).astype(np.int64))[0] == 4


def certified(entries: Integers) -> list[str]:
    """What the checker accepts of the tree found and of the last refutation."""
    matrix = CommunicationMatrix.from_array(entries)
    distinct = matrix.distinct
    search = Search(distinct.matrix)
    lower, last = 0, None
    while (refutation := search.at_most(lower)) is not None:
        lower, last = refutation.depth + 1, refutation
    tree = tree_record(search.tree(), distinct)
    assert depth(tree) == lower
    evidence = [{"kind": "protocol tree", "tree": tree}]
    claims = [{"quantity": "deterministic", "relation": "<=", "value": str(lower), "evidence": 0}]
    if last is not None:
        record = refutation_record(last, distinct)
        assert record is not None
        evidence.append(record)
        claims.append({"quantity": "deterministic", "relation": ">=", "value": str(lower), "evidence": 1})
    return check(certificate(entries.tolist(), claims, evidence), entries.tolist())


@given(small_matrices(values=3, most=6))
def test_trees_and_refutations_are_certified(entries: Integers) -> None:
    claims = certified(entries)
    lower = searched(entries)[0]
    assert claims == [f"deterministic <= {lower}"] + [f"deterministic >= {lower}"] * (lower > 0)


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize(("size", "depth"), [(12, 4), (24, 5)])
def test_so_are_those_of_planted_matrices(size: int, depth: int, seed: int) -> None:
    entries = planted(size, size, depth, seed)
    assert len(certified(entries)) == 2
    assert searched(entries)[0] <= depth


def test_functions_of_n_bits() -> None:
    for function in ("EQ", "DISJ", "GT (x > y)", "GE (x >= y)"):
        for n in range(1, 6):
            assert searched(matrix_of(function, n))[0] == n + 1


def test_it_stops_when_the_time_is_spent() -> None:
    search = Search(CommunicationMatrix.from_array(planted(64, 64, 7, 5)), deadline=time.monotonic() - 1)
    with pytest.raises(OutOfTime):
        for tried in range(7):
            search.at_most(tried)
