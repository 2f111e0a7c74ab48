"""What a sequence task is: tokens, their domain, and an exact output at each position."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from commsim.arrays import Array, Bits, Integers
from commsim.errors import InputError

SANFORD_HSU_TELGARSKY = "Sanford, Hsu, Telgarsky 2023 (arXiv 2306.02896)"


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


def is_float(value: object) -> bool:
    """Accept a float, or an integer that is one without loss; not a bool."""
    return isinstance(value, float) or (type(value) is int and abs(value) <= 2**53)


def is_int64(value: object) -> bool:
    """Accept an integer of 64 bits; not a bool."""
    return type(value) is int and -(2**63) <= value < 2**63


def require_size(name: str, size: int, least: int, greatest: int | None) -> None:
    """Raise InputError unless a size lies in least..greatest; None is no limit."""
    if size < least or (greatest is not None and size > greatest):
        wanted = f"at least {least}" if greatest is None else f"in {least}..{greatest}"
        raise InputError(f"{name} must be {wanted}, not {size}")
