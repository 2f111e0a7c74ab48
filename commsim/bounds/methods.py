"""The methods that bound the complexity of a matrix. Each is a function that yields its bounds as it finds them."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from commsim.arrays import Bits, Floats
from commsim.bounds import corruption, discrepancy, fooling, rank, rectangles
from commsim.bounds.bound import Bound, Survey
from commsim.bounds.evidence import expanded_rectangles, refutation_record, tree_record, trivial_tree
from commsim.bounds.gamma2 import MOST_LINES, gamma2, semidefinite
from commsim.bounds.search import Search
from commsim.bounds.trees import OutOfTime
from commsim.certificate import ERROR, MOST_SUBSETS, bits_for
from commsim.formula import evaluate
from commsim.given import depth
from commsim.matrix import MOST_DENSE, CommunicationMatrix, Distinct
from commsim.problem import Problem

#: maximal rectangles are looked for only in matrices of at most so many distinct entries
_MOST_FOR_COVERS = 2**12
#: the trivial protocol of a matrix with more entries is not written out
_MOST_FOR_TREES = 2**22
#: the smaller side of a matrix for the smooth rectangle program, and its entries
_MOST_CORRUPTION_LINES, _MOST_CORRUPTION_ENTRIES = 10, 200
_FLOAT_MARGIN = 1e-9


@dataclass
class Subject:
    """What a method works on.

    Attributes:
        matrix: of a function.
        problem: whose matrix it is, if that is known.
        found: the bounds so far, to which the caller adds what a method yields.
        deadline: as of ``time.monotonic``.
        progress: is told what is going on.
    """

    matrix: CommunicationMatrix
    problem: Problem | None
    found: Survey
    deadline: float
    progress: Callable[[str], None]

    @property
    def distinct(self) -> Distinct:
        """The matrix without repeated lines, on which most methods work."""
        return self.matrix.distinct

    @property
    def is_small(self) -> bool:
        """Whether it can be held entry by entry."""
        return self.matrix.shape[0] * self.matrix.shape[1] <= MOST_DENSE

    @property
    def seconds_left(self) -> float:
        """Until the deadline."""
        return self.deadline - time.monotonic()

    def check_clock(self, *done: object) -> None:
        """Raise OutOfTime after the deadline; takes whatever a progress callback is told."""
        if self.seconds_left <= 0:
            raise OutOfTime("the time was spent")

    def share(self, part: float) -> float:
        """A deadline that leaves time for others: after ``part`` of what is left."""
        return time.monotonic() + part * self.seconds_left

    def is_binary(self, method: str) -> bool:
        """Whether f is 0 or 1 everywhere, as the method needs; if not, that is noted."""
        if set(self.matrix.values) <= {0, 1}:
            return True
        self.found.left_out[method] = "it is of 0/1 matrices, and f has other values"
        return False

    def is_open(self, quantity: str) -> bool:
        """Whether the bounds so far do not meet."""
        return self.found.lower(quantity) != self.found.upper(quantity)


def by_theorems(subject: Subject) -> Iterator[Bound]:
    """What the problem quotes from the literature."""
    assert subject.problem is not None
    for known in subject.problem.bounds:
        quantity = "deterministic" if known.quantity == "two-way" else known.quantity
        if known.output != ("both" if quantity == "deterministic" else "one"):
            continue
        value = int(evaluate(known.formula, subject.problem.parameters))
        for relation in (">=", "<="):
            if known.relation in ("=", relation):
                yield Bound(quantity, relation, value, f"theorem: {known.formula}", reference=known.reference)


def by_distinct_lines(subject: Subject) -> Iterator[Bound]:
    """One-way complexity is the logarithm of the number of distinct lines; and what is trivial of two-way protocols."""
    distinct = subject.distinct
    for sender, of, classes in (
        ("alice", "rows", distinct.row_classes),
        ("bob", "columns", distinct.column_classes),
    ):
        bits = bits_for(int(classes.max()) + 1)
        evidence = {"kind": "line classes", "of": of, "classes": classes.tolist()} if subject.is_small else None
        for relation in (">=", "<="):
            yield Bound(f"one-way from {sender}", relation, bits, f"distinct {of}", evidence=evidence)
    if subject.is_small and len(subject.matrix.values) > 1:
        columns = subject.matrix.shape[1]
        first, second = (divmod(int(subject.matrix.bits(z).argmax()), columns) for z in subject.matrix.values[:2])
        constant = {"kind": "two values", "first": list(first), "second": list(second)}
        for quantity in ("deterministic", "randomized"):
            yield Bound(quantity, ">=", 1, "f is not constant", evidence=constant)
    yield from _trivial(subject)


def _trivial(subject: Subject) -> Iterator[Bound]:
    constant = len(subject.matrix.values) == 1
    method = "f is constant" if constant else "one party sends its line"
    shape = subject.matrix.shape
    if shape[0] * shape[1] <= _MOST_FOR_TREES:
        yield from _tree(trivial_tree(subject.distinct), method, not constant)
    else:
        cost = bits_for(min(subject.distinct.matrix.shape)) + bits_for(len(subject.matrix.values))
        yield Bound("deterministic", "<=", cost, method, not constant)


def by_rank(subject: Subject) -> Iterator[Bound]:
    """The leaves of value z are at least rank [f = z], for each z, over any field."""
    distinct = subject.distinct
    minors: list[dict[str, Any]] = []
    evidence = {"kind": "minors", "minors": minors}

    def leaves() -> Bound:
        count = sum(len(minor["rows"]) for minor in minors) + len(subject.matrix.values) - len(minors)
        return Bound("deterministic", ">=", bits_for(count), "ranks: leaves of each value", evidence=evidence)

    try:
        for z in subject.matrix.values:
            bits = distinct.matrix.bits(z)
            found = rank.rational_rank(bits, subject.check_clock)
            best = (found.prime, found.rows, found.columns)
            for prime in (3, 2):
                rows, columns = rank.modular_pivots(bits, prime, subject.check_clock)
                for relation in (">=", "<="):
                    yield Bound(f"rank of {z} over GF({prime})", relation, len(rows), "elimination")
                if len(rows) == found.value:  # small numbers are quickly checked
                    best = (prime, rows, columns)
            prime, rows, columns = best
            lines = {"rows": distinct.rows[rows].tolist(), "columns": distinct.columns[columns].tolist()}
            minors.append({"z": z, "prime": prime, **lines})
            yield Bound(f"rank of {z}", ">=", found.value, f"minor modulo {prime}", evidence=evidence)
            yield Bound(f"rank of {z}", "<=", found.value, found.proof)
            yield Bound(f"partition of {z}", ">=", found.value, "rank over Q", evidence=evidence)
    except OutOfTime:
        yield leaves()  # of the values that there was time for
        raise
    yield leaves()


def by_fooling_sets(subject: Subject) -> Iterator[Bound]:
    """A rectangle of a cover, and a leaf, for each entry of a fooling set."""
    distinct = subject.distinct
    for z in subject.matrix.values:
        bits = distinct.matrix.bits(z)
        found = fooling.largest_fooling_set(bits, subject.share(1 / 4))
        if not found.exact and bits.sum() <= fooling.MOST_ENTRIES:
            subject.found.ran_out("fooling", f"whether the fooling set of {z} is a largest one was not decided in time")
        size = len(found.pairs)
        pairs = [[int(distinct.rows[row]), int(distinct.columns[column])] for row, column in found.pairs]
        evidence = {"kind": "fooling set", "z": z, "pairs": pairs}
        method, heuristic = f"fooling set of {z}", not found.exact
        how = "branch and bound" if found.exact else "greedy"
        yield Bound(method, ">=", size, how, heuristic, evidence=evidence)
        if found.exact:
            yield Bound(method, "<=", size, how)
        yield Bound(f"cover of {z}", ">=", size, method, heuristic, evidence=evidence)
        yield Bound(f"nondeterministic of {z}", ">=", bits_for(size), method, heuristic, evidence=evidence)
        leaves = size + len(subject.matrix.values) - 1
        yield Bound("deterministic", ">=", bits_for(leaves), method, heuristic, evidence=evidence)


def by_covers(subject: Subject) -> Iterator[Bound]:
    """Covers and partitions by rectangles: greedy ones, the fractional cover, and integer programs."""
    for z in subject.matrix.values:
        subject.check_clock()
        bits = subject.distinct.matrix.bits(z)
        yield from _rectangles(subject, z, rectangles.greedy_partition(bits), "one rectangle a kind of line", True)
        greedy = rectangles.greedy_cover(bits, subject.share(1 / 8))
        if greedy is not None:
            yield from _rectangles(subject, z, greedy, "greedy", True)
        maximal = rectangles.maximal_rectangles(bits) if bits.size <= _MOST_FOR_COVERS else None
        if maximal is None:
            subject.found.left_out["cover"] = "too many maximal rectangles for the integer program: greedy only"
            continue
        if subject.is_open(f"cover of {z}"):
            yield from _fractional_cover(subject, z, bits, maximal)
        if subject.is_open(f"cover of {z}"):
            yield from _fewest(subject, z, bits, maximal, disjoint=False)
        if subject.is_open(f"partition of {z}") and (everything := rectangles.all_rectangles(bits)) is not None:
            yield from _fewest(subject, z, bits, everything, disjoint=True)


def _fractional_cover(subject: Subject, z: int, bits: Bits, maximal: list[rectangles.Rectangle]) -> Iterator[Bound]:
    solved = rectangles.fractional_cover(bits, maximal)
    if solved is None:
        return
    weights, scale = solved
    evidence = {
        "kind": "monochromatic weights",
        "z": z,
        **_kept_lines(subject),
        "weights": weights.tolist(),
        "scale": scale,
    }
    shown = evidence if min(bits.shape) <= MOST_SUBSETS else None
    size = -(-int(weights.sum()) // scale)
    yield Bound(f"cover of {z}", ">=", size, "fractional cover", evidence=shown)
    yield Bound(f"nondeterministic of {z}", ">=", bits_for(size), "fractional cover", evidence=shown)


def _fewest(
    subject: Subject, z: int, bits: Bits, choice: list[rectangles.Rectangle], *, disjoint: bool
) -> Iterator[Bound]:
    seconds = min(20.0, subject.seconds_left / 4)
    found = rectangles.fewest(bits, choice, disjoint=disjoint, seconds=seconds)
    method = "integer program (HiGHS)"
    yield from _rectangles(subject, z, found.rectangles, method, not found.exact)
    what = "partition" if disjoint else "cover"
    yield Bound(f"{what} of {z}", ">=", found.lower, method)
    if not disjoint:
        yield Bound(f"nondeterministic of {z}", ">=", bits_for(found.lower), method)
    if not found.exact:
        subject.found.ran_out("cover", f"the {what} of {z} was not decided in {seconds:.1f} s")


def _rectangles(
    subject: Subject, z: int, chosen: list[rectangles.Rectangle], method: str, heuristic: bool
) -> Iterator[Bound]:
    records = expanded_rectangles(chosen, subject.distinct)
    evidence = {"kind": "rectangles", "z": z, "rectangles": records}
    size = len(chosen)
    yield Bound(f"cover of {z}", "<=", size, method, heuristic, evidence=evidence)
    yield Bound(f"nondeterministic of {z}", "<=", bits_for(size), method, heuristic, evidence=evidence)
    held = np.zeros(subject.distinct.matrix.shape, dtype=np.int64)
    for rectangle in chosen:
        held[np.ix_(rectangle.rows, rectangle.columns)] += 1
    if held.max(initial=0) <= 1:
        yield Bound(f"partition of {z}", "<=", size, method, heuristic, evidence=evidence)


def by_discrepancy(subject: Subject) -> Iterator[Bound]:
    """Discrepancy under the uniform distribution, and what it says of randomized protocols."""
    if not subject.is_binary("discrepancy"):
        return
    signs = _signs(subject.matrix)
    small = min(signs.shape) <= discrepancy.MOST_ROWS
    found = discrepancy.exact_discrepancy(signs, subject.check_clock) if small else discrepancy.local_discrepancy(signs)
    method = "all sets of rows" if small else "local search"
    unbalanced: dict[str, Any] = {"kind": "unbalanced rectangle", "rows": found.rows, "columns": found.columns}
    yield Bound("discrepancy", ">=", found.imbalance, method, not small, evidence=unbalanced)
    if small:
        yield Bound("discrepancy", "<=", found.imbalance, method)
        yield _randomized(found.imbalance, "discrepancy", None)
    if sum(signs.shape) <= MOST_LINES:
        lines = {"rows": list(range(signs.shape[0])), "columns": list(range(signs.shape[1]))}
        upper, evidence = _spectral(signs, lines)
        yield Bound("discrepancy", "<=", upper, "spectral norm", evidence=evidence)
        yield _randomized(upper, "spectral norm", evidence)
    elif not small:
        norm = float(np.linalg.norm(signs, 2)) * (1 + _FLOAT_MARGIN)
        upper = min(Fraction(1), Fraction(norm / np.sqrt(signs.size)).limit_denominator(10**9) + Fraction(1, 10**9))
        yield Bound("discrepancy", "<=", upper, "spectral norm, in floating point")
        yield _randomized(upper, "spectral norm, in floating point", None)


def _signs(matrix: CommunicationMatrix) -> Floats:
    signs: Floats = 2 * matrix.bits(1).astype(np.float64) - 1
    return signs


def _spectral(signs: Floats, lines: dict[str, list[int]]) -> tuple[Fraction, dict[str, Any]]:
    """A bound on the discrepancy by the largest singular value, with evidence about the matrix's ``lines``."""
    rows, columns = signs.shape
    norm = float(np.linalg.norm(signs, 2)) * (1 + _FLOAT_MARGIN)
    ratio = np.sqrt(rows / columns)  # so that both sides of the diagonal weigh the same
    dual, evidence = semidefinite(signs, np.full(rows, norm / ratio), np.full(columns, norm * ratio))
    total = int(np.abs(np.array(evidence["q"])).sum())
    return Fraction(dual) / total, {**evidence, **lines}


