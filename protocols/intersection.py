"""Protocols for intersection."""

from commsim.arrays import Bits
from commsim.channel import Channel
from commsim.precision import bits_to_integer, integer_to_bits
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


class IntersectionWitness(Protocol):
    """Nondeterministic: Alice guesses an element of her set and sends it; Bob says whether it is in his.

    A nondeterministic protocol must accept for some guess where f = 1 and for none where f = 0. Here a guess is a
    private coin, so this is one-sided error below 1: the answer 1 is never wrong, and a common element is guessed with
    positive probability. It shows that intersection has small nondeterministic complexity, while its complement has
    none: the 1s of disjointness need 2^n rectangles.
    """

    name = "intersection-witness"
    problem = Intersection
    cost = "ceil(log2(n + 1)) + 1"
    coins = "private"
    error = "1 - 1/n"
    trusted = (1,)
    source = "Kushilevitz and Nisan, Communication Complexity, 1997, Section 2.1"

    async def alice(self, x: Bits, channel: Channel) -> object:
        """Sends an element, the drawn one if it is hers; 0 if she has none; hears the answer."""
        drawn = channel.private.integers(self.n)
        guess = drawn + 1 if x[drawn] else int(x.argmax()) + 1 if x.any() else 0
        await channel.send(integer_to_bits(guess, self.n.bit_length()))
        return await channel.receive_bit()

    async def bob(self, y: Bits, channel: Channel) -> object:
        """Checks the element; sends the answer."""
        guess = int(bits_to_integer(await channel.receive(self.n.bit_length())))
        found = guess > 0 and y[guess - 1]
        await channel.send(found)
        return found
