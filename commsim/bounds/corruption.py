"""Lower bounds on randomized complexity by weights on the entries: corruption and the smooth rectangle bound.

Jain and Klauck (2010) write the smooth rectangle bound of a value z as a linear program over all rectangles. Its dual
puts a weight on each entry so that no rectangle weighs more than 1; without negative weights on the z-entries it is the
corruption bound (Yao 1983; Beame, Pitassi, Segerlind, Wigderson 2006). It is solved by generating rectangles: the
heaviest under the weights found so far is added until none is too heavy.
"""

from fractions import Fraction

import numpy as np

from commsim.arrays import Bits, Floats, Integers
from commsim.certificate import ERROR, MOST_SUBSETS

_SCALE = 10**6
_MOST_ROUNDS = 400
_AT_ONCE = 40
#: of the program's rounding
_TOLERANCE = 1e-7


def rectangle_weights(bits: Bits) -> tuple[Integers, int]:
    """Integer weights on the entries and a scale, such that no rectangle weighs more than the scale.

    Args:
        bits: where f = z, shape (rows, columns); the smaller side has at most ``MOST_SUBSETS``.
    """
    if len(bits) > bits.shape[1]:
        turned, scale = rectangle_weights(bits.T)
        return turned.T, scale
    assert len(bits) <= MOST_SUBSETS
    subsets = (np.arange(2 ** len(bits))[:, None] >> np.arange(len(bits)) & 1).astype(np.float64)
    weights = _solve(bits, subsets)
    integers = np.floor(weights * _SCALE).astype(np.int64)
    heaviest = max(1, int(np.maximum(subsets @ integers, 0).sum(axis=1).max()))
    return integers, heaviest


def randomized_bound(bits: Bits, weights: Integers, scale: int) -> Fraction:
    """2^c is at least this for a public-coin protocol of c bits with error 1/3 (see the checker for the reason)."""
    least, most = 1 - ERROR, ERROR
    right, wrong = weights[bits], weights[~bits]
    kept = least * int(right[right > 0].sum()) + int(right[right < 0].sum()) + most * int(wrong[wrong < 0].sum())
    return kept / scale


def _solve(bits: Bits, subsets: Floats) -> Floats:
    from scipy.optimize import linprog

    error = float(ERROR)
    right, wrong = int(bits.sum()), int((~bits).sum())
    # variables: a >= 0 and c >= 0 on the z-entries (weight a - c), b >= 0 on the others (weight -b)
    gain = np.concatenate([np.full(right, 1 - error), np.full(right, -1.0), np.full(wrong, -error)])
    rectangles: list[tuple[Floats, Floats]] = [(np.eye(len(bits))[r], bits[r].astype(float)) for r in range(len(bits))]
    weights = np.zeros(bits.shape)
    rows: list[Floats] = []
    for _ in range(_MOST_ROUNDS):
        for row_set, column_set in rectangles:
            inside = np.outer(row_set, column_set)
            rows.append(np.concatenate([inside[bits], -inside[bits], -inside[~bits]]))
        solved = linprog(-gain, A_ub=np.array(rows), b_ub=np.ones(len(rows)), bounds=(0, 2.0 ** len(bits)))
        if solved.x is None:
            break  # what is there is valid once it is scaled
        a, c, b = np.split(solved.x, [right, 2 * right])
        weights[bits], weights[~bits] = a - c, -b
        sums = subsets @ weights
        heavy = np.maximum(sums, 0).sum(axis=1)
        worst = np.argsort(-heavy)[:_AT_ONCE]
        rectangles = [(subsets[k], (sums[k] > 0).astype(float)) for k in worst if heavy[k] > 1 + _TOLERANCE]
        if not rectangles:
            break
    return weights
