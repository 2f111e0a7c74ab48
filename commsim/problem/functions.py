"""The textbook functions: disjointness, equality, greater-than, inner product, index."""

import numpy as np

from commsim.arrays import Bits, Integers
from commsim.domain import BinaryNumbers, BitStrings, Positions, Subsets
from commsim.problem.base import KUSHILEVITZ_NISAN as _KN
from commsim.problem.base import KnownBound, Problem, exactly


class Disjointness(Problem):
    """DISJ_n(x, y) = 1 iff the subsets x and y of {1, ..., n} are disjoint.

    Its matrix is the n-fold tensor power of [[1, 1], [1, 0]], so it has rank 2^n over every field, and the pairs of a
    set and its complement are a fooling set of size 2^n.
    """

    name = "disjointness"
    symbol = "DISJ"
    blocks = ("==", "=0")
    bounds = (
        *exactly("n + 1", "both", f"{_KN}, Section 1.3 (fooling sets)"),
        *exactly("n", "one", "2^n distinct rows; both know costs at most one bit more"),
    )

    def domains(self) -> tuple[Subsets, Subsets]:
        """Both parties hold subsets of {1, ..., n}."""
        return Subsets(self.n), Subsets(self.n)

    def evaluate(self, x: Bits, y: Bits) -> Bits:
        """1 iff no element lies in both."""
        return np.asarray(~_places_in_both(x, y).any(axis=-1))

    def balanced_pairs(self, generator: np.random.Generator, count: int) -> tuple[Bits, Bits]:
        """In turn: disjoint; exactly one common element; two or three; two uniform sets."""
        x = generator.random((count, self.n)) < 0.5
        y = ~x & (generator.random((count, self.n)) < 0.5)
        for row in range(count):
            if row % 4 in (1, 2):
                common = 1 if row % 4 == 1 else min(self.n, int(generator.integers(2, 4)))
                elements = generator.choice(self.n, size=common, replace=False)
                x[row, elements] = y[row, elements] = True
            elif row % 4 == 3:
                y[row] = generator.random(self.n) < 0.5
        return x, y


class Intersection(Disjointness):
    """INT_n(x, y) = 1 iff the subsets x and y of {1, ..., n} meet: the complement of disjointness.

    Sanford, Hsu and Telgarsky (2023) state their reductions for this polarity.
    """

    name = "intersection"
    symbol = "INT"
    blocks = ("==", "=1")

    def evaluate(self, x: Bits, y: Bits) -> Bits:
        """1 iff some element lies in both."""
        return np.asarray(_places_in_both(x, y).any(axis=-1))


class Equality(Problem):
    """EQ_n(x, y) = 1 iff the n-bit strings x and y are equal. Its matrix is the identity."""

    name = "equality"
    symbol = "EQ"
    blocks = ("=0", "0=")
    bounds = (
        *exactly("n + 1", "both", f"{_KN}, Section 1.3 (fooling sets)"),
        *exactly("n", "one", "2^n distinct rows; both know costs at most one bit more"),
    )

    def domains(self) -> tuple[BitStrings, BitStrings]:
        """Both parties hold n-bit strings."""
        return BitStrings(self.n), BitStrings(self.n)

    def evaluate(self, x: Bits, y: Bits) -> Bits:
        """1 iff all bits agree."""
        return np.asarray(~(x ^ y).any(axis=-1))

    def balanced_pairs(self, generator: np.random.Generator, count: int) -> tuple[Bits, Bits]:
        """In turn: equal; different in one place; equal; uniform."""
        x = self.alice_inputs.sample(generator, count)
        y = x.copy()
        one_place = np.arange(1, count, 4)
        y[one_place, generator.integers(self.n, size=len(one_place))] ^= True
        y[3::4] = self.bob_inputs.sample(generator, len(y[3::4]))
        return x, y


class GreaterThan(Problem):
    """GT_n(x, y) = 1 iff x > y, as n-bit numbers with the most significant bit first."""

    name = "greater-than"
    symbol = "GT"
    blocks = ("=0", "1=")
    bounds = (
        *exactly("n + 1", "both", f"{_KN}, Section 1.3 (fooling sets)"),
        *exactly("n", "one", "2^n distinct rows; both know costs at most one bit more"),
    )

    def domains(self) -> tuple[BinaryNumbers, BinaryNumbers]:
        """Both parties hold numbers below 2^n."""
        return BinaryNumbers(self.n), BinaryNumbers(self.n)

    def evaluate(self, x: Bits, y: Bits) -> Bits:
        """1 iff x holds the 1 at the first place where they differ."""
        different = x ^ y
        first = different.argmax(axis=-1)[..., None]
        x = np.broadcast_to(x, different.shape)
        return different.any(axis=-1) & np.take_along_axis(x, first, axis=-1)[..., 0]

    def balanced_pairs(self, generator: np.random.Generator, count: int) -> tuple[Bits, Bits]:
        """In turn: a common prefix of random length; uniform; equal; a common prefix."""
        x = self.alice_inputs.sample(generator, count)
        y = self.bob_inputs.sample(generator, count)
        prefix = generator.integers(self.n, size=count)
        prefix[1::4] = 0
        prefix[2::4] = self.n
        return x, np.where(np.arange(self.n) < prefix[:, None], x, y)


class InnerProduct(Problem):
    """IP_n(x, y) = the parity of the number of places where x and y both hold a 1."""

    name = "inner-product"
    symbol = "IP"
    blocks = ("==", "=~")
    bounds = (
        *exactly("n + 1", "both", f"{_KN}, Section 1.4 (rank)"),
        *exactly("n", "one", "2^n distinct rows; both know costs at most one bit more"),
    )

    def domains(self) -> tuple[BitStrings, BitStrings]:
        """Both parties hold n-bit strings."""
        return BitStrings(self.n), BitStrings(self.n)

    def evaluate(self, x: Bits, y: Bits) -> Bits:
        """The inner product modulo 2."""
        return np.asarray(np.logical_xor.reduce(_places_in_both(x, y), axis=-1))


class Index(Problem):
    """INDEX_n(x, i) = x_i: Alice holds n bits, Bob a position i in {1, ..., n}."""

    name = "index"
    symbol = "INDEX"
    bounds = (
        KnownBound("two-way", "both", "=", "ceil(log2(n)) + 1", "rank n of the matrix; Bob sends i, Alice answers"),
        KnownBound("two-way", "one", "=", "ceil(log2(n))", "rank n of the matrix; Bob sends i"),
        KnownBound("one-way from alice", "one", "=", "n", "2^n distinct rows"),
        KnownBound("one-way from bob", "one", "=", "ceil(log2(n))", "n distinct columns"),
    )

    def domains(self) -> tuple[BitStrings, Positions]:
        """Alice holds n bits, Bob a position."""
        return BitStrings(self.n), Positions(self.n)

    def evaluate(self, x: Bits, y: Integers) -> Bits:
        """The bit of x at position y."""
        shape = np.broadcast_shapes(x.shape[:-1], y.shape)
        x = np.broadcast_to(x, (*shape, self.n))
        position = np.broadcast_to(y, shape)[..., None]
        return np.take_along_axis(x, position - 1, axis=-1)[..., 0]


def _places_in_both(x: Bits, y: Bits) -> Bits:
    """X & y. As bytes, because numpy broadcasts ``&`` some twenty times faster on bytes than on bools."""
    return (x.view(np.uint8) & y.view(np.uint8)).view(np.bool_)
