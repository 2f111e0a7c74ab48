"""Match2 and Match3: whether a token is completed to 0 modulo M by one other token, or by two."""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import numpy as np

from commsim.arrays import Array, Bits, Integers
from commsim.errors import InputError
from commsim.task.base import SANFORD_HSU_TELGARSKY, SequenceTask, is_int64, require_size

#: Match tasks add three residues in int64, which holds 3 * 2^61.
_GREATEST_MODULUS = 2**61
#: Numbers looked up at a time while matching; it bounds the memory, at 512 KiB an array. Larger is no faster.
_CHUNK = 2**16


class _Match(SequenceTask):
    """The part that Match2 and Match3 share: tokens x in 1..M, and a bool at each position."""

    sizes: ClassVar = {"N": "the number of tokens, at least 1", "M": "the modulus, 1 to 2^61"}
    source = SANFORD_HSU_TELGARSKY

    def __init__(self, N: int, M: int) -> None:
        """Fix the sizes: N >= 1 tokens, modulus M in 1..2^61; InputError otherwise."""
        require_size("N", N, 1, None)
        require_size("M", M, 1, _GREATEST_MODULUS)
        super().__init__(np.dtype(np.int64), {"N": N, "M": M})

    def evaluate(self, tokens: Array, positions: Sequence[int] | Integers | None = None) -> Array:
        """Decide exactly; bools of shape (..., number of positions). Errors as for :meth:`SequenceTask.evaluate`."""
        self._require(tokens, self.length)
        indices = self._indices(positions)
        modulus = self.parameters["M"]
        residues = tokens.reshape(-1, self.length) % modulus
        found = np.empty((len(residues), len(indices)), dtype=np.bool_)
        # instances are told apart by adding multiples of M, which must fit int64
        group = max(1, min(2**62 // modulus, _CHUNK // max(self.length, len(indices))))
        for start in range(0, len(residues), group):
            part = residues[start : start + group]
            found[start : start + group] = self._found(np.sort(part, axis=-1), -part[:, indices] % modulus)
        return found.reshape(*tokens.shape[:-1], len(indices))

    @abstractmethod
    def _found(self, residues: Integers, targets: Integers) -> Bits:
        """Decide for each target whether residues of its instance sum to it; (B, N), sorted, and (B, P) give (B, P)."""

    def describe_token(self, token: Any) -> str:
        """Show as "x = 5"."""
        return f"x = {int(token)}"

    def _faulty(self, tokens: Array) -> Bits:
        result: Bits = (tokens < 1) | (tokens > self.parameters["M"])
        return result

    def _fault(self, token: Any) -> str:
        return f"must lie in 1..{self.parameters['M']}"

    def _write_token(self, token: Any) -> int:
        return int(token)

    def _read_token(self, item: Any) -> int:
        if not is_int64(item):
            raise InputError(f"must be an integer in 1..{self.parameters['M']}, not {item!r}")
        return int(item)


class Match2(_Match):
    """Match2: tokens x in 1..M; the output at i is 1 iff some j has x_i + x_j = 0 mod M. j may be i."""

    name = "match2"
    title = "Match2"

    def _found(self, residues: Integers, targets: Integers) -> Bits:
        return _membership(residues, self.parameters["M"])(targets)


class Match3(_Match):
    """Match3: tokens x in 1..M; the output at i is 1 iff some j, k have x_i + x_j + x_k = 0 mod M.

    Repeats are allowed, i = j = k among them. Time is of order N log N for each position.
    """

    name = "match3"
    title = "Match3"

    def _found(self, residues: Integers, targets: Integers) -> Bits:
        modulus = self.parameters["M"]
        is_residue = _membership(residues, modulus)
        found = np.zeros(targets.shape, dtype=np.bool_)
        block = max(1, _CHUNK // max(1, targets.size))
        for start in range(0, self.length, block):
            needed = targets[..., np.newaxis] - residues[:, np.newaxis, start : start + block]
            needed += modulus * (needed < 0)
            found |= is_residue(needed).any(axis=-1)
        return found


def _membership(residues: Integers, modulus: int) -> Callable[[Integers], Bits]:
    """Prepare to answer which values are residues of their own instance: residues (B, N), sorted; values (B, ...).

    Instance b is shifted by b * modulus, so that one sorted array serves the whole batch.
    """
    shifts = modulus * np.arange(len(residues))
    beyond = np.iinfo(np.int64).max  # the last place that a search can end at
    keys = np.append((residues + shifts[:, np.newaxis]).ravel(), beyond)

    def contains(values: Integers) -> Bits:
        shifted = values + shifts.reshape(-1, *[1] * (values.ndim - 1))
        result: Bits = keys[np.searchsorted(keys, shifted)] == shifted
        return result

    return contains
