"""Protocols for the inner product modulo 2."""

import numpy as np

from commsim.arrays import Bits
from commsim.channel import Channel
from commsim.problem import InnerProduct
from commsim.protocol import Protocol


class InnerProductTrivial(Protocol):
    """Alice sends her string; Bob says whether the number of places where both hold a 1 is odd.

    Over the rationals the matrix has rank 2^n - 1 and its complement, with 0 and 1 exchanged, rank 2^n. So a protocol
    has at least 2^n - 1 leaves with the answer 1 and 2^n with the answer 0: no deterministic protocol is cheaper.
    """

    name = "inner-product-trivial"
    problem = InnerProduct
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
        odd = np.logical_xor.reduce(x & y, axis=-1)
        await channel.send(odd)
        return odd
