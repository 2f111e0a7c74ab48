"""The single checks of :mod:`commsim.validate_reduction`: each passes, or raises Refuted with what is wrong."""

from typing import Any

import numpy as np

from commsim.arrays import Array, Bits
from commsim.errors import InputError
from commsim.reduction import Reduction
from commsim.reduction_cases import AtSize, answer, calling, encode
from commsim.shape import Owner, other
from commsim.transcript import PartyName
from commsim.validation import Counterexample, Refuted, same, shrink


def wrong_answer(cls: type[Reduction], reduction: Reduction, x: Array, y: Array, more: str = "") -> Refuted:
    """What to raise when decode is wrong on a pair: on the simplest such pair that it can be brought down to."""
    problem, n = reduction.problem, reduction.n
    x, y = shrink(problem, x, y, lambda x, y: answer(cls, n, x, y)[1] != bool(problem.evaluate(x, y)))
    output, decoded = answer(cls, n, x, y)
    inputs = problem.alice_inputs.format(x), problem.bob_inputs.format(y)
    detail = (
        f"at n = {n}, on x = {inputs[0]}, y = {inputs[1]}, the output {shown(output)} decodes"
        f" to {int(decoded)}, but f = {int(problem.evaluate(x, y))}{more}"
    )
    return Refuted(detail, Counterexample(n, *inputs))


def check_as_alone(reduction: Reduction, party: PartyName, mine: Array, theirs: Array, alone: Array) -> None:
    """Encode again, after the other party's turn, and compare with what was written before."""
    if same(encode(reduction, party, mine), alone):
        return
    domains = (reduction.problem.alice_inputs, reduction.problem.bob_inputs)
    own, others = domains if party == "alice" else reversed(domains)
    inputs = (own.format(mine), others.format(theirs))
    raise Refuted(
        f"at n = {reduction.n}, what {party} writes for {inputs[0]} is different after {other(party)} encoded"
        f" {inputs[1]}: an encoder may use nothing but its own input and n",
        Counterexample(reduction.n, *(inputs if party == "alice" else reversed(inputs))),
    )


def check_public(size: AtSize, party: PartyName, value: Array) -> None:
    """The public tokens are still what they were, after a party has encoded."""
    if not same(calling(size.reduction.public), size.public):
        text = size.text(party, value)
        raise Refuted(
            f"at n = {size.n}, the public tokens are different after {party} encoded {text}: they must be constants",
            size.at(party, text),
        )


def check_batch(size: AtSize, party: PartyName) -> None:
    """A party writes for a batch of all its inputs what it writes for each."""
    batch, count = encode(size.reduction, party, size.domains[party].all()), len(size.tokens[party])
    expected = np.stack(size.tokens[party])
    if batch.shape != expected.shape:
        raise Refuted(
            f"at n = {size.n}, {party} writes an array of shape {batch.shape} for a batch of {count} inputs, not"
            f" {expected.shape}",
            Counterexample(size.n),
        )
    for value, tokens, alone in zip(size.inputs[party], batch, expected, strict=True):
        if not same(tokens, alone):
            text = size.text(party, value)
            raise Refuted(
                f"at n = {size.n}, {party} writes other tokens for {text} in a batch than by itself",
                size.at(party, text),
            )


def check_decoder_in_batches(size: AtSize, decoded: Bits) -> None:
    """Decode says of each output by itself what it said of it in a batch."""
    different = np.argwhere(decoded != size.decoded_one_by_one(size.outputs))
    if len(different):
        row, column = different[0]
        x, y = size.pair(row, column)
        in_batch = int(decoded[row, column])
        raise Refuted(
            f"at n = {size.n}, on x = {x}, y = {y}, the output {shown(size.outputs[row, column])} decodes to"
            f" {in_batch} in a batch, but by itself to {1 - in_batch}",
            Counterexample(size.n, x, y),
        )


def check_count(size: AtSize, owner: Owner, tokens: Array, text: str | None = None) -> None:
    """An owner writes as many tokens as it owns; ``text`` is the input that it wrote them for."""
    expected = len(size.shape.positions(owner))
    if tokens.ndim != 1 or len(tokens) != expected:
        where = size.at(owner, text) if text is not None and owner != "public" else Counterexample(size.n)
        given = f" for {text}" if text is not None else ""
        nothing = tokens.dtype == object and tokens.ndim == 0 and tokens.item() is None
        written = "nothing (None)" if nothing else f"an array of shape {tokens.shape}"
        owned = f"{expected} token" if expected == 1 else f"{expected} tokens"
        raise Refuted(f"at n = {size.n}, {owner} writes {written}{given}, but owns {owned}", where)


def check_domain(size: AtSize, owner: Owner, tokens: Array, text: str | None) -> None:
    """An owner's tokens lie in the task's domain; ``text`` is the input that it wrote them for."""
    try:
        size.shape.task.check(tokens, size.shape.positions(owner))
    except InputError as error:
        where = size.at(owner, text) if text is not None and owner != "public" else Counterexample(size.n)
        given = f", written by {owner} for {text}" if text is not None else ""
        raise Refuted(f"at n = {size.n}, {error}{given}", where) from error


def shown(output: Any) -> str:
    """An output as text, a bool as 0 or 1."""
    return ", ".join(str(int(value) if isinstance(value, bool | np.bool_) else value) for value in np.ravel(output))
