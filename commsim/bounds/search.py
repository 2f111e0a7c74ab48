"""Exact deterministic communication complexity D (both parties know the output), by search for an optimal tree.

``at_most(d)`` asks whether the matrix has a protocol tree of depth d. The root splits the rows or the columns in two,
and each half needs a tree of depth d - 1; so the search puts line after line to one side or the other, and remembers
what it learns about each submatrix. Three facts prune it, all over GF(2), for any number of values of f:

- A protocol of cost d has at most 2^d leaves, and those of value z are at least as many as the rank of the 0/1 matrix
  of z (Mehlhorn and Schmidt 1982, over any field). Call the sum of these ranks r(S) for a set S of lines: each half has
  r at most 2^(d-1).
- r is submodular: for halves that contain A and B, the sum of the two is at least r(S) + r(A) + r(B) - r(A + B).
- So if r(S) = 2^d, no minimal dependent set of lines is split, and the lines move in groups.

A refutation is kept as a tree that :mod:`commsim.certificate` checks.
"""

import math
import random
import time
from collections import Counter
from collections.abc import Callable

from commsim.bounds.elimination import circuits, joined, places, rank
from commsim.bounds.halves import Halves
from commsim.bounds.trees import Case, OutOfTime, Refutation, Split, Submatrix, Tree
from commsim.matrix import CommunicationMatrix

#: The first attempt at the root gives up after so many steps and lets the other party speak first.
_FIRST_BUDGET = 2000


class _OutOfBudget(Exception):
    pass


