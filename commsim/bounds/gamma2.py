"""The factorization norm gamma_2 of a sign matrix, between two certified bounds (Linial and Shraibman 2009).

gamma_2(A) is the least product of the largest row norms of X and Y over A = X Y^T; by duality it is also the largest
trace norm of A with its entries multiplied by u_i v_j, over unit vectors u and v. The squares of u and v are found by
the fixed point: at the optimum each row of the factorization that the singular vectors give has the same norm.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from commsim.arrays import Floats, Integers

#: at most so many rows and columns together, so that the certificates' sums fit into 64 bits
MOST_LINES = 256
_WIDTH = 2e-5
_MOST_STEPS = 20_000


@dataclass(frozen=True)
class Interval:
    """A number between two exact ones, with the evidence for each.

    Attributes:
        lower, upper: rationals.
        dual: evidence of the kind ``semidefinite`` for the lower one.
        primal: evidence of the kind ``factorization`` for the upper one.
    """

    lower: Fraction
    upper: Fraction
    dual: dict[str, Any]
    primal: dict[str, Any]


def gamma2(
    signs: Floats,
    times: Integers | None = None,
    progress: Callable[[int], None] = lambda steps: None,
    width: float = _WIDTH,
) -> Interval:
    """gamma_2 of a matrix of signs, to within about ``width``.

    The iteration is in floating point; the interval is not: both ends are computed in integers from what it found.

    Args:
        signs: shape (rows, columns).
        times: how often each column stands in the matrix that the evidence is to be about; once unless given.
        progress: is told the steps so far.
        width: of the interval.
    """
    rows, columns = signs.shape
    p, q = np.full(rows, 1 / rows), np.full(columns, 1 / columns)
    for step in range(_MOST_STEPS):
        u, v = np.sqrt(p), np.sqrt(q)
        left, values, right = np.linalg.svd(signs * u[:, None] * v, full_matrices=False)
        norm = values.sum()
        of_rows, of_columns = (left**2) @ values / p, (right.T**2) @ values / q
        if np.sqrt(of_rows.max() * of_columns.max()) - norm < width / 2:
            break
        # overrelaxed: the plain step, power 1, never lowers the norm but is slow near the end
        power = 1.8 if step % 8 else 1.0
        p, q = _normalized(p * (of_rows / norm) ** power), _normalized(q * (of_columns / norm) ** power)
        progress(step)
    dual, evidence = semidefinite(left @ right * u[:, None] * v, p, q)
    lower = Fraction(int((signs.astype(np.int64) * np.array(evidence["q"])).sum())) / dual
    roots = np.sqrt(values)
    times = np.ones(columns, dtype=np.int64) if times is None else times
    upper, factors = _factorization(signs, left * roots / u[:, None], right.T * roots / v[:, None], times)
    return Interval(lower, upper, evidence, factors)


def _normalized(weights: Floats) -> Floats:
    weights = np.maximum(weights / weights.sum(), 1e-7 / len(weights))
    normalized: Floats = weights / weights.sum()
    return normalized


def semidefinite(weights: Floats, p: Floats, q: Floats) -> tuple[Fraction, dict[str, Any]]:
    """An upper bound on gamma_2* of weights Q, and its evidence: [[diag p, -Q], [-Q^T, diag q]] is semidefinite.

    Args:
        weights, p, q: floats for which that is so but for rounding. They are scaled and rounded to integers, and the
            diagonal is raised until the block matrix is semidefinite in exact arithmetic.

    Returns:
        gamma_2* of the integers is at most this.
    """
    block = np.block([[np.diag(p), -weights], [-weights.T, np.diag(q)]])
    scale = 2**25 / np.abs(block).max()
    shift = 26 - max(0, len(block) // 128)
    numbers, vectors = np.linalg.eigh(block * scale)
    factor = np.rint(vectors * np.sqrt(np.maximum(numbers, 0)) * 2 ** (shift / 2)).astype(np.int64)
    integers = np.rint(block * scale).astype(np.int64)
    rest = integers * 2**shift - factor @ factor.T
    missing = np.abs(rest).sum(axis=1) - np.abs(np.diagonal(rest)) - np.diagonal(rest)
    integers[np.diag_indices(len(integers))] += np.maximum(-(-missing // 2**shift), 0)
    rows = len(p)
    a, b = np.split(np.diagonal(integers), [rows])
    evidence = {
        "kind": "semidefinite",
        "q": (-integers[:rows, rows:]).tolist(),
        "a": a.tolist(),
        "b": b.tolist(),
        "factor": factor.tolist(),
        "shift": shift,
    }
    return Fraction(int(a.sum() + b.sum()), 2), evidence


def _factorization(signs: Floats, x: Floats, y: Floats, times: Integers) -> tuple[Fraction, dict[str, Any]]:
    """The primal in integers; what X Y^T misses is added to the bound."""
    balance = np.sqrt(np.sqrt((y**2).sum(axis=1).max() / (x**2).sum(axis=1).max()))
    largest = max(np.abs(x * balance).max(), np.abs(y / balance).max())
    shift = 26 - max(0, int(np.ceil(np.log2(largest))))
    left = np.rint(x * balance * 2**shift).astype(np.int64)
    right = np.rint(y / balance * 2**shift).astype(np.int64)
    missed = (signs.astype(np.int64) * 4**shift - left @ right.T).astype(object)
    product = max((left.astype(object) ** 2).sum(axis=1)) * max((right.astype(object) ** 2).sum(axis=1))
    roots = [
        math.isqrt(int(number) - 1) + 1 if number else 0 for number in (product, max(missed**2 @ times.astype(object)))
    ]
    evidence = {"kind": "factorization", "x": left.tolist(), "y": right.tolist(), "shift": shift}
    return Fraction(sum(roots), 4**shift), evidence
