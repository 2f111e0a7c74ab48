"""Disjointness to q-sparse averaging: the reduction behind the lower bound for attention."""

import numpy as np

from commsim.arrays import Array, Bits
from commsim.problem import Disjointness, Intersection
from commsim.reduction import Reduction
from commsim.shape import Shape
from commsim.task import QSparseAveraging


class DisjointnessToQSA(Reduction):
    """Alice's set says where one token looks; Bob's set says what there is to see.

    Tokens 2i - 1 and 2i are the two places for element i. Bob puts z = +1 at place 2i if i is in his set; every other z
    is -1. Alice owns the last token, the reader, and lets it look at place 2i if i is in her set, else at place 2i - 1.
    So q = n, the output at the reader is 2|x and y|/q - 1, and the sets are disjoint iff it is -1.
    """

    name = "disjointness-to-qsa"
    source = Disjointness
    target = QSparseAveraging
    sizes = {"N": "2*n + 1", "q": "n", "d": "1"}
    gap = "2/n"
    batched = True
    origin = "Sanford, Hsu, Telgarsky 2023 (arXiv 2306.02896), Theorem 4"

    def shape(self) -> Shape:
        """Bob's 2n tokens, constants if N is larger, then Alice's reader."""
        spare = self.length - (2 * self.n + 1)
        owners = ("bob",) * (2 * self.n) + ("public",) * spare + ("alice",)
        return Shape(QSparseAveraging(self.length, self.n, 1), owners, reader=self.length)

    def alice(self, x: Bits) -> Array:
        """The reader, which looks at 2i or 2i - 1."""
        tokens = self._tokens(*x.shape[:-1], 1)
        tokens["y"][..., 0, :] = 2 * np.arange(1, self.n + 1) - 1 + x
        return tokens

    def bob(self, y: Bits) -> Array:
        """2n tokens; z = +1 at place 2i for each of his elements i."""
        tokens = self._tokens(*y.shape[:-1], 2 * self.n)
        tokens["z"][..., 1::2, 0] = np.where(y, 1, -1)
        return tokens

    def public(self) -> Array:
        """Constants that nobody looks at."""
        return self._tokens(self.length - (2 * self.n + 1))

    def decode(self, output: Array) -> Array:
        """Disjoint iff the output is -1; an intersection adds 2/q."""
        return output[..., 0] * self.n < 1 - self.n

    def _tokens(self, *shape: int) -> Array:
        """Tokens with z = -1 that look at the first q places."""
        tokens = np.zeros(shape, dtype=self.shape().task.dtype)
        tokens["z"] = -1
        tokens["y"] = np.arange(1, self.n + 1)
        return tokens


class IntersectionToQSA(DisjointnessToQSA):
    """The same tokens for the other polarity: the sets meet iff the output is not -1."""

    name = "intersection-to-qsa"
    source = Intersection

    def decode(self, output: Array) -> Array:
        """The sets meet iff the output is above -1."""
        return np.logical_not(super().decode(output))
