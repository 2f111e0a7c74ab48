"""Fooling sets: entries of one value, no two of which fit into one rectangle of that value.

Kushilevitz and Nisan (1997), Section 1.3. The largest is a largest clique of the graph that joins entries which do not
fit into one rectangle; it is found by branch and bound, where a colouring bounds what a branch can still reach
(Tomita and Seki 2003).
"""

import math
import time
from dataclasses import dataclass

import numpy as np

from commsim.arrays import Bits
from commsim.bounds.elimination import places
from commsim.matrix import as_integers

#: entries of the value, for the exact search
MOST_ENTRIES = 1200
_LOOK_AT_CLOCK = 256


@dataclass(frozen=True)
class FoolingSet:
    """A fooling set.

    Attributes:
        pairs: the entries, (row, column).
        exact: whether it is a largest one.
    """

    pairs: list[tuple[int, int]]
    exact: bool


def largest_fooling_set(bits: Bits, deadline: float = math.inf) -> FoolingSet:
    """A fooling set of the entries that are set, a largest one if the search ends in time.

    Args:
        bits: where the value stands, shape (rows, columns).
        deadline: of the search, as of ``time.monotonic``.
    """
    greedy = greedy_fooling_set(bits)
    rows, columns = np.nonzero(bits)
    if len(greedy) == min(bits.any(axis=1).sum(), bits.any(axis=0).sum()):
        return FoolingSet(greedy, True)  # no two lie in one row or one column
    if len(rows) > MOST_ENTRIES:
        return FoolingSet(greedy, False)
    fit = bits[rows[:, None], columns[None]] & bits[rows[None], columns[:, None]]
    search = _CliqueSearch(as_integers(~fit), len(greedy), deadline)
    clique = search.run()
    pairs = greedy if clique is None else [(int(rows[v]), int(columns[v])) for v in clique]
    return FoolingSet(pairs, search.finished)


def greedy_fooling_set(bits: Bits) -> list[tuple[int, int]]:
    """Take entries in the order of how many others share their rows and columns, each that still fits with none."""
    of_row, of_column = bits.sum(axis=1), bits.sum(axis=0)
    rows, columns = np.nonzero(bits)
    allowed = bits.copy()
    chosen = []
    for place in np.argsort(of_row[rows] * of_column[columns], kind="stable"):
        row, column = int(rows[place]), int(columns[place])
        if allowed[row, column]:
            chosen.append((row, column))
            allowed[np.ix_(np.flatnonzero(bits[:, column]), np.flatnonzero(bits[row]))] = False
    return chosen


class _CliqueSearch:
    """A largest clique above a size that is known already; vertices are bits of integers."""

    def __init__(self, neighbours: list[int], known: int, deadline: float) -> None:
        # the vertices in the order of their degrees, so that the colouring takes the crowded ones first
        order = sorted(range(len(neighbours)), key=lambda vertex: -neighbours[vertex].bit_count())
        place = {vertex: number for number, vertex in enumerate(order)}
        self.vertices = order
        self.neighbours = [0] * len(order)
        for vertex, others in enumerate(neighbours):
            self.neighbours[place[vertex]] = sum(1 << place[other] for other in places(others))
        self.best = known
        self.clique: list[int] | None = None
        self.deadline = deadline
        self.finished = True
        self._nodes = 0

    def run(self) -> list[int] | None:
        """The largest clique, if it is larger than the known size (or the largest found in time)."""
        self._extend([], (1 << len(self.vertices)) - 1)
        return None if self.clique is None else [self.vertices[vertex] for vertex in self.clique]

    def _extend(self, clique: list[int], candidates: int) -> None:
        self._nodes += 1
        if self._nodes % _LOOK_AT_CLOCK == 0 and time.monotonic() > self.deadline:
            self.finished = False
        order, colours = self._coloured(candidates, self.best - len(clique))
        for vertex, colour in zip(reversed(order), reversed(colours), strict=True):
            if not self.finished or len(clique) + colour <= self.best:
                return
            clique.append(vertex)
            rest = candidates & self.neighbours[vertex]
            if rest:
                self._extend(clique, rest)
            elif len(clique) > self.best:
                self.best, self.clique = len(clique), clique.copy()
            clique.pop()
            candidates ^= 1 << vertex

    def _coloured(self, candidates: int, enough: int) -> tuple[list[int], list[int]]:
        """The candidates that need more than ``enough`` colours, by colour; a clique has one vertex of a colour."""
        order: list[int] = []
        colours: list[int] = []
        colour = 0
        while candidates:
            colour += 1
            free = candidates
            while free:
                low = free & -free
                vertex = low.bit_length() - 1
                free &= ~(self.neighbours[vertex] | low)
                candidates ^= low
                if colour > enough:
                    order.append(vertex)
                    colours.append(colour)
        return order, colours
