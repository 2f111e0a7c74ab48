"""Protocols for equality: one per model of communication, from n + 1 bits down to a constant."""

import numpy as np

from commsim.arrays import Bits, Integers
from commsim.channel import Channel
from commsim.combinators import privatize
from commsim.errors import InputError
from commsim.precision import bits_to_integer, integer_to_bits
from commsim.problem import Equality
from commsim.protocol import OneWayProtocol, Protocol, SimultaneousProtocol


class EqualityTrivial(Protocol):
    """Alice sends her whole string; Bob says whether it is his.

    The pairs (x, x) are a fooling set of size 2^n, and a leaf with the answer 0 is needed too: no deterministic
    protocol is cheaper.
    """

    name = "equality-trivial"
    problem = Equality
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
        equal = (x == y).all(axis=-1)
        await channel.send(equal)
        return equal


class EqualityOneWay(OneWayProtocol):
    """Alice sends her whole string, and Bob, who hears it, knows the answer; she never does.

    If two strings had the same message, Bob, holding one of them, would answer both alike. So her 2^n strings need 2^n
    messages: no deterministic one-way protocol is cheaper.
    """

    name = "equality-one-way"
    problem = Equality
    cost = "n"
    batched = True
    source = "Kushilevitz and Nisan, Communication Complexity, 1997"

    async def alice(self, x: Bits, channel: Channel) -> None:
        """Sends x, n bits."""
        await channel.send(x)

    async def bob(self, y: Bits, channel: Channel) -> object:
        """Hears x; knows the answer."""
        x = await channel.receive(self.n)
        return (x == y).all(axis=-1)


class EqualityPublicCoin(Protocol):
    """Alice sends the parities of k public random sets of her places; Bob says whether his are the same.

    Equal strings have equal parities, so the answer 0 is never wrong. If x and y differ, the parities on one set are
    equal iff the set holds an even number of the places where they differ: that is so for exactly half of all sets. The
    k sets are independent, so the error is exactly 2^-k, on every pair of different strings and whatever n is.

    Args:
        n: the length of the strings.
        k: the number of parities, at least 1.
    """

    name = "equality-public-coin"
    problem = Equality
    cost = "k + 1"
    coins = "public"
    error = "1/pow2(k)"
    trusted = (0,)
    batched = True
    source = "Kushilevitz and Nisan, Communication Complexity, 1997, Section 3.3"

    def __init__(self, n: int, k: int = 2) -> None:
        super().__init__(n)
        self.k = _checked(k)

    @property
    def parameters(self) -> dict[str, int]:
        """The length n and the number k of parities."""
        return {"n": self.n, "k": self.k}

    async def alice(self, x: Bits, channel: Channel) -> object:
        """Sends the k parities; hears the answer."""
        await channel.send(_parities(x, self.k, channel))
        return await channel.receive_bit()

    async def bob(self, y: Bits, channel: Channel) -> object:
        """Hears the k parities; sends the answer."""
        parities = _parities(y, self.k, channel)
        equal = (await channel.receive(self.k) == parities).all(axis=-1)
        await channel.send(equal)
        return equal


class EqualitySimultaneous(SimultaneousProtocol):
    """Both send the parities of the same k public random sets of places; a referee compares them.

    The argument is that of :class:`EqualityPublicCoin`, since neither party there needs to hear the other: equal
    strings are never called different, and different ones are called equal with probability exactly 2^-k. Here the
    public coins matter: with private ones, simultaneous messages take on the order of sqrt(n) bits (Newman and Szegedy
    1996).

    Args:
        n: the length of the strings.
        k: the number of parities, at least 1.
    """

    name = "equality-simultaneous"
    problem = Equality
    cost = "2*k"
    coins = "public"
    error = "1/pow2(k)"
    trusted = (0,)
    batched = True
    source = "Kushilevitz and Nisan, Communication Complexity, 1997; the model: Yao 1979"

    def __init__(self, n: int, k: int = 2) -> None:
        super().__init__(n)
        self.k = _checked(k)

    @property
    def parameters(self) -> dict[str, int]:
        """The length n and the number k of parities."""
        return {"n": self.n, "k": self.k}

    async def alice(self, x: Bits, channel: Channel) -> None:
        """Sends the k parities of x."""
        await channel.send(_parities(x, self.k, channel))

    async def bob(self, y: Bits, channel: Channel) -> None:
        """Sends the k parities of y."""
        await channel.send(_parities(y, self.k, channel))

    def referee(self, from_alice: Bits, from_bob: Bits, channel: Channel) -> object:
        """Equal iff all parities are."""
        return (from_alice == from_bob).all()


