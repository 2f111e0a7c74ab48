"""Recurrent networks: right on their tasks, states by hand, and a hand-over at every change of owner."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from listed_tokens import ListedTokens, check_split, match3_instances, qsa_instances, shapes

from commsim.arrays import Array, Bits
from commsim.errors import InputError
from commsim.models.recurrent import Recurrent, RememberingNetwork, ResidueSetNetwork
from commsim.precision import FixedPoint
from commsim.shape import Shape
from commsim.task import Match3, QSparseAveraging


def written(state: Bits) -> str:
    return "".join("1" if bit else "0" for bit in state)


# right on their tasks


@given(qsa_instances())
def test_remembering_averages_within_half_of_one_over_q(instance: tuple[QSparseAveraging, Array]) -> None:
    task, (tokens,) = instance
    output = RememberingNetwork(task).output(tokens, task.length)
    exact = task.evaluate(tokens, [task.length])[0]
    square = sum((Fraction(float(got)) - right) ** 2 for got, right in zip(output, exact, strict=True))
    assert square <= Fraction(1, 4 * task.parameters["q"] ** 2)


@given(match3_instances(most=9))
def test_residue_set_solves_match3(instance: tuple[Match3, Array]) -> None:
    task, (tokens,) = instance
    assert bool(ResidueSetNetwork(task).output(tokens, task.length)) == bool(task.evaluate(tokens, [task.length])[0])


def test_the_largest_error_of_remembering() -> None:
    # q = 2 asks for one fractional bit: 1/4 is remembered as 0, a tie
    task = QSparseAveraging(3, 2)
    tokens = np.zeros(3, dtype=task.dtype)
    tokens["z"] = 0.25
    tokens["y"] = [1, 2]
    assert RememberingNetwork(task).output(tokens, 3).tolist() == [0.0]


# states by hand


@pytest.mark.parametrize(
    ("q", "d", "expected"),
    [
        (1, 1, FixedPoint(2, 0)),
        (3, 1, FixedPoint(4, 2)),  # 2^2 >= 3
        (2, 4, FixedPoint(4, 2)),  # 2^2 >= 2 sqrt(4)
        (2, 5, FixedPoint(5, 3)),  # 2^2 < 2 sqrt(5)
    ],
)
def test_bits_of_a_coordinate(q: int, d: int, expected: FixedPoint) -> None:
    model = RememberingNetwork(QSparseAveraging(6, q, d))
    assert model.format == expected
    assert model.sizes == {"S": 5 * d * expected.bits}


def test_the_remembered_state_by_hand() -> None:
    # two bits a number: 1 is 01, -1 is 11
    task = QSparseAveraging(4, 1)
    tokens = np.zeros(4, dtype=task.dtype)
    tokens["z"][:, 0] = [1, -1, 0, 1]
    tokens["y"] = 2
    model = RememberingNetwork(task)
    empty = np.zeros(6, dtype=bool)
    state = model.read(empty, tokens[:2], np.array([1, 2]))
    assert written(state) == "011100"
    assert not empty.any()
    assert written(model.read(state, tokens[3:], np.array([3]))) == "011101"
    assert model.read_out(state, tokens[3]).tolist() == [-1]


def test_the_set_of_residues_by_hand() -> None:
    model = ResidueSetNetwork(Match3(4, 5))
    empty = np.zeros(5, dtype=bool)
    state = model.read(empty, np.array([2, 5]), np.array([1, 2]))
    assert written(state) == "10100"
    assert not empty.any()
    # 1 + 2 + 2 = 5; 4 + 0 + 0 and so on miss, but 4 + 4 + 2 = 10 uses the reader itself
    assert model.read_out(state, np.array(1))
    assert model.read_out(state, np.array(4))
    assert not model.read_out(np.arange(5) == 0, np.array(1))


@given(qsa_instances(count=2) | match3_instances(count=2), st.data())
def test_reading_in_pieces_is_reading_at_once(instance: tuple[Any, Array], data: st.DataObject) -> None:
    task, sequences = instance
    model: Recurrent = ResidueSetNetwork(task) if isinstance(task, Match3) else RememberingNetwork(task)
    before = task.length - 1
    cut = data.draw(st.integers(0, before))
    positions = np.arange(1, before + 1)
    start = np.zeros(model.state_bits, dtype=bool)
    at_once = model.read(start, sequences[:, :before], positions)
    first = model.read(start, sequences[:, :cut], positions[:cut])
    assert (model.read(first, sequences[:, cut:before], positions[cut:]) == at_once).all()


def test_the_state_of_a_single_token_is_not_empty() -> None:
    # S is at least 1 so that a cost in S makes sense
    task = QSparseAveraging(1, 1)
    tokens = np.zeros(1, dtype=task.dtype)
    tokens["z"], tokens["y"] = 1, 1
    model = RememberingNetwork(task)
    assert model.sizes == {"S": 2}
    assert model.output(tokens, 1).tolist() == [1]


# how they split


@settings(max_examples=60)
@given(st.data(), qsa_instances(count=2) | match3_instances(count=2))
def test_split_agrees_with_the_whole(data: st.DataObject, instance: tuple[Any, Array]) -> None:
    task, sequences = instance
    model: Recurrent = ResidueSetNetwork(task) if isinstance(task, Match3) else RememberingNetwork(task)
    check_split(model, data.draw(shapes(task, reader=task.length)), sequences, 0)


@pytest.mark.parametrize(
    ("owners", "cost", "finisher", "communication", "senders"),
    [
        ("AAABBB", "S", "bob", "one-way", ["alice"]),
        ("PBPAPP", "S", "alice", "one-way", ["bob"]),
        ("ABABAB", "5*S", "bob", "two-way", ["alice", "bob", "alice", "bob", "alice"]),
        ("AAPABA", "2*S", "alice", "two-way", ["alice", "bob"]),
        ("BBBPBP", "0*S", "bob", "two-way", []),
    ],
)
def test_a_hand_over_at_every_change_of_owner(
    owners: str, cost: str, finisher: str, communication: str, senders: list[str]
) -> None:
    names = {"A": "alice", "B": "bob", "P": "public"}
    task = Match3(6, 7)
    shape = Shape(task, tuple(names[owner] for owner in owners), reader=6)
    # 5 + 4 + 5 = 14 at the reader, the last token
    protocol = ListedTokens(shape, np.array([[1, 2, 3, 4, 1, 5]])).induce(ResidueSetNetwork(task))
    assert (protocol.cost, protocol.output, protocol.communication) == (cost, finisher, communication)
    assert protocol.split.carries == tuple(f"{sender}: the state after its tokens" for sender in senders)
    run = protocol.run(np.array(1), np.array(1))
    assert [message.sender for message in run.messages] == senders
    assert run.bits == 7 * len(senders) == protocol.declared_cost
    assert run.output == 1


def test_what_crosses_by_hand() -> None:
    # a public token before all private ones is Alice's to read, one after hers too
    task = Match3(6, 7)
    owners = ("public", "alice", "public", "bob", "alice", "bob")
    protocol = ListedTokens(Shape(task, owners, reader=6), np.array([[1, 2, 3, 4, 5, 6]])).induce(
        ResidueSetNetwork(task)
    )
    run = protocol.run(np.array(1), np.array(1))
    assert [message.bits for message in run.messages] == ["0111000", "0111100", "0111110"]


@pytest.mark.parametrize("family", ["qsa", "match3"])
def test_a_reader_before_the_last_token_is_refused(family: str) -> None:
    task = QSparseAveraging(3, 1) if family == "qsa" else Match3(3, 4)
    model: Recurrent = RememberingNetwork(task) if isinstance(task, QSparseAveraging) else ResidueSetNetwork(task)
    message = "this recurrent network answers at the last token, 3, not at token 2"
    with pytest.raises(InputError, match=message):
        model.split(Shape(task, ("alice", "bob", "bob"), reader=2))
    with pytest.raises(InputError, match=message):
        model.output(np.zeros(3, dtype=task.dtype), 2)
