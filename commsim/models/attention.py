"""Attention: at the reader, H heads each average the values of the tokens it may see, weighted by softmax of scores.

How it splits (Sanford, Hsu and Telgarsky 2023, Theorem 4 for the query owner, Theorem 7 for split keys):

* *The reader belongs to a party.* That party sends the reader's query, and the keys and values of its own T tokens;
  the other finishes. H p ((T + 1) m + T v) bits: with T = 1 the reader alone, whatever N is.
* *The reader is public.* Both know the query. Alice sends, for each head, the softmax average of her values and the
  logarithm L of the sum of her exponentials; Bob merges them with his own by the weight 1/(1 + exp(L_B - L_A)).
"""

import math
from abc import abstractmethod
from typing import Any

import numpy as np

from commsim.arrays import Array, Bits, Floats, Integers
from commsim.channel import Channel
from commsim.errors import InputError
from commsim.models.model import Model, Split, with_public
from commsim.models.residues import completes_triple, count_residues, require_few_residues
from commsim.precision import FixedPoint, NumberFormat
from commsim.shape import Shape, other
from commsim.task import Match3, QSparseAveraging
from commsim.transcript import PartyName

#: a random embedding is held in memory: 2^26 numbers take 512 MiB
MOST_NUMBERS = 2**26
#: the log-sum-exp of each head, shape (..., H), and the averages, shape (..., H, v)
Summary = tuple[Floats, Floats]


