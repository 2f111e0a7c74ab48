"""Reductions and the protocols they induce: a made-up reduction by hand, and every built-in one with every family."""

from typing import Any

import numpy as np
import pytest

from commsim.arrays import Array, Bits, Integers
from commsim.errors import InputError
from commsim.exploration import explore
from commsim.models.attention import RandomEmbeddingAttention, ResidueAveragingAttention
from commsim.models.feedforward import ResidueCountingNetwork, SelectingNetwork
from commsim.models.model import Model
from commsim.models.recurrent import RememberingNetwork, ResidueSetNetwork
from commsim.problem import Equality
from commsim.reduction import Reduction
from commsim.reductions.disjointness_match3 import DisjointnessToMatch3, IntersectionToMatch3
from commsim.reductions.disjointness_qsa import DisjointnessToQSA, IntersectionToQSA
from commsim.reductions.index_qsa import IndexToQSA
from commsim.shape import Shape
from commsim.task import Match3, QSparseAveraging, TokenError
from commsim.verify import check_locality, verify

QSA_MODELS: tuple[type[Model], ...] = (RandomEmbeddingAttention, RememberingNetwork, SelectingNetwork)
MATCH3_MODELS: tuple[type[Model], ...] = (ResidueAveragingAttention, ResidueSetNetwork, ResidueCountingNetwork)
TO_QSA: tuple[type[Reduction], ...] = (DisjointnessToQSA, IntersectionToQSA, IndexToQSA)
TO_MATCH3: tuple[type[Reduction], ...] = (DisjointnessToMatch3, IntersectionToMatch3)
INDUCED = [
    pytest.param(reduction, model, id=f"{reduction.name}-{model.family}")
    for reductions, models in ((TO_QSA, QSA_MODELS), (TO_MATCH3, MATCH3_MODELS))
    for reduction in reductions
    for model in models
]


class BitToMatch3(Reduction):
    """EQ_1 modulo 8: Alice writes 2 + x, Bob 5 - y, and the reader between them is 1; 8 is 1 + 2 + 5 and 1 + 3 + 4."""

    name = "bit-to-match3"
    source = Equality
    target = Match3
    sizes = {"N": "3", "M": "8"}
    gap = "1"
    batched = True

    def shape(self) -> Shape:
        owners = ("alice", "public", "bob", *("public",) * (self.length - 3))
        return Shape(Match3(self.length, 8), owners, reader=2)

    def alice(self, x: Bits) -> Integers:
        return np.where(x, 3, 2)

    def bob(self, y: Bits) -> Integers:
        return np.where(y, 4, 5)

    def public(self) -> Integers:
        return np.ones(self.length - 2, dtype=np.int64)

    def decode(self, output: Bits) -> Bits:
        return output


def test_the_whole_sequence_is_put_together_by_owner() -> None:
    reduction = BitToMatch3(1)
    zero, one = np.array([False]), np.array([True])
    assert reduction.assemble(zero, zero).tolist() == [2, 1, 5]
    assert reduction.assemble(one, zero).tolist() == [3, 1, 5]
    batch = reduction.assemble(np.array([[False], [True]]), np.array([[True], [True]]))
    assert batch.tolist() == [[2, 1, 4], [3, 1, 4]]


def test_a_public_reader_splits_the_keys() -> None:
    for length in (3, 6):
        protocol = BitToMatch3(1, length).induce(ResidueAveragingAttention(Match3(length, 8)))
        found = verify(protocol)
        assert (found.wrong, found.pairs) == (0, 4)
        assert found.alice_bits == found.cost == protocol.declared_cost
        assert protocol.output == "bob"


def test_longer_sequences_have_public_tokens() -> None:
    reduction = BitToMatch3(1, length=5)
    assert reduction.assemble(np.array([True]), np.array([True])).tolist() == [3, 1, 4, 1, 1]


def test_a_sequence_too_short_is_refused() -> None:
    with pytest.raises(InputError, match="bit-to-match3 at n = 1 needs N at least 3 = 3, not N = 2"):
        BitToMatch3(1, length=2)


