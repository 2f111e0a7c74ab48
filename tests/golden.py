"""Golden transcripts: what each registered protocol and reduction does on a few inputs, as text for people to read.

``python -m tests.golden`` writes tests/golden/NAME.txt for each of them, and removes the files that belong to none.
Read the difference before you commit it: test_golden.py holds every later run to these files.
"""

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from commsim import registry
from commsim.arrays import Array
from commsim.errors import InputError
from commsim.formula import evaluate
from commsim.problem import Problem
from commsim.protocol import Protocol
from commsim.reduction import Reduction
from commsim.transcript import Message, Transcript
from commsim.validation import accepts
from commsim.verify import truth_matrix

FOLDER = Path(__file__).with_name("golden")
SEED = 0
#: more bits of a message than this are cut off
SHOWN = 24


def golden_names() -> list[str]:
    """The names of all registered items."""
    return [*registry.protocols(), *registry.reductions()]


def golden_text(name: str) -> str:
    """The text of one registered item."""
    if name in registry.protocols():
        return protocol_text(registry.protocols()[name])
    return reduction_text(registry.reductions()[name])


def protocol_text(cls: type[Protocol]) -> str:
    """Four runs or so at n = 4: two for each answer."""
    protocol = cls(next(n for n in (4, 3, 2, 1) if accepts(cls, n)))
    sizes = ", ".join(f"{name} = {size}" for name, size in protocol.parameters.items())
    lines = [
        cls.name,
        f"problem  {cls.problem.name}, {sizes}",
        f"cost     {cls.cost} = {protocol.declared_cost} bits in the worst case; known to {cls.output}",
        f"model    {cls.communication}, coins {cls.coins}"
        + (f" (seed {SEED}), error {cls.error}" if cls.coins != "none" else ""),
    ]
    for x, y in chosen_pairs(protocol.function, of_each=2):
        run = protocol.run(x, y, seed=SEED)
        lines += ["", f"x = {run.x}, y = {run.y}", *run_lines(run, bits_are_exact=True)]
    return "\n".join(lines) + "\n"


def reduction_text(cls: type[Reduction]) -> str:
    """One YES and one NO instance at n = 3, and what the model of each family makes of them."""
    reduction = cls(3)
    shape = reduction.shape()
    lines = [
        cls.name,
        f"source  {cls.source.name}, n = {reduction.n}",
        f"target  {shape.task}, " + ", ".join(f"{size} = {formula}" for size, formula in cls.sizes.items()),
        f"gap     {cls.gap} = {evaluate(cls.gap, {'n': reduction.n})}",
        f"reader  token {shape.reader} ({shape.reader_owner})",
    ]
    for x, y in chosen_pairs(reduction.problem, of_each=1):
        tokens = reduction.assemble(x, y)
        output = shape.task.evaluate(tokens, [shape.reader])[0]
        inputs = f"x = {reduction.problem.alice_inputs.format(x)}, y = {reduction.problem.bob_inputs.format(y)}"
        lines += ["", f"{inputs}, f = {int(reduction.problem.evaluate(x, y))}"]
        for position, (owner, token) in enumerate(zip(shape.owners, tokens, strict=True), start=1):
            lines.append(f"  token {position:2}  {owner:6}  {shape.task.describe_token(token)}")
        lines.append(f"  output {shown_output(output)} decodes to {int(reduction.decode(output))}")
        for family in registry.FAMILIES:
            lines += family_lines(reduction, family, x, y)
    return "\n".join(lines) + "\n"


def family_lines(reduction: Reduction, family: str, x: Array, y: Array) -> list[str]:
    """One family's induced protocol on one pair."""
    try:
        protocol = reduction.induce(registry.construct(family, reduction.shape().task))
    except InputError as error:
        return [f"  {family}: {error}"]
    sizes = ", ".join(f"{name} = {size}" for name, size in protocol.model.sizes.items())
    head = f"  {family}, {sizes}: {protocol.cost} = {protocol.declared_cost} bits; known to {protocol.output}"
    # what attention sends comes out of float64 linear algebra, logarithms and exponentials, rounded to a few bits: the
    # last one may differ from platform to platform, so a file for all of them cannot hold it
    exact = family != "attention"
    return [head, *(f"  {line}" for line in run_lines(protocol.run(x, y), bits_are_exact=exact))]


def run_lines(run: Transcript, *, bits_are_exact: bool) -> list[str]:
    """The messages, the output, and the bits of one run."""
    lines = [f"  {message_line(run, message, bits_are_exact)}" for message in run.messages]
    right = "right" if run.correct else f"wrong: f = {run.expected}"
    return [*lines, f"  output {run.output} ({right}), {run.bits} bits"]


def message_line(run: Transcript, message: Message, bits_are_exact: bool) -> str:
    """``alice -> bob 1011``; a long message is cut, one that depends on rounding is only counted."""
    listener = "bob" if message.sender == "alice" else "alice"
    if run.communication == "simultaneous":
        listener = "referee"
    head, length = f"{message.sender} -> {listener}", len(message.bits)
    if not bits_are_exact:
        return f"{head} ({length} bits)"
    return f"{head} {message.bits}" if length <= SHOWN else f"{head} {message.bits[:SHOWN]}... ({length} bits)"


def chosen_pairs(problem: Problem, of_each: int) -> Iterator[tuple[Array, Array]]:
    """Pairs spread evenly over those that have each answer, without any randomness."""
    truth = truth_matrix(problem)
    for answer in np.unique(truth):
        pairs = np.argwhere(truth == answer)
        for number in range(of_each):
            row, column = pairs[(2 * number + 1) * len(pairs) // (2 * of_each)]
            yield np.asarray(problem.alice_inputs.all()[row]), np.asarray(problem.bob_inputs.all()[column])


def shown_output(output: Any) -> str:
    """An exact output: fractions as fractions, a bool as 0 or 1."""
    return ", ".join(str(value if isinstance(value, Fraction) else int(value)) for value in np.ravel(output))


def write() -> None:
    """Bring the folder up to date."""
    FOLDER.mkdir(exist_ok=True)
    for file in FOLDER.glob("*.txt"):
        if file.stem not in golden_names():
            file.unlink()
    for name in golden_names():
        (FOLDER / f"{name}.txt").write_text(golden_text(name), encoding="utf-8")


if __name__ == "__main__":
    write()