def _randomized(upper: Fraction, method: str, evidence: dict[str, Any] | None) -> Bound:
    return Bound("randomized", ">=", bits_for((1 - 2 * ERROR) / upper), method, evidence=evidence)


def by_gamma2(subject: Subject) -> Iterator[Bound]:
    """The factorization norm, and the discrepancy of the distinct lines."""
    if not subject.is_binary("gamma2"):
        return
    distinct = subject.distinct
    if sum(distinct.matrix.shape) > MOST_LINES:
        subject.found.left_out["gamma2"] = f"more than {MOST_LINES} distinct rows and columns together"
        return
    signs = _signs(distinct.matrix)
    found = gamma2(signs, np.bincount(distinct.column_classes), subject.check_clock)
    lines = _kept_lines(subject)
    yield Bound("gamma_2", ">=", found.lower, "dual of the factorization", evidence={**found.dual, **lines})
    primal = found.primal
    x = [primal["x"][k] for k in distinct.row_classes.tolist()]
    y = [primal["y"][k] for k in distinct.column_classes.tolist()]
    yield Bound("gamma_2", "<=", found.upper, "factorization", evidence={**primal, "x": x, "y": y})
    upper, evidence = _spectral(signs, lines)
    yield _randomized(upper, "spectral norm of the distinct lines", evidence)


