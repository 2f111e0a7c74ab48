"""The median of the multiset union of two sets: binary search, and the same in O(log n) bits."""

import numpy as np

from commsim.arrays import Bits, Integers
from commsim.channel import Channel
from commsim.precision import bits_to_integer, integer_to_bits
from commsim.problem import Median
from commsim.protocol import Protocol


class MedianBinarySearch(Protocol):
    """Binary search for the least v that at least half of all elements do not exceed.

    Alice sends how many elements she has; then for each v that is tried, how many of them are at most v, and Bob says
    whether that is enough. This is 1 + ceil(log2(n)) numbers of ceil(log2(n + 1)) bits, so O(log^2 n).
    """

    name = "median-binary-search"
    problem = Median
    cost = "ceil(log2(n + 1)) + ceil(log2(n))*(ceil(log2(n + 1)) + 1)"
    source = "Kushilevitz and Nisan, Communication Complexity, 1997, Section 1.1"

    async def alice(self, x: Bits, channel: Channel) -> int:
        """Sends counts; hears in which half to go on."""
        width = self.n.bit_length()
        await channel.send(integer_to_bits(x.sum(), width))
        low, high = 1, self.n
        while low < high:
            middle = (low + high) // 2
            await channel.send(integer_to_bits(x[:middle].sum(), width))
            low, high = (low, middle) if await channel.receive_bit() else (middle + 1, high)
        return low

    async def bob(self, y: Bits, channel: Channel) -> int:
        """Adds his own counts; says in which half to go on."""
        width = self.n.bit_length()
        total = int(bits_to_integer(await channel.receive(width))) + int(y.sum())
        low, high = 1, self.n
        while low < high:
            middle = (low + high) // 2
            at_most = int(bits_to_integer(await channel.receive(width))) + int(y[:middle].sum())
            await channel.send(2 * at_most >= total)
            low, high = (low, middle) if 2 * at_most >= total else (middle + 1, high)
        return low


class MedianHalving(Protocol):
    """Both halve their sets and the interval of the median, for two bits at a time: O(log n) bits.

    They exchange the sizes of their sets and fill these up to K = 2^u elements each, u = ceil(log2(n)), with values
    below and above all others, so many of each that the median stays what it was: the lower median of 2K values. From
    then on both send whether the median of their own values lies in the upper half of the current interval. If both say
    the same, the common median lies there too, and all values are moved into that half. If they differ, whoever is in
    the lower half drops the lower half of the own values and the other the upper half: as many below the common median
    as above. With one value left on either side, it is the smaller one. So there are at most u steps of each kind.
    """

    name = "median-halving"
    problem = Median
    cost = "2*ceil(log2(n + 1)) + 4*ceil(log2(n))"
    source = "Kushilevitz and Nisan, Communication Complexity, 1997, Section 1.1 (as an exercise)"

    async def alice(self, x: Bits, channel: Channel) -> int:
        """Sends first in each step."""
        width = self.n.bit_length()
        await channel.send(integer_to_bits(x.sum(), width))
        theirs = int(bits_to_integer(await channel.receive(width)))
        values = self._filled(x, int(x.sum()), theirs, fills_first=True)
        low, high = 1, 2 ** (self.n - 1).bit_length()
        while low < high:
            mine = _lower_median(values, low, high) > (low + high) // 2
            await channel.send(mine)
            values, low, high = _step(values, low, high, bool(mine), bool(await channel.receive_bit()))
        return low

    async def bob(self, y: Bits, channel: Channel) -> int:
        """Sends second in each step."""
        width = self.n.bit_length()
        theirs = int(bits_to_integer(await channel.receive(width)))
        await channel.send(integer_to_bits(y.sum(), width))
        values = self._filled(y, int(y.sum()), theirs, fills_first=False)
        low, high = 1, 2 ** (self.n - 1).bit_length()
        while low < high:
            mine = _lower_median(values, low, high) > (low + high) // 2
            alices = bool(await channel.receive_bit())
            await channel.send(mine)
            values, low, high = _step(values, low, high, bool(mine), alices)
        return low

    def _filled(self, own: Bits, mine: int, theirs: int, fills_first: bool) -> Integers:
        """K values in increasing order: the own ones, and fillers of which Alice takes as many low ones as she can."""
        full = 2 ** (self.n - 1).bit_length()
        low_fillers = full - (mine + theirs + 1) // 2
        low_of_alice = min(low_fillers, full - (mine if fills_first else theirs))
        low = low_of_alice if fills_first else low_fillers - low_of_alice
        return np.concatenate([np.zeros(low), np.flatnonzero(own) + 1, np.full(full - mine - low, full + 1)]).astype(
            int
        )


def _lower_median(values: Integers, low: int, high: int) -> int:
    """The lower median of the values, moved into the interval."""
    return int(np.clip(values[(len(values) - 1) // 2], low, high))


def _step(values: Integers, low: int, high: int, mine: bool, theirs: bool) -> tuple[Integers, int, int]:
    """The values and the interval after both have said whether their median lies in the upper half of it."""
    middle = (low + high) // 2
    if mine == theirs:
        return (values, middle + 1, high) if mine else (values, low, middle)
    if len(values) == 1:
        return np.clip(values, low, high), low, middle
    half = len(values) // 2
    return (values[:half] if mine else values[half:]), low, high
