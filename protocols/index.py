"""Protocols for index: Alice holds n bits, Bob a position."""

from commsim.arrays import Bits, Integers
from commsim.channel import Channel
from commsim.precision import bits_to_integer, integer_to_bits
from commsim.problem import Index
from commsim.protocol import OneWayProtocol, Protocol


class IndexFromBob(Protocol):
    """Bob sends his position in binary; Alice answers with her bit there.

    With n = 1 there is only one position, and Bob sends nothing. The matrix and its complement, with 0 and 1 exchanged,
    both have rank n, so a protocol has at least 2n leaves: no deterministic protocol is cheaper. Against
    :class:`IndexOneWay` it shows what it is worth to be asked: exponentially many bits.
    """

    name = "index-from-bob"
    problem = Index
    cost = "ceil(log2(n)) + 1"
    batched = True
    source = "Kushilevitz and Nisan, Communication Complexity, 1997"

    @property
    def width(self) -> int:
        """The bits of a position, counted from 0: ceil(log2(n))."""
        return (self.n - 1).bit_length()

    async def alice(self, x: Bits, channel: Channel) -> object:
        """Hears the position; sends the answer."""
        position = bits_to_integer(await channel.receive(self.width)) if self.width else 0
        bit = x[..., position]
        await channel.send(bit)
        return bit

    async def bob(self, y: Integers, channel: Channel) -> object:
        """Sends y, less 1 so that it counts from 0; hears the answer."""
        if self.width:
            await channel.send(integer_to_bits(y - 1, self.width))
        return await channel.receive_bit()


class IndexOneWay(OneWayProtocol):
    """Alice, who cannot ask, sends all her bits; Bob looks his up.

    Two strings that she could not tell apart by her message would differ at some position, and Bob may hold just that
    one. So her 2^n strings need 2^n messages: no deterministic one-way protocol is cheaper.
    """

    name = "index-one-way"
    problem = Index
    cost = "n"
    batched = True
    source = "Kushilevitz and Nisan, Communication Complexity, 1997"

    async def alice(self, x: Bits, channel: Channel) -> None:
        """Sends x, n bits."""
        await channel.send(x)

    async def bob(self, y: Integers, channel: Channel) -> object:
        """Hears x; knows the answer."""
        x = await channel.receive(self.n)
        return x[y - 1]
