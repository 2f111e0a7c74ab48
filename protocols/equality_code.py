"""Equality with simultaneous messages and private coins, by a code with a large distance: O(sqrt(n)) bits."""

import itertools
import math
from functools import cached_property

import numpy as np

from commsim.arrays import Bits, Integers
from commsim.channel import Channel
from commsim.precision import bits_to_integer, integer_to_bits
from commsim.problem import Equality
from commsim.protocol import SimultaneousProtocol

#: the length of the inner code is so many times its dimension
_STRETCH = 4


class EqualityCode(SimultaneousProtocol):
    """Each writes the code word of the own string into an s by s square; Alice sends random rows, Bob random columns.

    A row and a column cross in one place, where the referee compares the two code words. Different strings have code
    words that differ in at least D places, so one pair of a row and a column shows it with probability at least D/s^2,
    and r pairs fail to with probability at most (1 - D/s^2)^r; r is the least number for which that is at most 1/3.
    Equal strings are never called different.

    The code has a constant rate and a constant relative distance, so s = O(sqrt(n)) and r = O(1). The string is cut
    into m symbols of b bits, with 2^b >= 2 m. They are the coefficients of a polynomial modulo a prime p >= 2^b, whose
    values at all p points are written down (Reed and Solomon 1960): two polynomials differ in at least p - m + 1. Each
    value is then written in a binary linear code of four times its length, the first one whose distance is at least a
    fifth of that among those that the seeds 0, 1, 2, ... give. All of this is computed, so D is a proven bound.
    """

    name = "equality-code"
    problem = Equality
    cost = "2*r*(s + ceil(log2(s)))"
    coins = "private"
    error = "1/3"
    trusted = (0,)
    batched = True
    source = "Ambainis 1996; Newman and Szegedy 1996; Babai and Kimmel 1997"

    def __init__(self, n: int) -> None:
        from sympy import nextprime

        super().__init__(n)
        self._symbol_bits = next(b for b in range(1, n + 2) if 2**b >= 2 * -(-n // b))
        self._symbols = -(-n // self._symbol_bits)
        self._prime = int(nextprime(2**self._symbol_bits - 1))
        self._inner, inner_distance = _inner_code(self._prime.bit_length())
        self.side = math.isqrt(self._prime * self._inner.shape[1] - 1) + 1
        self.distance = (self._prime - self._symbols + 1) * inner_distance
        missed, places = self.side**2 - self.distance, self.side**2
        self.repetitions = next(r for r in itertools.count(1) if 3 * missed**r <= places**r)

    @property
    def parameters(self) -> dict[str, int]:
        """The length n, the side s of the square, the number r of rows and of columns, the distance D of the code."""
        return {"n": self.n, "s": self.side, "r": self.repetitions, "D": self.distance}

    async def alice(self, x: Bits, channel: Channel) -> None:
        """Sends r rows, each with its number in front."""
        await self._send(self.square(x), channel)

    async def bob(self, y: Bits, channel: Channel) -> None:
        """Sends r columns, each with its number in front."""
        await self._send(self.square(y).swapaxes(-1, -2), channel)

    def referee(self, from_alice: Bits, from_bob: Bits, channel: Channel) -> bool:
        """Equal iff each row agrees with its column where they cross."""
        rows, columns = (sent.reshape(self.repetitions, -1) for sent in (from_alice, from_bob))
        width = rows.shape[1] - self.side
        row, column = bits_to_integer(rows[:, :width]), bits_to_integer(columns[:, :width])
        each = np.arange(self.repetitions)
        return bool((rows[each, width + column] == columns[each, width + row]).all())

    def square(self, string: Bits) -> Bits:
        """The code word of a string, shape (..., s, s), filled up with zeros."""
        padded = np.zeros((*string.shape[:-1], self._symbols * self._symbol_bits), dtype=bool)
        padded[..., : self.n] = string
        symbols = bits_to_integer(padded.reshape(*string.shape[:-1], self._symbols, self._symbol_bits))
        values = symbols @ self._powers % self._prime
        word = integer_to_bits(values, self._prime.bit_length()) @ self._inner % 2
        square = np.zeros((*string.shape[:-1], self.side**2), dtype=bool)
        square[..., : word.shape[-2] * word.shape[-1]] = word.reshape(*string.shape[:-1], -1)
        return square.reshape(*string.shape[:-1], self.side, self.side)

    @cached_property
    def _powers(self) -> Integers:
        """The powers of all points modulo p, shape (m, p)."""
        powers = np.ones((self._symbols, self._prime), dtype=np.int64)
        for place in range(1, self._symbols):
            powers[place] = powers[place - 1] * np.arange(self._prime) % self._prime
        return powers

    async def _send(self, square: Bits, channel: Channel) -> None:
        chosen = channel.private.integers(self.side, size=self.repetitions)
        numbers = integer_to_bits(chosen, (self.side - 1).bit_length())
        lines = square[..., chosen, :]
        numbers = np.broadcast_to(numbers, (*lines.shape[:-1], numbers.shape[-1]))
        await channel.send(np.concatenate([numbers, lines], axis=-1).reshape(*square.shape[:-2], -1))


def _inner_code(dimension: int) -> tuple[Integers, int]:
    """A generator matrix of a binary code, shape (dimension, 4 dimension), and its distance, found by listing."""
    length = _STRETCH * dimension
    words = np.arange(1, 2**dimension)[:, None] >> np.arange(dimension) & 1
    seed = 0
    while True:
        generator = np.random.default_rng(seed).integers(2, size=(dimension, length))
        distance = int((words @ generator % 2).sum(axis=1).min())
        if 5 * distance >= length:
            return generator, distance
        seed += 1
