"""Two-party problems: a function f of Alice's x and Bob's y, its inputs, and what is known of its complexity.

Two conventions differ between texts, and every number here states which it follows. *Output*: both parties know the
answer at the end (Kushilevitz and Nisan 1997; a leaf of the protocol tree has a label), or only one party does.
*Polarity*: Disjointness is 1 when the sets are disjoint, Intersection is 1 when they meet.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from commsim.arrays import Array, Bits, Integers
from commsim.domain import BinaryNumbers, BitStrings, InputDomain, Positions, Subsets
from commsim.errors import InputError

#: an input of more bits than this would only fill the memory
MOST_N = 2**24
_KN = "Kushilevitz and Nisan, Communication Complexity, 1997"


@dataclass(frozen=True)
class KnownBound:
    """A theorem on the deterministic communication complexity of a problem, in bits.

    Attributes:
        quantity: ``two-way``, ``one-way from alice`` or ``one-way from bob``.
        output: ``both`` parties know the answer, or ``one`` (the receiver of a one-way message; either in two-way).
        relation: ``=``, ``>=`` or ``<=``.
        formula: in the problem's sizes.
        reference: where it is proved.
    """

    quantity: Literal["two-way", "one-way from alice", "one-way from bob"]
    output: Literal["both", "one"]
    relation: Literal["=", ">=", "<="]
    formula: str
    reference: str

    @property
    def kind(self) -> str:
        """What it is about, in words; of a one-way message only the receiver knows the answer anyway."""
        if self.quantity != "two-way":
            return self.quantity
        return f"two-way, {'both know' if self.output == 'both' else 'one party knows'}"


class Problem(ABC):
    """A function f(x, y) at one size n.

    Attributes:
        name: as on the command line.
        symbol: as in the literature, with n as its index.
        bounds: the known bounds.
        alice_inputs, bob_inputs: the domains of x and of y.
    """

    name: ClassVar[str]
    symbol: ClassVar[str]
    bounds: ClassVar[tuple[KnownBound, ...]]
    alice_inputs: InputDomain
    bob_inputs: InputDomain

    def __init__(self, n: int) -> None:
        if n < 1:
            raise InputError(f"{self.name} needs n at least 1, not n = {n}")
        if n > MOST_N:
            raise InputError(f"{self.name} takes n up to 2^24 = {MOST_N}, not n = {n}")
        self.n = n
        self.alice_inputs, self.bob_inputs = self.domains()

    @abstractmethod
    def domains(self) -> tuple[InputDomain, InputDomain]:
        """The domains of x and of y at size n."""

    @abstractmethod
    def evaluate(self, x: Array, y: Array) -> Array:
        """f, exactly, on inputs or batches of inputs whose leading axes broadcast against one another."""

    def balanced_pairs(self, generator: np.random.Generator, count: int) -> tuple[Array, Array]:
        """A batch of ``count`` pairs in which the hard cases and both answers are all frequent.

        Uniform pairs will not do: two uniform subsets of an n-set are disjoint with probability (3/4)^n.
        """
        return self.alice_inputs.sample(generator, count), self.bob_inputs.sample(generator, count)

    @property
    def pairs(self) -> int:
        """The number of input pairs."""
        return self.alice_inputs.size * self.bob_inputs.size


def _exactly(formula: str, output: Literal["both", "one"], reference: str) -> tuple[KnownBound, ...]:
    """The same value for two-way, and (where one party outputs) for both one-way directions."""
    two_way = KnownBound("two-way", output, "=", formula, reference)
    if output == "both":
        return (two_way,)
    one_way = (KnownBound(f"one-way from {sender}", output, "=", formula, reference) for sender in ("alice", "bob"))  # type: ignore[arg-type]
    return (two_way, *one_way)


class Disjointness(Problem):
    """DISJ_n(x, y) = 1 iff the subsets x and y of {1, ..., n} are disjoint.

    Its matrix is the n-fold tensor power of [[1, 1], [1, 0]], so it has rank 2^n over every field, and the pairs of a
    set and its complement are a fooling set of size 2^n.
    """

    name = "disjointness"
    symbol = "DISJ"
    bounds = (
        *_exactly("n + 1", "both", f"{_KN}, Section 1.3 (fooling sets)"),
        *_exactly("n", "one", "2^n distinct rows; both know costs at most one bit more"),
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

    def evaluate(self, x: Bits, y: Bits) -> Bits:
        """1 iff some element lies in both."""
        return np.asarray(_places_in_both(x, y).any(axis=-1))


class Equality(Problem):
    """EQ_n(x, y) = 1 iff the n-bit strings x and y are equal. Its matrix is the identity."""

    name = "equality"
    symbol = "EQ"
    bounds = (
        *_exactly("n + 1", "both", f"{_KN}, Section 1.3 (fooling sets)"),
        *_exactly("n", "one", "2^n distinct rows; both know costs at most one bit more"),
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
    bounds = (
        *_exactly("n + 1", "both", f"{_KN}, Section 1.3 (fooling sets)"),
        *_exactly("n", "one", "2^n distinct rows; both know costs at most one bit more"),
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
    bounds = (
        *_exactly("n + 1", "both", f"{_KN}, Section 1.4 (rank)"),
        *_exactly("n", "one", "2^n distinct rows; both know costs at most one bit more"),
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
