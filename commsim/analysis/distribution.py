"""Distributions on pairs of inputs: uniform, product, the hard one for disjointness, or from a file."""

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import msgspec
import numpy as np

from commsim.arrays import Array, Floats
from commsim.domain import BitStrings, InputDomain
from commsim.errors import InputError
from commsim.problem import Problem

#: more pairs of inputs than this are not weighed one by one
MOST_PAIRS = 2**16


def uniform(problem: Problem) -> Floats:
    """The same probability for all pairs of inputs, shape (inputs of Alice, inputs of Bob).

    Raises:
        InputError: there are more than ``MOST_PAIRS`` pairs.
    """
    require_few_pairs(problem)
    return np.full((problem.alice_inputs.size, problem.bob_inputs.size), 1 / problem.pairs)


def product(problem: Problem, one: Fraction) -> Floats:
    """All bits of both inputs independent, each 1 with probability ``one``.

    Raises:
        InputError: the inputs are no bit strings, ``one`` is no probability, or there are too many pairs.
    """
    if not 0 <= one <= 1:
        raise InputError(f"{one} is no probability")
    require_few_pairs(problem)
    rows, columns = _bits(problem.alice_inputs), _bits(problem.bob_inputs)
    alice, bob = (np.where(bits, float(one), float(1 - one)).prod(axis=-1) for bits in (rows, columns))
    return np.asarray(np.outer(alice, bob) / (alice.sum() * bob.sum()))


def hard_for_disjointness(problem: Problem) -> Floats:
    """Each element independently in neither set with probability 1/2, in Alice's alone 1/4, in Bob's alone 1/4.

    The sets are always disjoint, and yet any protocol has to look at each element: Bar-Yossef, Jayram, Kumar, Sivakumar
    2004.

    Raises:
        InputError: the inputs are not all bit strings of one length, or there are too many pairs.
    """
    require_few_pairs(problem)
    x, y = _bits(problem.alice_inputs), _bits(problem.bob_inputs)
    if x.shape != y.shape:
        raise InputError("the hard distribution is on two strings of the same length")
    element = np.array([[1 / 2, 1 / 4], [1 / 4, 0]])
    weights = element[x[:, None].astype(int), y[None].astype(int)].prod(axis=-1)
    if weights.sum() < 1 - 1e-9:
        raise InputError("the hard distribution is on all pairs of strings of the same length")
    return np.asarray(weights)


def from_lines(problem: Problem, lines: Iterable[tuple[int, str]]) -> Floats:
    """From JSON Lines with alice, bob and weight; the weights are divided by their sum.

    Raises:
        InputError: a line cannot be read, which is named; or the weights do not have a positive sum.
    """
    require_few_pairs(problem)
    places = tuple(
        {domain.format(value): place for place, value in enumerate(domain.all())}
        for domain in (problem.alice_inputs, problem.bob_inputs)
    )
    weights: dict[tuple[int, int], Fraction] = {}
    for number, line in lines:
        try:
            item = _read(line)
            x, y = problem.alice_inputs.parse(item["alice"]), problem.bob_inputs.parse(item["bob"])
            place = places[0][problem.alice_inputs.format(x)], places[1][problem.bob_inputs.format(y)]
            weights[place] = weights.get(place, Fraction(0)) + probability(item["weight"])
        except InputError as error:
            raise InputError(f"line {number}: {error}") from error
    total = sum(weights.values())
    if not total:
        raise InputError("the weights do not have a positive sum")
    distribution = np.zeros((problem.alice_inputs.size, problem.bob_inputs.size))
    for place, weight in weights.items():
        distribution[place] = float(weight / total)
    return distribution


def probability(value: Any) -> Fraction:
    """A nonnegative number: as JSON has it, or text such as ``1/3`` or ``0.25``.

    Raises:
        InputError: it is not that.
    """
    try:
        number = Fraction(str(value)) if isinstance(value, str | int | float) else Fraction(-1)
    except (ValueError, ZeroDivisionError):
        number = Fraction(-1)
    if number < 0 or isinstance(value, bool):
        raise InputError(f"cannot read {value!r}: write a number such as 0.25 or 1/3")
    return number


def require_few_pairs(problem: Problem) -> None:
    """Raise InputError if there are too many pairs to weigh one by one."""
    if problem.pairs > MOST_PAIRS:
        raise InputError(
            f"{problem.name} at n = {problem.n} has {problem.pairs} pairs of inputs, more than {MOST_PAIRS}:"
            " choose a smaller n"
        )


def _bits(domain: InputDomain) -> Array:
    if not isinstance(domain, BitStrings):
        raise InputError("this distribution is on bit strings only: use uniform, or a file")
    return domain.all()


def _read(line: str) -> dict[str, Any]:
    try:
        item = msgspec.json.decode(line)
    except msgspec.DecodeError as error:
        raise InputError(f"not JSON: {error}") from error
    if not isinstance(item, dict) or item.keys() != {"alice", "bob", "weight"}:
        raise InputError('each line must be an object like {"alice": "01", "bob": "11", "weight": "1/4"}')
    return item