def by_corruption(subject: Subject) -> Iterator[Bound]:
    """The smooth rectangle program of each value."""
    distinct = subject.distinct
    rows, columns = distinct.matrix.shape
    if min(rows, columns) > _MOST_CORRUPTION_LINES or rows * columns > _MOST_CORRUPTION_ENTRIES:
        subject.found.left_out["corruption"] = (
            f"more than {_MOST_CORRUPTION_LINES} distinct rows and columns, or {_MOST_CORRUPTION_ENTRIES} entries"
        )
        return
    for z in subject.matrix.values:
        subject.check_clock()
        bits = distinct.matrix.bits(z)
        weights, scale = corruption.rectangle_weights(bits)
        bound = corruption.randomized_bound(bits, weights, scale)
        evidence = {
            "kind": "rectangle weights",
            "z": z,
            **_kept_lines(subject),
            "weights": weights.tolist(),
            "scale": scale,
        }
        yield Bound("randomized", ">=", bits_for(bound), f"smooth rectangles of {z}", evidence=evidence)


def _kept_lines(subject: Subject) -> dict[str, list[int]]:
    """The distinct lines, in the numbers of the original matrix."""
    return {"rows": subject.distinct.rows.tolist(), "columns": subject.distinct.columns.tolist()}


def by_search(subject: Subject) -> Iterator[Bound]:
    """Exact deterministic complexity, with an optimal protocol tree; it starts from the bound by ranks."""
    distinct = subject.distinct
    if f"rank of {subject.matrix.values[0]}" not in subject.found.quantities:
        yield from (bound for bound in by_rank(subject) if bound.quantity == "deterministic")
    covers = sum(int(subject.found.lower(f"cover of {z}")) for z in subject.matrix.values)
    yield Bound("deterministic", ">=", bits_for(covers), "covers: leaves of each value")
    if not _costs(subject):
        yield from _trivial(subject)
    lower, upper = int(subject.found.lower("deterministic")), min(_costs(subject))
    search = Search(distinct.matrix, subject.deadline, lambda steps: subject.progress(f"search, {steps} steps"))
    while lower < upper:
        refutation = search.at_most(lower)
        if refutation is None:
            yield from _tree(tree_record(search.tree(), distinct), "search", False)
            return
        lower = refutation.depth + 1
        record = refutation_record(refutation, distinct)
        method = "search" if record is not None else "search (not certified: the proof is too large)"
        yield Bound("deterministic", ">=", lower, method, evidence=record)


def _costs(subject: Subject) -> list[int]:
    """Of the protocols found so far; a theorem that is quoted gives a bound, but no protocol."""
    bounds = subject.found.quantities["deterministic"].bounds
    return [int(bound.value) for bound in bounds if bound.relation == "<=" and not bound.reference]


def _tree(tree: dict[str, Any], method: str, heuristic: bool) -> Iterator[Bound]:
    evidence = {"kind": "protocol tree", "tree": tree}
    yield Bound("deterministic", "<=", depth(tree), method, heuristic, evidence=evidence)
    yield Bound("randomized", "<=", depth(tree), f"deterministic: {method}", heuristic, evidence=evidence)