class Attention(Model):
    """One layer of H heads with queries and keys of m numbers and values of v numbers.

    Queries, keys and values are held in ``format`` (p bits each), in the undivided model too, so that sending them
    loses nothing. Scores and softmax are float64: the split model agrees with the undivided one up to float64 rounding
    where the reader has an owner. Where keys are split and values lie in [-1, 1], each number of each head's average
    moves by at most 0.75 / 2^f, with f the fractional bits of ``mean_format`` and ``log_format``.

    Attributes:
        format: of queries, keys and values.
        mean_format, log_format: of the averages and of the log-sum-exp that cross when keys are split.
        causal: whether the reader sees only the tokens up to itself.
        heads, width, value_width: H, m and v.
    """

    family = "attention"
    size = "m"
    format: NumberFormat
    mean_format: NumberFormat
    log_format: NumberFormat
    causal: bool
    heads: int
    width: int
    value_width: int

    @property
    def sizes(self) -> dict[str, int]:  # type: ignore[override]
        """H heads, m numbers a query or key, v numbers a value, p bits each; b_mean and b_log when keys are split."""
        return {
            "H": self.heads,
            "m": self.width,
            "v": self.value_width,
            "p": self.format.bits,
            "b_mean": self.mean_format.bits,
            "b_log": self.log_format.bits,
        }

    @abstractmethod
    def query(self, token: Array) -> Floats:
        """The reader's queries, shape (..., H, m), from its token, shape (...)."""

    @abstractmethod
    def keys(self, tokens: Array, positions: Integers) -> Floats:
        """Keys, shape (T, H, m) or (..., T, H, m), from tokens of shape (..., T)."""

    @abstractmethod
    def values(self, tokens: Array, positions: Integers) -> Floats:
        """Values, shape (..., T, H, v), from tokens of shape (..., T)."""

    @abstractmethod
    def read_out(self, averages: Floats, query: Floats) -> Array:
        """The output, from the averages of the heads, shape (..., H, v), and the reader's queries."""

    def see(self, tokens: Array, positions: Integers) -> tuple[Floats, Floats]:
        """All that the heads need of some tokens, whatever the query: keys and values."""
        return self.keys(tokens, positions), self.values(tokens, positions)

    def summary(self, query: Floats, seen: tuple[Floats, Floats]) -> Summary:
        """The log-sum-exp and the averages of the heads over some tokens."""
        return attend(query, *seen)

    def output(self, tokens: Array, reader: int) -> Array:
        """The undivided layer at one position.

        Raises:
            InputError: there is no such position.
        """
        if not 1 <= reader <= self.task.length:
            raise InputError(f"the reader is token {reader}, but the positions are 1 to {self.task.length}")
        query = self.query(tokens[..., reader - 1])
        seen = self.see(*self._visible(tokens, np.arange(1, self.task.length + 1), reader))
        return self.read_out(self.summary(query, seen)[1], query)

    def split(self, shape: Shape) -> Split:
        """By the owner of the reader; see the head of this file.

        Raises:
            InputError: the reader is public and sees no token of Alice's.
        """
        owner = shape.reader_owner
        if owner == "public":
            if not len(self._visible_positions(shape, "alice")):
                raise InputError("the reader is public and sees none of Alice's tokens, so there is nothing to split")
            carries = ("alice: the average of her values and their log-sum-exp, for each head",)
            return Split("H*(v*b_mean + b_log)", self._finisher(shape), "one-way", carries)
        count = len(self._visible_positions(shape, owner))
        keys, values = f"{count + 1}*m", "v" if count == 1 else f"{count}*v"
        tokens = f"its token {shape.reader}" if count == 1 else f"its {count} tokens"
        carries = (f"{owner}: the reader's query, and keys and values of {tokens}",)
        return Split(f"H*p*({keys} + {values})", self._finisher(shape), "one-way", carries)

    def prepare(self, party: PartyName, tokens: Array, public: Array, shape: Shape) -> Any:
        """The sender's message, or what the finisher sees of its own tokens and the public ones."""
        owner = shape.reader_owner
        if party == self._finisher(shape):
            mine, positions = self._visible(*with_public(party, tokens, public, shape), shape.reader)
            seen = self.see(mine, positions) if len(positions) else None
            return seen, self._public_query(public, shape) if owner == "public" else None
        mine, positions = self._visible(tokens, shape.positions(party), shape.reader)
        lead = tokens.shape[:-1]
        if owner == "public":
            log, mean = self.summary(self._public_query(public, shape), self.see(mine, positions))
            log = np.broadcast_to(log, (*lead, self.heads))
            return _joined(lead, self.mean_format.encode(mean), self.log_format.encode(log))
        query = self.query(tokens[..., int(np.searchsorted(shape.positions(party), shape.reader))])
        keys = np.broadcast_to(self.keys(mine, positions), (*lead, len(positions), self.heads, self.width))
        return _joined(lead, *(self.format.encode(part) for part in (query, keys, self.values(mine, positions))))

    async def party(self, party: PartyName, prepared: Any, shape: Shape, channel: Channel) -> Array | None:
        """The sender sends; the finisher merges what arrives with what it sees; see the head of this file."""
        if party != self._finisher(shape):
            await channel.send(prepared)
            return None
        seen, query = prepared
        if query is None:
            query, received = await self._receive_query(shape, channel)
        else:
            received = await self._receive_summary(channel)
        if seen is None:  # what was received is all there is
            return self.read_out(received[1], query)
        return self.read_out(merge(received, self.summary(query, seen)), query)

    async def _receive_query(self, shape: Shape, channel: Channel) -> tuple[Floats, Summary]:
        owner = shape.reader_owner
        assert owner != "public"
        heads, m, v, count = self.heads, self.width, self.value_width, len(self._visible_positions(shape, owner))
        message: Bits = await channel.receive((heads * m + count * heads * (m + v)) * self.format.bits)
        numbers = self.format.decode(message.reshape(-1, self.format.bits))
        query, keys, values = np.split(numbers, np.cumsum([heads * m, count * heads * m]))
        query = query.reshape(heads, m)
        return query, attend(query, keys.reshape(count, heads, m), values.reshape(count, heads, v))

    async def _receive_summary(self, channel: Channel) -> Summary:
        mean_bits = self.heads * self.value_width * self.mean_format.bits
        message: Bits = await channel.receive(mean_bits + self.heads * self.log_format.bits)
        mean = self.mean_format.decode(message[:mean_bits].reshape(self.heads, self.value_width, -1))
        return self.log_format.decode(message[mean_bits:].reshape(self.heads, -1)), mean

    def _finisher(self, shape: Shape) -> PartyName:
        return "bob" if shape.reader_owner == "public" else other(shape.reader_owner)

    def _public_query(self, public: Array, shape: Shape) -> Floats:
        return self.query(public[int(np.searchsorted(shape.positions("public"), shape.reader))])

    def _visible(self, tokens: Array, positions: Integers, reader: int) -> tuple[Array, Integers]:
        if not self.causal:
            return tokens, positions
        seen = positions <= reader
        return tokens[..., seen], positions[seen]

    def _visible_positions(self, shape: Shape, owner: PartyName) -> Integers:
        positions = shape.positions(owner)
        return positions[positions <= shape.reader] if self.causal else positions


