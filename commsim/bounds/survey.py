"""All that is known of the communication complexity of one matrix: every method in turn, and the chain between them."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from commsim.bounds import corruption, discrepancy, fooling, rank, rectangles
from commsim.bounds.bound import Bound, Contradiction, Number, Quantity
from commsim.bounds.deterministic import OutOfTime, Search
from commsim.bounds.evidence import depth, expanded_rectangles, refutation_record, tree_record, trivial_tree
from commsim.bounds.gamma2 import MOST_LINES, gamma2, semidefinite
from commsim.certificate import ERROR, MOST_SUBSETS, bits_for, certificate
from commsim.errors import InputError
from commsim.formula import evaluate
from commsim.matrix import MOST_DENSE, CommunicationMatrix, Distinct
from commsim.problem import Problem

#: with ``--method``, in the order in which they run
METHODS = ("known", "one-way", "rank", "fooling", "cover", "discrepancy", "gamma2", "corruption", "search")
#: maximal rectangles are looked for only in matrices of at most so many distinct entries
_MOST_FOR_COVERS = 2**12
#: the smaller side of a matrix for the smooth rectangle program, and its entries
_MOST_CORRUPTION_ROWS, _MOST_CORRUPTION_ENTRIES = 10, 600
_FLOAT_MARGIN = 1e-9


@dataclass
class Survey:
    """What was found.

    Attributes:
        shape, distinct: the numbers of rows and columns, and of distinct ones.
        values: the values of f.
        quantities: by name, in the order of the table.
        left_out: methods that do not fit this matrix, or ran out of time, and why.
        out_of_time: the methods among them whose time ran out.
    """

    shape: tuple[int, int]
    distinct: tuple[int, int]
    values: tuple[int, ...]
    quantities: dict[str, Quantity] = field(default_factory=dict)
    left_out: dict[str, str] = field(default_factory=dict)
    out_of_time: set[str] = field(default_factory=set)

    def add(self, bound: Bound) -> None:
        """Take a bound in."""
        self.quantities.setdefault(bound.quantity, Quantity(bound.quantity)).bounds.append(bound)

    def lower(self, quantity: str) -> Number:
        """The best lower bound so far, 0 if there is none."""
        known = self.quantities.get(quantity)
        return known.lower.value if known is not None and known.lower is not None else 0

    def upper(self, quantity: str) -> Number | None:
        """The best upper bound so far."""
        known = self.quantities.get(quantity)
        return known.upper.value if known is not None and known.upper is not None else None

    def check_chain(self) -> None:
        """Hold the bounds against one another.

        For each quantity lower <= upper; fooling set <= cover <= partition, rank <= partition; nondeterministic,
        randomized and one-way complexity against D.

        Raises:
            Contradiction: two exclude one another.
        """
        for quantity in self.quantities.values():
            quantity.check()
        chain = [
            (f"{smaller} of {z}", f"{larger} of {z}")
            for z in self.values
            for smaller, larger in (("fooling set", "cover"), ("cover", "partition"), ("rank", "partition"))
        ]
        chain += [(f"nondeterministic of {z}", "deterministic") for z in self.values]
        chain.append(("randomized", "deterministic"))
        for smaller, larger in chain:
            most = self.upper(larger)
            if most is not None and self.lower(smaller) > most:
                raise Contradiction(f"{smaller} is at least {self.lower(smaller)}, but {larger} at most {most}")


def survey(
    matrix: CommunicationMatrix,
    problem: Problem | None = None,
    methods: tuple[str, ...] = METHODS,
    time_limit: float | None = None,
    progress: Callable[[str], None] = lambda doing: None,
) -> Survey:
    """Run the methods and collect their bounds.

    Args:
        matrix: of a function.
        problem: whose matrix it is, for the known theorems.
        methods: some of ``METHODS``.
        time_limit: in seconds, for all together; what is not finished then gives the interval so far.
        progress: is told what is going on.

    Raises:
        Contradiction: the bounds exclude one another.
    """
    worker = _Worker(matrix, problem, time_limit, progress)
    for method in METHODS:
        if method in methods:
            worker.run(method)
    worker.found.check_chain()
    return worker.found


class _Worker:
    def __init__(
        self,
        matrix: CommunicationMatrix,
        problem: Problem | None,
        time_limit: float | None,
        progress: Callable[[str], None],
    ) -> None:
        self.matrix = matrix
        self.problem = problem
        self.progress = progress
        self.deadline = None if time_limit is None else time.monotonic() + time_limit
        self.is_small = matrix.shape[0] * matrix.shape[1] <= MOST_DENSE
        self.distinct = matrix.distinct if self.is_small else None
        shape = self.distinct.matrix.shape if self.distinct is not None else matrix.shape
        self.found = Survey(matrix.shape, shape, matrix.values)

    def run(self, method: str) -> None:
        if self.problem is None and method == "known":
            return
        if not self.is_small and method not in ("known", "one-way"):
            self.found.left_out[method] = f"more than {MOST_DENSE} entries"
            return
        if self._seconds_left() <= 0:
            self._ran_out(method)
            return
        self.progress(method)
        start = time.monotonic()
        bounds: Iterator[Bound] = getattr(self, "_" + method.replace("-", "_"))()
        try:
            for bound in bounds:
                spent = time.monotonic() - start
                self.found.add(Bound(**{**vars(bound), "seconds": spent}))
        except OutOfTime:
            self._ran_out(method)

    def _ran_out(self, method: str) -> None:
        self.found.out_of_time.add(method)
        self.found.left_out[method] = "the time was spent"

    def _seconds_left(self) -> float:
        return float("inf") if self.deadline is None else self.deadline - time.monotonic()

    # each method yields its bounds as it finds them

    def _known(self) -> Iterator[Bound]:
        assert self.problem is not None
        for known in self.problem.bounds:
            quantity = "deterministic" if known.quantity == "two-way" else known.quantity
            if known.output != ("both" if quantity == "deterministic" else "one"):
                continue
            value = int(evaluate(known.formula, self.problem.parameters))
            for relation in (">=", "<="):
                if known.relation in ("=", relation):
                    yield Bound(quantity, relation, value, f"theorem: {known.formula}", reference=known.reference)

    def _one_way(self) -> Iterator[Bound]:
        distinct = self.matrix.distinct
        for sender, of, classes in (
            ("alice", "rows", distinct.row_classes),
            ("bob", "columns", distinct.column_classes),
        ):
            bits = bits_for(int(classes.max()) + 1)
            evidence = {"kind": "line classes", "of": of, "classes": classes.tolist()} if self.is_small else None
            for relation in (">=", "<="):
                yield Bound(f"one-way from {sender}", relation, bits, f"distinct {of}", evidence=evidence)

    def _rank(self) -> Iterator[Bound]:
        distinct = self._reduced()
        minors: list[dict[str, Any]] = []
        evidence = {"kind": "minors", "minors": minors}
        for z in self.matrix.values:
            bits = distinct.matrix.bits(z)
            found = rank.rational_rank(bits, lambda primes: self._check_clock())
            best = (found.prime, found.rows, found.columns)
            for prime in (3, 2):
                rows, columns = rank.modular_pivots(bits, prime)
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
        leaves = sum(len(minor["rows"]) for minor in minors)
        yield Bound("deterministic", ">=", bits_for(leaves), "ranks: leaves of each value", evidence=evidence)

    def _fooling(self) -> Iterator[Bound]:
        distinct = self._reduced()
        for z in self.matrix.values:
            half = self._seconds_left() / 4
            deadline = None if half == float("inf") else time.monotonic() + half
            found = fooling.largest_fooling_set(distinct.matrix.bits(z), deadline)
            size = len(found.pairs)
            pairs = [[int(distinct.rows[row]), int(distinct.columns[column])] for row, column in found.pairs]
            evidence = {"kind": "fooling set", "z": z, "pairs": pairs}
            method = f"fooling set of {z}"
            yield Bound(
                method, ">=", size, "branch and bound" if found.exact else "greedy", not found.exact, evidence=evidence
            )
            if found.exact:
                yield Bound(method, "<=", size, "branch and bound")
            yield Bound(f"cover of {z}", ">=", size, method, not found.exact, evidence=evidence)
            yield Bound(f"nondeterministic of {z}", ">=", bits_for(size), method, not found.exact, evidence=evidence)
            leaves = size + len(self.matrix.values) - 1
            yield Bound("deterministic", ">=", bits_for(leaves), method, not found.exact, evidence=evidence)

    def _cover(self) -> Iterator[Bound]:
        distinct = self._reduced()
        for z in self.matrix.values:
            self._check_clock()
            bits = distinct.matrix.bits(z)
            yield from self._rectangles_bounds(z, rectangles.greedy_cover(bits), "greedy", True)
            yield from self._rectangles_bounds(
                z, rectangles.greedy_partition(bits), "one rectangle a kind of line", True
            )
            maximal = rectangles.maximal_rectangles(bits) if bits.size <= _MOST_FOR_COVERS else None
            if maximal is None:
                self.found.left_out["cover"] = "too many maximal rectangles for the integer program: greedy only"
                continue
            if self._is_open(f"cover of {z}"):
                yield from self._fractional(z, bits, maximal)
            if self._is_open(f"cover of {z}"):
                yield from self._fewest(z, bits, maximal, disjoint=False)
            if self._is_open(f"partition of {z}") and (everything := rectangles.all_rectangles(bits)) is not None:
                yield from self._fewest(z, bits, everything, disjoint=True)

    def _is_open(self, quantity: str) -> bool:
        return self.found.lower(quantity) != self.found.upper(quantity)

    def _fractional(self, z: int, bits: Any, maximal: list[rectangles.Rectangle]) -> Iterator[Bound]:
        distinct = self._reduced()
        solved = rectangles.fractional_cover(bits, maximal)
        if solved is None:
            return
        weights, scale = solved
        evidence = None
        if min(bits.shape) <= MOST_SUBSETS:
            evidence = {
                "kind": "monochromatic weights",
                "z": z,
                "rows": distinct.rows.tolist(),
                "columns": distinct.columns.tolist(),
                "weights": weights.tolist(),
                "scale": scale,
            }
        size = -(-int(weights.sum()) // scale)
        yield Bound(f"cover of {z}", ">=", size, "fractional cover", evidence=evidence)
        yield Bound(f"nondeterministic of {z}", ">=", bits_for(size), "fractional cover", evidence=evidence)

    def _fewest(self, z: int, bits: Any, choice: list[rectangles.Rectangle], *, disjoint: bool) -> Iterator[Bound]:
        seconds = min(20.0, self._seconds_left() / 4)
        found = rectangles.fewest(bits, choice, disjoint=disjoint, seconds=seconds)
        yield from self._rectangles_bounds(z, found.rectangles, "integer program (HiGHS)", not found.exact)
        what = "partition" if disjoint else "cover"
        yield Bound(f"{what} of {z}", ">=", found.lower, "integer program (HiGHS)")
        if not disjoint:
            yield Bound(f"nondeterministic of {z}", ">=", bits_for(found.lower), "integer program (HiGHS)")
        if not found.exact:
            self._ran_out("cover")
            self.found.left_out["cover"] = f"the {what} of {z} was not decided in {seconds:.0f} s"

    def _rectangles_bounds(
        self, z: int, chosen: list[rectangles.Rectangle], method: str, heuristic: bool
    ) -> Iterator[Bound]:
        records = expanded_rectangles(chosen, self._reduced())
        evidence = {"kind": "rectangles", "z": z, "rectangles": records}
        size = len(chosen)
        yield Bound(f"cover of {z}", "<=", size, method, heuristic, evidence=evidence)
        yield Bound(f"nondeterministic of {z}", "<=", bits_for(size), method, heuristic, evidence=evidence)
        held = np.zeros(self._reduced().matrix.shape, dtype=np.int64)
        for rectangle in chosen:
            held[np.ix_(rectangle.rows, rectangle.columns)] += 1
        if held.max(initial=0) <= 1:
            yield Bound(f"partition of {z}", "<=", size, method, heuristic, evidence=evidence)

    def _discrepancy(self) -> Iterator[Bound]:
        if not self._binary("discrepancy"):
            return
        signs = 2.0 * self.matrix.bits(1) - 1
        small = min(signs.shape) <= discrepancy.MOST_ROWS
        if small:
            found = discrepancy.exact_discrepancy(signs, lambda done: self._check_clock())
        else:
            found = discrepancy.local_discrepancy(signs)
        evidence: dict[str, Any] = {"kind": "unbalanced rectangle", "rows": found.rows, "columns": found.columns}
        method = "all sets of rows" if small else "local search"
        yield Bound("discrepancy", ">=", found.imbalance, method, not small, evidence=evidence)
        upper = found.imbalance
        if small:
            yield Bound("discrepancy", "<=", found.imbalance, method)
        elif sum(signs.shape) <= MOST_LINES:
            upper, evidence = self._spectral(signs)
            yield Bound("discrepancy", "<=", upper, "spectral norm", evidence=evidence)
            yield self._from_discrepancy(upper, "spectral norm", evidence)
            return
        else:
            norm = float(np.linalg.norm(signs, 2)) * (1 + _FLOAT_MARGIN)
            upper = min(Fraction(1), Fraction(norm / np.sqrt(signs.size)).limit_denominator(10**9) + Fraction(1, 10**9))
            yield Bound("discrepancy", "<=", upper, "spectral norm, in floating point")
        yield self._from_discrepancy(upper, "discrepancy", None)
        if sum(signs.shape) <= MOST_LINES:
            bound, evidence = self._spectral(signs)
            yield self._from_discrepancy(bound, "spectral norm", evidence)

    def _spectral(self, signs: Any) -> tuple[Fraction, dict[str, Any]]:
        rows, columns = signs.shape
        norm = float(np.linalg.norm(signs, 2)) * (1 + _FLOAT_MARGIN)
        ratio = np.sqrt(rows / columns)  # so that both sides of the diagonal weigh the same
        dual, evidence = semidefinite(signs, np.full(rows, norm / ratio), np.full(columns, norm * ratio))
        total = int(np.abs(np.array(evidence["q"])).sum())
        lines = {"rows": list(range(rows)), "columns": list(range(columns))}
        return Fraction(dual) / total, {**evidence, **lines}

    def _from_discrepancy(self, upper: Fraction, method: str, evidence: dict[str, Any] | None) -> Bound:
        return Bound("randomized", ">=", bits_for((1 - 2 * ERROR) / upper), method, evidence=evidence)

    def _gamma2(self) -> Iterator[Bound]:
        if not self._binary("gamma2"):
            return
        distinct = self._reduced()
        if sum(distinct.matrix.shape) > MOST_LINES:
            self.found.left_out["gamma2"] = f"more than {MOST_LINES} distinct rows and columns together"
            return
        signs = 2.0 * distinct.matrix.bits(1) - 1
        found = gamma2(signs, lambda steps: self._check_clock())
        lines = {"rows": distinct.rows.tolist(), "columns": distinct.columns.tolist()}
        yield Bound("gamma_2", ">=", found.lower, "dual of the factorization", evidence={**found.dual, **lines})
        primal = found.primal
        x = [primal["x"][k] for k in distinct.row_classes.tolist()]
        y = [primal["y"][k] for k in distinct.column_classes.tolist()]
        yield Bound("gamma_2", "<=", found.upper, "factorization", evidence={**primal, "x": x, "y": y})
        # 1 / gamma_2* of the sign matrix on the distinct lines: the discrepancy there, up to Grothendieck's constant
        bound, evidence = self._spectral(signs)
        yield self._from_discrepancy(bound, "spectral norm of the distinct lines", {**evidence, **lines})

    def _corruption(self) -> Iterator[Bound]:
        distinct = self._reduced()
        fewer = min(distinct.matrix.shape)
        if fewer > _MOST_CORRUPTION_ROWS or fewer * max(distinct.matrix.shape) > _MOST_CORRUPTION_ENTRIES:
            self.found.left_out["corruption"] = f"more than {_MOST_CORRUPTION_ROWS} distinct rows, or too many entries"
            return
        for z in self.matrix.values:
            self._check_clock()
            bits = distinct.matrix.bits(z)
            weights, scale = corruption.rectangle_weights(bits)
            bound = corruption.randomized_bound(bits, weights, scale)
            evidence = {
                "kind": "rectangle weights",
                "z": z,
                "rows": distinct.rows.tolist(),
                "columns": distinct.columns.tolist(),
                "weights": weights.tolist(),
                "scale": scale,
            }
            yield Bound("randomized", ">=", bits_for(bound), f"smooth rectangles of {z}", evidence=evidence)

    def _search(self) -> Iterator[Bound]:
        distinct = self._reduced()
        covers = sum(int(self.found.lower(f"cover of {z}")) for z in self.matrix.values)
        yield Bound("deterministic", ">=", bits_for(covers), "covers: leaves of each value")
        trivial = trivial_tree(distinct)
        yield from self._tree_bounds(
            trivial, "one party sends its line" if len(distinct.matrix.values) > 1 else "f is constant"
        )
        lower, upper = int(self.found.lower("deterministic")), depth(trivial)
        if lower == upper:
            return
        search = Search(distinct.matrix, self.deadline, lambda steps: self.progress(f"search, {steps} steps"))
        while lower < upper:
            refutation = search.at_most(lower)
            if refutation is None:
                yield from self._tree_bounds(tree_record(search.tree(), distinct), "search")
                return
            lower = refutation.depth + 1
            record = refutation_record(refutation, distinct)
            method = "search" if record is not None else "search (not certified: the proof is too large)"
            yield Bound("deterministic", ">=", lower, method, evidence=record)

    def _tree_bounds(self, tree: dict[str, Any], method: str) -> Iterator[Bound]:
        evidence = {"kind": "protocol tree", "tree": tree}
        heuristic = method == "one party sends its line"
        yield Bound("deterministic", "<=", depth(tree), method, heuristic, evidence=evidence)
        yield Bound("randomized", "<=", depth(tree), f"deterministic: {method}", heuristic, evidence=evidence)

    def _reduced(self) -> Distinct:
        return self.matrix.distinct

    def _binary(self, method: str) -> bool:
        if set(self.matrix.values) <= {0, 1}:
            return True
        self.found.left_out[method] = "it is of 0/1 matrices, and f has other values"
        return False

    def _check_clock(self) -> None:
        if self._seconds_left() <= 0:
            raise OutOfTime("the time was spent")


def certificate_record(found: Survey, entries: list[list[int]]) -> dict[str, Any]:
    """The best bound of each side of each quantity that has evidence, as a certificate about the matrix.

    Raises:
        InputError: none has.
    """
    claims: list[dict[str, Any]] = []
    evidence: list[dict[str, Any]] = []
    numbers: dict[int, int] = {}
    for quantity in found.quantities.values():
        for side in (quantity.lower, quantity.upper):
            if side is not None and side.evidence is not None:
                if id(side.evidence) not in numbers:
                    numbers[id(side.evidence)] = len(evidence)
                    evidence.append(side.evidence)
                claim = {"quantity": side.quantity, "relation": side.relation, "value": str(side.value)}
                claims.append({**claim, "evidence": numbers[id(side.evidence)]})
    if not claims:
        raise InputError("nothing that was found has evidence that can be checked apart: there is no certificate")
    return certificate(entries, claims, evidence)
