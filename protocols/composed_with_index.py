"""A decision tree for f gives a protocol for f composed with a gadget."""

from typing import cast

import numpy as np

from commsim.arrays import Bits
from commsim.channel import Channel
from commsim.precision import bits_to_integer
from commsim.problem import ComposedWithIndex, DecisionTree, Problem
from commsim.protocol import Protocol


class ComposedWithIndexByTree(Protocol):
    """They walk down the decision tree; for each variable Alice sends her pointer and Bob the bit that it points at.

    Args:
        n: the number of variables of f.
        b: the bits of a pointer.
        tree: a decision tree for f; by default it looks at variables 1, 2, ... in turn for the first 1.
    """

    name = "composed-with-index-by-tree"
    problem = ComposedWithIndex
    cost = "D*(b + 1)"
    batched = True
    source = "the simulation in Raz and McKenzie 1999; Goos, Pitassi, Watson 2015"

    def __init__(self, n: int, b: int = 1, tree: DecisionTree | None = None) -> None:
        self._given = b, tree
        super().__init__(n)
        self.composed = cast(ComposedWithIndex, self.function)

    def make_problem(self) -> Problem:
        """The composition with this gadget."""
        return ComposedWithIndex(self.n, *self._given)

    @property
    def parameters(self) -> dict[str, int]:
        """The variables n, the bits b of a pointer, and the depth D of the tree."""
        return {**self.composed.parameters, "D": self.composed.tree.depth}

    async def alice(self, x: Bits, channel: Channel) -> object:
        """Sends the pointer of each variable that the tree looks at."""
        tree: DecisionTree | int = self.composed.tree
        while isinstance(tree, DecisionTree):
            await channel.send(self.composed.pointer(x, tree.variable))
            tree = tree.if_one if await channel.receive_bit() else tree.if_zero
        return tree

    async def bob(self, y: Bits, channel: Channel) -> object:
        """Sends the bit that each pointer points at."""
        tree: DecisionTree | int = self.composed.tree
        while isinstance(tree, DecisionTree):
            place = int(bits_to_integer(await channel.receive(self.composed.b)))
            bit = self.composed.string(y, tree.variable)[..., place]
            await channel.send(bit)
            tree = tree.if_one if np.ravel(bit)[0] else tree.if_zero
        return tree
