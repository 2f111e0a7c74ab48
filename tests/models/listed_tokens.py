"""A reduction with any tokens and any owners, to run a model's two programs on; and strategies for its parts."""

from typing import Any

import numpy as np
from hypothesis import strategies as st

from commsim.arrays import Array
from commsim.domain import Positions
from commsim.exploration import explore
from commsim.models.model import Model
from commsim.problem import Problem
from commsim.reduction import InducedProtocol, Reduction
from commsim.shape import Owner, Shape
from commsim.task import Match3, QSparseAveraging, SequenceTask

OWNERS: tuple[Owner, ...] = ("alice", "bob", "public")


class Listed(Problem):
    """Each party holds a number in 1..n: which of n sequences it takes its tokens from."""

    name = "listed"
    symbol = "LISTED"
    bounds = ()

    def domains(self) -> tuple[Positions, Positions]:
        return Positions(self.n), Positions(self.n)

    def evaluate(self, x: Array, y: Array) -> Array:
        return np.zeros(np.broadcast_shapes(x.shape, y.shape), dtype=bool)


class ListedTokens(Reduction):
    """Sequences of shape (n, N); the public tokens are those of the first. Every output of the model is kept."""

    name = "listed-to-task"
    source = Listed
    target = SequenceTask
    sizes = {"N": "1"}
    gap = "1"
    batched = True

    def __init__(self, shape: Shape, sequences: Array) -> None:
        super().__init__(len(sequences))
        self.sequences = sequences
        self.outputs: list[Array] = []
        self._shape = shape

    def shape(self) -> Shape:
        return self._shape

    def alice(self, x: Array) -> Array:
        return self._of("alice", self.sequences[x - 1])

    def bob(self, y: Array) -> Array:
        return self._of("bob", self.sequences[y - 1])

    def public(self) -> Array:
        return self._of("public", self.sequences[0])

    def decode(self, output: Array) -> Array:
        """The first number of the output; a float as the integer with the same bits, so that it is compared exactly."""
        self.outputs.append(output)
        if output.dtype == bool:
            return output
        return np.array(output[..., 0]).view(np.int64)

    def _of(self, owner: Owner, tokens: Array) -> Array:
        return tokens[..., self._shape.positions(owner) - 1]


def check_split(model: Model, shape: Shape, sequences: Array, off_by: float) -> None:
    """On every pair of listed sequences: the split model is within off_by of the whole, and costs what it declares.

    And asked for all inputs at once it sends the same bits and has the same outputs as asked one by one.
    """
    reduction = ListedTokens(shape, sequences)
    protocol = reduction.induce(model)
    for x in range(1, len(sequences) + 1):
        for y in range(1, len(sequences) + 1):
            run = protocol.run(np.array(x), np.array(y))
            whole = model.output(reduction.assemble(np.array(x), np.array(y)), shape.reader)
            split = reduction.outputs[-1]
            assert split.shape == whole.shape
            assert np.abs(split.astype(float) - whole).max() <= off_by
            assert run.bits == protocol.declared_cost
    assert _leaves(protocol, batched=True) == _leaves(protocol, batched=False)
    batch = model.output(sequences, shape.reader)
    assert batch.tolist() == [model.output(sequence, shape.reader).tolist() for sequence in sequences]


def _leaves(protocol: InducedProtocol, batched: bool) -> list[Any]:
    leaves = explore(protocol, batched=batched).leaves
    return [
        (
            leaf.path,
            leaf.alice_indices.tolist(),
            leaf.bob_indices.tolist(),
            np.broadcast_to(leaf.output, leaf.output.shape).tolist(),
        )
        for leaf in leaves
    ]


def qsa_sequences(task: QSparseAveraging) -> st.SearchStrategy[Array]:
    """One sequence: z anywhere in the ball, on its surface among others; sets that may hold the token itself."""
    length, q, d = (task.parameters[size] for size in ("N", "q", "d"))
    inside = st.lists(st.floats(-0.5, 0.5), min_size=d, max_size=d)
    surface = st.tuples(st.integers(0, d - 1), st.sampled_from([-1.0, 1.0])).map(
        lambda drawn: [drawn[1] if axis == drawn[0] else 0.0 for axis in range(d)]
    )
    members = st.sets(st.integers(1, length), min_size=q, max_size=q).map(sorted)

    def sequence(drawn: list[tuple[list[float], list[int]]]) -> Array:
        tokens = np.zeros(length, dtype=task.dtype)
        tokens["z"] = [z for z, _ in drawn]
        tokens["y"] = [y for _, y in drawn]
        return tokens

    token = st.tuples(inside | surface, members)
    return st.lists(token, min_size=length, max_size=length).map(sequence)


@st.composite
def qsa_instances(draw: st.DrawFn, most: int = 6, count: int = 1) -> tuple[QSparseAveraging, Array]:
    """A small task and ``count`` sequences for it, shape (count, N)."""
    length, d = draw(st.integers(1, most)), draw(st.integers(1, 3))
    task = QSparseAveraging(length, draw(st.integers(1, length)), d)
    return task, np.stack([draw(qsa_sequences(task)) for _ in range(count)])


@st.composite
def match3_instances(draw: st.DrawFn, most: int = 7, count: int = 1) -> tuple[Match3, Array]:
    """A small task and ``count`` sequences for it, shape (count, N); the token M, which is 0 modulo M, among them."""
    length, modulus = draw(st.integers(1, most)), draw(st.integers(1, 30))
    token = st.integers(1, modulus) | st.just(modulus)
    tokens = draw(st.lists(token, min_size=length * count, max_size=length * count))
    return Match3(length, modulus), np.array(tokens).reshape(count, length)


@st.composite
def shapes(draw: st.DrawFn, task: SequenceTask, reader: int | None = None) -> Shape:
    """Any owners, but not all public; the reader anywhere unless it is given."""
    owners = draw(st.lists(st.sampled_from(OWNERS), min_size=task.length, max_size=task.length))
    if "alice" not in owners and "bob" not in owners:
        owners[draw(st.integers(0, task.length - 1))] = draw(st.sampled_from(("alice", "bob")))
    return Shape(task, tuple(owners), reader or draw(st.integers(1, task.length)))