def test_a_reduction_has_a_public_token_only_if_it_says_so() -> None:
    class NoPublic(BitToMatch3):
        def shape(self) -> Shape:
            return Shape(Match3(3, 8), ("alice", "alice", "bob"), reader=2)

        def alice(self, x: Bits) -> Integers:
            return np.where(x, [3, 1], [2, 1])

        def public(self) -> Array:
            return Reduction.public(self)

    reduction = NoPublic(1)
    assert reduction.public().tolist() == []
    assert reduction.public().dtype == np.int64
    assert reduction.assemble(np.array([True]), np.array([True])).tolist() == [3, 1, 4]


class WithTokens(BitToMatch3):
    """Alice's tokens and the public ones as given."""

    alices: Any = 1
    publics: Any = 1

    def alice(self, x: Bits) -> Any:
        return np.array(self.alices)

    def public(self) -> Any:
        return np.array(self.publics)


@pytest.mark.parametrize(
    ("alices", "publics", "message"),
    [
        ([1, 1], [1], r"the last axis must hold 1 tokens; the array has shape \(2,\)"),
        ([], [1], "tokens of .* must be an array of dtype int64, not float64"),
        ([1.0], [1], "tokens of .* must be an array of dtype int64, not float64"),
        ([9], [1], r"token 1 holds x = 9: must lie in 1\.\.8"),
        ([1], [0], r"token 2 holds x = 0: must lie in 1\.\.8"),
        ([1], [1, 1], r"the last axis must hold 1 tokens; the array has shape \(2,\)"),
    ],
)
def test_tokens_that_do_not_fit_are_refused(alices: list[Any], publics: list[Any], message: str) -> None:
    class Reducing(WithTokens):
        pass

    Reducing.alices, Reducing.publics = alices, publics
    reduction = Reducing(1)
    bit = np.array([True])
    with pytest.raises(InputError, match=message):
        reduction.assemble(bit, bit)
    with pytest.raises(InputError, match=message):
        reduction.induce(ResidueAveragingAttention(Match3(3, 8))).run(bit, bit)
    with pytest.raises(InputError, match=message):
        verify(reduction.induce(ResidueAveragingAttention(Match3(3, 8))))


def test_a_token_outside_the_domain_is_named() -> None:
    class Reducing(WithTokens):
        alices = [9]

    with pytest.raises(TokenError) as raised:
        Reducing(1).written("alice", np.array([True]))
    assert raised.value.position == 1


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (
            ResidueAveragingAttention(Match3(4, 8)),
            r"the model is for Match3\(N=4, M=8\), but bit-to-match3 at n = 1 needs Match3\(N=3, M=8\)",
        ),
        (
            RandomEmbeddingAttention(QSparseAveraging(3, 1)),
            r"the model is for QSparseAveraging\(N=3, q=1, d=1\), but bit-to-match3 at n = 1 needs Match3\(N=3, M=8\)",
        ),
        (ResidueSetNetwork(Match3(3, 8)), "this recurrent network answers at the last token, 3, not at token 2"),
        (ResidueCountingNetwork(Match3(3, 8)), "this MLP answers at the last token, 3, not at token 2"),
    ],
)
def test_a_model_that_does_not_fit_is_refused(model: Model, message: str) -> None:
    with pytest.raises(InputError, match=message):
        BitToMatch3(1).induce(model)


def test_what_an_induced_protocol_declares() -> None:
    reduction = IndexToQSA(4)
    protocol = reduction.induce(RememberingNetwork(QSparseAveraging(5, 1)))
    assert protocol.name == "index-to-qsa/rnn"
    assert protocol.problem is IndexToQSA.source
    assert protocol.source == IndexToQSA.origin
    assert protocol.output == "bob"
    assert protocol.communication == "one-way"
    assert protocol.coins == "none"
    assert protocol.batched
    # the bits 1, 0, 1, 0 as +1, -1, +1, -1 in two bits each
    run = protocol.run(np.array([True, False, True, False]), np.array(3))
    assert [(message.sender, message.bits) for message in run.messages] == [("alice", "01110111")]
    assert run.output == run.expected == 1