class EqualityPrivateCoin(Protocol):
    """Alice sends a random point t and the value there of the polynomial X of her string, modulo a prime p.

    X(t) = x_1 + x_2 t + ... + x_n t^(n-1), and p is the least prime above n^2. Bob compares with his own polynomial Y.
    If x = y the answer is never wrong. If x and y differ, X - Y has a coefficient 1 or -1, so it is not zero modulo p.
    The error is exactly the number of its roots modulo p, divided by p. It has degree at most n - 1, hence no more
    roots, and the error is at most (n - 1)/p < 1/n. For n = 1, ..., 6 some pair reaches that: the differences 1, t,
    t^2 - 1, t^3 - t, t^4 - 1 and t^5 - t have as many different roots modulo p = 2, 5, 11, 17, 29 and 37 as their
    degree.

    By Bertrand's postulate p < 2 n^2 for n > 1, so a number modulo p takes at most 2 log2(n) + 2 bits, and the cost is
    at most 4 log2(n) + 5 bits: exponentially below what is needed without coins.
    """

    name = "equality-private-coin"
    problem = Equality
    cost = "2*ceil(log2(p)) + 1"
    coins = "private"
    error = "(n - 1)/p"
    trusted = (0,)
    batched = True
    source = "Kushilevitz and Nisan, Communication Complexity, 1997, Section 3.1"

    def __init__(self, n: int) -> None:
        from sympy import nextprime

        super().__init__(n)
        self.prime = int(nextprime(n**2))
        self.width = (self.prime - 1).bit_length()

    @property
    def parameters(self) -> dict[str, int]:
        """The length n and the prime p."""
        return {"n": self.n, "p": self.prime}

    async def alice(self, x: Bits, channel: Channel) -> object:
        """Sends the point and the value, as binary numbers; hears the answer."""
        point = int(channel.private.integers(self.prime))
        value = self._value(x, point)
        await channel.send(integer_to_bits(np.full_like(value, point), self.width))
        await channel.send(integer_to_bits(value, self.width))
        return await channel.receive_bit()

    async def bob(self, y: Bits, channel: Channel) -> object:
        """Hears the point and the value; sends the answer."""
        point = int(bits_to_integer(await channel.receive(self.width)))
        value = bits_to_integer(await channel.receive(self.width))
        equal = self._value(y, point) == value
        await channel.send(equal)
        return equal

    def _value(self, string: Bits, point: int) -> Integers:
        """The string's polynomial at the point, modulo p."""
        powers = [pow(point, place, self.prime) for place in range(self.n)]
        return np.asarray(string @ np.array(powers) % self.prime)


class EqualityNewman(privatize(EqualityPublicCoin)):  # type: ignore[misc]
    """Newman's reduction, shown on the public parities: Alice picks one of t fixed lists of sets and sends its number.

    The t lists are those that the seeds 0, ..., t - 1 give. A random list of t of them is good for all pairs of inputs
    at once, with twice the error 2^-k, by Hoeffding's inequality and the union bound: t of the order of n 4^k is
    enough. So log2(t) = O(log n + k) more bits turn public coins into private ones.

    Args:
        n: the length of the strings.
        k: the number of parities, at least 1.
    """

    name = "equality-newman"
    source = "Newman 1991; Kushilevitz and Nisan, Communication Complexity, 1997, Theorem 3.14"


def _checked(k: int) -> int:
    if k < 1:
        raise InputError(f"equality takes k at least 1 parity, not k = {k}")
    return k


def _parities(string: Bits, k: int, channel: Channel) -> Bits:
    """The parities of the strings (..., n) on k public random sets: shape (..., k).

    Strings and sets are packed, eight places a byte. For n < 8 a set is one of 2^n, so that the sets can be enumerated.
    """
    n = string.shape[-1]
    packed = np.packbits(string, axis=-1, bitorder="little")
    sets = channel.public.integers(2 ** min(n, 8), size=(k, packed.shape[-1]), dtype=np.uint8)
    common = np.bitwise_xor.reduce(packed[..., None, :] & sets, axis=-1)
    return np.asarray(np.bitwise_count(common) % 2 == 1)
