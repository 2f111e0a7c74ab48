"""Pointer jumping: a path that alternates between what Alice and what Bob knows."""

import numpy as np

from commsim.arrays import Integers
from commsim.domain import Maps
from commsim.errors import InputError
from commsim.problem.base import Problem


class PointerJumping(Problem):
    """PJ_{n,k}(x, y) = the end of the path of k pointers from 1: x(1), then y of that, then x of that, and so on.

    Both hold a map from {1, ..., n} to itself. In k messages that Alice begins, k ceil(log2(n)) bits are enough. With
    one message fewer, or k that Bob begins, the bits are of the order of n for fixed k (Nisan and Wigderson 1993).
    """

    name = "pointer-jumping"
    symbol = "PJ"

    def __init__(self, n: int, k: int = 2) -> None:
        """Fix the sizes: n >= 1 places and k >= 1 pointers."""
        super().__init__(n)
        if k < 1:
            raise InputError(f"pointer-jumping needs k at least 1, not k = {k}")
        self.k = k

    @property
    def parameters(self) -> dict[str, int]:
        """The number n of places and the number k of pointers."""
        return {"n": self.n, "k": self.k}

    def domains(self) -> tuple[Maps, Maps]:
        """Both parties hold a map."""
        return Maps(self.n), Maps(self.n)

    def evaluate(self, x: Integers, y: Integers) -> Integers:
        """The end of the path, from 1 to n."""
        shape = np.broadcast_shapes(x.shape, y.shape)
        maps = np.broadcast_to(x, shape), np.broadcast_to(y, shape)
        place = np.ones(shape[:-1], dtype=np.int64)
        for step in range(self.k):
            place = np.take_along_axis(maps[step % 2], place[..., None] - 1, axis=-1)[..., 0]
        return place
