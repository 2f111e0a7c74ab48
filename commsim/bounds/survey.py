"""All that is known of the communication complexity of one matrix: every method in turn, and the chain between them."""

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from commsim.bounds import methods as by
from commsim.bounds.bound import METHODS, Bound, Survey
from commsim.bounds.methods import Subject
from commsim.bounds.trees import OutOfTime
from commsim.certificate import certificate
from commsim.errors import InputError
from commsim.matrix import MOST_DENSE, CommunicationMatrix
from commsim.problem import Problem

_FUNCTIONS: tuple[Callable[[Subject], Iterator[Bound]], ...] = (
    by.by_theorems,
    by.by_distinct_lines,
    by.by_rank,
    by.by_fooling_sets,
    by.by_covers,
    by.by_discrepancy,
    by.by_gamma2,
    by.by_corruption,
    by.by_search,
)
_BY_NAME = dict(zip(METHODS, _FUNCTIONS, strict=True))
#: these need no entries one by one
_FOR_ANY_SIZE = ("known", "one-way")


def survey(
    matrix: CommunicationMatrix,
    problem: Problem | None = None,
    methods: tuple[str, ...] = METHODS,
    time_limit: float = float("inf"),
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
    found = Survey(matrix.shape, matrix.shape, matrix.values)
    subject = Subject(matrix, problem, found, time.monotonic() + time_limit, progress)
    if subject.is_small:
        found.distinct = matrix.distinct.matrix.shape
    for method in METHODS:
        if method in methods and (problem is not None or method != "known"):
            _run(method, subject)
        elif method in methods and methods != METHODS:
            found.left_out[method] = "a matrix from a file has no theorems"
    found.check_chain()
    return found


def _run(method: str, subject: Subject) -> None:
    found = subject.found
    if not subject.is_small and method not in _FOR_ANY_SIZE:
        found.left_out[method] = f"more than {MOST_DENSE} entries"
        return
    subject.progress(method)
    start = time.monotonic()
    try:
        subject.check_clock()
        for bound in _BY_NAME[method](subject):
            found.add(replace(bound, seconds=time.monotonic() - start))
    except OutOfTime:
        found.ran_out(method, "the time was spent")


def certificate_record(found: Survey, entries: list[list[int]]) -> dict[str, Any]:
    """Of each side of each quantity the best bound that has evidence, as a certificate about the matrix.

    Raises:
        InputError: none has.
    """
    claims: list[dict[str, Any]] = []
    evidence: list[dict[str, Any]] = []
    numbers: dict[int, int] = {}
    for quantity in found.ordered():
        for bound in (quantity.best(">=", certified=True), quantity.best("<=", certified=True)):
            if bound is not None and bound.evidence is not None:
                if id(bound.evidence) not in numbers:
                    numbers[id(bound.evidence)] = len(evidence)
                    evidence.append(bound.evidence)
                claim = {"quantity": bound.quantity, "relation": bound.relation, "value": str(bound.value)}
                claims.append({**claim, "evidence": numbers[id(bound.evidence)]})
    if not claims:
        raise InputError("nothing that was found has evidence that can be checked apart: there is no certificate")
    return certificate(entries, claims, evidence)
