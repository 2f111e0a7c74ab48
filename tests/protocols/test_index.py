"""Index: the position in binary, counted from 0, and Alice's answer."""

import pytest

from commsim.protocols.index import IndexFromBob, IndexOneWay
from commsim.transcript import Message
from commsim.verify import verify


@pytest.mark.parametrize(
    ("position", "sent", "bit"), [(1, "000", "0"), (2, "001", "1"), (4, "011", "0"), (5, "100", "1")]
)
def test_bob_asks_and_alice_answers(position: int, sent: str, bit: str) -> None:
    protocol = IndexFromBob(5)
    function = protocol.function
    transcript = protocol.run(function.alice_inputs.parse("01001"), function.bob_inputs.parse(position))
    assert transcript.messages == (Message("bob", sent), Message("alice", bit))
    assert transcript.output == int(bit)


def test_with_a_single_position_bob_has_nothing_to_ask() -> None:
    protocol = IndexFromBob(1)
    transcript = protocol.run(protocol.function.alice_inputs.parse("1"), protocol.function.bob_inputs.parse(1))
    assert transcript.messages == (Message("alice", "1"),)


@pytest.mark.parametrize(("n", "leaves"), [(1, 2), (2, 4), (5, 10), (8, 16)])
def test_it_has_two_leaves_a_position(n: int, leaves: int) -> None:
    assert verify(IndexFromBob(n)).leaves == leaves


def test_one_way_alice_sends_everything() -> None:
    protocol = IndexOneWay(4)
    function = protocol.function
    transcript = protocol.run(function.alice_inputs.parse("0100"), function.bob_inputs.parse(2))
    assert transcript.messages == (Message("alice", "0100"),)
    assert (transcript.output, transcript.output_of) == (1, "bob")
