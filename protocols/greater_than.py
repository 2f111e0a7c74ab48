"""Protocols for greater-than."""

import numpy as np

from commsim.arrays import Bits
from commsim.channel import Channel
from commsim.problem import GreaterThan
from commsim.protocol import Protocol


class GreaterThanTrivial(Protocol):
    """Alice sends her number; Bob says whether it is the greater one.

    Of two different numbers the greater has the 1 at the first place, from the most significant bit on, where they
    differ. The pairs (x, x) are a fooling set of size 2^n, and a leaf with the answer 1 is needed too: no deterministic
    protocol is cheaper.
    """

    name = "greater-than-trivial"
    problem = GreaterThan
    cost = "n + 1"
    batched = True
    source = "Kushilevitz and Nisan, Communication Complexity, 1997, Section 1.1"

    async def alice(self, x: Bits, channel: Channel) -> object:
        """Sends x, n bits; hears the answer."""
        await channel.send(x)
        return await channel.receive_bit()

    async def bob(self, y: Bits, channel: Channel) -> object:
        """Hears x; sends the answer."""
        x = await channel.receive(self.n)
        different = x ^ y
        greater = different.any(axis=-1) & x[different.argmax(axis=-1)]
        await channel.send(greater)
        return greater


class GreaterThanFingerprint(Protocol):
    """Binary search for the first place where the numbers differ, comparing prefixes by k public random parities.

    Alice sends the parities of the part of her prefix that is not yet known to be equal; Bob says whether his are the
    same. After L = ceil(log2(n + 1)) comparisons the place is known (or that there is none), and Alice sends her bit
    there. A comparison is wrong only if it takes different parts for equal, with probability 2^-k, so the error is at
    most L/2^k. With k = ceil(log2(3 L)) that is at most 1/3, and the cost is O(log n log log n).

    Args:
        n: the bits of a number.
        k: the number of parities of one comparison; ceil(log2(3 L)) if it is 0.
    """

    name = "greater-than-fingerprint"
    problem = GreaterThan
    cost = "L*(k + 1) + 1"
    coins = "public"
    error = "min(1, L/pow2(k))"
    batched = True
    source = "Nisan 1993; Kushilevitz and Nisan, Communication Complexity, 1997, Chapter 3"

    def __init__(self, n: int, k: int = 0) -> None:
        super().__init__(n)
        self.comparisons = n.bit_length()
        self.k = k or (3 * self.comparisons - 1).bit_length()

    @property
    def parameters(self) -> dict[str, int]:
        """The bits n of a number, the number L of comparisons, and the parities k of each."""
        return {"n": self.n, "L": self.comparisons, "k": self.k}

    async def alice(self, x: Bits, channel: Channel) -> object:
        """Sends parities of prefixes, then her bit at the first place where they differ."""
        equal, end = 0, self.n
        while equal < end:
            middle = (equal + end) // 2 + 1
            await channel.send(self._parities(x[..., equal:middle], channel))
            if await channel.receive_bit():
                equal = middle
            else:
                end = middle - 1
        if equal == self.n:
            return 0
        await channel.send(x[..., equal])
        return x[..., equal]

    async def bob(self, y: Bits, channel: Channel) -> object:
        """Says after each comparison whether his parities are the same; hears the bit."""
        equal, end = 0, self.n
        while equal < end:
            middle = (equal + end) // 2 + 1
            parities = self._parities(y[..., equal:middle], channel)
            same = (await channel.receive(self.k) == parities).all(axis=-1)
            await channel.send(same)
            if np.ravel(same)[0]:
                equal = middle
            else:
                end = middle - 1
        return await channel.receive_bit() if equal < self.n else 0

    def _parities(self, part: Bits, channel: Channel) -> Bits:
        sets = channel.public.integers(2, size=(self.k, part.shape[-1]))
        return np.asarray(part @ sets.T % 2 == 1)
