"""What crossed the channel in one run, bit for bit."""

from functools import lru_cache
from typing import Literal

import msgspec
import numpy as np

from commsim.arrays import Bits
from commsim.errors import InputError

PartyName = Literal["alice", "bob"]
OutputConvention = Literal["both", "alice", "bob", "referee"]


class Message(msgspec.Struct, frozen=True):
    """Bits that one party sent at once, as text such as ``0110``."""

    sender: PartyName
    bits: str

    @classmethod
    def from_array(cls, sender: PartyName, bits: Bits) -> "Message":
        """From an array of shape (k,)."""
        return cls(sender, (bits.astype(np.uint8) + ord("0")).tobytes().decode("ascii"))

    @property
    def array(self) -> Bits:
        """The bits as a read-only array of shape (k,), dtype bool."""
        return _array(self.bits)


@lru_cache(maxsize=4096)  # exploration replays the same messages many times
def _array(bits: str) -> Bits:
    array = np.asarray(np.frombuffer(bits.encode("ascii"), dtype=np.uint8) == ord("1"))
    array.flags.writeable = False
    return array


Path = tuple[Message, ...]


def bits_sent(path: Path, sender: PartyName | None = None) -> int:
    """The number of bits on a path, all or one party's."""
    return sum(len(message.bits) for message in path if sender in (None, message.sender))


def rounds(path: Path, communication: str) -> int:
    """The number of maximal stretches of messages by one sender; all simultaneous messages are one round."""
    if communication == "simultaneous":
        return min(1, len(path))
    return sum(index == 0 or path[index - 1].sender != message.sender for index, message in enumerate(path))


def format_path(path: Path) -> str:
    """A transcript in one line, long messages shortened and all but the first and last few left out."""

    def shown(bits: str) -> str:
        return bits if len(bits) <= 24 else f"{bits[:20]}... ({len(bits)} bits)"

    messages = [f"{message.sender} {shown(message.bits)}" for message in path]
    if len(messages) > 12:
        messages[6:-4] = [f"... ({len(messages)} messages) ..."]
    return ", ".join(messages) or "(nothing yet)"


class Transcript(msgspec.Struct, frozen=True, kw_only=True, tag_field="format", tag="commsim transcript 1"):
    """One run of a protocol on one pair of inputs.

    Attributes:
        protocol, problem: their names.
        n: the size; ``sizes``: the problem's further sizes.
        x, y: the inputs as text.
        messages: in order.
        output: the answer, of whoever must know it; ``output_of`` says who.
        expected: f(x, y); of a relation one of the right outputs.
        correct: whether the output is right: for a relation others than ``expected`` may be, and where no answer is
            promised, any is.
        declared: the cost that the protocol declares, in bits, if it is known.
        communication: ``two-way``, ``one-way`` or ``simultaneous``.
        coins: ``none``, ``public`` or ``private``.
        seed: of the coins; None without coins.
    """

    protocol: str
    problem: str
    n: int
    x: str
    y: str
    messages: Path
    output: int
    output_of: OutputConvention
    expected: int
    correct: bool
    sizes: dict[str, int] = {}
    declared: int | None = None
    communication: Literal["two-way", "one-way", "simultaneous"] = "two-way"
    coins: Literal["none", "public", "private"] = "none"
    seed: int | None = None

    def __post_init__(self) -> None:
        for message in self.messages:
            if not message.bits or message.bits.strip("01"):
                raise InputError(f"a message must be zeros and ones, not {message.bits!r}")

    @property
    def bits(self) -> int:
        """The bits that crossed."""
        return bits_sent(self.messages)

    @property
    def rounds(self) -> int:
        """Maximal stretches by one sender."""
        return rounds(self.messages, self.communication)
