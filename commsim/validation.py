"""What a validation says: a list of claims, each with how it fared."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Literal, TypeVar

import msgspec
import numpy as np

from commsim.arrays import Array
from commsim.errors import CommsimError, InputError, own_line
from commsim.faults import ProgramError, ProtocolFault
from commsim.problem import Problem

#: Sizes that are tried in turn for a smallest counterexample.
SMALL_SIZES = range(1, 9)
#: Sizes at which inputs are sampled.
LARGE_SIZES = (16, 64)


class Counterexample(msgspec.Struct, frozen=True):
    """Where a claim fails: the size and, where the claim is about inputs, these as text."""

    n: int
    x: str | None = None
    y: str | None = None


class Check(msgspec.Struct, frozen=True):
    """One claim and how it fared.

    Attributes:
        claim: in words.
        status: ``holds``, ``refuted``, ``undecided`` (a sample cannot tell) or ``skipped`` (it does not apply).
        detail: what was checked, or what is wrong.
        counterexample: where it fails.
        exhaustive: whether all pairs of the sizes named in the detail were checked, not a sample.
    """

    claim: str
    status: Literal["holds", "refuted", "undecided", "skipped"]
    detail: str
    counterexample: Counterexample | None = None
    exhaustive: bool = True


class Refuted(Exception):
    """Raised by a check with what it found; never leaves the validation."""

    def __init__(self, detail: str, counterexample: Counterexample | None = None) -> None:
        super().__init__(detail)
        self.detail = detail
        self.counterexample = counterexample


T = TypeVar("T")
#: A claim, and the function that tries to refute it: it returns what it checked, or raises Refuted or a ProtocolFault.
Claim = tuple[str, Callable[[], "str | Check"]]


def run_claims(claims: Iterator[Claim]) -> Iterator[Check]:
    """Check one claim after the other, up to the first that is refuted."""
    for claim, check in claims:
        try:
            result = check()
        except Refuted as refuted:
            yield Check(claim, "refuted", refuted.detail, refuted.counterexample)
            return
        except ProgramError:  # the user's own exception is no counterexample
            raise
        except ProtocolFault as fault:
            yield Check(claim, "refuted", str(fault), where(fault))
            return
        yield Check(claim, "holds", result) if isinstance(result, str) else result
        if not isinstance(result, str) and result.status == "refuted":
            return


def where(fault: ProtocolFault) -> Counterexample | None:
    """The inputs of a fault, where it names them."""
    return None if fault.n is None else Counterexample(fault.n, fault.x, fault.y)


def stated(formula: str, value: Fraction | int) -> str:
    """A formula and its value, ``n + 1 = 5``, or the number alone if it is one."""
    return formula if formula == str(value) else f"{formula} = {value}"


def shrink(problem: Problem, x: Array, y: Array, fails: Callable[[Array, Array], bool]) -> tuple[Array, Array]:
    """The simplest pair of inputs that still fails, reached by simplifying one input a step at a time."""
    while True:
        simpler = [(other, y) for other in problem.alice_inputs.simpler(x)]
        simpler += [(x, other) for other in problem.bob_inputs.simpler(y)]
        for pair in simpler:
            if fails(*pair):
                x, y = pair
                break
        else:
            return x, y


def sizes_up_to(item: Callable[[int], T], problem: Callable[[T], Problem], most_pairs: int) -> list[int]:
    """The small sizes with at most so many pairs of inputs, among those that the item can be made at.

    Args:
        item: makes a protocol or a reduction of a size.
        problem: the problem of what it makes.
        most_pairs: of inputs.

    Raises:
        Refuted: there is none.
    """
    refusals = {n: refusal(item, n) for n in SMALL_SIZES}
    sizes = [n for n, reason in refusals.items() if reason is None and problem(item(n)).pairs <= most_pairs]
    if not sizes:
        reason = next((reason for reason in refusals.values() if reason), "there are too many inputs")
        last = SMALL_SIZES[-1]
        raise Refuted(f"there is no size from n = 1 to {last} at which all pairs can be checked: {reason}")
    return sizes


def accepts(item: Callable[[int], object], n: int) -> bool:
    """Whether a protocol or a reduction can be made at a size: those it has no use for, it refuses with InputError."""
    return refusal(item, n) is None


def refusal(item: Callable[[int], object], n: int) -> str | None:
    """Why a protocol or a reduction cannot be made at a size; None if it can.

    Raises:
        InputError: its ``__init__`` raised an exception of another kind.
    """
    try:
        item(n)
    except CommsimError as error:
        return str(error)
    except Exception as error:
        raise InputError(f"at n = {n} its __init__ raised {own_line(error)}") from error
    return None


def sampled(claim: str, sizes: list[int], pairs: int) -> Check:
    """That a claim held on a sample at some sizes, or was skipped because there is none."""
    if not sizes:
        return Check(claim, "skipped", f"it cannot be made at n = {' or '.join(map(str, LARGE_SIZES))}")
    detail = f"sampled: {pairs} balanced pairs each at n = {' and '.join(map(str, sizes))}"
    return Check(claim, "holds", detail, exhaustive=False)


def span(sizes: list[int]) -> str:
    """The sizes in words: ``n = 1..8``."""
    return f"n = {sizes[0]}" if len(sizes) == 1 else f"n = {sizes[0]}..{sizes[-1]}"


def same(one: object, two: object) -> bool:
    """Whether two arrays agree in type, shape and every entry."""
    first, second = np.asarray(one), np.asarray(two)
    return first.dtype == second.dtype and first.shape == second.shape and bool((first == second).all())
