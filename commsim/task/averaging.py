"""q-sparse averaging, the task that one attention unit does with few numbers and a recurrent network with many."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np

from commsim.arrays import Array, Bits, Floats, Integers
from commsim.errors import InputError
from commsim.task.base import SANFORD_HSU_TELGARSKY, SequenceTask, is_float, is_int64, require_size


class QSparseAveraging(SequenceTask):
    """q-SA: token i is (z_i; y_i), and the output at i is the average (1/q) of z_j over j in y_i.

    z_i lies in the closed unit ball of R^d and y_i is a set of q positions, stored in increasing order. A float64 is a
    fraction, so outputs are exact: an object array of fractions.Fraction, one output of shape (d,). The unit
    ball is decided exactly as well: the float64 pair (0.6, 0.8) lies outside it, since its
    squares sum to 1 + 4.4e-17.
    """

    name = "qsa"
    title = "q-sparse averaging"
    sizes: ClassVar = {
        "N": "the number of tokens, at least 1",
        "q": "how many positions each token looks at, 1 to N",
        "d": "the number of coordinates of z, at least 1",
    }
    source = SANFORD_HSU_TELGARSKY

    def __init__(self, N: int, q: int, d: int = 1) -> None:
        """Fix the sizes: N >= 1 tokens, sets of 1..N positions, d >= 1 coordinates; InputError otherwise."""
        require_size("N", N, 1, None)
        require_size("q", q, 1, N)
        require_size("d", d, 1, None)
        super().__init__(np.dtype([("z", np.float64, (d,)), ("y", np.int64, (q,))]), {"N": N, "q": q, "d": d})

    def evaluate(self, tokens: Array, positions: Sequence[int] | Integers | None = None) -> Array:
        """Average exactly; shapes and errors as for :meth:`SequenceTask.evaluate`."""
        self._require(tokens, self.length)
        indices = self._indices(positions)
        q, d = self.parameters["q"], self.parameters["d"]
        flat = tokens.reshape(-1, self.length)
        chosen = flat["y"][:, indices] - 1
        numerators, denominator = _common_denominator(flat["z"], terms=q)
        instances = np.arange(len(flat))[:, np.newaxis]
        sums = np.zeros((len(flat), len(indices), d), dtype=numerators.dtype)
        for term in range(q):
            sums += numerators[instances, chosen[..., term]]
        distinct, where = np.unique(sums, return_inverse=True)
        averages = np.empty(len(distinct), dtype=object)
        averages[:] = [Fraction(int(value), q * denominator) for value in distinct]
        return averages[where].reshape(*tokens.shape[:-1], len(indices), d)

    def describe_token(self, token: Any) -> str:
        """Show as "z = -1, y = {2, 3, 6}"; with d > 1, "z = (0, 0.5), y = {2, 3, 6}"."""
        z = [repr(float(value)).removesuffix(".0") for value in token["z"]]
        y = ", ".join(str(int(position)) for position in token["y"])
        return f"z = {z[0] if len(z) == 1 else '(' + ', '.join(z) + ')'}, y = {{{y}}}"

    def _faulty(self, tokens: Array) -> Bits:
        y = tokens["y"]
        wrong_set = (y < 1).any(axis=-1) | (y > self.length).any(axis=-1) | (y[..., 1:] <= y[..., :-1]).any(axis=-1)
        result: Bits = wrong_set | ~_in_unit_ball(tokens["z"])
        return result

    def _fault(self, token: Any) -> str:
        if not _in_unit_ball(token["z"]):
            return "z must lie in the closed unit ball"
        y = [int(position) for position in token["y"]]
        for position in y:
            if not 1 <= position <= self.length:
                return f"position {position} in y does not exist, must lie in 1..{self.length}"
        before, after = next((a, b) for a, b in pairwise(y) if a >= b)
        if before == after:
            return f"y repeats {before}, must be a set of {len(y)} different positions"
        return f"y must be in increasing order, but {after} follows {before}"

    def _write_token(self, token: Any) -> dict[str, Any]:
        return {"z": token["z"].tolist(), "y": token["y"].tolist()}

    def _read_token(self, item: Any) -> Any:
        q, d = self.parameters["q"], self.parameters["d"]
        if not isinstance(item, dict) or item.keys() != {"z", "y"}:
            raise InputError(f"must be an object with z and y, not {item!r}")
        z, y = item["z"], item["y"]
        if not isinstance(z, list) or len(z) != d or not all(is_float(value) for value in z):
            raise InputError(f"must have as z a list of {d} floats, not {z!r}")
        if not isinstance(y, list) or len(y) != q or not all(is_int64(value) for value in y):
            raise InputError(f"must have as y a list of {q} integers, not {y!r}")
        return z, y


def _common_denominator(values: Floats, terms: int) -> tuple[Array, int]:
    """Write floats as integers over one power of two; int64 where sums of so many terms fit, else Python's integers."""
    distinct, where = np.unique(values, return_inverse=True)
    ratios = [value.as_integer_ratio() for value in distinct.tolist()]
    denominator = max((below for _, below in ratios), default=1)
    integers = [above * (denominator // below) for above, below in ratios]
    fits = terms * max((abs(integer) for integer in integers), default=0) < 2**63
    numerators = np.empty(len(integers), dtype=np.int64 if fits else object)
    numerators[:] = integers
    return numerators[where].reshape(values.shape), denominator


def _in_unit_ball(vectors: Floats) -> Bits:
    """Decide |v| <= 1 exactly for vectors along the last axis; NaN is outside."""
    d = vectors.shape[-1]
    if d == 1:
        return np.asarray(np.abs(vectors[..., 0]) <= 1)
    with np.errstate(over="ignore", invalid="ignore"):
        squares = np.asarray(np.square(vectors).sum(axis=-1))
    # d roundings of products and d - 1 of sums, 2^-53 each, leave the sum within half of this margin where it is near 1
    margin = d * 2.0**-51
    inside: Bits = np.asarray(squares <= 1)
    close = np.abs(squares - 1) <= margin
    if close.any():
        # tokens of +1 and -1 are common and all of them are close, so each length is decided once
        distinct, where = np.unique(np.abs(vectors[close]), axis=0, return_inverse=True)
        exact = np.array([sum(Fraction(value) ** 2 for value in row) <= 1 for row in distinct.tolist()])
        inside[close] = exact[where.ravel()]
    return inside