@pytest.mark.parametrize(("reduction", "model"), INDUCED)
def test_induced_protocols_on_all_pairs(reduction: type[Reduction], model: type[Model]) -> None:
    for n in range(1, 6):
        instance = reduction(n)
        protocol = instance.induce(model(instance.shape().task))
        found = verify(protocol)
        assert found.wrong == 0
        assert found.pairs == instance.problem.pairs
        assert found.cost == protocol.declared_cost
        assert found.rounds == 1
        sender, receiver = (
            (found.bob_bits, found.alice_bits)
            if protocol.output == "alice"
            else (
                found.alice_bits,
                found.bob_bits,
            )
        )
        assert (sender, receiver) == (found.cost, 0)


@pytest.mark.parametrize(("reduction", "model"), INDUCED)
@pytest.mark.parametrize("n", [1, 2, 3])
def test_batched_exploration_is_input_by_input(reduction: type[Reduction], model: type[Model], n: int) -> None:
    instance = reduction(n)
    protocol = instance.induce(model(instance.shape().task))
    at_once, one_by_one = explore(protocol, batched=True), explore(protocol, batched=False)
    assert [leaf.path for leaf in at_once.leaves] == [leaf.path for leaf in one_by_one.leaves]
    assert (at_once.leaf_numbers == one_by_one.leaf_numbers).all()
    assert [leaf.output.tolist() for leaf in at_once.leaves] == [leaf.output.tolist() for leaf in one_by_one.leaves]
    if n <= 2:
        check_locality(at_once)


@pytest.mark.parametrize(("reduction", "model"), INDUCED)
def test_longer_sequences_are_still_right(reduction: type[Reduction], model: type[Model]) -> None:
    shortest = reduction(3).length
    for length in (shortest + 1, shortest + 4):
        instance = reduction(3, length)
        found = verify(instance.induce(model(instance.shape().task)))
        assert found.wrong == 0


@pytest.mark.parametrize(
    ("reduction", "finishers"),
    [
        (DisjointnessToQSA, ("bob", "alice", "bob")),
        (IndexToQSA, ("alice", "bob", "bob")),
        (DisjointnessToMatch3, ("bob", "bob", "bob")),
    ],
)
def test_who_finishes(reduction: type[Reduction], finishers: tuple[str, str, str]) -> None:
    # attention sends the reader's query, the networks send what was read before the reader
    models = MATCH3_MODELS if reduction is DisjointnessToMatch3 else QSA_MODELS
    instance = reduction(2)
    task = instance.shape().task
    assert tuple(instance.induce(model(task)).output for model in models) == finishers


@pytest.mark.parametrize(
    ("reduction", "n", "costs"),
    [
        # attention: m = ceil(24 log2 5) = 56 and p = 10; rnn: 4 numbers of 3 bits; mlp: 5 of 4
        (DisjointnessToQSA, 2, (10 * 113, 4 * 3, 5 * 4)),
        # N = 5, q = 1: m = ceil(12 log2 5) = 28, 2 * 28 + 5 <= 2^6, p = 8; 4 numbers of 2 bits; 5 of 3
        (IndexToQSA, 4, (8 * 57, 4 * 2, 5 * 3)),
        # M = 6; 6 averages of 4 + 2 bits and a log-sum-exp: ln 5 + 1 <= 2^2, 3 + 4 bits; the set; 12 counts of 3 bits
        (DisjointnessToMatch3, 2, (6 * 6 + 7, 6, 12 * 3)),
    ],
)
def test_costs_by_hand(reduction: type[Reduction], n: int, costs: tuple[int, int, int]) -> None:
    models = MATCH3_MODELS if reduction is DisjointnessToMatch3 else QSA_MODELS
    instance = reduction(n)
    task = instance.shape().task
    protocols = [instance.induce(model(task)) for model in models]
    assert tuple(verify(protocol).cost for protocol in protocols) == costs
    assert tuple(protocol.declared_cost for protocol in protocols) == costs


def test_disjointness_of_eight_elements_by_attention_on_all_pairs() -> None:
    reduction = DisjointnessToQSA(8)
    protocol = reduction.induce(RandomEmbeddingAttention(QSparseAveraging(17, 8)))
    found = verify(protocol)
    assert (found.pairs, found.wrong) == (65_536, 0)
    assert found.cost == protocol.declared_cost
    assert found.leaves == 256
