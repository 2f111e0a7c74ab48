"""Protocols for disjointness."""

from commsim.arrays import Bits
from commsim.channel import Channel
from commsim.problem import Disjointness
from commsim.protocol import Protocol


class DisjointnessTrivial(Protocol):
    """Alice sends her whole set; Bob says whether it meets his.

    By the fooling set of all pairs (S, complement of S) no deterministic protocol is cheaper.
    """

    name = "disjointness-trivial"
    problem = Disjointness
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
        disjoint = ~y[..., x].any(axis=-1)  # his bits at her elements
        await channel.send(disjoint)
        return disjoint
