"""What every model is: a computation of a task that can be split between two parties."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from commsim.arrays import Array
from commsim.channel import Channel
from commsim.errors import InputError
from commsim.shape import Shape
from commsim.task import SequenceTask
from commsim.transcript import PartyName


@dataclass(frozen=True)
class Split:
    """How a model's computation is divided between the parties of a shape.

    Attributes:
        cost: the bits that cross, a formula in the model's sizes.
        finisher: the party that ends with the output; the other one does not know it.
        communication: ``one-way`` if only the other party speaks.
        carries: what each message carries, in words.
    """

    cost: str
    finisher: PartyName
    communication: Literal["one-way", "two-way"]
    carries: tuple[str, ...]


class Model(ABC):
    """A model with all its numbers fixed, for a task at fixed sizes.

    Attributes:
        name: of the construction, such as ``random-embedding-attention``.
        family: ``attention``, ``rnn`` or ``mlp``.
        solves: the task.
        standard: whether it is the family's model for its task when none is named; there is one at most.
        sizes: the model's sizes, by their symbols.
        size: the symbol for which a lower bound is solved.
        task: the task at its sizes.
    """

    name: str
    family: str
    standard: bool = True
    solves: type[SequenceTask]
    size: str
    sizes: dict[str, int]

    def __init__(self, task: SequenceTask) -> None:
        self.task = task

    @abstractmethod
    def output(self, tokens: Array, reader: int) -> Array:
        """The undivided model's output at one position.

        Args:
            tokens: shape (N,) or (batch, N).
            reader: the position, from 1.

        Returns:
            Shape () or (batch,), with the output's own axes behind.

        Raises:
            InputError: the model has no output at this position.
        """

    @abstractmethod
    def split(self, shape: Shape) -> Split:
        """How the model is divided.

        Raises:
            InputError: it cannot be, for these owners and this reader.
        """

    @abstractmethod
    def prepare(self, party: PartyName, tokens: Array, public: Array, shape: Shape) -> Any:
        """What a party computes from its own tokens before anything crosses; handed to :meth:`party`.

        Args:
            party: whose.
            tokens: that party's tokens, in the order of their positions, shape (count,) or (batch, count).
            public: the public tokens, shape (count,).
            shape: who owns which token.
        """

    @abstractmethod
    async def party(self, party: PartyName, prepared: Any, shape: Shape, channel: Channel) -> Array | None:
        """One party's part of the computation, over the channel to the other.

        Returns:
            The output at the reader if this party is the finisher, else None.
        """


def with_public(party: PartyName, tokens: Array, public: Array, shape: Shape) -> tuple[Array, Array]:
    """A party's tokens together with the public ones, in the order of their positions, and these positions."""
    positions = np.concatenate([shape.positions(party), shape.positions("public")])
    constants = np.broadcast_to(public, (*tokens.shape[:-1], len(public)))
    order = np.argsort(positions)
    return np.concatenate([tokens, constants], axis=-1)[..., order], positions[order]


def require_reader_last(reader: int, task: SequenceTask, family: str) -> None:
    """Raise InputError unless the reader is the last token: elsewhere these models have no output."""
    if reader != task.length:
        raise InputError(f"this {family} answers at the last token, {task.length}, not at token {reader}")
