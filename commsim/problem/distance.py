"""The Hamming distance: at most k, and the gap version, a partial function."""

import numpy as np

from commsim.arrays import Array, Bits, Integers
from commsim.domain import BitStrings
from commsim.errors import InputError
from commsim.problem.base import PartialFunction, Problem


class HammingDistance(Problem):
    """HAM_{n,k}(x, y) = 1 iff the n-bit strings x and y differ in at most k places.

    Randomized, public coins: of the order of k log k bits, whatever n is (Huang, Shi, Zhang, Zhu 2006).
    """

    name = "hamming-distance"
    symbol = "HAM"

    def __init__(self, n: int, k: int = 2) -> None:
        """Fix the sizes: n >= 1 and 0 <= k <= n - 1; k is lowered to n - 1 if it is greater."""
        super().__init__(n)
        if k < 0:
            raise InputError(f"hamming-distance needs k at least 0, not k = {k}")
        self.k = min(k, n - 1)

    @property
    def parameters(self) -> dict[str, int]:
        """The length n and the threshold k."""
        return {"n": self.n, "k": self.k}

    def domains(self) -> tuple[BitStrings, BitStrings]:
        """Both parties hold n-bit strings."""
        return BitStrings(self.n), BitStrings(self.n)

    def evaluate(self, x: Bits, y: Bits) -> Bits:
        """1 iff the distance is at most k."""
        return np.asarray(distance(x, y) <= self.k)

    def balanced_pairs(self, generator: np.random.Generator, count: int) -> tuple[Bits, Bits]:
        """In turn: distance k, distance k + 1, uniform below, uniform pairs."""
        x = self.alice_inputs.sample(generator, count)
        y = x.copy()
        for row in range(count):
            differing = (self.k, self.k + 1, int(generator.integers(self.k + 1)), int(generator.integers(self.n + 1)))
            y[row, generator.choice(self.n, size=differing[row % 4], replace=False)] ^= True
        return x, y


class GapHamming(PartialFunction):
    """GHD_n(x, y) = 1 if x and y differ in at least n/2 + sqrt(n) places, 0 if in at most n/2 - sqrt(n).

    In between nothing is promised. Its randomized communication complexity is of the order of n (Chakrabarti and Regev
    2011), so that a sketch can save a constant factor at most.
    """

    name = "gap-hamming"
    symbol = "GHD"

    def domains(self) -> tuple[BitStrings, BitStrings]:
        """Both parties hold n-bit strings."""
        return BitStrings(self.n), BitStrings(self.n)

    def promised(self, x: Bits, y: Bits) -> Bits:
        """Whether 2 distance - n is at least 2 sqrt(n) in absolute value, decided in integers."""
        return np.asarray((2 * distance(x, y) - self.n) ** 2 >= 4 * self.n)

    def evaluate(self, x: Bits, y: Bits) -> Bits:
        """1 iff the distance is more than n/2."""
        return np.asarray(2 * distance(x, y) > self.n)

    def balanced_pairs(self, generator: np.random.Generator, count: int) -> tuple[Bits, Bits]:
        """In turn just above the gap and just below it (where n < 4 keeps no promise, as far away as there is)."""
        x = self.alice_inputs.sample(generator, count)
        y = x.copy()
        near = max((d for d in range(self.n + 1) if (2 * d - self.n) ** 2 >= 4 * self.n and 2 * d <= self.n), default=0)
        for row in range(count):
            differing = near if row % 2 else self.n - near
            y[row, generator.choice(self.n, size=differing, replace=False)] ^= True
        return x, y


def distance(x: Array, y: Array) -> Integers:
    """The number of places in which strings differ, along the last axis."""
    return np.asarray((x ^ y).sum(axis=-1))
