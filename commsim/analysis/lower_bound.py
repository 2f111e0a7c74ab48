"""Which known lower bound speaks about a protocol."""

from dataclasses import dataclass

from commsim.formula import evaluate, solve_at_least
from commsim.problem import KnownBound, Problem
from commsim.transcript import OutputConvention


@dataclass(frozen=True)
class LowerBound:
    """A known lower bound at one size.

    Attributes:
        bound: the theorem.
        value: in bits.
    """

    bound: KnownBound
    value: int

    def __str__(self) -> str:
        return f"{self.bound.formula} = {self.value} ({self.bound.kind})"


def known_lower_bound(problem: Problem, communication: str, output: OutputConvention, coins: str) -> LowerBound | None:
    """The largest known lower bound on the worst-case cost of a correct deterministic protocol of this kind.

    Args:
        problem: at its size.
        communication: ``two-way``, ``one-way`` or ``simultaneous``.
        output: who knows the answer. One-way, the other party is the sender. With simultaneous messages the referee can
            be played by one of the parties, so what holds when one party knows holds too.
        coins: the bounds here are on deterministic protocols only.

    Returns:
        None if no bound is known, as for protocols with coins.
    """
    if coins != "none":
        return None
    knows = "both" if output == "both" else "one"
    quantities = {"two-way"}
    if communication == "one-way":
        quantities.add(f"one-way from {'bob' if output == 'alice' else 'alice'}")
    found = [
        LowerBound(bound, int(evaluate(bound.formula, problem.parameters)))
        for bound in problem.bounds
        if bound.output == knows and bound.quantity in quantities and bound.relation in ("=", ">=")
    ]
    # a one-way bound is listed after the two-way one, and says more where they are equal
    return max(reversed(found), key=lambda lower: lower.value, default=None)


def implied_inequality(cost: str, bound: LowerBound, size: str) -> str:
    """What a lower bound says about the models of a family: ``H*p*(2*m + v) >= n, so m >= n/(2*H*p) - v/2``.

    Args:
        cost: the symbolic cost of the induced protocol, in bits.
        bound: on the source problem.
        size: the model's size to solve for.
    """
    inequality = f"{cost} >= {bound.bound.formula}"
    solved = solve_at_least(cost, bound.bound.formula, size)
    return inequality if cost == size else f"{inequality}, so {solved}"
