"""Disjointness to Match3: the reduction behind the lower bound for ordinary attention."""

import numpy as np

from commsim.arrays import Bits, Integers
from commsim.problem import Disjointness, Intersection
from commsim.reduction import Reduction
from commsim.shape import Shape
from commsim.task import Match3


class DisjointnessToMatch3(Reduction):
    """A common element makes two tokens that complete the reader to 0 modulo M; nothing else does.

    Alice has one token an element: alpha_i if i is in her set, else the blank 1. Bob has beta_i or the blank. The
    reader is a public 1 and stands last, where a recurrent network can answer. With alpha_1 = M - 1, beta_1 = M, and
    alpha_i = i, beta_i = M - 1 - i from i = 2 on, a match needs v + w = -1 modulo M. The involution v -> M - 1 - v
    pairs alpha_i with beta_i, and the blank with M - 2, which no token holds.
    """

    name = "disjointness-to-match3"
    source = Disjointness
    target = Match3
    sizes = {"N": "2*n + 1", "M": "N + 1"}
    gap = "1"
    batched = True
    origin = "this program's map, after Sanford, Hsu, Telgarsky 2023 (arXiv 2306.02896), Theorem 7"

    def shape(self) -> Shape:
        """Alice's n tokens, Bob's n tokens, then constants: the last of them is the reader."""
        owners = ("alice",) * self.n + ("bob",) * self.n + ("public",) * (self.length - 2 * self.n)
        return Shape(Match3(self.length, self.length + 1), owners, reader=self.length)

    def alice(self, x: Bits) -> Integers:
        """alpha_i for each element, 1 for each other."""
        alpha = np.arange(1, self.n + 1)
        alpha[0] = self.length
        return np.where(x, alpha, 1)

    def bob(self, y: Bits) -> Integers:
        """beta_i for each element, 1 for each other."""
        beta = self.length - np.arange(1, self.n + 1)
        beta[0] = self.length + 1
        return np.where(y, beta, 1)

    def public(self) -> Integers:
        """Blanks, the reader among them."""
        return np.ones(self.length - 2 * self.n, dtype=np.int64)

    def decode(self, output: Bits) -> Bits:
        """Disjoint iff there is no match."""
        return np.asarray(output == 0)


class IntersectionToMatch3(DisjointnessToMatch3):
    """The same tokens for the other polarity: the sets meet iff there is a match."""

    name = "intersection-to-match3"
    source = Intersection

    def decode(self, output: Bits) -> Bits:
        """The sets meet iff there is a match."""
        return np.logical_not(super().decode(output))
