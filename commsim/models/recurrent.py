"""Recurrent networks: a state of S bits reads the tokens in order; the output is read at the last one.

How it splits: each party runs the network over its own stretch of tokens and hands the state over, S bits, wherever the
owner changes. With one change the state is a one-way message, so S is at least the one-way complexity of the source.
"""

import math
from abc import abstractmethod
from typing import cast

import numpy as np

from commsim.arrays import Array, Bits, Floats, Integers
from commsim.channel import Channel
from commsim.models.model import Model, Split, require_reader_last, with_public
from commsim.models.residues import completes_triple, require_few_residues
from commsim.precision import FixedPoint
from commsim.shape import Shape
from commsim.task import Match3, QSparseAveraging
from commsim.transcript import PartyName


class Recurrent(Model):
    """A recurrent network whose state is a string of S bits; everything else about it is fixed, any function at all.

    Bits cross as they are: the split network agrees with the undivided one exactly.
    """

    family = "rnn"
    size = "S"
    state_bits: int

    @property
    def sizes(self) -> dict[str, int]:  # type: ignore[override]
        """The state has S bits."""
        return {"S": self.state_bits}

    @abstractmethod
    def read(self, state: Bits, tokens: Array, positions: Integers) -> Bits:
        """The state after reading a run of tokens.

        Args:
            state: shape (..., S) or (S,); it is not changed.
            tokens: shape (..., T).
            positions: of the tokens, increasing.
        """

    @abstractmethod
    def read_out(self, state: Bits, token: Array) -> Array:
        """The output at a token, from the state before it, shape (..., S), and the token, shape (...)."""

    def output(self, tokens: Array, reader: int) -> Array:
        """The undivided network.

        Raises:
            InputError: the reader is not the last token.
        """
        require_reader_last(reader, self.task, "recurrent network")
        before = np.arange(1, reader)
        state = self.read(np.zeros(self.state_bits, dtype=bool), tokens[..., : reader - 1], before)
        return self.read_out(state, tokens[..., reader - 1])

    def split(self, shape: Shape) -> Split:
        """A hand-over of the state wherever the owner changes.

        Raises:
            InputError: the reader is not the last token.
        """
        require_reader_last(shape.reader, self.task, "recurrent network")
        parties = shape.hand_overs
        count = len(parties) - 1
        return Split(
            cost="S" if count == 1 else f"{count}*S",
            finisher=parties[-1],
            communication="one-way" if count == 1 else "two-way",
            carries=tuple(f"{party}: the state after its tokens" for party in parties[:-1]),
        )

    def prepare(self, party: PartyName, tokens: Array, public: Array, shape: Shape) -> tuple[Array, Integers]:
        """The tokens that the party may read, its own and the public ones, and their positions."""
        return with_public(party, tokens, public, shape)

    async def party(
        self, party: PartyName, prepared: tuple[Array, Integers], shape: Shape, channel: Channel
    ) -> Array | None:
        """Read each own stretch of tokens; receive the state before it and send it after it."""
        tokens, positions = prepared
        state = np.zeros(self.state_bits, dtype=bool)
        stretches = _stretches(shape)
        for number, (owner, first, last) in enumerate(stretches):
            final = number == len(stretches) - 1
            if owner == party:
                own = (positions >= first) & (positions <= (last - 1 if final else last))
                if own.any():
                    state = self.read(state, tokens[..., own], positions[own])
                if final:
                    return self.read_out(state, tokens[..., -1])
                await channel.send(np.broadcast_to(state, (*tokens.shape[:-1], self.state_bits)))
            elif not final:
                state = await channel.receive(self.state_bits)
        return None


def _stretches(shape: Shape) -> list[tuple[PartyName, int, int]]:
    """Each stretch of tokens that one party reads: whose it is, its first and its last position.

    A public token is read by whoever reads the private token before it (at the start: after it).
    """
    stretches: list[tuple[PartyName, int, int]] = []
    for position, owner in enumerate(shape.owners, start=1):
        if stretches and owner in ("public", stretches[-1][0]):
            stretches[-1] = (*stretches[-1][:2], position)
        elif owner != "public":
            stretches.append((cast(PartyName, owner), position if stretches else 1, position))
    return stretches


class RememberingNetwork(Recurrent):
    """q-sparse averaging: the state holds every z so far, in fixed point; the last token picks from it.

    Each coordinate is rounded by at most 2^-(f+1), so the output is within sqrt(d)/2^(f+1) <= 1/(2q) of the exact one.
    """

    name = "remembering-network"
    solves = QSparseAveraging

    def __init__(self, task: QSparseAveraging) -> None:
        super().__init__(task)
        self.format = _coordinate_format(task)
        self._token_bits = task.parameters["d"] * self.format.bits
        self.state_bits = max(1, task.length - 1) * self._token_bits

    def read(self, state: Bits, tokens: Array, positions: Integers) -> Bits:
        """Writes the z of each token into its place in the state."""
        lead = tokens.shape[:-1]
        places = np.array(np.broadcast_to(state, (*lead, self.state_bits))).reshape(*lead, -1, self._token_bits)
        places[..., positions - 1, :] = self.format.encode(tokens["z"]).reshape(*lead, -1, self._token_bits)
        return places.reshape(*lead, self.state_bits)

    def read_out(self, state: Bits, token: Array) -> Floats:
        """The average of the remembered numbers of the reader's set, shape (..., d)."""
        q, d = self.task.parameters["q"], self.task.parameters["d"]
        remembered = self.format.decode(state.reshape(*state.shape[:-1], -1, d, self.format.bits))
        own = self.format.quantize(token["z"])
        total = np.zeros((*np.broadcast_shapes(state.shape[:-1], token.shape), d))
        for term in range(q):
            member = token["y"][..., term]
            itself = (member == self.task.length)[..., None]
            total += np.where(itself, own, _pick(remembered, np.minimum(member, remembered.shape[-2]) - 1))
        return total / q


class ResidueSetNetwork(Recurrent):
    """Match3: the state is the set of residues so far, M bits; the last token looks for two that complete it."""

    name = "residue-set-network"
    solves = Match3

    def __init__(self, task: Match3) -> None:
        super().__init__(task)
        require_few_residues(task.parameters["M"])
        self.state_bits = task.parameters["M"]

    def read(self, state: Bits, tokens: Integers, positions: Integers) -> Bits:
        """Adds each token's residue."""
        lead = tokens.shape[:-1]
        after = np.array(np.broadcast_to(state, (*lead, self.state_bits))).reshape(-1, self.state_bits)
        residues = (tokens % self.state_bits).reshape(len(after), -1)
        after[np.arange(len(after))[:, None], residues] = True
        return after.reshape(*lead, self.state_bits)

    def read_out(self, state: Bits, token: Integers) -> Bits:
        """Whether two residues, the token's own included, complete the token's; shape (...)."""
        state = self.read(state, np.asarray(token)[..., None], np.array([self.task.length]))
        return completes_triple(state, np.asarray(token % self.state_bits))


def _pick(rows: Floats, places: Integers) -> Floats:
    """One row each: shape (..., d) from rows of shape (..., T, d) and places of shape (...)."""
    if rows.ndim == 2:
        return rows[places]
    return np.take_along_axis(rows, places[..., None, None], axis=-2)[..., 0, :]


def _coordinate_format(task: QSparseAveraging) -> FixedPoint:
    """Fixed point for numbers in [-1, 1], fine enough that rounding d coordinates moves by at most 1/(2q)."""
    fraction = math.ceil(math.log2(task.parameters["q"] * math.sqrt(task.parameters["d"])))
    return FixedPoint(fraction + 2, fraction)
