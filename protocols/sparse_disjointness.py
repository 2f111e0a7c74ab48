"""Disjointness of sets with at most k elements: all elements, and O(k) bits with public coins."""

from typing import Any

import numpy as np

from commsim.arrays import Bits, Integers
from commsim.channel import Channel
from commsim.precision import bits_to_integer, integer_to_bits
from commsim.problem import Problem, SparseDisjointness
from commsim.protocol import Protocol


class _SparseDisjointnessProtocol(Protocol):
    problem = SparseDisjointness

    def __init__(self, n: int, k: int = 2) -> None:
        self._given = k
        super().__init__(n)
        self.k = self.function.parameters["k"]

    def make_problem(self) -> Problem:
        """The problem for sets of at most k elements."""
        return SparseDisjointness(self.n, self._given)


class SparseDisjointnessTrivial(_SparseDisjointnessProtocol):
    """Alice sends her elements, k numbers of ceil(log2(n + 1)) bits, with 0 for none; Bob answers.

    Args:
        n: the size of the universe.
        k: the most elements of a set.
    """

    name = "sparse-disjointness-trivial"
    cost = "k*ceil(log2(n + 1)) + 1"
    source = "Kushilevitz and Nisan, Communication Complexity, 1997, Section 1.1"

    async def alice(self, x: Bits, channel: Channel) -> object:
        """Sends her elements; hears the answer."""
        elements = np.zeros(self.k, dtype=np.int64)
        elements[: x.sum()] = np.flatnonzero(x) + 1
        await channel.send(integer_to_bits(elements, self.n.bit_length()).ravel())
        return await channel.receive_bit()

    async def bob(self, y: Bits, channel: Channel) -> object:
        """Looks for them; sends the answer."""
        width = self.n.bit_length()
        elements = bits_to_integer((await channel.receive(self.k * width)).reshape(self.k, width))
        disjoint = not y[elements[elements > 0] - 1].any()
        await channel.send(disjoint)
        return disjoint


class SparseDisjointnessHastadWigderson(_SparseDisjointnessProtocol):
    """In turn each names a public random set that holds all the own elements, and the other drops what lies outside.

    If the sets are disjoint, about half of the other's elements go each time, and soon one set is empty: then they are
    disjoint for certain. A common element is never dropped. To name the first of a list of random sets that holds s
    elements takes about s bits, whatever n is. For that to be found in little time, the universe is hashed publicly
    into g = ceil(s/4) groups, and a set is named for each: the number t of own elements in the group in unary, then
    t + 2 bits, and a bit that says whether one of the first 2^(t + 2) sets was good (else nothing is dropped there).
    So with c = ceil(log2(k + 1)) bits for s, a message has c + 2s + 4g bits.

    A group fails with probability at most e^-4, so of the elements of disjoint sets at most 0.51 stay each time, on
    average. After R = 2 ceil(log2(k)) + 8 rounds some are left with probability at most k 0.51^(R/2), less than 2/15
    for k < 2^30. The messages, without the sizes s, have at most 9.3 k + 3 R bits on average, and by Markov's
    inequality exceed five times that with probability at most 1/5. In both cases the answer is that the sets meet: it
    is wrong with probability at most 1/3.

    Args:
        n: the size of the universe.
        k: the most elements of a set.
    """

    name = "sparse-disjointness-hastad-wigderson"
    cost = "47*k + R*(ceil(log2(k + 1)) + 15)"
    coins = "public"
    error = "1/3"
    trusted = (1,)
    source = "Hastad and Wigderson 2007; the groups and the constants: this program's"

    @property
    def parameters(self) -> dict[str, int]:
        """The universe n, the most elements k, and the most rounds R."""
        return {**self.function.parameters, "R": 2 * (self.k - 1).bit_length() + 8}

    async def alice(self, x: Bits, channel: Channel) -> object:
        """Speaks in the rounds 0, 2, 4, ..."""
        return await self._play(x, channel, parity=0)

    async def bob(self, y: Bits, channel: Channel) -> object:
        """Speaks in the rounds 1, 3, 5, ..."""
        return await self._play(y, channel, parity=1)

    async def _play(self, own: Bits, channel: Channel, parity: int) -> bool:
        elements: Integers = np.flatnonzero(own)
        key = channel.public.integers(2**64, size=2, dtype=np.uint64)
        size_bits, rounds = self.k.bit_length(), self.parameters["R"]
        budget = 47 * self.k + 15 * rounds
        for turn in range(rounds):
            speaks = turn % 2 == parity
            if speaks:
                await channel.send(integer_to_bits(len(elements), size_bits))
            size = len(elements) if speaks else int(bits_to_integer(await channel.receive(size_bits)))
            if size == 0:
                return True
            groups = -(-size // 4)
            budget -= 2 * size + 4 * groups
            if budget < 0:
                return False
            if speaks:
                await channel.send(_name_sets(elements, groups, key, turn))
            else:
                elements = _kept(await channel.receive(2 * size + 4 * groups), elements, groups, key, turn)
        return False


def _name_sets(elements: Integers, groups: int, key: Any, turn: int) -> Bits:
    """For each group: the number t of elements in unary, whether a set was found, and its number in t + 2 bits."""
    group = np.array([_random(key, turn, element).integers(groups) for element in elements])
    message: list[Bits] = []
    for number in range(groups):
        inside = elements[group == number]
        t = len(inside)
        holds: Bits = np.logical_and.reduce(_membership(inside, 2 ** (t + 2), key, turn), axis=0)
        first = int(holds.argmax())
        message += [np.arange(t + 1) < t, holds[first : first + 1], integer_to_bits(first, t + 2)]
    return np.concatenate(message)


def _kept(message: Bits, elements: Integers, groups: int, key: Any, turn: int) -> Integers:
    """The elements that lie in the sets named, or in a group for which none was."""
    group = np.array([_random(key, turn, element).integers(groups) for element in elements])
    kept, place = np.ones(len(elements), dtype=bool), 0
    for number in range(groups):
        t = int((~message[place:]).argmax())
        found, code = message[place + t + 1], message[place + t + 2 : place + 2 * t + 4]
        place += 2 * t + 4
        if found:
            inside = group == number
            chosen = int(bits_to_integer(code))
            kept[inside] = _membership(elements[inside], chosen + 1, key, turn)[:, chosen]
    return elements[kept]


def _random(key: Any, turn: int, element: int) -> np.random.Generator:
    """The public coins of one element in one round."""
    return np.random.Generator(np.random.Philox(key=key, counter=[0, 0, turn, int(element)]))


def _membership(elements: Integers, sets: int, key: Any, turn: int) -> Bits:
    """Which elements lie in which of the first random sets of the round, shape (elements, sets)."""
    rows = np.zeros((len(elements), sets), dtype=bool)
    for row, element in enumerate(elements):
        random = np.random.Generator(np.random.Philox(key=key, counter=[0, 1, turn, int(element)]))
        rows[row] = np.unpackbits(np.frombuffer(random.bytes(-(-sets // 8)), dtype=np.uint8), count=sets)
    return rows
