"""The rank of a 0/1 matrix, over the rationals with a proof, and modulo a prime.

Modulo a prime of 22 bits the elimination is done in floating point, by blocks, so that nearly all of its work is matrix
products in the BLAS. All numbers are integers below 2^53 throughout, so every operation is exact.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from flint import fmpz, nmod_mat
from numpy.typing import NDArray

from commsim.arrays import Bits, Floats
from commsim.bounds.elimination import pivots
from commsim.matrix import as_integers

_LARGEST_PRIME = 2**22
#: residues are at most p/2 in absolute value, so products of so many pairs stay below 2^53
_MOST_PRODUCTS = 1024
#: panels of so few columns are eliminated column by column
_PANEL = 8
#: so many random lines are looked at first
_SAMPLE = 512
#: so many rows of a product are held at a time
_ROWS_AT_ONCE = 64


@dataclass(frozen=True)
class Rank:
    """A rank, with the rows and columns of a minor that is not 0 modulo a prime.

    Attributes:
        value: over the rationals.
        prime: the prime of the minor.
        rows, columns: of the minor, ``value`` each.
        proof: why it is no larger.
    """

    value: int
    prime: int
    rows: list[int]
    columns: list[int]
    proof: str


def rational_rank(bits: Bits, progress: Callable[[], None] = lambda: None) -> Rank:
    """The rank over the rationals, exactly.

    Args:
        bits: shape (rows, columns).
        progress: is called now and then.
    """
    nonzero = np.flatnonzero(bits.any(axis=1)), np.flatnonzero(bits.any(axis=0))
    if len(nonzero[0]) and (len(nonzero[0]), len(nonzero[1])) != bits.shape:
        inner = rational_rank(bits[np.ix_(*nonzero)], progress)
        kept = nonzero[0][inner.rows].tolist(), nonzero[1][inner.columns].tolist()
        return Rank(inner.value, inner.prime, *kept, inner.proof)
    primes = _primes(_LARGEST_PRIME)
    prime = next(primes)
    if min(bits.shape) > 2 * _SAMPLE:  # a matrix of low rank shows it on a few of its lines
        some_rows, some_columns = (np.random.default_rng(0).permutation(size)[:_SAMPLE] for size in bits.shape)
        among_rows, among_columns = modular_pivots(bits[np.ix_(some_rows, some_columns)], prime, progress)
        rows, columns = some_rows[among_rows].tolist(), some_columns[among_columns].tolist()
        if 2 * len(rows) <= _SAMPLE and (proof := _no_larger_minor(bits, rows, columns, progress)):
            return Rank(len(rows), prime, rows, columns, proof)
    while True:
        rows, columns = modular_pivots(bits, prime, progress)
        if len(rows) == min(bits.shape):
            return Rank(len(rows), prime, rows, columns, "no more rows or columns")
        if proof := _no_larger_minor(bits, rows, columns, progress):
            return Rank(len(rows), prime, rows, columns, proof)
        prime = next(primes)  # the last one divides all the largest minors


def _no_larger_minor(bits: Bits, rows: list[int], columns: list[int], progress: Callable[[], None]) -> str | None:
    """The proof that the minor A on these rows and columns is a largest one, None if it is not.

    With one more row and column, of entries m and c, its determinant is det A (e - m A^-1 c) for the entry e where
    they meet. If that is 0 modulo primes whose product exceeds Hadamard's bound, it is 0; and if it is for every row
    and column, the rank is that of A.
    """
    size = len(rows)
    on_rows = bits[rows]
    minor = on_rows[:, columns].astype(int).ravel().tolist()
    needed, product, used = largest_minor(size + 1), 1, 0
    # products of residues and 0 or 1, added up, stay below 2^53
    for prime in _primes(min(2**45, 2**53 // (size + 1))):
        try:
            inverse = nmod_mat(size, size, minor, prime).inv().entries() if size else []
        except ZeroDivisionError:  # no proof modulo this prime
            continue
        residues = np.array([int(entry) for entry in inverse], dtype=np.float64).reshape(size, size)
        solved = np.mod(residues @ on_rows, prime)
        for start in range(0, len(bits), _ROWS_AT_ONCE):
            some = bits[start : start + _ROWS_AT_ONCE]
            left = some[:, columns].astype(np.float64) @ solved
            left -= some
            multiples = np.rint(left * (1 / prime))
            multiples *= prime
            if (multiples != left).any():
                return None
        used, product = used + 1, product * prime
        progress()
        if product > needed:
            return f"no larger minor (Hadamard; {used} prime{'s' * (used > 1)})"
    raise AssertionError("there are more primes than are ever needed")


def largest_minor(size: int) -> int:
    """No determinant of a 0/1 matrix of the size is larger: (size + 1)^((size + 1) / 2) / 2^size (Hadamard 1893)."""
    return int(math.isqrt((size + 1) ** (size + 1)) // 2**size + 1)


def modular_pivots(bits: Bits, prime: int, progress: Callable[[], None] = lambda: None) -> tuple[list[int], list[int]]:
    """Rows and columns of a largest minor that is not 0 modulo a prime below 2^22; as many as the rank modulo it."""
    if prime == 2:
        found = pivots(as_integers(bits))
        return [row for row, _ in found], [column for _, column in found]
    elimination = _Elimination(bits.astype(np.float64), prime, progress)
    elimination.reduce(0, 0, bits.shape[1])
    return elimination.rows[: len(elimination.columns)].tolist(), elimination.columns


def _primes(below: int) -> Iterator[int]:
    """The primes below a number, the largest first."""
    return (number for number in range(below - 1, 1, -1) if fmpz(number).is_prime())


class _Elimination:
    """Gaussian elimination in place, by recursion on the columns."""

    def __init__(self, matrix: Floats, prime: int, progress: Callable[[], None]) -> None:
        self.matrix = matrix
        self.progress = progress
        self.prime = float(prime)
        self.rows: NDArray[np.int64] = np.arange(len(matrix))
        self.columns: list[int] = []

    def reduce(self, top: int, start: int, stop: int) -> int:
        """Eliminate in columns start to stop, below row ``top``; returns how many pivots were found.

        Below the pivots, the pivots' columns then hold the factors of the elimination.
        """
        if stop - start <= _PANEL:
            self.progress()
            return self._panel(top, start, stop)
        middle = (start + stop) // 2
        left = self.reduce(top, start, middle)
        if left:
            pivots = self.columns[-left:]
            factors = self.matrix[top:, pivots]
            upper = self.matrix[top : top + left, middle:stop]
            self._solve(factors[:left], upper)
            if top + left < len(self.matrix):
                self._subtract(self.matrix[top + left :, middle:stop], factors[left:], upper)
        return left + self.reduce(top + left, middle, stop)

    def _panel(self, top: int, start: int, stop: int) -> int:
        found = 0
        for column in range(start, stop):
            row = top + found
            below = np.flatnonzero(self.matrix[row:, column])
            if not len(below):
                continue
            other = row + int(below[0])
            if other != row:
                self.matrix[[row, other]] = self.matrix[[other, row]]
                self.rows[[row, other]] = self.rows[[other, row]]
            inverse = pow(int(self.matrix[row, column]), -1, int(self.prime))
            if 2 * inverse > self.prime:
                inverse -= int(self.prime)
            factors = self._residue(self.matrix[row + 1 :, column] * float(inverse))
            self.matrix[row + 1 :, column] = factors
            if column + 1 < stop:
                rest = self.matrix[row + 1 :, column + 1 : stop]
                rest[:] = self._residue(rest - factors[:, None] * self.matrix[row, column + 1 : stop])
            self.columns.append(column)
            found += 1
        return found

    def _solve(self, factors: Floats, upper: Floats) -> None:
        """Replace ``upper`` by L^-1 upper, for the unit lower triangular L below whose diagonal stand the factors."""
        size = len(factors)
        if size <= _PANEL:
            for row in range(size - 1):
                upper[row + 1 :] = self._residue(upper[row + 1 :] - factors[row + 1 :, row, None] * upper[row])
            return
        half = size // 2
        self._solve(factors[:half, :half], upper[:half])
        self._subtract(upper[half:], factors[half:, :half], upper[:half])
        self._solve(factors[half:, half:], upper[half:])

    def _subtract(self, target: Floats, left: Floats, right: Floats) -> None:
        for start in range(0, left.shape[1], _MOST_PRODUCTS):
            stop = start + _MOST_PRODUCTS
            product = left[:, start:stop] @ right[start:stop]
            np.subtract(target, product, out=product)
            target[:] = self._residue(product)

    def _residue(self, numbers: Floats) -> Floats:
        """The residues nearest to 0; a few may be one rounding beyond p/2, which does no harm."""
        quotients = numbers * (1 / self.prime)
        np.rint(quotients, out=quotients)
        quotients *= self.prime
        return np.subtract(numbers, quotients, out=quotients)
