"""Rectangle covers and partitions: how many rectangles of one value hold all of its entries.

The logarithm of the cover number is the nondeterministic complexity (Kushilevitz and Nisan 1997, Section 2.1); the
partition number is the binary rank. Both are integer programs over rectangles, for HiGHS; the linear program of the
cover is the fractional cover number, and its dual, in exact integers, a lower bound with evidence.
"""

import math
import time
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from commsim.arrays import Bits, Integers
from commsim.bounds.elimination import places
from commsim.matrix import as_integers

#: at most so many maximal rectangles, or for a partition rectangles at all, go into a program
MOST_RECTANGLES = 20_000
#: weights of the dual are multiples of 1 / this
_SCALE = 10**6


@dataclass(frozen=True)
class Rectangle:
    """Rows and columns of the original matrix."""

    rows: list[int]
    columns: list[int]


@dataclass(frozen=True)
class Cover:
    """What is known of a cover or partition number.

    Attributes:
        rectangles: the fewest that were found.
        lower: no fewer are possible, as the solver says in floating point; 0 if it says nothing.
        exact: whether the two are equal.
    """

    rectangles: list[Rectangle]
    lower: int
    exact: bool


def maximal_rectangles(bits: Bits) -> list[Rectangle] | None:
    """All inclusion-maximal rectangles of the entries that are set; None if there are more than ``MOST_RECTANGLES``.

    Their column sets are the intersections of rows.
    """
    lines = as_integers(bits)
    closed: set[int] = set()
    for line in lines:
        closed |= {line} | {line & other for other in closed}
        closed.discard(0)
        if len(closed) > MOST_RECTANGLES:
            return None
    return [
        Rectangle([row for row, line in enumerate(lines) if line & columns == columns], places(columns))
        for columns in sorted(closed)
    ]


def all_rectangles(bits: Bits) -> list[Rectangle] | None:
    """All rectangles of the entries that are set; None if there are more than ``MOST_RECTANGLES``."""
    lines = as_integers(bits)
    if len(lines) > 16:
        return None
    found: list[Rectangle] = []
    for rows in range(1, 1 << len(lines)):
        chosen = places(rows)
        common = lines[chosen[0]]
        for row in chosen[1:]:
            common &= lines[row]
        if len(found) + (1 << common.bit_count()) - 1 > MOST_RECTANGLES:
            return None
        columns = common
        while columns:  # each nonempty subset once
            found.append(Rectangle(chosen, places(columns)))
            columns = (columns - 1) & common
    return found


def fewest(bits: Bits, rectangles: list[Rectangle], *, disjoint: bool, seconds: float) -> Cover:
    """The fewest of the rectangles that hold every entry that is set, each just once if ``disjoint``.

    Args:
        bits: shape (rows, columns).
        rectangles: to choose from.
        disjoint: a partition instead of a cover.
        seconds: for the solver.
    """
    from scipy.optimize import Bounds, LinearConstraint, milp

    inside = incidence(bits, rectangles)
    most = np.ones(inside.shape[0]) if disjoint else np.full(inside.shape[0], np.inf)
    solved = milp(
        np.ones(len(rectangles)),
        constraints=LinearConstraint(inside, np.ones(inside.shape[0]), most),
        integrality=np.ones(len(rectangles), dtype=np.int64),
        bounds=Bounds(0, 1),
        options={"time_limit": max(0.1, seconds)},
    )
    lower = int(np.ceil(solved.mip_dual_bound - 1e-6)) if solved.mip_dual_bound is not None else 0
    if solved.x is None:
        return Cover(greedy_partition(bits), lower, False)
    chosen = [rectangle for rectangle, taken in zip(rectangles, solved.x, strict=True) if taken > 0.5]
    return Cover(chosen, lower, bool(solved.status == 0))


def fractional_cover(bits: Bits, rectangles: list[Rectangle]) -> tuple[Integers, int] | None:
    """Integer weights on the entries and a scale, such that no rectangle weighs more than the scale.

    They are the dual of the fractional cover, rounded down; every cover needs at least total / scale rectangles.

    Args:
        bits: shape (rows, columns).
        rectangles: all the maximal ones.

    Returns:
        None if the solver fails.
    """
    from scipy.optimize import linprog

    inside = incidence(bits, rectangles)
    solved = linprog(-np.ones(inside.shape[0]), A_ub=inside.T, b_ub=np.ones(len(rectangles)), bounds=(0, 1))
    if solved.x is None:
        return None
    weights = np.zeros(bits.shape, dtype=np.int64)
    weights[bits] = np.floor(np.maximum(solved.x, 0) * _SCALE).astype(np.int64)
    heaviest = max(int(weights[np.ix_(r.rows, r.columns)].sum()) for r in rectangles)
    return weights, max(_nicest(weights, heaviest), heaviest)


def _nicest(weights: Integers, heaviest: int) -> int:
    """The scale of the program itself, if rounding has left it valid and the bound no worse."""
    total = Fraction(int(weights.sum()))
    return heaviest if -(-total // heaviest) >= -(-total // _SCALE) else _SCALE


def incidence(bits: Bits, rectangles: list[Rectangle]) -> Any:
    """A sparse matrix that says which of the entries that are set (rows) lie in which rectangle (columns)."""
    from scipy.sparse import csc_matrix

    numbers = np.full(bits.shape, -1)
    numbers[bits] = np.arange(bits.sum())
    held = [numbers[np.ix_(rectangle.rows, rectangle.columns)].ravel() for rectangle in rectangles]
    starts = np.concatenate([[0], np.cumsum([len(entries) for entries in held])])
    all_held = np.concatenate(held)
    return csc_matrix((np.ones(len(all_held)), all_held, starts), shape=(int(bits.sum()), len(rectangles)))


def greedy_cover(bits: Bits, deadline: float = math.inf) -> list[Rectangle] | None:
    """A cover by rectangles, each grown from a row with entries that are not yet held: few, but hardly the fewest.

    Args:
        bits: shape (rows, columns).
        deadline: as of ``time.monotonic``.

    Returns:
        None if the deadline has passed.
    """
    left = bits.copy()
    cover = []
    while left.any():
        if time.monotonic() > deadline:
            return None
        row = int(left.sum(axis=1).argmax())
        columns = bits[row].copy()
        rows = (bits | ~columns).all(axis=1)
        gain = left[np.ix_(rows, columns)].sum()
        for other in np.argsort(-(bits & columns).sum(axis=1)):
            fewer = columns & bits[other]
            more = (bits | ~fewer).all(axis=1)
            if fewer.any() and left[np.ix_(more, fewer)].sum() > gain:
                columns, rows, gain = fewer, more, left[np.ix_(more, fewer)].sum()
        cover.append(Rectangle(np.flatnonzero(rows).tolist(), np.flatnonzero(columns).tolist()))
        left[np.ix_(rows, columns)] = False
    return cover


def greedy_partition(bits: Bits) -> list[Rectangle]:
    """Disjoint rectangles: equal rows together, one rectangle for each kind of row (or of column, if fewer)."""
    by_rows, by_columns = (_lines_together(matrix) for matrix in (bits, bits.T))
    if len(by_columns) < len(by_rows):
        return [Rectangle(rectangle.columns, rectangle.rows) for rectangle in by_columns]
    return by_rows


def _lines_together(bits: Bits) -> list[Rectangle]:
    kinds: dict[bytes, list[int]] = {}
    for row, line in enumerate(bits):
        kinds.setdefault(line.tobytes(), []).append(row)
    return [Rectangle(rows, np.flatnonzero(bits[rows[0]]).tolist()) for rows in kinds.values() if bits[rows[0]].any()]
