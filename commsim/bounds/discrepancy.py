"""Discrepancy under the uniform distribution: how far from balanced the +-1 entries of a rectangle can be.

It is the largest absolute sum of the entries of a rectangle, divided by rows * columns of the matrix. A public-coin
protocol with error e needs at least log2((1 - 2e) / disc) bits (Kushilevitz and Nisan 1997, Proposition 3.28).
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from commsim.arrays import Floats, Integers

#: all sets of so many rows are gone through
MOST_ROWS = 26
_LOW = 13


@dataclass(frozen=True)
class Rectangle:
    """A rectangle and its imbalance: the absolute sum of its entries / (rows * columns) of the matrix."""

    rows: list[int]
    columns: list[int]
    imbalance: Fraction


def exact_discrepancy(signs: Floats, progress: Callable[[int], None] = lambda done: None) -> Rectangle:
    """The most unbalanced rectangle: for each set of rows the best columns are those with sums of one sign.

    Args:
        signs: shape (rows, columns) with at most ``MOST_ROWS`` rows, or else columns.
        progress: is told how many of the 2^rows sets are done.
    """
    if len(signs) > signs.shape[1]:
        found = exact_discrepancy(signs.T, progress)
        return Rectangle(found.columns, found.rows, found.imbalance)
    small = signs.astype(np.int8)  # sums of at most 26 signs
    low = _subset_sums(small[:_LOW])
    high = _subset_sums(small[_LOW:])
    low_total = low.sum(axis=0, dtype=np.int32)
    best, best_set = -1, 0
    for number in range(high.shape[1]):
        sums = low + high[:, number, None]
        total = low_total + int(high[:, number].sum(dtype=np.int32))
        positive = np.maximum(sums, 0).sum(axis=0, dtype=np.int32)
        unbalanced = np.maximum(positive, positive - total)
        place = int(unbalanced.argmax())
        if unbalanced[place] > best:
            best, best_set = int(unbalanced[place]), number << min(_LOW, len(small)) | place
        progress(low.shape[1])
    rows = np.flatnonzero(best_set >> np.arange(len(signs)) & 1)
    return _best_columns(signs, rows)


def local_discrepancy(signs: Floats, seed: int = 0, starts: int = 20) -> Rectangle:
    """A rectangle that no change of rows alone, or of columns alone, makes more unbalanced: a lower bound."""
    generator = np.random.default_rng(seed)
    found = []
    for _ in range(starts):
        rows = np.flatnonzero(generator.random(len(signs)) < 0.5)
        best = _best_columns(signs, rows)
        while True:
            turned = _best_columns(signs.T, np.array(best.columns, dtype=np.int64))
            better = Rectangle(turned.columns, turned.rows, turned.imbalance)
            if better.imbalance <= best.imbalance:
                break
            best = _best_columns(signs, np.array(better.rows, dtype=np.int64))
        found.append(best)
    return max(found, key=lambda rectangle: rectangle.imbalance)


def _best_columns(signs: Floats, rows: Integers) -> Rectangle:
    sums = signs[rows].sum(axis=0)
    sign = 1 if np.maximum(sums, 0).sum() >= np.maximum(-sums, 0).sum() else -1
    columns = np.flatnonzero(sign * sums > 0)
    imbalance = Fraction(int(sign * sums[columns].sum()), signs.size)
    return Rectangle(rows.tolist(), columns.tolist(), imbalance)


def _subset_sums(rows: NDArray[np.int8]) -> NDArray[np.int8]:
    """The sum of each subset of rows, shape (columns, 2^rows); bit k of a subset's number stands for row k."""
    sums = np.zeros((rows.shape[1], 1), dtype=np.int8)
    for row in rows:
        sums = np.concatenate([sums, sums + row[:, None]], axis=1)
    return sums
