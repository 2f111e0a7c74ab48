"""Protocols for greater-than."""

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
