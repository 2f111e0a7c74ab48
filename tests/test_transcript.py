"""Transcripts: what is counted, and that they are written and read without loss."""

import msgspec
import numpy as np
import pytest

from commsim.errors import InputError
from commsim.transcript import Message, PartyName, Path, Transcript, bits_sent, format_path, rounds


def path(*messages: tuple[PartyName, str]) -> Path:
    return tuple(Message(sender, bits) for sender, bits in messages)


TWO_ROUNDS = path(("alice", "01"), ("alice", "1"), ("bob", "0000"))
FOUR_ROUNDS = path(("bob", "1"), ("alice", "0"), ("bob", "1"), ("bob", "1"), ("alice", "110"))


def transcript(messages: Path = TWO_ROUNDS, output: int = 1) -> Transcript:
    return Transcript(
        protocol="p",
        problem="equality",
        n=2,
        x="01",
        y="01",
        messages=messages,
        output=output,
        output_of="both",
        expected=1,
        correct=True,
    )


def test_a_message_is_its_bits_in_order() -> None:
    message = Message.from_array("bob", np.array([False, True, True, False]))
    assert message == Message("bob", "0110")
    assert message.array.tolist() == [False, True, True, False]
    assert message.array.dtype == bool


def test_nobody_can_change_what_was_received() -> None:
    with pytest.raises(ValueError, match="read-only"):
        Message("alice", "01").array[0] = True


@pytest.mark.parametrize(
    ("messages", "alice", "bob", "stretches"), [((), 0, 0, 0), (TWO_ROUNDS, 3, 4, 2), (FOUR_ROUNDS, 4, 3, 4)]
)
def test_bits_and_rounds(messages: Path, alice: int, bob: int, stretches: int) -> None:
    assert bits_sent(messages, "alice") == alice
    assert bits_sent(messages, "bob") == bob
    assert bits_sent(messages) == alice + bob
    assert rounds(messages, "two-way") == stretches
    assert rounds(messages, "simultaneous") == min(1, stretches)
    assert transcript(messages).bits == alice + bob
    assert transcript(messages).rounds == stretches


def test_a_path_in_one_line() -> None:
    assert format_path(()) == "(nothing yet)"
    assert format_path(TWO_ROUNDS) == "alice 01, alice 1, bob 0000"
    assert format_path(path(("alice", "01" * 12))) == "alice 010101010101010101010101"
    assert format_path(path(("alice", "01" * 12 + "1"))) == "alice 01010101010101010101... (25 bits)"


@pytest.mark.parametrize("bits", ["", "2", "01 ", "0x1", "O1"])
def test_messages_are_zeros_and_ones(bits: str) -> None:
    with pytest.raises(InputError, match=r"^a message must be zeros and ones, not ") as caught:
        transcript(path(("alice", "0"), ("bob", bits)))
    assert repr(bits) in str(caught.value)


def test_json_there_and_back() -> None:
    written = msgspec.json.encode(transcript(FOUR_ROUNDS))
    assert msgspec.json.decode(written, type=Transcript) == transcript(FOUR_ROUNDS)
    assert msgspec.json.decode(written)["format"] == "commsim transcript 1"


def test_a_written_message_is_checked_when_it_is_read() -> None:
    written = msgspec.json.encode(transcript()).replace(b'"0000"', b'"0020"')
    with pytest.raises(msgspec.ValidationError, match="zeros and ones"):
        msgspec.json.decode(written, type=Transcript)
