"""Discrepancy, gamma_2 and weights on rectangles, against oracles, closed forms and all rectangles."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from brute import matrix_of, oracle, subsets
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from commsim.arrays import Bits, Floats
from commsim.bounds.corruption import randomized_bound, rectangle_weights
from commsim.bounds.discrepancy import exact_discrepancy, local_discrepancy
from commsim.bounds.gamma2 import gamma2

matrices = arrays(np.bool_, array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=5))


def signs_of(bits: Any) -> Floats:
    signs: Floats = np.where(bits, 1.0, -1.0)
    return signs


@pytest.mark.parametrize(
    "case", oracle("small_functions")["functions"], ids=lambda case: f"{case['function']} {case['n']}"
)
def test_the_discrepancies_of_the_oracles(case: dict[str, Any]) -> None:
    found = exact_discrepancy(signs_of(matrix_of(case["function"], case["n"])))
    assert found.imbalance == Fraction(case["uniform_discrepancy"])


@pytest.mark.parametrize("case", oracle("functions_n4")["functions"], ids=lambda case: case["function"])
def test_the_oracles_at_n_4(case: dict[str, Any]) -> None:
    signs = signs_of(matrix_of(case["function"], 4))
    assert round(float(exact_discrepancy(signs).imbalance), 4) == case["uniform_discrepancy"]
    interval = gamma2(signs)
    assert interval.lower <= case["gamma2"] + 1e-4
    assert interval.upper >= case["gamma2"] - 1e-4
    assert interval.upper - interval.lower < 1e-4


@given(matrices)
def test_discrepancy_is_the_most_unbalanced_rectangle(bits: Bits) -> None:
    signs = signs_of(bits)
    by_definition = max(
        abs(signs[np.ix_(rows, columns)].sum())
        for rows in subsets(range(bits.shape[0]))
        for columns in subsets(range(bits.shape[1]))
    )
    exact, local = exact_discrepancy(signs), local_discrepancy(signs)
    assert exact.imbalance == Fraction(int(by_definition), signs.size)
    assert local.imbalance <= exact.imbalance
    for found in (exact, local):
        assert Fraction(int(abs(signs[np.ix_(found.rows, found.columns)].sum())), signs.size) == found.imbalance


def test_more_rows_than_are_gone_through_at_once() -> None:
    # two blocks of 8 equal signs each way: the best rectangle is one block, 8 * 8 of 16 * 16
    block = np.ones((8, 8))
    assert exact_discrepancy(np.block([[block, -block], [-block, block]])).imbalance == Fraction(1, 4)


@pytest.mark.parametrize(("n", "value"), [(1, 2**0.5), (2, 2.0), (3, 8**0.5), (4, 4.0)])
def test_gamma_2_of_hadamard_matrices_is_the_root_of_their_size(n: int, value: float) -> None:
    interval = gamma2(signs_of(matrix_of("IP", n)))
    assert float(interval.lower) <= value + 1e-9
    assert float(interval.upper) >= value - 1e-9
    assert interval.upper - interval.lower < 1e-4


def test_gamma_2_of_rank_one_is_1() -> None:
    interval = gamma2(np.outer([1.0, -1, 1], [1.0, 1, -1, -1]))
    assert 1 - Fraction(1, 10**4) < interval.lower <= 1 <= interval.upper < 1 + Fraction(1, 10**4)


@settings(max_examples=30)
@given(matrices)
def test_gamma_2_lies_between_its_known_bounds(bits: Bits) -> None:
    # Linial and Shraibman (2009): 1 <= gamma_2 <= sqrt(rank), and the trace norm over sqrt(rows columns) below it
    signs = signs_of(bits)
    interval = gamma2(signs)
    assert interval.lower <= interval.upper
    assert interval.upper - interval.lower < 1e-3
    assert float(interval.lower) <= np.linalg.matrix_rank(signs) ** 0.5 + 1e-9
    assert float(interval.upper) >= np.linalg.norm(signs, "nuc") / signs.size**0.5 - 1e-9


@settings(max_examples=20)
@given(matrices, st.booleans())
def test_no_rectangle_is_heavier_than_the_scale(bits: Bits, complement: bool) -> None:
    bits = ~bits if complement else bits
    weights, scale = rectangle_weights(bits)
    for rows in subsets(range(bits.shape[0])):
        for columns in subsets(range(bits.shape[1])):
            assert weights[np.ix_(rows, columns)].sum() <= scale
    assert randomized_bound(bits, weights, scale) <= min(bits.shape)


def test_a_randomized_lower_bound_above_one_bit() -> None:
    bits = matrix_of("IP", 4)[1:11, 1:11] == 1
    weights, scale = rectangle_weights(bits)
    assert randomized_bound(bits, weights, scale) > 2
