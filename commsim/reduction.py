"""Reductions: tokens that Alice writes from x and Bob from y, so that the task's output answers f(x, y).

**A model and a reduction make a protocol**: :meth:`Reduction.induce` splits a model's computation between the two
parties, and what crosses is metered by the same engine as in any other protocol.
"""

from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from commsim.arrays import Array
from commsim.channel import Channel
from commsim.errors import InputError
from commsim.formula import evaluate
from commsim.models.model import Model
from commsim.problem import Problem
from commsim.protocol import Protocol
from commsim.shape import Owner, Shape
from commsim.task import SequenceTask
from commsim.transcript import PartyName


class Reduction(ABC):
    """A map from a two-party problem of size n to a sequence task.

    Attributes:
        name: as on the command line: ``source-to-target``.
        source: the problem.
        target: the task.
        sizes: formulas for the task's sizes, in n and in one another (earlier ones first). They are checked.
        gap: the smallest distance (Euclidean) between an output of a YES and of a NO instance, a formula.
        batched: whether the encoders also accept a batch of inputs along axis 0.
        origin: where it is from.
        n: the size; :attr:`problem`: the source at that size.
        length: N; longer sequences than ``sizes["N"]`` are filled with public constant tokens.
    """

    name: str
    source: type[Problem]
    target: type[SequenceTask]
    sizes: dict[str, str]
    gap: str
    batched: bool = False
    origin: str = ""

    def __init__(self, n: int, length: int | None = None) -> None:
        self.n = n
        self.problem = self.source(n)
        shortest = int(evaluate(self.sizes["N"], {"n": n}))
        self.length = shortest if length is None else length
        if self.length < shortest:
            raise InputError(
                f"{self.name} at n = {n} needs N at least {self.sizes['N']} = {shortest}, not N = {length}"
            )

    @abstractmethod
    def shape(self) -> Shape:
        """The task and who owns which token: fixed by n (and N) alone."""

    @abstractmethod
    def alice(self, x: Any) -> Array:
        """Alice's tokens in the order of their positions, shape (her tokens,), or (batch, her tokens)."""

    @abstractmethod
    def bob(self, y: Any) -> Array:
        """Bob's tokens in the order of their positions, shape (his tokens,), or (batch, his tokens)."""

    def public(self) -> Array:
        """The constant tokens in the order of their positions, shape (public tokens,)."""
        return np.zeros(0, dtype=self.shape().task.dtype)

    @abstractmethod
    def decode(self, output: Array) -> Any:
        """f(x, y) from the task's output at the reader, exact or within less than half the gap of it.

        Args:
            output: shape () or (batch,), with the output's own axes behind (for q-SA one, of length d).
        """

    def written(self, owner: Owner, inputs: Any = None) -> Array:
        """One owner's tokens, held against the shape; ``inputs`` as for :meth:`alice` and :meth:`bob`, if it is one.

        Raises:
            TokenError: a token is outside the task's domain.
            InputError: there are more or fewer tokens than the owner has positions, or they have another dtype.
        """
        shape = self.shape()
        tokens = self.public() if owner == "public" else self.alice(inputs) if owner == "alice" else self.bob(inputs)
        shape.task.check(tokens, shape.positions(owner))
        return tokens

    def assemble(self, x: Array, y: Array) -> Array:
        """The whole sequence of one pair of inputs (or of a batch of pairs), shape (..., N).

        Raises: as :meth:`written`.
        """
        shape = self.shape()
        alice, bob, public = self.written("alice", x), self.written("bob", y), self.written("public")
        tokens = np.zeros((*alice.shape[:-1], shape.task.length), dtype=shape.task.dtype)
        parts: list[tuple[Owner, Array]] = [("alice", alice), ("bob", bob), ("public", public)]
        for owner, part in parts:
            tokens[..., shape.positions(owner) - 1] = part
        return tokens

    def induce(self, model: Model) -> "InducedProtocol":
        """The protocol that the model makes of this reduction.

        Raises:
            InputError: the model is for another task or other sizes, or cannot be split this way.
        """
        return InducedProtocol(self, model)


class InducedProtocol(Protocol):
    """A model split between the two parties of a reduction: an ordinary protocol for the reduction's source."""

    def __init__(self, reduction: Reduction, model: Model) -> None:
        shape = reduction.shape()
        if model.task.parameters != shape.task.parameters or model.task.name != shape.task.name:
            raise InputError(
                f"the model is for {model.task}, but {reduction.name} at n = {reduction.n} needs {shape.task}"
            )
        self.reduction = reduction
        self.model = model
        self.split = model.split(shape)
        self.shape = shape
        self.public = reduction.written("public")
        self.name = f"{reduction.name}/{model.family}"
        self.problem = reduction.source
        self.cost = self.split.cost
        self.output = self.split.finisher
        self.communication = self.split.communication
        self.batched = reduction.batched
        self.source = reduction.origin
        self._remembered: dict[PartyName, tuple[bytes, Any]] = {}
        super().__init__(reduction.n)

    @property
    def parameters(self) -> dict[str, int]:
        """n, the task's sizes and the model's."""
        return {"n": self.n, **self.shape.task.parameters, **self.model.sizes}

    async def alice(self, x: Any, channel: Channel) -> Any:
        """Her part of the model, on her tokens."""
        return await self._part("alice", x, channel)

    async def bob(self, y: Any, channel: Channel) -> Any:
        """His part of the model, on his tokens."""
        return await self._part("bob", y, channel)

    async def _part(self, party: PartyName, inputs: Array, channel: Channel) -> Any:
        prepared = self._prepare(party, inputs) if channel.batch is None else self._prepare_batch(party, inputs)
        output = await self.model.party(party, prepared, self.shape, channel)
        return None if output is None else self.reduction.decode(output)

    def _prepare(self, party: PartyName, inputs: Array) -> Any:
        return self.model.prepare(party, self.reduction.written(party, inputs), self.public, self.shape)

    def _prepare_batch(self, party: PartyName, inputs: Array) -> Any:
        """As for one input, but remembered: exploration asks for the same batch under one message after the other."""
        key = inputs.tobytes()
        if self._remembered.get(party, (None,))[0] != key:
            self._remembered[party] = key, self._prepare(party, inputs)
        return self._remembered[party][1]
