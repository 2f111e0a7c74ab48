"""Protocols for intersection."""

from commsim.arrays import Bits
from commsim.channel import Channel
from commsim.errors import InputError
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


class IntersectionBuzzer(Protocol):
    """The buzzer protocol for AND, in k steps: whoever holds a 0 buzzes at a random step, and the answer is 0.

    A clock ticks from 1 to k. A party with input 0 has drawn one of the steps beforehand, uniformly, in private; at
    each step Alice and then Bob say whether it is theirs. The first buzz ends the protocol; without one both hold 1.
    How long it takes to buzz tells the other little: as k grows, the internal information of every symmetric
    distribution falls to the least that is possible, at most 0.4827 bits if the inputs are never both 1, and 1.4923 in
    general (Braverman, Garg, Pankratov, Weinstein 2013).

    Args:
        n: 1: AND is the intersection of two subsets of {1}.
        k: the number of steps.
    """

    name = "intersection-buzzer"
    problem = Intersection
    cost = "2*k"
    coins = "private"
    error = "0"
    source = "Braverman, Garg, Pankratov, Weinstein 2013"

    def __init__(self, n: int, k: int = 4) -> None:
        if n > 1:
            raise InputError(f"intersection-buzzer is for n = 1, the AND of two bits, not for n = {n}")
        if k < 1:
            raise InputError(f"intersection-buzzer takes k at least 1 step, not k = {k}")
        self.k = k
        super().__init__(n)

    @property
    def parameters(self) -> dict[str, int]:
        """The size n and the number k of steps."""
        return {"n": self.n, "k": self.k}

    async def alice(self, x: Bits, channel: Channel) -> bool:
        """Speaks first at each step."""
        own = -1 if x[0] else channel.private.integers(self.k)
        for step in range(self.k):
            await channel.send(step == own)
            if step == own or await channel.receive_bit():
                return False
        return True

    async def bob(self, y: Bits, channel: Channel) -> bool:
        """Speaks second at each step."""
        own = -1 if y[0] else channel.private.integers(self.k)
        for step in range(self.k):
            if await channel.receive_bit():
                return False
            await channel.send(step == own)
            if step == own:
                return False
        return True
