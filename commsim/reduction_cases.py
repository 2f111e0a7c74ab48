"""A reduction at one size, with all its inputs encoded and all its outputs, for :mod:`commsim.validate_reduction`."""

from collections.abc import Callable
from fractions import Fraction
from functools import cached_property, partial
from typing import Any

import numpy as np

from commsim.arrays import Array, Bits
from commsim.domain import InputDomain
from commsim.errors import CommsimError, InputError, own_line
from commsim.reduction import Reduction
from commsim.shape import Shape
from commsim.transcript import PartyName
from commsim.validation import Counterexample

PARTIES: tuple[PartyName, PartyName] = ("alice", "bob")


class AtSize:
    """A reduction at one size with all its inputs, each encoded by a fresh reduction that has seen nothing else."""

    def __init__(self, reduction: type[Reduction], n: int) -> None:
        self.n = n
        self.fresh = partial(reduction, n)
        self.reduction = self.fresh()
        self.shape: Shape = calling(self.reduction.shape)
        problem = self.reduction.problem
        self.domains: dict[PartyName, InputDomain] = {"alice": problem.alice_inputs, "bob": problem.bob_inputs}
        self.inputs = {party: [np.asarray(value) for value in self.domains[party].all()] for party in PARTIES}
        self.truth: Bits = problem.evaluate(problem.alice_inputs.all()[:, None], problem.bob_inputs.all()[None]) != 0

    @cached_property
    def tokens(self) -> dict[PartyName, list[Array]]:
        """Each party's tokens for each of its inputs."""
        return {party: [encode(self.fresh(), party, value) for value in self.inputs[party]] for party in PARTIES}

    @cached_property
    def outputs(self) -> Array:
        """The exact output at the reader on all pairs: shape (inputs of Alice, inputs of Bob), its own axes behind."""
        shape = (len(self.inputs["alice"]), len(self.inputs["bob"]))
        tokens = np.zeros((*shape, self.shape.task.length), dtype=self.shape.task.dtype)
        tokens[..., self.shape.positions("alice") - 1] = np.stack(self.tokens["alice"])[:, None]
        tokens[..., self.shape.positions("bob") - 1] = np.stack(self.tokens["bob"])[None]
        tokens[..., self.shape.positions("public") - 1] = calling(self.reduction.public)
        return self.shape.task.evaluate(tokens, [self.shape.reader])[:, :, 0]

    def text(self, party: PartyName, value: Array) -> str:
        """One party's input as text."""
        return self.domains[party].format(value)

    def at(self, party: PartyName, value: str, others: str | None = None) -> Counterexample:
        """A counterexample with one party's input, and the other's if it matters."""
        return Counterexample(self.n, *((value, others) if party == "alice" else (others, value)))

    def nearest_outputs(self) -> tuple[Fraction, tuple[int, int], tuple[int, int]]:
        """The squared Euclidean distance of the nearest YES and NO outputs, and a pair of inputs for each."""
        yes, no = self._distinct(self.truth), self._distinct(~self.truth)
        return min(
            (sum(((a - b) ** 2 for a, b in zip(one, two, strict=True)), Fraction()), yes[one], no[two])
            for one in yes
            for two in no
        )

    def _distinct(self, chosen: Bits) -> dict[tuple[Fraction, ...], tuple[int, int]]:
        """The outputs of some pairs, each with one pair that has it."""
        outputs = self.outputs.reshape(*self.truth.shape, -1)
        return {
            tuple(Fraction(value if isinstance(value, Fraction) else int(value)) for value in outputs[row, column]): (
                int(row),
                int(column),
            )
            for row, column in np.argwhere(chosen)
        }


def encode(reduction: Reduction, party: PartyName, value: Array) -> Array:
    """One party's tokens for one input (or a batch).

    Raises:
        InputError: the encoder raised an exception of its own.
    """
    given = value.copy()
    given.flags.writeable = False
    return np.asarray(calling(reduction.alice if party == "alice" else reduction.bob, given))


def answer(reduction: Reduction, x: Array, y: Array) -> bool:
    """The decoded exact output on one pair of inputs."""
    shape = reduction.shape()
    tokens = calling(reduction.assemble, x, y)
    output = shape.task.evaluate(tokens, [shape.reader])[0]
    return bool(calling(reduction.decode, output))


def calling(function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a user's function.

    Raises:
        InputError: it raised an exception of its own; the message says where.
    """
    try:
        return function(*arguments)
    except CommsimError:
        raise
    except Exception as error:
        raise InputError(f"{function.__qualname__} raised {own_line(error)}") from error
