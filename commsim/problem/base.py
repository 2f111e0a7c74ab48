"""What a two-party problem is: its inputs, which outputs are right, and what is known of its complexity.

Two conventions differ between texts, and every number here states which it follows. *Output*: both parties know the
answer at the end (Kushilevitz and Nisan 1997; a leaf of the protocol tree has a label), or only one party does.
*Polarity*: Disjointness is 1 when the sets are disjoint, Intersection is 1 when they meet.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Literal

import numpy as np

from commsim.arrays import Array, Bits
from commsim.domain import InputDomain
from commsim.errors import InputError

#: an input of more bits than this would only fill the memory
MOST_N = 2**24
KUSHILEVITZ_NISAN = "Kushilevitz and Nisan, Communication Complexity, 1997"


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
    """A two-party problem at one size n: a function f(x, y), unless ``kind`` says that it is more general.

    Attributes:
        name: as on the command line.
        symbol: as in the literature, with n as its index.
        kind: ``function``; ``partial function``: where the promise does not hold, any output is right; ``relation``:
            several outputs may be right (Kushilevitz and Nisan 1997, Chapter 5).
        bounds: the known bounds.
        blocks: of a function of two n-bit strings, how the matrix at n + 1 is made of that at n: for the leading bits
            (0, 0), (0, 1) / (1, 0), (1, 1) one character each, ``=`` the same, ``~`` its complement, ``0`` or ``1``
            constant. None if it is not made so.
        n: the size.
    """

    name: ClassVar[str]
    symbol: ClassVar[str]
    kind: ClassVar[Literal["function", "partial function", "relation"]] = "function"
    bounds: ClassVar[tuple[KnownBound, ...]] = ()
    blocks: ClassVar[tuple[str, str] | None] = None

    def __init__(self, n: int) -> None:
        """Fix the size: n >= 1; InputError otherwise. A subclass may have further sizes, with defaults."""
        if n < 1:
            raise InputError(f"{self.name} needs n at least 1, not n = {n}")
        if n > MOST_N:
            raise InputError(f"{self.name} takes n up to 2^24 = {MOST_N}, not n = {n}")
        self.n = n

    @property
    def parameters(self) -> dict[str, int]:
        """Every size that defines the problem, n first."""
        return {"n": self.n}

    @cached_property
    def _domains(self) -> tuple[InputDomain, InputDomain]:
        return self.domains()

    @property
    def alice_inputs(self) -> InputDomain:
        """The domain of x."""
        return self._domains[0]

    @property
    def bob_inputs(self) -> InputDomain:
        """The domain of y."""
        return self._domains[1]

    @abstractmethod
    def domains(self) -> tuple[InputDomain, InputDomain]:
        """The domains of x and of y at size n."""

    @abstractmethod
    def evaluate(self, x: Array, y: Array) -> Array:
        """The value f, exactly, on inputs or batches of inputs whose leading axes broadcast against one another.

        Of a relation, one of the right outputs; of a partial function outside its promise, any integer.
        """

    def accepts(self, x: Array, y: Array, output: Array) -> Bits:
        """Whether an output is right for x and y, exactly; all three broadcast against one another."""
        right: Bits = np.equal(self.evaluate(x, y), output)
        return right

    def balanced_pairs(self, generator: np.random.Generator, count: int) -> tuple[Array, Array]:
        """A batch of ``count`` pairs in which the hard cases and both answers are all frequent.

        Uniform pairs will not do: two uniform subsets of an n-set are disjoint with probability (3/4)^n.
        """
        return self.alice_inputs.sample(generator, count), self.bob_inputs.sample(generator, count)

    @property
    def pairs(self) -> int:
        """The number of input pairs."""
        return self.alice_inputs.size * self.bob_inputs.size


class PartialFunction(Problem):
    """A function that need be computed only where its inputs keep a promise."""

    kind = "partial function"

    @abstractmethod
    def promised(self, x: Array, y: Array) -> Bits:
        """Whether x and y keep the promise; they broadcast against one another."""

    def accepts(self, x: Array, y: Array, output: Array) -> Bits:
        """Whether an output is right: equal to f, or anything where the promise does not hold."""
        return super().accepts(x, y, output) | ~self.promised(x, y)


def exactly(formula: str, output: Literal["both", "one"], reference: str) -> tuple[KnownBound, ...]:
    """The same value for two-way, and (where one party outputs) for both one-way directions."""
    two_way = KnownBound("two-way", output, "=", formula, reference)
    if output == "both":
        return (two_way,)
    one_way = (KnownBound(f"one-way from {sender}", output, "=", formula, reference) for sender in ("alice", "bob"))  # type: ignore[arg-type]
    return (two_way, *one_way)
