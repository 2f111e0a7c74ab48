"""One bound on one quantity of a communication matrix, and what is known of the quantity altogether."""

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal

from commsim.errors import CommsimError

Number = int | Fraction


class Contradiction(CommsimError):
    """Two bounds exclude one another: one of the methods, or a theorem that was quoted, is wrong."""

    exit_code = 70


@dataclass(frozen=True)
class Bound:
    """A bound on a quantity.

    Attributes:
        quantity: such as ``deterministic``, ``cover of 1``, ``gamma_2``.
        relation: ``>=`` or ``<=``.
        value: in bits for complexities, a number of rectangles or entries for covers and sets.
        method: how it was found, in words.
        heuristic: whether another run of a better method could improve it.
        seconds: what it took, with the other bounds found on the way.
        evidence: for :mod:`commsim.certificate`; None if it was computed or quoted, but cannot be checked apart.
        reference: of a theorem.
    """

    quantity: str
    relation: Literal[">=", "<="]
    value: Number
    method: str
    heuristic: bool = False
    seconds: float = 0.0
    evidence: dict[str, Any] | None = None
    reference: str = ""


@dataclass
class Quantity:
    """What is known of one quantity.

    Attributes:
        name: such as ``deterministic``.
        bounds: all that were found, in that order.
    """

    name: str
    bounds: list[Bound] = field(default_factory=list)

    @property
    def lower(self) -> Bound | None:
        """The best lower bound; of equal ones one with evidence, the first found."""
        return self._best(">=")

    @property
    def upper(self) -> Bound | None:
        """The best upper bound; of equal ones one with evidence, the first found."""
        return self._best("<=")

    @property
    def exact(self) -> bool:
        """Whether the best bounds meet."""
        return self.lower is not None and self.upper is not None and self.lower.value == self.upper.value

    def _best(self, relation: str) -> Bound | None:
        sign = 1 if relation == ">=" else -1
        found = [bound for bound in self.bounds if bound.relation == relation]
        return max(found, key=lambda bound: (sign * bound.value, bound.evidence is not None), default=None)

    def check(self) -> None:
        """Raise Contradiction if the lower bound is above the upper one."""
        if self.lower is not None and self.upper is not None and self.lower.value > self.upper.value:
            raise Contradiction(
                f"{self.name} is at least {self.lower.value} by {self.lower.method},"
                f" but at most {self.upper.value} by {self.upper.method}"
            )
