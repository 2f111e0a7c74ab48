"""A clique against an independent set of a known graph."""

from typing import TYPE_CHECKING, Any, cast

import numpy as np

from commsim.arrays import Bits
from commsim.channel import Channel
from commsim.precision import bits_to_integer, integer_to_bits
from commsim.problem import CliqueIndependentSet, Problem
from commsim.protocol import Protocol

if TYPE_CHECKING:
    import networkx as nx


class CliqueIndependentSetHalving(Protocol):
    """Whoever has a vertex that halves what is left of the graph sends it; the other says whether he has it as well.

    If the clique has a vertex with fewer than half of the graph as neighbours, only these matter from then on: the rest
    of the clique lies among them. If the independent set has one with at least half as neighbours, only the others do.
    If neither is so, no vertex can lie in both. Every round at least halves the graph, so floor(log2(n)) + 1 rounds of
    O(log n) bits are enough: O(log^2 n).

    In each round Alice and then Bob send a number of ceil(log2(n + 1)) bits, 0 if there is nothing to say, and get one
    bit back. All rounds are played, so that the cost is the same for all inputs and all graphs with n vertices.

    Args:
        n: the number of vertices.
        graph: known to both; by default a random one.
    """

    name = "clique-independent-set-halving"
    problem = CliqueIndependentSet
    cost = "(floor(log2(n)) + 1)*2*(ceil(log2(n + 1)) + 1)"
    source = "Yannakakis 1991"

    def __init__(self, n: int, graph: "nx.Graph[Any] | None" = None) -> None:
        self._given = graph
        super().__init__(n)
        self.adjacency = cast(CliqueIndependentSet, self.function).adjacency

    def make_problem(self) -> Problem:
        """The problem on this graph."""
        return CliqueIndependentSet(self.n, self._given)

    async def alice(self, x: Bits, channel: Channel) -> bool:
        """Speaks first in each round."""
        left, common = np.ones(self.n, dtype=bool), False
        for _ in range(self.n.bit_length()):
            left, found = await self._speak(left, x & (2 * self._degrees(left) < left.sum()), self.adjacency, channel)
            left, answered = await self._listen(left, x, ~self.adjacency, channel)
            common = common or found or answered
        return common

    async def bob(self, y: Bits, channel: Channel) -> bool:
        """Speaks second in each round."""
        left, common = np.ones(self.n, dtype=bool), False
        for _ in range(self.n.bit_length()):
            left, answered = await self._listen(left, y, self.adjacency, channel)
            left, found = await self._speak(left, y & (2 * self._degrees(left) >= left.sum()), ~self.adjacency, channel)
            common = common or found or answered
        return common

    def _degrees(self, left: Bits) -> Any:
        """The number of neighbours of each vertex in what is left."""
        return (self.adjacency & left).sum(axis=-1)

    async def _speak(self, left: Bits, candidates: Bits, keeps: Bits, channel: Channel) -> tuple[Bits, bool]:
        """Send a vertex that is left; what is left then, and whether the other has the vertex as well."""
        vertices = np.flatnonzero(left & candidates)
        sent = int(vertices[0]) + 1 if len(vertices) else 0
        await channel.send(integer_to_bits(sent, self.n.bit_length()))
        return _narrowed(left, sent, keeps), bool(await channel.receive_bit())

    async def _listen(self, left: Bits, own: Bits, keeps: Bits, channel: Channel) -> tuple[Bits, bool]:
        """Hear a vertex and say whether it is among the own ones."""
        heard = int(bits_to_integer(await channel.receive(self.n.bit_length())))
        found = heard > 0 and bool(own[heard - 1])
        await channel.send(found)
        return _narrowed(left, heard, keeps), found


def _narrowed(left: Bits, vertex: int, keeps: Bits) -> Bits:
    """What matters after a vertex was named (from 1; 0 if none was): those of what is left that its row keeps."""
    if vertex == 0:
        return left
    kept: Bits = left & keeps[vertex - 1]
    kept[vertex - 1] = False
    return kept
