"""Bounds on the quantities of a communication matrix, and all that is known of it together."""

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal

from commsim.errors import CommsimError

Number = int | Fraction
#: the methods that find bounds, in the order in which they run
METHODS = ("known", "one-way", "rank", "fooling", "cover", "discrepancy", "gamma2", "corruption", "search")
_ORDER = ("deterministic", "one-way", "nondeterministic", "randomized", "rank", "fooling", "cover", "partition")


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
        return self.best(">=")

    @property
    def upper(self) -> Bound | None:
        """The best upper bound; of equal ones one with evidence, the first found."""
        return self.best("<=")

    @property
    def exact(self) -> bool:
        """Whether the best bounds meet."""
        return self.lower is not None and self.upper is not None and self.lower.value == self.upper.value

    def best(self, relation: str, *, certified: bool = False) -> Bound | None:
        """The best bound of one side, of all or of those with evidence; of equal ones one with evidence."""
        sign = 1 if relation == ">=" else -1
        found = [
            bound
            for bound in self.bounds
            if bound.relation == relation and (bound.evidence is not None or not certified)
        ]
        return max(found, key=lambda bound: (sign * bound.value, bound.evidence is not None), default=None)

    def check(self) -> None:
        """Raise Contradiction if the lower bound is above the upper one."""
        if self.lower is not None and self.upper is not None and self.lower.value > self.upper.value:
            raise Contradiction(
                f"{self.name} is at least {self.lower.value} by {self.lower.method},"
                f" but at most {self.upper.value} by {self.upper.method}"
            )


@dataclass
class Survey:
    """What was found.

    Attributes:
        shape, distinct: the numbers of rows and columns, and of distinct ones.
        values: the values of f.
        quantities: by name, in the order of the table.
        left_out: methods that do not fit this matrix, or ran out of time, and why.
        out_of_time: the methods among them whose time ran out.
    """

    shape: tuple[int, int]
    distinct: tuple[int, int]
    values: tuple[int, ...]
    quantities: dict[str, Quantity] = field(default_factory=dict)
    left_out: dict[str, str] = field(default_factory=dict)
    out_of_time: set[str] = field(default_factory=set)

    def add(self, bound: Bound) -> None:
        """Take a bound in."""
        self.quantities.setdefault(bound.quantity, Quantity(bound.quantity)).bounds.append(bound)

    def ran_out(self, method: str, why: str) -> None:
        """Note that the time was spent before a method had finished."""
        self.out_of_time.add(method)
        self.left_out[method] = why

    def lower(self, quantity: str) -> Number:
        """The best lower bound so far, 0 if there is none."""
        known = self.quantities.get(quantity)
        return known.lower.value if known is not None and known.lower is not None else 0

    def upper(self, quantity: str) -> Number | None:
        """The best upper bound so far."""
        known = self.quantities.get(quantity)
        return known.upper.value if known is not None and known.upper is not None else None

    def ordered(self) -> list[Quantity]:
        """The quantities, complexities first, then what they follow from."""

        def key(quantity: Quantity) -> tuple[int, str]:
            places = [place for place, start in enumerate(_ORDER) if quantity.name.startswith(start)]
            return (places[0] if places else len(_ORDER), quantity.name)

        return sorted(self.quantities.values(), key=key)

    def check_chain(self) -> None:
        """Hold the bounds against one another.

        For each quantity lower <= upper; fooling set <= cover <= partition, rank <= partition; nondeterministic,
        randomized and one-way complexity against D.

        Raises:
            Contradiction: two exclude one another.
        """
        for quantity in self.quantities.values():
            quantity.check()
        chain = [
            (f"{smaller} of {z}", f"{larger} of {z}")
            for z in self.values
            for smaller, larger in (("fooling set", "cover"), ("cover", "partition"), ("rank", "partition"))
        ]
        chain += [(f"nondeterministic of {z}", "deterministic") for z in self.values]
        chain.append(("randomized", "deterministic"))
        for smaller, larger in chain:
            most = self.upper(larger)
            if most is not None and self.lower(smaller) > most:
                raise Contradiction(f"{smaller} is at least {self.lower(smaller)}, but {larger} at most {most}")
