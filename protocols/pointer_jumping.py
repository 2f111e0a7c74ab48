"""Pointer jumping in as many messages as there are pointers."""

import numpy as np

from commsim.arrays import Integers
from commsim.channel import Channel
from commsim.errors import InputError
from commsim.precision import bits_to_integer, integer_to_bits
from commsim.problem import PointerJumping, Problem
from commsim.protocol import Protocol


class PointerJumpingRounds(Protocol):
    """They follow the path together: whoever knows the next pointer sends where it leads, k messages in all.

    Args:
        n: the number of places, at least 2.
        k: the number of pointers.
    """

    name = "pointer-jumping-rounds"
    problem = PointerJumping
    cost = "k*ceil(log2(n))"
    batched = True
    source = "Nisan and Wigderson 1993"

    def __init__(self, n: int, k: int = 2) -> None:
        if n == 1:
            raise InputError("pointer-jumping-rounds needs n at least 2: with one place there is nothing to send")
        self.k = k
        super().__init__(n)

    def make_problem(self) -> Problem:
        """The problem with k pointers."""
        return PointerJumping(self.n, self.k)

    async def alice(self, x: Integers, channel: Channel) -> object:
        """Sends the first, third, ... place of the path."""
        return await self._follow(x, channel, first=True)

    async def bob(self, y: Integers, channel: Channel) -> object:
        """Sends the second, fourth, ... place of the path."""
        return await self._follow(y, channel, first=False)

    async def _follow(self, own: Integers, channel: Channel, first: bool) -> int:
        width = (self.n - 1).bit_length()
        place = 1
        for step in range(self.k):
            if (step % 2 == 0) == first:
                sent = own[..., place - 1]
                await channel.send(integer_to_bits(sent - 1, width))
                place = int(np.ravel(sent)[0])  # in a batch, all that are left have sent the same
            else:
                place = int(bits_to_integer(await channel.receive(width))) + 1
        return place
