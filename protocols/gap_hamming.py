"""Gap-Hamming: a sample of half the places tells distances that are sqrt(n) away from n/2."""

import numpy as np

from commsim.arrays import Bits
from commsim.channel import Channel
from commsim.problem import GapHamming
from commsim.protocol import Protocol


class GapHammingSketch(Protocol):
    """Alice sends her bits at t = ceil(n/2) public random places; Bob says whether more than half of them differ.

    At distance d, the number of places in the sample that differ has the mean t d/n, at least t/sqrt(n) away from t/2,
    and a variance of at most (t/4) (n - t)/(n - 1). For t >= n/2 and n >= 4 (for smaller n nothing is promised) the
    square of the former is at least three times the latter, so by Cantelli's inequality the error is at most 1/4.
    No protocol takes fewer than of the order of n bits.
    """

    name = "gap-hamming-sketch"
    problem = GapHamming
    cost = "ceil(n/2) + 1"
    coins = "public"
    error = "1/4"
    batched = True
    source = "the sketch: this program's; the lower bound: Chakrabarti and Regev 2011"

    async def alice(self, x: Bits, channel: Channel) -> object:
        """Sends her bits at the sample; hears the answer."""
        await channel.send(x[..., self._sample(channel)])
        return await channel.receive_bit()

    async def bob(self, y: Bits, channel: Channel) -> object:
        """Counts the places that differ; sends the answer."""
        sample = self._sample(channel)
        far = 2 * (await channel.receive(len(sample)) ^ y[..., sample]).sum(axis=-1) > len(sample)
        await channel.send(far)
        return far

    def _sample(self, channel: Channel) -> "np.ndarray[tuple[int], np.dtype[np.int64]]":
        return channel.public.permutation(self.n)[: -(-self.n // 2)]
