"""Index to q-sparse averaging with q = 1: the reduction that separates recurrent networks from attention."""

import numpy as np

from commsim.arrays import Array, Bits, Integers
from commsim.problem import Index
from commsim.reduction import Reduction
from commsim.shape import Shape
from commsim.task import QSparseAveraging


class IndexToQSA(Reduction):
    """Alice writes her bits as z = +-1; Bob's token, the last, looks at the one he asks for.

    The output at the reader is +1 if the bit is 1, else -1. A recurrent network must carry Alice's bits to Bob's token;
    attention only has to carry his question to hers.
    """

    name = "index-to-qsa"
    source = Index
    target = QSparseAveraging
    sizes = {"N": "n + 1", "q": "1", "d": "1"}
    gap = "2"
    batched = True
    origin = "the one-way argument for recurrent networks in Sanford, Hsu, Telgarsky 2023 (arXiv 2306.02896)"

    def shape(self) -> Shape:
        """Alice's n tokens, constants if N is larger, then Bob's reader."""
        owners = ("alice",) * self.n + ("public",) * (self.length - self.n - 1) + ("bob",)
        return Shape(QSparseAveraging(self.length, 1, 1), owners, reader=self.length)

    def alice(self, x: Bits) -> Array:
        """Each bit as a token with z = +-1."""
        tokens = self._tokens(*x.shape)
        tokens["z"][..., 0] = np.where(x, 1, -1)
        return tokens

    def bob(self, y: Integers) -> Array:
        """The reader, which looks at position y."""
        tokens = self._tokens(*y.shape, 1)
        tokens["y"][..., 0, 0] = y
        return tokens

    def public(self) -> Array:
        """Constants that nobody looks at."""
        return self._tokens(self.length - self.n - 1)

    def decode(self, output: Array) -> Array:
        """The bit is 1 iff the output is positive."""
        return output[..., 0] > 0

    def _tokens(self, *shape: int) -> Array:
        """Tokens with z = -1 that look at position 1."""
        tokens = np.zeros(shape, dtype=self.shape().task.dtype)
        tokens["z"] = -1
        tokens["y"] = 1
        return tokens
