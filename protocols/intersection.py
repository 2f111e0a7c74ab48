"""Protocols for intersection."""

from commsim.arrays import Bits
from commsim.channel import Channel
from commsim.problem import Intersection
from commsim.protocol import Protocol


class IntersectionTrivial(Protocol):
    """Alice sends her whole set; Bob says whether it meets his.

    Turning the last bit around makes it a protocol for disjointness: the two problems cost the same.
    """

    name = "intersection-trivial"
    problem = Intersection
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
        meet = (x & y).any(axis=-1)
        await channel.send(meet)
        return meet