def attend(query: Floats, keys: Floats, values: Floats) -> Summary:
    """Softmax attention of one query over T tokens, for each head.

    Args:
        query: shape (..., H, m).
        keys: shape (..., T, H, m).
        values: shape (..., T, H, v).
    """
    # einsum adds up in an order that follows the memory layout; with one layout, what crosses is the same in any batch
    query, keys, values = (np.ascontiguousarray(part) for part in (query, keys, values))
    scores = np.einsum("...hm,...thm->...ht", query, keys)
    largest = scores.max(axis=-1, keepdims=True)
    weights = np.exp(scores - largest)
    total = weights.sum(axis=-1)
    averages = np.einsum("...ht,...thv->...hv", weights, values) / total[..., None]
    return np.log(total) + largest[..., 0], averages


def merge(one: Summary, two: Summary) -> Floats:
    """The averages over all the tokens, from those over two parts: (e^L1 v1 + e^L2 v2) / (e^L1 + e^L2)."""
    (log_one, mean_one), (log_two, mean_two) = one, two
    weight = (1 / (1 + np.exp(np.clip(log_two - log_one, -700, 700))))[..., None]
    return weight * mean_one + (1 - weight) * mean_two


class RandomEmbeddingAttention(Attention):
    """q-sparse averaging by one head: random keys, and a query that singles out the reader's set.

    Token j has as key a random vector k_j of +-1 (the same for all inputs). The reader with set y solves for the
    combination w of the keys of y with <w, k_j> = alpha for every j in y. When m is some 12 q log2 N, with probability
    close to 1 over the keys all scores off y are lower than those on y by alpha/2 at least. If so, the output is within
    1/(2q) of the exact one (Euclidean), split keys included: with epsilon = 1/(4q), alpha = 2 ln(2(N - q)/(q epsilon))
    leaves a share of at most epsilon/2 of the weight off y, which costs at most epsilon; and rounding to f fractional
    bits costs at most (2m + 4 sqrt(d) + 1)/4 / 2^f <= epsilon. Sanford, Hsu and Telgarsky 2023, Theorem 2, with the
    constants worked out for this program; not every set is guaranteed, so protocols made of it are verified like any
    other.
    """

    name = "random-embedding-attention"
    solves = QSparseAveraging
    heads = 1
    causal = False

    def __init__(
        self, task: QSparseAveraging, width: int | None = None, bits: int | None = None, seed: int = 0
    ) -> None:
        """Set the sizes.

        Args:
            task: q-SA at its sizes.
            width: m, by default what the construction asks for.
            bits: p, two of them before the point; by default what the promise above asks for at this m.
            seed: of the keys.

        Raises:
            InputError: the width is less than 1, no fixed-point format has so many bits, or the keys have more than
                ``MOST_NUMBERS`` numbers.
        """
        super().__init__(task)
        length, q, d = (task.parameters[size] for size in ("N", "q", "d"))
        self.width = max(1, math.ceil(12 * q * math.log2(length))) if width is None else width
        if self.width < 1:
            raise InputError(f"the width m must be at least 1, not {width}")
        if length * self.width > MOST_NUMBERS:
            raise InputError(
                f"random keys for N = {length}, q = {q} have m = {self.width} numbers each,"
                f" {length * self.width} in all, more than {MOST_NUMBERS}: choose a smaller size"
            )
        self.value_width = d
        fraction = math.ceil(math.log2(q * (2 * self.width + 4 * math.sqrt(d) + 1)))
        self.format = FixedPoint(fraction + 2, fraction) if bits is None else FixedPoint(bits, max(0, bits - 2))
        epsilon = 1 / (4 * q)
        # with q = N there is nothing off y, and equal scores do
        self.scale = 2 * math.log(2 * (length - q) / (q * epsilon)) if q < length else 0.0
        self.mean_format = FixedPoint(fraction + 2, fraction)
        # scores beyond 2 alpha take keys that are far from random; the format refuses what it cannot hold
        self.log_format = log_sum_format(2 * self.scale, length, fraction)
        generator = np.random.default_rng(np.random.SeedSequence([seed, length, self.width]))
        self.embedding: Floats = 2 * generator.integers(0, 2, size=(length, self.width)).astype(np.float64) - 1

    def query(self, token: Array) -> Floats:
        """The dual certificate of the reader's set, scaled: shape (..., 1, m).

        Where the keys of the set are linearly dependent, it is the least-squares solution; numbers that the format
        cannot hold become the nearest it can. Then the layer is cut below its construction, and likely wrong.
        """
        chosen = self.embedding[token["y"] - 1]
        gram = np.einsum("...im,...jm->...ij", chosen, chosen)
        weights = self.scale * np.linalg.pinv(gram, hermitian=True).sum(axis=-1)
        # summed in a fixed order, so that a query does not depend on the batch it is computed in
        query = np.zeros((*chosen.shape[:-2], self.width))
        for term in range(chosen.shape[-2]):
            query += weights[..., term, None] * chosen[..., term, :]
        return self.format.quantize(np.clip(query, self.format.minimum, self.format.maximum))[..., None, :]

    def keys(self, tokens: Array, positions: Integers) -> Floats:
        """The random vectors of the positions, shape (T, 1, m)."""
        keys: Floats = self.embedding[positions - 1][:, None, :]
        return keys

    def values(self, tokens: Array, positions: Integers) -> Floats:
        """The numbers z, shape (..., T, 1, d)."""
        values: Floats = self.format.quantize(tokens["z"])[..., None, :]
        return values

    def read_out(self, averages: Floats, query: Floats) -> Floats:
        """The average itself, shape (..., d)."""
        average: Floats = averages[..., 0, :]
        return average


