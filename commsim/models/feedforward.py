"""Feed-forward networks (MLPs) on the whole sequence: a first layer of w units, then anything at all.

How it splits: each unit of the first layer is a linear function of the tokens' encodings, so it is a part from Alice's
tokens plus a part from Bob's. Alice sends hers, w numbers of p bits; Bob adds his and finishes. So w p is at least the
one-way complexity of the source.
"""

import math
from abc import abstractmethod

import numpy as np

from commsim.arrays import Array, Bits, Floats, Integers
from commsim.channel import Channel
from commsim.models.model import Model, Split, require_reader_last, with_public
from commsim.models.residues import completes_triple, count_residues, require_few_residues
from commsim.precision import FixedPoint, NumberFormat, Unsigned
from commsim.shape import Shape
from commsim.task import Match3, QSparseAveraging
from commsim.transcript import PartyName


class FeedForward(Model):
    """An MLP that computes the output at one position, the last, from all the tokens.

    The pre-activations of both models here are multiples of the format's resolution, so what crosses is exact and the
    split network agrees with the undivided one exactly.

    Attributes:
        width: w, the units of the first layer.
        format: of a partial pre-activation.
    """

    family = "mlp"
    size = "w"
    width: int
    format: NumberFormat

    @property
    def sizes(self) -> dict[str, int]:  # type: ignore[override]
        """The first layer has w units; a partial pre-activation has p bits."""
        return {"w": self.width, "p": self.format.bits}

    @abstractmethod
    def first_layer(self, tokens: Array, positions: Integers) -> Floats:
        """What some tokens add to the pre-activations: shape (..., w) from tokens of shape (..., T)."""

    @abstractmethod
    def rest(self, pre_activations: Floats) -> Array:
        """The output from the pre-activations of all the tokens, shape (..., w)."""

    def output(self, tokens: Array, reader: int) -> Array:
        """The undivided network.

        Raises:
            InputError: the reader is not the last token.
        """
        require_reader_last(reader, self.task, "MLP")
        return self.rest(self.first_layer(tokens, np.arange(1, self.task.length + 1)))

    def split(self, shape: Shape) -> Split:
        """Alice's share of the first layer crosses.

        Raises:
            InputError: the reader is not the last token.
        """
        require_reader_last(shape.reader, self.task, "MLP")
        return Split("w*p", "bob", "one-way", ("alice: her part of each pre-activation of the first layer",))

    def prepare(self, party: PartyName, tokens: Array, public: Array, shape: Shape) -> Floats:
        """The party's part of the pre-activations; Bob's counts the public tokens in."""
        if party == "bob":
            return self.first_layer(*with_public(party, tokens, public, shape))
        return self.first_layer(tokens, shape.positions(party))

    async def party(self, party: PartyName, prepared: Floats, shape: Shape, channel: Channel) -> Array | None:
        """Alice sends her part, Bob finishes."""
        if party == "alice":
            await channel.send(self.format.encode(prepared).reshape(*prepared.shape[:-1], -1))
            return None
        message: Bits = await channel.receive(self.width * self.format.bits)
        part = self.format.decode(message.reshape(self.width, self.format.bits))
        return self.rest(part + prepared)


class SelectingNetwork(FeedForward):
    """q-sparse averaging with N d units: unit (j, c) is relu(z_jc - 1 + 2 [j in y]), the reader's set one-hot encoded.

    It is z_jc + 1 if j is in y and 0 if not, so the sum over j, divided by q, less 1, is the output. The z are rounded
    to f fractional bits, which moves the output by at most sqrt(d)/2^(f+1) <= 1/(2q).
    """

    name = "selecting-network"
    solves = QSparseAveraging

    def __init__(self, task: QSparseAveraging) -> None:
        super().__init__(task)
        q, d = task.parameters["q"], task.parameters["d"]
        self.width = task.length * d
        fraction = math.ceil(math.log2(q * math.sqrt(d)))
        self.format = FixedPoint(fraction + 3, fraction)

    def first_layer(self, tokens: Array, positions: Integers) -> Floats:
        """Each token adds z - 1 to its own units; the reader adds 2 to those of its set."""
        d = self.task.parameters["d"]
        lead = tokens.shape[:-1]
        units = np.zeros((*lead, self.task.length, d))
        units[..., positions - 1, :] = self.format.quantize(tokens["z"]) - 1
        if len(positions) and positions[-1] == self.task.length:
            members = (tokens["y"][..., -1, :] - 1).reshape(-1, self.task.parameters["q"])
            rows = units.reshape(-1, self.task.length, d)
            rows[np.arange(len(rows))[:, None], members] += 2
        return units.reshape(*lead, self.width)

    def rest(self, pre_activations: Floats) -> Floats:
        """The output, shape (..., d)."""
        q, d = self.task.parameters["q"], self.task.parameters["d"]
        units = np.maximum(pre_activations, 0).reshape(*pre_activations.shape[:-1], self.task.length, d)
        output: Floats = units.sum(axis=-2) / q - 1
        return output


class ResidueCountingNetwork(FeedForward):
    """Match3 with 2 M units: M count the residues, M hold the reader's; the rest looks for a completing pair."""

    name = "residue-counting-network"
    solves = Match3

    def __init__(self, task: Match3) -> None:
        super().__init__(task)
        require_few_residues(task.parameters["M"])
        self.modulus = task.parameters["M"]
        self.width = 2 * self.modulus
        self.format = Unsigned(task.length.bit_length())

    def first_layer(self, tokens: Integers, positions: Integers) -> Floats:
        """The counts of the residues, then the one-hot residue of the reader if it is among the tokens."""
        counts = count_residues(tokens, self.modulus)
        reader = tokens[..., -1:] if len(positions) and positions[-1] == self.task.length else tokens[..., :0]
        return np.concatenate([counts, count_residues(reader, self.modulus)], axis=-1).astype(np.float64)

    def rest(self, pre_activations: Floats) -> Bits:
        """Whether two residues that occur complete the reader's, shape (...)."""
        counts, reader = np.split(pre_activations, 2, axis=-1)
        return completes_triple(counts > 0, reader.argmax(axis=-1))
