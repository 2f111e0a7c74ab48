"""Coin tosses: drawn from a seed for a run, or enumerated so that an error probability is exact."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, Protocol, cast

import numpy as np

from commsim.errors import CommsimError

Owner = Literal["public", "alice", "bob", "referee"]
_OWNERS: tuple[Owner, ...] = ("public", "alice", "bob", "referee")


@dataclass(frozen=True)
class Stream:
    """A sequence of tosses: the public one or a party's own, and for repetitions, nested perhaps, which one."""

    owner: Owner
    repetition: tuple[int, ...] = ()

    def __str__(self) -> str:
        return " ".join([self.owner, *map(str, self.repetition)])


class Coins(Protocol):
    """The outcome of all coin tosses of one run, replayed from the start by each generator asked for."""

    def generator(self, stream: Stream) -> np.random.Generator:
        """A generator at the start of the stream."""
        ...  # pragma: no cover


class Repetition:
    """The coins of one repetition of a protocol, independent of those of every other.

    Args:
        coins: of the whole run.
        number: of the repetition.
        public: the outcome of the public coins, where these do not come from ``coins``.
    """

    def __init__(self, coins: Coins, number: int, public: Coins | None = None) -> None:
        self._coins = coins
        self._number = number
        self._public = public

    def generator(self, stream: Stream) -> np.random.Generator:
        """A generator at the start of the stream."""
        if stream.owner == "public" and self._public is not None:
            return self._public.generator(stream)
        return self._coins.generator(Stream(stream.owner, (self._number, *stream.repetition)))


class SeededCoins:
    """Coins from numpy's SeedSequence: independent streams for the public coins and for each one's private coins."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def generator(self, stream: Stream) -> np.random.Generator:
        """A fresh numpy Generator."""
        key = (_OWNERS.index(stream.owner), *stream.repetition)
        return np.random.default_rng(np.random.SeedSequence(self.seed, spawn_key=key))


class NotEnumerable(CommsimError):
    """The coin space is too large to enumerate, or its shape depends on more than the tosses before."""


class EnumeratedCoins:
    """One point of a coin space under enumeration by :func:`enumerate_coins`.

    Only ``integers`` can be asked of its generators: a uniform toss among finitely many values.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        #: every toss so far in the order of discovery: its stream, place in the stream, number of values, value
        self._tosses: list[tuple[Stream, int, int, int]] = []
        self._found: dict[tuple[Stream, int], tuple[int, int]] = {}

    def generator(self, stream: Stream) -> np.random.Generator:
        """Something that answers ``integers`` like a numpy Generator."""
        return cast(np.random.Generator, _EnumeratedGenerator(self, stream))

    @property
    def probability(self) -> Fraction:
        """The probability of this point."""
        return Fraction(1, math.prod(values for _, _, values, _ in self._tosses))

    def toss(self, stream: Stream, place: int, values: int) -> int:
        """The value, in 0..values-1, of one toss."""
        if (stream, place) not in self._found:
            self._tosses.append((stream, place, values, 0))
            self._found[stream, place] = (values, 0)
            if 1 / self.probability > self._most:
                raise NotEnumerable(f"more than {self._most} outcomes of the coin tosses")
        known, value = self._found[stream, place]
        if known != values:
            raise NotEnumerable(f"toss {place + 1} of the {stream} coins has {known} values here and {values} there")
        return value

    def advance(self) -> bool:
        """Move to the next point; False after the last."""
        while self._tosses:
            stream, place, values, value = self._tosses.pop()
            del self._found[stream, place]
            if value + 1 < values:
                self._tosses.append((stream, place, values, value + 1))
                self._found[stream, place] = (values, value + 1)
                return True
        return False


class _EnumeratedGenerator:
    """Stands in for numpy.random.Generator while coins are enumerated."""

    def __init__(self, coins: EnumeratedCoins, stream: Stream) -> None:
        self._coins = coins
        self._stream = stream
        self._place = 0

    def integers(
        self, low: int, high: int | None = None, size: Any = None, dtype: Any = np.int64, endpoint: bool = False
    ) -> Any:
        """As numpy's Generator.integers, for scalar bounds."""
        first, last = (0, low) if high is None else (low, high)
        if np.ndim(first) or np.ndim(last):
            raise NotEnumerable("coins drawn by integers() with arrays as bounds cannot be enumerated")
        values = int(last) - int(first) + endpoint
        if values < 1:
            raise ValueError(f"integers() from no value at all: low = {first}, high = {last}, endpoint = {endpoint}")
        shape = () if size is None else (size,) if isinstance(size, int | np.integer) else tuple(size)
        count = math.prod(shape)
        drawn = [self._coins.toss(self._stream, self._place + toss, values) for toss in range(count)]
        self._place += count
        result = (np.array(drawn, dtype=np.int64) + first).reshape(shape).astype(dtype)
        return result[()] if size is None else result

    def __getattr__(self, method: str) -> Any:
        raise NotEnumerable(f"coins drawn by {method}() cannot be enumerated, only those by integers()")


def enumerate_coins(most: int) -> Iterator[EnumeratedCoins]:
    """Every outcome of the coin tosses, as discovered while the caller uses each one in turn.

    Args:
        most: the largest number of outcomes.

    Raises:
        NotEnumerable: raised out of the toss that shows it, in the caller's own run.
    """
    coins = EnumeratedCoins(most)
    yield coins
    while coins.advance():
        yield coins