class ResidueAveragingAttention(Attention):
    """Match3 by one head of ordinary attention: uniform weights over one-hot residues, and a feed-forward read-out.

    The average says which residues occur, M numbers; the read-out looks for two that complete the reader's to 0 modulo
    M. The query carries the reader's residue (m = 1) and all keys are 0. That v is of order N is no accident: Sanford,
    Hsu and Telgarsky 2023, Theorem 7, forbid much less.
    """

    name = "residue-averaging-attention"
    solves = Match3
    size = "v"
    heads = 1
    width = 1
    causal = False

    def __init__(self, task: Match3) -> None:
        super().__init__(task)
        require_few_residues(task.parameters["M"])
        length, self.modulus = task.parameters["N"], task.parameters["M"]
        self.value_width = self.modulus
        residue_bits = max(1, (self.modulus - 1).bit_length())
        self.format = FixedPoint(residue_bits + 1, 0)
        # a residue that occurs has an average of at least 1/N; rounding both costs at most 0.75/2^f <= 0.375/N
        fraction = math.ceil(math.log2(2 * length))
        self.threshold = 1 / (2 * length)
        self.mean_format = FixedPoint(fraction + 2, fraction)
        self.log_format = log_sum_format(0, length, fraction)

    def query(self, token: Array) -> Floats:
        """The reader's residue, shape (..., 1, 1)."""
        return (token % self.modulus).astype(np.float64)[..., None, None]

    def keys(self, tokens: Array, positions: Integers) -> Floats:
        """Zero, shape (T, 1, 1)."""
        return np.zeros((len(positions), 1, 1))

    def values(self, tokens: Array, positions: Integers) -> Floats:
        """One-hot residues, shape (..., T, 1, M)."""
        residues: Integers = tokens[..., None, None] % self.modulus
        return np.asarray(residues == np.arange(self.modulus), dtype=np.float64)

    def see(self, tokens: Array, positions: Integers) -> Summary:
        """The summary itself, which no query can change: by counting residues, not by averaging one-hot vectors."""
        counts = count_residues(tokens, self.modulus)
        count = tokens.shape[-1]
        return np.full((*tokens.shape[:-1], 1), math.log(count)), counts[..., None, :] / count

    def summary(self, query: Floats, seen: Summary) -> Summary:
        """What was seen: all weights are equal."""
        return seen

    def read_out(self, averages: Floats, query: Floats) -> Bits:
        """Whether two residues that occur complete the reader's, shape (...)."""
        return completes_triple(averages[..., 0, :] > self.threshold, query[..., 0, 0].astype(np.int64))


def _joined(lead: tuple[int, ...], *parts: Bits) -> Bits:
    """One message of several arrays of bits, for each input of the batch."""
    return np.concatenate([part.reshape(*lead, -1) for part in parts], axis=-1)


def log_sum_format(score_bound: float, length: int, fraction_bits: int) -> FixedPoint:
    """A format for L, which lies between -R and R + ln N if scores are at most R in absolute value."""
    whole = math.ceil(math.log2(score_bound + math.log(length) + 1))
    return FixedPoint(1 + max(1, whole) + fraction_bits, fraction_bits)