class Search:
    """The search on one matrix, with its memory.

    Args:
        matrix: of any number of values.
        deadline: as of ``time.monotonic``, when it gives up with OutOfTime.
        progress: is told now and then how many steps were taken.
    """

    def __init__(
        self,
        matrix: CommunicationMatrix,
        deadline: float = math.inf,
        progress: Callable[[int], None] = lambda steps: None,
    ) -> None:
        self.rows, self.columns = matrix.lines()
        self.values = matrix.values
        self.whole = Submatrix((1 << matrix.shape[0]) - 1, (1 << matrix.shape[1]) - 1)
        self._root = self._distinct(self.whole.rows, self.whole.columns)
        self.deadline = deadline
        self.progress = progress
        self.steps = 0
        self._budget_ends: int | None = None
        self._refuted: dict[tuple[int, int], Refutation] = {}
        self._found: dict[tuple[int, int], tuple[int, tuple[str, int] | None]] = {}
        self._failures: Counter[tuple[int, bool]] = Counter()

    def at_most(self, depth: int) -> Refutation | None:
        """None if the matrix has a protocol tree of the depth, else why not.

        Raises:
            OutOfTime: the deadline has passed.
        """
        rows, columns = self._root
        if self._known(rows, columns, depth):
            return None
        refutation = self._quickly(rows, columns, depth)
        if refutation is not None:
            return refutation
        # the two owners in turn, each with a growing budget and another order: what is hard for one may be easy for the
        # other, and for another order
        shuffled = random.Random(0)
        splits: dict[bool, Split] = {}
        budget = _FIRST_BUDGET
        while len(splits) < 2:
            for of_rows in (True, False):
                if of_rows in splits:
                    continue
                self._budget_ends = self.steps + budget
                try:
                    split = self._split(rows, columns, depth, of_rows)
                except _OutOfBudget:
                    for line in range(max(len(self.rows[0]), len(self.columns[0]))):
                        self._failures[1 << line, of_rows] = shuffled.randrange(20)
                    continue
                finally:
                    self._budget_ends = None
                if split is None:
                    return None
                splits[of_rows] = split
            budget *= 2
        return self._refute(rows, columns, depth, (splits[True], splits[False]))

    def tree(self) -> Tree:
        """A protocol tree of the least depth for which ``at_most`` answered None."""
        return self._tree(*self._root, self.whole)

    def _tree(self, rows: int, columns: int, within: Submatrix) -> Tree:
        """A tree for the submatrix ``within``, whose distinct lines are given."""
        if rows.bit_count() == columns.bit_count() == 1:
            place, row = columns.bit_length() - 1, rows.bit_length() - 1
            return Tree(
                value=next(z for z, lines in zip(self.values, self.rows, strict=True) if lines[row] >> place & 1)
            )
        owner, zero = self._best_split(rows, columns)
        lines, across = (self.rows, within.columns) if owner == "alice" else (self.columns, within.rows)
        mine = within.rows if owner == "alice" else within.columns
        other = columns if owner == "alice" else rows
        first = {tuple(layer[line] & other for layer in lines) for line in places(zero)}
        zero = sum(1 << line for line in places(mine) if tuple(layer[line] & other for layer in lines) in first)
        one = mine & ~zero
        parts = [Submatrix(part, across) if owner == "alice" else Submatrix(across, part) for part in (zero, one)]
        children = tuple(self._tree(*self._distinct(part.rows, part.columns), part) for part in parts)
        return Tree(owner=owner, zero=zero, children=children)

    def _best_split(self, rows: int, columns: int) -> tuple[str, int]:
        known = self._found.get((rows, columns))
        if known is not None and known[1] is not None:
            return known[1]
        # the trivial protocol: whoever has fewer distinct lines names theirs, then the other party names the value
        of_rows = columns.bit_count() == 1 or 1 < rows.bit_count() <= columns.bit_count()
        mine = rows if of_rows else columns
        in_order = places(mine)
        zero = sum(1 << place for place in in_order[: len(in_order) // 2])
        return ("alice" if of_rows else "bob"), zero

    def _distinct(self, rows: int, columns: int) -> tuple[int, int]:
        """The first of each kind of row and of column of a submatrix."""
        seen: set[tuple[int, ...]] = set()
        kept_rows = kept_columns = 0
        # two values are told apart by one layer
        row_layers, column_layers = (self.rows[1:], self.columns[1:]) if len(self.values) > 1 else ([], [])
        for line in places(rows):
            kind = tuple(layer[line] & columns for layer in row_layers)
            if kind not in seen:
                seen.add(kind)
                kept_rows |= 1 << line
        seen.clear()
        for line in places(columns):
            kind = tuple(layer[line] & kept_rows for layer in column_layers)
            if kind not in seen:
                seen.add(kind)
                kept_columns |= 1 << line
        return kept_rows, kept_columns

    def _quickly(self, rows: int, columns: int, depth: int) -> Refutation | None:
        """A refutation by what is known or by the ranks."""
        known = self._refuted.get((rows, columns))
        if known is not None:
            return known if known.depth >= depth else None
        leaves = sum(rank([layer[line] & columns for line in places(rows)]) for layer in self.rows)
        refutation = Refutation(Submatrix(rows, columns), (leaves - 1).bit_length() - 1)
        self._refuted[rows, columns] = refutation
        return refutation if refutation.depth >= depth else None

    def _known(self, rows: int, columns: int, depth: int) -> bool:
        """Whether a tree of the depth is known, if only that of the trivial protocol."""
        found = self._found.get((rows, columns))
        if found is None:
            fewer, more = sorted((rows.bit_count(), columns.bit_count()))
            answer = min(len(self.values), more)
            trivial = (fewer - 1).bit_length() + (answer - 1).bit_length()
            found = self._found[rows, columns] = (trivial, None)
        return found[0] <= depth

    def _refute(self, rows: int, columns: int, depth: int, splits: tuple[Split, ...]) -> Refutation:
        refutation = Refutation(Submatrix(rows, columns), depth, splits)
        self._refuted[rows, columns] = refutation
        return refutation

    def _decide(self, rows: int, columns: int, depth: int) -> Refutation | None:
        rows, columns = self._distinct(rows, columns)
        if self._known(rows, columns, depth):
            return None
        refutation = self._quickly(rows, columns, depth)
        if refutation is not None:
            return refutation
        splits = []
        for of_rows in (True, False):
            split = self._split(rows, columns, depth, of_rows)
            if split is None:
                return None
            splits.append(split)
        return self._refute(rows, columns, depth, tuple(splits))

    def _part(self, lines: int, across: int, depth: int, of_rows: bool) -> Refutation | None:
        """Why a half has no tree of the depth, None if it has one."""
        spare = depth - (len(self.values) - 1).bit_length()
        if spare >= 0 and lines.bit_count() <= 1 << spare:
            return None  # the trivial protocol: name the line, and be told the value
        return self._decide(lines, across, depth) if of_rows else self._decide(across, lines, depth)

    def _split(self, rows: int, columns: int, depth: int, of_rows: bool) -> Split | None:
        """Why no split of the rows (columns) leaves halves of depth - 1; None if one does, which is remembered."""
        self._step()
        mine, across = (rows, columns) if of_rows else (columns, rows)
        layers = self.rows if of_rows else self.columns
        lines = [1 << place for place in places(mine)]
        vectors = [[layer[line.bit_length() - 1] & across for line in lines] for layer in layers]
        dependent = [circuits(layer) for layer in vectors]
        half = 1 << (depth - 1)
        slack = 2 * half - sum(found[1] for found in dependent)
        attempt = _Attempt(self, rows, columns, depth, of_rows)
        if slack > 0 or len(lines) < 2:
            place = max(range(len(lines)), key=lambda k: self._failures[lines[k], of_rows])
            case = attempt.put(Halves(0, 0, half, half, slack, lines, vectors, vectors, vectors), place, True)
            return None if attempt.succeeded else Split(of_rows, [], Case(lines[place], first=case))
        # nothing to spare: what a circuit joins stays together
        together = [
            (value, sum(lines[k] for k in places(circuit)), circuit)
            for value, found in zip(self.values, dependent, strict=True)
            for circuit in found[0]
        ]
        groups = []
        for group in joined(len(lines), [circuit for _, _, circuit in together]):
            members = places(group)
            size = sum(rank([layer[k] for k in members]) for layer in vectors)
            groups.append((size, sum(lines[k] for k in members)))
        groups.sort(reverse=True)
        case = attempt.put_groups(groups, 0, 0, half, half)
        return None if attempt.succeeded else Split(of_rows, [(z, members) for z, members, _ in together], case)

    def _step(self) -> None:
        self.steps += 1
        if self._budget_ends is not None and self.steps > self._budget_ends:
            raise _OutOfBudget
        if time.monotonic() > self.deadline:
            raise OutOfTime("the search for an optimal protocol was not finished in time")
        if self.steps % 1024 == 0:
            self.progress(self.steps)


class _Attempt:
    """One attempt at splitting a submatrix: lines are put to the first half or the second until a half is refuted."""

    def __init__(self, search: Search, rows: int, columns: int, depth: int, of_rows: bool) -> None:
        self.search = search
        self.key = (rows, columns)
        self.depth = depth
        self.of_rows = of_rows
        self.across = columns if of_rows else rows
        self.succeeded = False

    def part(self, lines: int) -> Refutation | None:
        return self.search._part(lines, self.across, self.depth - 1, self.of_rows)

    def succeed(self, first: int) -> None:
        self.succeeded = True
        self.search._found[self.key] = (self.depth, ("alice" if self.of_rows else "bob", first))

    def put(self, halves: Halves, place: int, to_first: bool) -> Case | Refutation | None:
        """Put a line to a half, and go on."""
        line = halves.lines[place]
        refutation = self.part((halves.first if to_first else halves.second) | line)
        if refutation is not None:
            self.search._failures[line, self.of_rows] += 1
            return refutation
        return self.go_on(halves.put(place, to_first))

    def go_on(self, halves: Halves) -> Case | Refutation | None:
        """Put what the ranks force, then branch."""
        self.search._step()
        forced: list[tuple[int, bool]] = []

        def ended(reason: Case | Refutation | None) -> Case | Refutation | None:
            # each forced line: the other half, by the ranks alone, was not open to it
            for line, to_first in reversed(forced):
                reason = Case(line, first=reason) if to_first else Case(line, second=reason)
            return reason

        while True:
            place, halves_open = self.next_line(halves)
            if len(halves_open) != 1:
                break
            forced.append((halves.lines[place], halves_open[0]))
            halves = halves.put(place, halves_open[0])
        if halves.lines and not halves_open:
            return ended(Case(halves.lines[place]))
        for half in (halves.first, halves.second):
            if forced and half and (refutation := self.part(half)) is not None:
                return ended(refutation)
        if not halves.lines:
            if halves.second:
                self.succeed(halves.first)
            return ended(None)
        case = Case(halves.lines[place])
        for to_first in halves_open:
            reason = self.put(halves, place, to_first)
            if self.succeeded:
                return None
            if to_first:
                case.first = reason
            else:
                case.second = reason
        return ended(case)

    def next_line(self, halves: Halves) -> tuple[int, list[bool]]:
        """The line to be put next, and the halves that the ranks leave open to it, True for the first, best first.

        A line with at most one open half comes before all others; then the one that adds most to the ranks.
        """
        failures, of_rows = self.search._failures, self.of_rows
        best, choice, choice_open = -1, 0, list[bool]()
        for place, line in enumerate(halves.lines):
            in_first, in_second, in_both = halves.gains(place)
            fits_first = in_first <= halves.room_first and in_first - in_both <= halves.slack
            fits_second = in_second <= halves.room_second and in_second - in_both <= halves.slack
            if not (fits_first and fits_second):
                return place, [True] * fits_first + [False] * fits_second
            low, high = (in_first, in_second) if in_first <= in_second else (in_second, in_first)
            score = (4 * low + high) * 1000 + failures[line, of_rows]
            if score > best:
                best, choice = score, place
                choice_open = [True, False] if in_first <= in_second else [False, True]
        return choice, choice_open

    def put_groups(
        self, groups: list[tuple[int, int]], first: int, second: int, room: int, other: int
    ) -> Case | Refutation | None:
        """The same for whole groups of lines, whose ranks add up."""
        self.search._step()
        if not groups:
            if not second:
                return None
            for half in (first, second):
                if (refutation := self.part(half)) is not None:
                    return refutation
            self.succeed(first)
            return None
        (size, group), *rest = groups
        case = Case(group & -group)
        if size <= room:
            case.first = self.part(first | group)
            if case.first is None:
                case.first = self.put_groups(rest, first | group, second, room - size, other)
        if not self.succeeded and first and size <= other:
            case.second = self.part(second | group)
            if case.second is None:
                case.second = self.put_groups(rest, first, second | group, room, other - size)
        return case
