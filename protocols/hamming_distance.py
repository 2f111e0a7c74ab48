"""Hamming distance at most k: everything, and a sketch whose length does not depend on n."""

import numpy as np

from commsim.arrays import Bits
from commsim.channel import Channel
from commsim.problem import HammingDistance, Problem
from commsim.protocol import Protocol


class _HammingDistanceProtocol(Protocol):
    """What the two share: the problem's threshold k.

    Args:
        n: the length of the strings.
        k: the distance that is still small.
    """

    problem = HammingDistance
    source = "Huang, Shi, Zhang, Zhu 2006; the bound on the error: this program's"

    def __init__(self, n: int, k: int = 2) -> None:
        self._given = k
        super().__init__(n)

    def make_problem(self) -> Problem:
        """The problem with this threshold."""
        return HammingDistance(self.n, self._given)


class HammingDistanceTrivial(_HammingDistanceProtocol):
    """Alice sends her string; Bob says whether it differs from his in at most k places.

    Args:
        n: the length of the strings.
        k: the distance that is still small.
    """

    name = "hamming-distance-trivial"
    cost = "n + 1"
    batched = True
    source = "Kushilevitz and Nisan, Communication Complexity, 1997, Section 1.1"

    async def alice(self, x: Bits, channel: Channel) -> object:
        """Sends x; hears the answer."""
        await channel.send(x)
        return await channel.receive_bit()

    async def bob(self, y: Bits, channel: Channel) -> object:
        """Hears x; sends the answer."""
        near = (await channel.receive(self.n) ^ y).sum(axis=-1) <= self.function.parameters["k"]
        await channel.send(near)
        return near


class HammingDistanceSketch(_HammingDistanceProtocol):
    """Places are hashed to B = 8 (k + 1)^2 buckets; Alice sends the parity of each, Bob counts where his differ.

    If the strings differ in d <= k places, then so do at most d parities: the answer 0 is never wrong. If d > k, take
    any k + 1 of the places apart. The others leave o buckets odd. If o >= 2 (k + 1), more than k stay odd whatever the
    k + 1 do. Otherwise more than k are odd at the end unless one of the k + 1 falls into one of the o buckets or two of
    them into the same: probability at most (k + 1)(2k + 1)/B + (k + 1) k/(2B), less than 5/16.

    Args:
        n: the length of the strings.
        k: the distance that is still small.
    """

    name = "hamming-distance-sketch"
    cost = "8*(k + 1)**2 + 1"
    coins = "public"
    error = "5/16"
    trusted = (0,)
    batched = True

    async def alice(self, x: Bits, channel: Channel) -> object:
        """Sends the parities of her buckets; hears the answer."""
        await channel.send(self._parities(x, channel))
        return await channel.receive_bit()

    async def bob(self, y: Bits, channel: Channel) -> object:
        """Compares with his own; sends the answer."""
        parities = self._parities(y, channel)
        odd = (await channel.receive(parities.shape[-1]) ^ parities).sum(axis=-1)
        near = odd <= self.function.parameters["k"]
        await channel.send(near)
        return near

    def _parities(self, string: Bits, channel: Channel) -> Bits:
        """Shape (..., B)."""
        buckets = 8 * (self.function.parameters["k"] + 1) ** 2
        bucket = channel.public.integers(buckets, size=self.n)
        return np.asarray(string @ (bucket[:, None] == np.arange(buckets)) % 2 == 1)
