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
from commsim.validation import Counterexample, Refuted

PARTIES: tuple[PartyName, PartyName] = ("alice", "bob")


class OwnCodeError(InputError):
    """A reduction's own method raised an exception; it is the ``__cause__``."""


class AtSize:
    """A reduction at one size with all its inputs, each encoded by a fresh reduction that has seen nothing else.

    Raises:
        Refuted: it has no shape.
    """

    def __init__(self, reduction: type[Reduction], n: int) -> None:
        self.n = n
        self.fresh = partial(reduction, n)
        self.reduction = self.fresh()
        self.shape = _shape(self.reduction)
        problem = self.reduction.problem
        self.domains: dict[PartyName, InputDomain] = {"alice": problem.alice_inputs, "bob": problem.bob_inputs}
        self.inputs = {party: [np.asarray(value) for value in self.domains[party].all()] for party in PARTIES}
        self.truth: Bits = problem.evaluate(problem.alice_inputs.all()[:, None], problem.bob_inputs.all()[None]) != 0

    @cached_property
    def tokens(self) -> dict[PartyName, list[Array]]:
        """Each party's tokens for each of its inputs."""
        return {party: [encode(self.fresh(), party, value) for value in self.inputs[party]] for party in PARTIES}

    @cached_property
    def public(self) -> Array:
        """The public tokens."""
        return np.asarray(calling(self.fresh().public))

    @cached_property
    def outputs(self) -> Array:
        """The exact output at the reader on all pairs: shape (inputs of Alice, inputs of Bob), its own axes behind."""
        shape = (len(self.inputs["alice"]), len(self.inputs["bob"]))
        tokens = np.zeros((*shape, self.shape.task.length), dtype=self.shape.task.dtype)
        tokens[..., self.shape.positions("alice") - 1] = np.stack(self.tokens["alice"])[:, None]
        tokens[..., self.shape.positions("bob") - 1] = np.stack(self.tokens["bob"])[None]
        tokens[..., self.shape.positions("public") - 1] = self.public
        return self.shape.task.evaluate(tokens, [self.shape.reader])[:, :, 0]

    def decoded(self, outputs: Array) -> Bits:
        """A fresh decoder's answers on all pairs, from outputs with their own axes behind.

        Raises:
            Refuted: the decoder gives something else than 0 or 1, or not one answer for each output of a batch.
        """
        if not self.reduction.batched:
            return self.decoded_one_by_one(outputs)
        count = self.truth.size
        answers = np.asarray(calling(self.fresh().decode, outputs.reshape(count, *outputs.shape[2:])))
        if answers.shape != (count,):
            raise Refuted(
                f"at n = {self.n}, decode returns an array of shape {answers.shape} for a batch of {count} outputs,"
                f" but must return one answer for each, shape ({count},)",
                Counterexample(self.n),
            )
        _require_bits(answers, self.n)
        return np.asarray(answers.reshape(self.truth.shape) == 1)

    def decoded_one_by_one(self, outputs: Array) -> Bits:
        """The same, without batches."""
        decode = self.fresh().decode
        return np.array([[_bit(calling(decode, output), self.n) for output in row] for row in outputs])

    def text(self, party: PartyName, value: Array) -> str:
        """One party's input as text."""
        return self.domains[party].format(value)

    def pair(self, row: int, column: int) -> tuple[str, str]:
        """A pair of inputs as text, by their places in the lists of all inputs."""
        return self.text("alice", self.inputs["alice"][row]), self.text("bob", self.inputs["bob"][column])

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
            for row, column in reversed(np.argwhere(chosen))  # the first pair stays
        }


def encode(reduction: Reduction, party: PartyName, value: Array) -> Array:
    """One party's tokens for one input (or a batch).

    Raises:
        OwnCodeError: the encoder raised an exception of its own.
    """
    given = value.copy()
    given.flags.writeable = False
    return np.asarray(calling(reduction.alice if party == "alice" else reduction.bob, given))


def answer(reduction: type[Reduction], n: int, x: Array, y: Array) -> tuple[Array, bool]:
    """The exact output on one pair of inputs, and what a decoder that has seen nothing else makes of it."""
    encoding, decoding = reduction(n), reduction(n)
    shape = calling(encoding.shape)
    output = shape.task.evaluate(calling(encoding.assemble, x, y), [shape.reader])[0]
    return output, _bit(calling(decoding.decode, output), n)


def _shape(reduction: Reduction) -> Shape:
    try:
        shape = calling(reduction.shape)
    except OwnCodeError:
        raise
    except InputError as error:
        raise Refuted(f"at n = {reduction.n}, {error}", Counterexample(reduction.n)) from error
    if not isinstance(shape, Shape):
        raise Refuted(f"at n = {reduction.n}, shape must return a Shape, not {shape!r}", Counterexample(reduction.n))
    return shape


def _bit(answer: Any, n: int) -> bool:
    answers = np.asarray(answer)
    if answers.size != 1:
        raise Refuted(f"at n = {n}, decode returns {answers.size} values for one output", Counterexample(n))
    _require_bits(answers, n)
    return bool(answers.item())


def _require_bits(answers: Array, n: int) -> None:
    if answers.dtype.kind not in "biu" or not ((answers == 0) | (answers == 1)).all():
        shown = answers.dtype if answers.dtype.kind not in "biuO" else answers.ravel()[0]
        raise Refuted(f"at n = {n}, decode returns {shown}, but the answer must be 0 or 1", Counterexample(n))


def calling(function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a user's function.

    Raises:
        OwnCodeError: it raised an exception of its own; the message says where.
    """
    try:
        return function(*arguments)
    except CommsimError:
        raise
    except Exception as error:
        raise OwnCodeError(f"{function.__qualname__} raised {own_line(error)}") from error
