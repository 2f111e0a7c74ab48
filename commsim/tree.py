"""The protocol tree: messages on the edges, and at each node a rectangle of inputs that share the transcript so far.

In the sense of Yao (1979): what a party sends is a function of its own input and of the path so far.
"""

from dataclasses import dataclass
from functools import cached_property

import networkx as nx
import numpy as np

from commsim.arrays import Array, Integers
from commsim.protocol import Protocol
from commsim.transcript import PartyName, Path, bits_sent, rounds


@dataclass(frozen=True)
class Leaf:
    """A leaf of the protocol tree and its rectangle.

    Attributes:
        path: the messages from the root.
        alice_indices, bob_indices: the rows and columns of its rectangle, into the lists of all inputs.
        output: shape (rows or 1, columns or 1): the answer of whoever must know it.
    """

    path: Path
    alice_indices: Integers
    bob_indices: Integers
    output: Array

    @property
    def pairs(self) -> int:
        """The number of input pairs in the rectangle."""
        return len(self.alice_indices) * len(self.bob_indices)

    @property
    def bits(self) -> int:
        """The bits that cross on the way here."""
        return bits_sent(self.path)

    def same_as(self, other: "Leaf") -> bool:
        """Whether transcript, rectangle and output are the same."""
        return (
            self.path == other.path
            and np.array_equal(self.alice_indices, other.alice_indices)
            and np.array_equal(self.bob_indices, other.bob_indices)
            and np.array_equal(self.output, other.output)
        )


class ProtocolTree:
    """The whole tree of a protocol, by its leaves.

    Attributes:
        protocol: the protocol.
        leaves: in the order of their transcripts.
    """

    def __init__(self, protocol: Protocol, leaves: list[Leaf]) -> None:
        self.protocol = protocol
        self.leaves = leaves

    @property
    def cost(self) -> int:
        """The bits that cross in the worst case: the depth of the tree."""
        return max(leaf.bits for leaf in self.leaves)

    @property
    def rounds(self) -> int:
        """The most maximal stretches by one sender on any path."""
        return max(rounds(leaf.path, self.protocol.communication) for leaf in self.leaves)

    def cost_of(self, party: PartyName) -> int:
        """The bits that one party sends in the worst case."""
        return max(bits_sent(leaf.path, party) for leaf in self.leaves)

    def outcome(self, row: int, column: int) -> tuple[Path, int]:
        """The transcript and the output on one pair of inputs, by their places in the lists of all inputs."""
        leaf = self.leaves[self.leaf_numbers[row, column]]
        inside = (np.searchsorted(leaf.alice_indices, row), np.searchsorted(leaf.bob_indices, column))
        output = np.broadcast_to(leaf.output, (len(leaf.alice_indices), len(leaf.bob_indices)))
        return leaf.path, int(output[inside])

    def pair(self, row: int, column: int) -> tuple[str, str]:
        """A pair of inputs, by their places in the lists of all inputs, as text."""
        function = self.protocol.function
        return self.protocol.format_pair(function.alice_inputs.all()[row], function.bob_inputs.all()[column])

    def first_pair(self, leaf: Leaf) -> tuple[str, str]:
        """The first pair of inputs in a leaf's rectangle, as text."""
        return self.pair(int(leaf.alice_indices[0]), int(leaf.bob_indices[0]))

    @cached_property
    def leaf_numbers(self) -> Integers:
        """The number of each pair's leaf, shape (inputs of Alice, inputs of Bob)."""
        function = self.protocol.function
        numbers = np.full((function.alice_inputs.size, function.bob_inputs.size), -1)
        for number, leaf in enumerate(self.leaves):
            numbers[np.ix_(leaf.alice_indices, leaf.bob_indices)] = number
        return numbers

    def to_networkx(self) -> "nx.DiGraph[Path]":
        """The tree as a directed graph from the root.

        A node is its path (a tuple of messages; the root is ``()``) with the attributes ``owner`` (who sends next, None
        at a leaf), ``alice_indices`` and ``bob_indices`` (its rectangle) and, at a leaf, ``output``. An edge has the
        attribute ``bits``.
        """
        graph: nx.DiGraph[Path] = nx.DiGraph()
        rectangles: dict[Path, tuple[list[Integers], list[Integers]]] = {}
        for leaf in self.leaves:
            for depth in range(len(leaf.path) + 1):
                rows, columns = rectangles.setdefault(leaf.path[:depth], ([], []))
                rows.append(leaf.alice_indices)
                columns.append(leaf.bob_indices)
                if depth:
                    graph.add_edge(leaf.path[: depth - 1], leaf.path[:depth], bits=leaf.path[depth - 1].bits)
                    graph.nodes[leaf.path[: depth - 1]]["owner"] = leaf.path[depth - 1].sender
            graph.add_node(leaf.path, owner=None, output=leaf.output)
        for path, (rows, columns) in rectangles.items():
            graph.nodes[path]["alice_indices"] = np.unique(np.concatenate(rows))
            graph.nodes[path]["bob_indices"] = np.unique(np.concatenate(columns))
        return graph
