"""The Karchmer-Wigderson game of a formula, played by the formula."""

from typing import cast

import numpy as np

from commsim.arrays import Bits
from commsim.channel import Channel
from commsim.errors import InputError
from commsim.problem import Formula, KarchmerWigderson, Problem
from commsim.protocol import Protocol


class KarchmerWigdersonByFormula(Protocol):
    """They walk down the formula to a leaf on which x gives 1 and y gives 0: its variable is where they differ.

    Below an OR, f(x) = 1 holds in one of the branches, and f(y) = 0 in both: Alice says which. Below an AND it is Bob
    who chooses. So the cost is the depth of the formula.

    Args:
        n: the number of variables, at least 2.
        formula: for f; by default the parity by halving.
    """

    name = "karchmer-wigderson-by-formula"
    problem = KarchmerWigderson
    cost = "D"
    batched = True
    source = "Karchmer and Wigderson 1990; Kushilevitz and Nisan, Communication Complexity, 1997, Chapter 10"

    def __init__(self, n: int, formula: Formula | None = None) -> None:
        self._given = formula
        super().__init__(n)
        self.formula = cast(KarchmerWigderson, self.function).formula
        if self.formula.depth == 0:
            raise InputError("karchmer-wigderson-by-formula needs a formula with a gate: there is nothing to say")

    def make_problem(self) -> Problem:
        """The game of this formula."""
        return KarchmerWigderson(self.n, self._given)

    @property
    def parameters(self) -> dict[str, int]:
        """The variables n and the depth D of the formula."""
        return {"n": self.n, "D": self.formula.depth}

    async def alice(self, x: Bits, channel: Channel) -> object:
        """Chooses a branch that is 1 on x at each OR."""
        return await self._descend(x, channel, gate="or", value=True)

    async def bob(self, y: Bits, channel: Channel) -> object:
        """Chooses a branch that is 0 on y at each AND."""
        return await self._descend(y, channel, gate="and", value=False)

    async def _descend(self, own: Bits, channel: Channel, gate: str, value: bool) -> int:
        node = self.formula
        while node.left is not None and node.right is not None:
            if node.gate == gate:
                sent = node.left.evaluate(own) != value
                await channel.send(sent)
                goes_right = np.ravel(sent)[0]
            else:
                goes_right = await channel.receive_bit()
            node = node.right if goes_right else node.left
        return node.variable
