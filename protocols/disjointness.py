"""Protocols for disjointness."""

from commsim.arrays import Bits
from commsim.channel import Channel
from commsim.problem import Disjointness
from commsim.protocol import OneWayProtocol, Protocol


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


class DisjointnessBitByBit(Protocol):
    """Element by element Alice says whether she has it and, if so, Bob whether he has it too; if he has, they stop.

    Whose turn it is follows from the bits so far, so both always know it. They stop early exactly at a common element,
    hence the answer at every leaf is right. The worst case, 2n bits, is reached where Alice has every element and Bob
    none of the first n - 1. On two uniform sets an element costs 3/2 bits in the mean, and they go on after it with
    probability 3/4, which makes (3/2)(1 + 3/4 + ... + (3/4)^(n-1)) = 6 (1 - (3/4)^n) bits: below 6 for every n, though
    the worst case is nearly twice that of :class:`DisjointnessTrivial`.
    """

    name = "disjointness-bit-by-bit"
    problem = Disjointness
    cost = "2*n"
    batched = True
    source = "an example of the protocol trees in Kushilevitz and Nisan, Communication Complexity, 1997, Section 1.1"

    async def alice(self, x: Bits, channel: Channel) -> object:
        """Sends one bit an element, and after each 1 hears whether it is the last."""
        for element in range(self.n):
            mine = x[..., element]
            await channel.send(mine)
            # in a batch all inputs have sent the same bit here
            if mine.any() and await channel.receive_bit():
                return False
        return True

    async def bob(self, y: Bits, channel: Channel) -> object:
        """After each 1 sends whether that element is his too."""
        for element in range(self.n):
            if await channel.receive_bit():
                mine = y[..., element]
                await channel.send(mine)
                if mine.any():
                    return False
        return True


class DisjointnessOneWay(OneWayProtocol):
    """Alice sends her whole set, and Bob, who hears it, knows the answer; she never does.

    Two sets that Alice could not tell apart by her message would differ in some element e, and Bob's set {e} has
    another answer for each. So her 2^n sets need 2^n messages: no deterministic one-way protocol is cheaper.
    """

    name = "disjointness-one-way"
    problem = Disjointness
    cost = "n"
    batched = True
    source = "Kushilevitz and Nisan, Communication Complexity, 1997"

    async def alice(self, x: Bits, channel: Channel) -> None:
        """Sends x, n bits."""
        await channel.send(x)

    async def bob(self, y: Bits, channel: Channel) -> object:
        """Hears x; knows the answer."""
        x = await channel.receive(self.n)
        return ~(x & y).any(axis=-1)
