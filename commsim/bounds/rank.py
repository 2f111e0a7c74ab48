"""The rank of a 0/1 matrix, over the rationals with a proof, and modulo a prime.

Modulo a prime of 22 bits the elimination is done in floating point, by blocks, so that nearly all of its work is matrix
products in the BLAS. All numbers are integers below 2^53 throughout, so every operation is exact.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sympy import prevprime

from commsim.arrays import Bits, Floats, Integers
from commsim.bounds.elimination import pivots

_LARGEST_PRIME = 2**22
#: residues are at most p/2 in absolute value, so products of so many pairs stay below 2^53
_MOST_PRODUCTS = 1024
#: panels of so few columns are eliminated column by column
_PANEL = 8
#: so many random lines are looked at first
_SAMPLE = 512
#: below 2^40, so that what is computed modulo it in floating point is exact
_GUESSING_PRIME = 2**40 - 87
#: a common denominator is guessed from so many columns
_GUESSING_COLUMNS = 48
_SPANNED = "its columns span all others, with rational coefficients that were verified"


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


def rational_rank(bits: Bits, progress: Callable[[int], None] = lambda primes: None) -> Rank:
    """The rank over the rationals, exactly.

    Args:
        bits: shape (rows, columns).
        progress: is told after each prime how many have been used.
    """
    nonzero = np.flatnonzero(bits.any(axis=1)), np.flatnonzero(bits.any(axis=0))
    if len(nonzero[0]) and (len(nonzero[0]), len(nonzero[1])) != bits.shape:
        inner = rational_rank(bits[np.ix_(*nonzero)], progress)
        kept = nonzero[0][inner.rows].tolist(), nonzero[1][inner.columns].tolist()
        return Rank(inner.value, inner.prime, *kept, inner.proof)
    primes = _primes()
    prime = next(primes)
    if min(bits.shape) > 2 * _SAMPLE:  # a matrix of low rank shows it on a few of its lines
        some_rows, some_columns = (np.random.default_rng(0).permutation(size)[:_SAMPLE] for size in bits.shape)
        among_rows, among_columns = modular_pivots(bits[np.ix_(some_rows, some_columns)], prime)
        rows, columns = some_rows[among_rows].tolist(), some_columns[among_columns].tolist()
        if 2 * len(rows) <= _SAMPLE and _spans(bits, rows, columns):
            return Rank(len(rows), prime, rows, columns, _SPANNED)
    rows, columns = modular_pivots(bits, prime)
    if len(rows) == min(bits.shape):
        return Rank(len(rows), prime, rows, columns, "no more rows or columns")
    if _spans(bits, rows, columns):
        return Rank(len(rows), prime, rows, columns, _SPANNED)
    used, product = 1, prime
    while product <= largest_minor(len(rows) + 1):
        progress(used)
        another = next(primes)
        found = modular_pivots(bits, another)
        if len(found[0]) > len(rows):  # the first prime divides all the largest minors
            (rows, columns), prime = found, another
            used, product = 0, 1
        used, product = used + 1, product * another
    proof = f"larger minors are 0 modulo {used} primes, whose product exceeds Hadamard's bound"
    return Rank(len(rows), prime, rows, columns, proof)


def _spans(bits: Bits, rows: list[int], columns: list[int]) -> bool:
    """Whether the columns span all others, shown by combinations with small rational coefficients.

    The coefficients are guessed from their residues and then verified in exact integers; False says nothing.
    """
    if not rows:
        return not bits.any()
    from flint import fmpz_mat

    size = len(rows)
    others = np.setdiff1d(np.arange(bits.shape[1]), columns)
    on_rows = bits[rows]
    minor = on_rows[:, columns].astype(int).ravel().tolist()
    few = others[:: -(-len(others) // _GUESSING_COLUMNS)]
    right = fmpz_mat(size, len(few), on_rows[:, few].astype(int).ravel().tolist())
    solved = fmpz_mat(size, size, minor).solve(right)
    denominator = math.lcm(*(int(entry.denom()) for entry in solved.entries()))
    if denominator >= 2**23:
        return False
    if len(few) == len(others):
        scaled = [int(entry.numer()) * (denominator // int(entry.denom())) for entry in solved.entries()]
        if max(map(abs, scaled)) * size >= 2**52:
            return False
        numerators = np.array(scaled, dtype=np.int64).reshape(size, len(others))
    else:
        try:
            numerators = _numerators(minor, on_rows[:, others], denominator)
        except ZeroDivisionError:  # the minor is 0 modulo the prime of the guess
            return False
        if np.abs(numerators).max() * size >= 2**52:
            return False
    combined = bits[:, columns].astype(np.float64) @ numerators.astype(np.float64)
    return bool((combined == denominator * bits[:, others]).all())


def _numerators(minor: list[int], right: Bits, denominator: int) -> Integers:
    """The solution of minor * X = right, times the denominator, if that is of small integers; else anything."""
    from flint import nmod_mat

    size = len(right)
    inverse = nmod_mat(size, size, minor, _GUESSING_PRIME).inv()
    # sums of ``size`` residues stay below 2^53
    residues = np.array([int(entry) for entry in inverse.entries()], dtype=np.float64).reshape(size, size)
    residues = np.mod(residues @ right.astype(np.float64), _GUESSING_PRIME)
    numerators: Integers = np.mod(residues.astype(np.int64) * denominator, _GUESSING_PRIME)
    numerators[numerators > _GUESSING_PRIME // 2] -= _GUESSING_PRIME
    return numerators


def largest_minor(size: int) -> int:
    """No determinant of a 0/1 matrix of the size is larger: (size + 1)^((size + 1) / 2) / 2^size (Hadamard 1893)."""
    return int(math.isqrt((size + 1) ** (size + 1)) // 2**size + 1)


def modular_pivots(bits: Bits, prime: int) -> tuple[list[int], list[int]]:
    """Rows and columns of a largest minor that is not 0 modulo a prime below 2^22; as many as the rank modulo it."""
    if prime == 2:
        packed = np.packbits(bits, axis=1, bitorder="little")
        found = pivots([int.from_bytes(row.tobytes(), "little") for row in packed])
        return [row for row, _ in found], [column for _, column in found]
    elimination = _Elimination(bits.astype(np.float64), prime)
    elimination.reduce(0, 0, bits.shape[1])
    return elimination.rows[: len(elimination.columns)].tolist(), elimination.columns


def _primes() -> Iterator[int]:
    prime = _LARGEST_PRIME
    while True:
        prime = prevprime(prime)
        yield prime


class _Elimination:
    """Gaussian elimination in place, by recursion on the columns."""

    def __init__(self, matrix: Floats, prime: int) -> None:
        self.matrix = matrix
        self.prime = float(prime)
        self.rows: NDArray[np.int64] = np.arange(len(matrix))
        self.columns: list[int] = []

    def reduce(self, top: int, start: int, stop: int) -> int:
        """Eliminate in columns start to stop, below row ``top``; returns how many pivots were found.

        Below the pivots, the pivots' columns then hold the factors of the elimination.
        """
        if stop - start <= _PANEL:
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
