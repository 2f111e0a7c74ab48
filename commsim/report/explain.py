"""One run in words: who says what, and what the other learns by it."""

import msgspec
import numpy as np

from commsim.coins import SeededCoins
from commsim.exploration import walk
from commsim.protocol import Protocol
from commsim.transcript import Path, Transcript
from commsim.verify import truth_matrix

#: with more pairs of inputs the rectangles are not counted
MOST_PAIRS = 2**20


class Rectangle(msgspec.Struct, frozen=True):
    """The inputs that are consistent with a transcript: how many of Alice's, how many of Bob's, and the values of f.

    ``values`` counts the pairs by f; None if the problem is no function.
    """

    alice: int
    bob: int
    values: dict[int, int] | None


class Step(msgspec.Struct, frozen=True):
    """One message: who sent what, and the rectangle after it; None if there are too many inputs to count."""

    sender: str
    bits: str
    rectangle: Rectangle | None


class Explanation(msgspec.Struct, frozen=True):
    """A run, the rectangle before the first message, and what each message does to it."""

    run: Transcript
    start: Rectangle | None
    steps: list[Step]


def explain(protocol: Protocol, run: Transcript) -> Explanation:
    """Count the inputs that are consistent with each beginning of a run's transcript, under the same coins."""
    if protocol.function.pairs > MOST_PAIRS:
        steps = [Step(message.sender, message.bits, None) for message in run.messages]
        return Explanation(run, None, steps)
    leaves = [leaf for leaf in walk(protocol, SeededCoins(run.seed or 0))]
    truth = truth_matrix(protocol.function) if protocol.function.kind == "function" else None

    def rectangle(path: Path) -> Rectangle:
        below = [leaf for leaf in leaves if leaf.path[: len(path)] == path]
        rows = np.unique(np.concatenate([leaf.alice_indices for leaf in below]))
        columns = np.unique(np.concatenate([leaf.bob_indices for leaf in below]))
        values = None
        if truth is not None:
            found, counts = np.unique(truth[np.ix_(rows, columns)], return_counts=True)
            values = {int(value): int(count) for value, count in zip(found, counts, strict=True)}
        return Rectangle(len(rows), len(columns), values)

    steps = [
        Step(message.sender, message.bits, rectangle(run.messages[: number + 1]))
        for number, message in enumerate(run.messages)
    ]
    return Explanation(run, rectangle(()), steps)
