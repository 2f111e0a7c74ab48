"""MLPs: right on their tasks, pre-activations by hand, and Alice's part of the first layer as the only message."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from listed_tokens import ListedTokens, check_split, match3_instances, qsa_instances, shapes

from commsim.arrays import Array
from commsim.errors import InputError
from commsim.models.feedforward import FeedForward, ResidueCountingNetwork, SelectingNetwork
from commsim.precision import FixedPoint, Unsigned
from commsim.shape import Shape
from commsim.task import Match3, QSparseAveraging

# right on their tasks


@given(qsa_instances())
def test_selecting_averages_within_half_of_one_over_q(instance: tuple[QSparseAveraging, Array]) -> None:
    task, (tokens,) = instance
    output = SelectingNetwork(task).output(tokens, task.length)
    exact = task.evaluate(tokens, [task.length])[0]
    square = sum((Fraction(float(got)) - right) ** 2 for got, right in zip(output, exact, strict=True))
    assert square <= Fraction(1, 4 * task.parameters["q"] ** 2)


@given(match3_instances(most=9))
def test_counting_solves_match3(instance: tuple[Match3, Array]) -> None:
    task, (tokens,) = instance
    assert bool(ResidueCountingNetwork(task).output(tokens, task.length)) == task.evaluate(tokens, [task.length])[0]


# pre-activations by hand


def test_selecting_by_hand() -> None:
    # z - 1 in each unit, and 2 more in those of the reader's set {1, 3}
    task = QSparseAveraging(3, 2)
    tokens = np.zeros(3, dtype=task.dtype)
    tokens["z"][:, 0] = [1, -1, -0.5]
    tokens["y"] = [[1, 2], [1, 2], [1, 3]]
    model = SelectingNetwork(task)
    assert model.format == FixedPoint(4, 1)
    assert model.sizes == {"w": 3, "p": 4}
    assert model.first_layer(tokens, np.array([1, 2, 3])).tolist() == [2, -2, 0.5]
    assert model.first_layer(tokens[:2], np.array([1, 2])).tolist() == [0, -2, 0]
    assert model.first_layer(tokens[2:], np.array([3])).tolist() == [2, 0, 0.5]
    assert model.rest(np.array([2, -2, 0.5])).tolist() == [0.25]


def test_selecting_in_the_plane() -> None:
    # units (1, x), (1, y), (2, x), (2, y); 2^1 >= 1 * sqrt(2)
    task = QSparseAveraging(2, 1, 2)
    tokens = np.zeros(2, dtype=task.dtype)
    tokens["z"] = [[0.5, -0.5], [0, 1]]
    tokens["y"] = 1
    model = SelectingNetwork(task)
    assert model.sizes == {"w": 4, "p": 4}
    assert model.first_layer(tokens, np.array([1, 2])).tolist() == [1.5, 0.5, -1, 0]
    assert model.output(tokens, 2).tolist() == [0.5, -0.5]


def test_counting_by_hand() -> None:
    # how often each residue modulo 3 occurs, then the reader's, one-hot
    task = Match3(4, 3)
    tokens, positions = np.array([1, 3, 3, 2]), np.arange(1, 5)
    model = ResidueCountingNetwork(task)
    assert model.format == Unsigned(3)
    assert model.sizes == {"w": 6, "p": 3}
    assert model.first_layer(tokens, positions).tolist() == [2, 1, 1, 0, 0, 1]
    assert model.first_layer(tokens[:3], positions[:3]).tolist() == [2, 1, 0, 0, 0, 0]
    assert model.first_layer(tokens[:0], positions[:0]).tolist() == [0] * 6


@given(qsa_instances(count=2) | match3_instances(count=2))
def test_pre_activations_fit_their_format_exactly(instance: tuple[Any, Array]) -> None:
    task, sequences = instance
    model: FeedForward = ResidueCountingNetwork(task) if isinstance(task, Match3) else SelectingNetwork(task)
    pre_activations = model.first_layer(sequences, np.arange(1, task.length + 1))
    assert (model.format.quantize(pre_activations) == pre_activations).all()


# how they split


@settings(max_examples=60)
@given(st.data(), qsa_instances(count=2) | match3_instances(count=2))
def test_split_agrees_with_the_whole(data: st.DataObject, instance: tuple[Any, Array]) -> None:
    task, sequences = instance
    model: FeedForward = ResidueCountingNetwork(task) if isinstance(task, Match3) else SelectingNetwork(task)
    check_split(model, data.draw(shapes(task, reader=task.length)), sequences, 0)


@pytest.mark.parametrize(
    ("owners", "sent"),
    [
        (("alice", "bob", "bob", "bob"), "000 001 000 000 000 000"),
        (("bob", "alice", "public", "alice"), "001 000 001 000 000 001"),
        (("bob", "bob", "public", "public"), "000 000 000 000 000 000"),
    ],
)
def test_what_crosses_by_hand(owners: tuple[str, ...], sent: str) -> None:
    task = Match3(4, 3)
    protocol = ListedTokens(Shape(task, owners, reader=4), np.array([[1, 3, 3, 2]])).induce(
        ResidueCountingNetwork(task)
    )
    assert (protocol.cost, protocol.output, protocol.communication) == ("w*p", "bob", "one-way")
    assert protocol.split.carries == ("alice: her part of each pre-activation of the first layer",)
    run = protocol.run(np.array(1), np.array(1))
    assert [(message.sender, message.bits) for message in run.messages] == [("alice", sent.replace(" ", ""))]
    assert run.bits == protocol.declared_cost == 18
    assert run.output == 1  # 2 + 1 + 3


@pytest.mark.parametrize("family", ["qsa", "match3"])
def test_a_reader_before_the_last_token_is_refused(family: str) -> None:
    task = QSparseAveraging(3, 1) if family == "qsa" else Match3(3, 4)
    model: FeedForward = SelectingNetwork(task) if isinstance(task, QSparseAveraging) else ResidueCountingNetwork(task)
    message = "this MLP answers at the last token, 3, not at token 2"
    with pytest.raises(InputError, match=message):
        model.split(Shape(task, ("alice", "bob", "bob"), reader=2))
    with pytest.raises(InputError, match=message):
        model.output(np.zeros(3, dtype=task.dtype), 2)
