"""Ranks over the rationals and modulo primes, against sympy, FLINT and matrices whose rank is known."""

import numpy as np
import pytest
import sympy
from flint import fmpz_mat, nmod_mat
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from commsim.arrays import Bits
from commsim.bounds.rank import largest_minor, modular_pivots, rational_rank

matrices = arrays(np.bool_, array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=8))


@given(matrices)
def test_it_is_the_rank_over_the_rationals(bits: Bits) -> None:
    found = rational_rank(bits)
    assert found.value == sympy.Matrix(bits.astype(int).tolist()).rank()
    minor = bits[np.ix_(found.rows, found.columns)].astype(int)
    assert len(found.rows) == found.value
    assert not found.value or int(sympy.Matrix(minor.tolist()).det()) % found.prime != 0


@given(matrices, st.sampled_from([2, 3, 5, 4194301]))
def test_it_is_the_rank_modulo_a_prime(bits: Bits, prime: int) -> None:
    rows, columns = modular_pivots(bits, prime)
    entries = bits.astype(int).ravel().tolist()
    assert len(rows) == len(columns) == nmod_mat(len(bits), bits.shape[1], entries, prime).rank()
    minor = bits[np.ix_(rows, columns)].astype(int).ravel().tolist()
    assert not rows or int(nmod_mat(len(rows), len(rows), minor, prime).det()) != 0


def test_a_determinant_that_a_prime_divides() -> None:
    # ones but for the diagonal: the determinant of size k + 1 is (-1)^k k, so 0 modulo 5 for k = 5
    bits = ~np.eye(6, dtype=bool)
    assert len(modular_pivots(bits, 5)[0]) == 5
    assert rational_rank(bits).value == 6


@pytest.mark.parametrize("rank", [1, 7, 40, 200])
def test_large_matrices_of_low_rank(rank: int) -> None:
    # rows drawn from unions of disjoint sets of columns: the rank is that of the choices
    generator = np.random.default_rng(rank)
    choices = generator.random((1100, rank)) < 0.5
    bits = choices[:, generator.permutation(np.arange(1200) % rank)]
    found = rational_rank(bits)
    assert found.value == fmpz_mat(1100, rank, choices.astype(int).ravel().tolist()).rank()
    assert "Hadamard" in found.proof


def test_random_matrices_across_the_blocks_of_the_elimination() -> None:
    generator = np.random.default_rng(1)
    for shape in ((9, 200), (130, 17), (257, 300)):
        bits = generator.random(shape) < 0.3
        assert rational_rank(bits).value == fmpz_mat(*shape, bits.astype(int).ravel().tolist()).rank()


def test_the_largest_determinants() -> None:
    # of 0/1 matrices of size 1, 2, 3, 4, 7: 1, 1, 2, 3, 32 (Hadamard's bound is met at 3 and 7)
    assert [largest_minor(size) >= most for size, most in ((1, 1), (2, 1), (3, 2), (4, 3), (7, 32))] == [True] * 5
    assert largest_minor(3) == 3
    assert largest_minor(7) == 33


def test_nothing_and_everything() -> None:
    assert rational_rank(np.zeros((3, 5), dtype=bool)).value == 0
    assert rational_rank(np.ones((3, 5), dtype=bool)).value == 1
