"""Tasks on sequences of tokens, with exact reference answers: q-sparse averaging, Match2 and Match3.

Source: Sanford, Hsu, Telgarsky 2023 (arXiv 2306.02896). Positions count from 1 everywhere; a sequence is an array whose
last axis runs over the positions, and axes before it are a batch.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from commsim.arrays import Array, Bits, Floats, Integers
from commsim.errors import InputError

#: Match tasks add three residues in int64, which holds 3 * 2^61.
_GREATEST_MODULUS = 2**61
#: Numbers looked up at a time while matching; it bounds the memory, at 512 KiB an array. Larger is no faster.
_CHUNK = 2**16
_PAPER = "Sanford, Hsu, Telgarsky 2023 (arXiv 2306.02896)"


class TokenError(InputError):
    """A token lies outside the task's domain, or cannot be read; `position` says which one, from 1."""

    def __init__(self, message: str, position: int) -> None:
        """Keep the position beside the message."""
        super().__init__(message)
        self.position = position


class SequenceTask(ABC):
    """What is to be computed from a sequence of N tokens: one output at each position.

    Attributes:
        name: the short name, as on the command line.
        title: the name for people.
        sizes: what each size means.
        source: where the task is defined: author, year.
        length: N, the number of tokens.
        dtype: the numpy type of one token.
        parameters: every size that defines the task, N first.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    sizes: ClassVar[dict[str, str]]
    source: ClassVar[str]

    def __init__(self, dtype: np.dtype[Any], parameters: dict[str, int]) -> None:
        """Set the attributes; the length is the parameter N."""
        self.length = parameters["N"]
        self.dtype = dtype
        self.parameters = parameters

    def __repr__(self) -> str:
        """Show the task as it is written in Python."""
        sizes = ", ".join(f"{name}={size}" for name, size in self.parameters.items())
        return f"{type(self).__name__}({sizes})"

    def check(self, tokens: Array, positions: Sequence[int] | Integers | None = None) -> None:
        """Refuse tokens outside the task's domain.

        Args:
            tokens: of shape (..., number of positions), with the task's dtype.
            positions: which positions the last axis holds, from 1; all N by default. So one party's tokens can be
                checked before the others exist.

        Raises:
            TokenError: names the first offending token (of the first offending instance in a batch).
            InputError: wrong shape or dtype, or a position outside 1..N.
        """
        indices = self._indices(positions)
        self._require(tokens, len(indices))
        faulty = self._faulty(tokens).ravel()
        if not faulty.any():
            return
        first = int(np.argmax(faulty))
        instance, column = divmod(first, len(indices))
        position = int(indices[column]) + 1
        token = tokens.reshape(-1)[first]
        where = f"token {position}" + (f" of instance {instance + 1} in the batch" if tokens.ndim > 1 else "")
        raise TokenError(f"{where} holds {self.describe_token(token)}: {self._fault(token)}", position)

    @abstractmethod
    def evaluate(self, tokens: Array, positions: Sequence[int] | Integers | None = None) -> Array:
        """Compute the exact outputs.

        Args:
            tokens: of shape (..., N), within the domain: this is not checked again, and outside it the answer means
                nothing.
            positions: where outputs are wanted, from 1; all N by default.

        Returns:
            Shape (..., number of positions), followed by the shape of one output.

        Raises:
            InputError: wrong shape or dtype, or a position outside 1..N.
        """

    @abstractmethod
    def describe_token(self, token: Any) -> str:
        """Say in a few words what one token holds."""

    def to_json(self, tokens: Array) -> list[Any]:
        """Turn one sequence of shape (N,) into lists, dictionaries and numbers that JSON can hold without loss.

        Raises:
            InputError: wrong shape or dtype.
        """
        self._require(tokens, self.length)
        if tokens.ndim != 1:
            raise InputError(f"only one sequence at a time becomes JSON, not a batch of shape {tokens.shape[:-1]}")
        return [self._write_token(token) for token in tokens]

    def from_json(self, data: list[Any]) -> Array:
        """Read one sequence that :meth:`to_json` wrote, and check it.

        Returns:
            Tokens of shape (N,).

        Raises:
            TokenError: names the first token that is malformed or outside the domain.
            InputError: not a list of N tokens.
        """
        if not isinstance(data, list) or len(data) != self.length:
            found = f"a list of {len(data)}" if isinstance(data, list) else type(data).__name__
            raise InputError(f"the tokens must be a list of {self.length}, not {found}")
        tokens = np.zeros(self.length, dtype=self.dtype)
        for position, item in enumerate(data, start=1):
            try:
                tokens[position - 1] = self._read_token(item)
            except InputError as error:
                raise TokenError(f"token {position} {error}", position) from None
        self.check(tokens)
        return tokens

    @abstractmethod
    def _faulty(self, tokens: Array) -> Bits:
        """Mark the tokens outside the domain; same shape as tokens."""

    @abstractmethod
    def _fault(self, token: Any) -> str:
        """Say what is wrong with a token outside the domain, and what would be right."""

    @abstractmethod
    def _write_token(self, token: Any) -> Any:
        """Turn one token into JSON."""

    @abstractmethod
    def _read_token(self, item: Any) -> Any:
        """Turn JSON into what numpy stores as one token; InputError with what follows 'token 3' in a sentence."""

    def _indices(self, positions: Sequence[int] | Integers | None) -> NDArray[np.intp]:
        """Turn positions from 1 into indices from 0."""
        if positions is None:
            return np.arange(self.length)
        given = np.asarray(positions)
        if given.ndim != 1 or (given.size and given.dtype.kind not in "iu"):
            raise InputError(f"positions must be a list of integers in 1..{self.length}, not {positions!r}")
        outside = (given < 1) | (given > self.length)
        if outside.any():
            raise InputError(f"position {given[outside][0]} does not exist: must lie in 1..{self.length}")
        return given.astype(np.intp) - 1

    def _require(self, tokens: Array, count: int) -> None:
        if not isinstance(tokens, np.ndarray) or tokens.dtype != self.dtype:
            found = tokens.dtype if isinstance(tokens, np.ndarray) else type(tokens).__name__
            raise InputError(f"tokens of {self!r} must be an array of dtype {self.dtype}, not {found}")
        if tokens.ndim == 0 or tokens.shape[-1] != count:
            raise InputError(f"the last axis must hold {count} tokens; the array has shape {tokens.shape}")


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
    source = _PAPER

    def __init__(self, N: int, q: int, d: int = 1) -> None:
        """Fix the sizes: N >= 1 tokens, sets of 1..N positions, d >= 1 coordinates; InputError otherwise."""
        _require_size("N", N, 1, None)
        _require_size("q", q, 1, N)
        _require_size("d", d, 1, None)
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
        if not isinstance(z, list) or len(z) != d or not all(_is_float(value) for value in z):
            raise InputError(f"must have as z a list of {d} floats, not {z!r}")
        if not isinstance(y, list) or len(y) != q or not all(_is_int64(value) for value in y):
            raise InputError(f"must have as y a list of {q} integers, not {y!r}")
        return z, y


class _Match(SequenceTask):
    """The part that Match2 and Match3 share: tokens x in 1..M, and a bool at each position."""

    sizes: ClassVar = {"N": "the number of tokens, at least 1", "M": "the modulus, 1 to 2^61"}
    source = _PAPER

    def __init__(self, N: int, M: int) -> None:
        """Fix the sizes: N >= 1 tokens, modulus M in 1..2^61; InputError otherwise."""
        _require_size("N", N, 1, None)
        _require_size("M", M, 1, _GREATEST_MODULUS)
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
        if not _is_int64(item):
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


def _is_float(value: object) -> bool:
    """Accept a float, or an integer that is one without loss; not a bool."""
    return isinstance(value, float) or (type(value) is int and abs(value) <= 2**53)


def _is_int64(value: object) -> bool:
    return type(value) is int and -(2**63) <= value < 2**63


def _require_size(name: str, size: int, least: int, greatest: int | None) -> None:
    if size < least or (greatest is not None and size > greatest):
        wanted = f"at least {least}" if greatest is None else f"in {least}..{greatest}"
        raise InputError(f"{name} must be {wanted}, not {size}")
