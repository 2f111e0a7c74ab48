"""What a protocol can do wrong, one error each. Every message names the inputs and the point of the transcript."""

from typing import Self

from commsim.errors import CommsimError
from commsim.transcript import Path, format_path


class ProtocolFault(CommsimError):
    """A protocol broke the rules of the game.

    Attributes:
        n: the size, where known.
        x, y: the inputs as text, where known.
        path: the messages that had crossed.
    """

    exit_code = 1  # the protocol is refuted

    n: int | None = None
    x: str | None = None
    y: str | None = None
    path: Path = ()

    def located(self, n: int, x: str, y: str, path: Path) -> Self:
        """The same fault, with the size, the inputs and the transcript so far added to its message."""
        fault = type(self)(f"{self}; at n = {n}, x = {x}, y = {y}, after the transcript: {format_path(path)}")
        fault.n, fault.x, fault.y, fault.path = n, x, y, path
        fault.__cause__ = self.__cause__
        return fault


class BothSend(ProtocolFault):
    """Both parties send at the same moment."""


class BothReceive(ProtocolFault):
    """Both parties wait for the other: a deadlock."""


class LengthMismatch(ProtocolFault):
    """One party sends a message of another length than the other expects."""


class OtherFinished(ProtocolFault):
    """One party has finished while the other still sends or waits."""


class Endless(ProtocolFault):
    """The parties still talk after more messages than any protocol here needs."""


class TurnDependsOnInput(ProtocolFault):
    """After one and the same transcript, a party does something else, or sends more bits, on another input.

    Then the turn-taking itself would carry information that no bit was paid for.
    """


class LocalityFault(ProtocolFault):
    """A party behaves differently under one and the same input, transcript and coins: it knows more than it may.

    Attributes:
        row: of the batch, where the party was given one.
    """

    row: int = 0


class WrongDirection(ProtocolFault):
    """A one-way or simultaneous protocol speaks where its model of communication forbids it."""


class NotBits(ProtocolFault):
    """A message is not an array of zeros and ones of a legal shape."""


class OutputFault(ProtocolFault):
    """A party that must output gives no single value, or the two parties' outputs differ."""


class UndeclaredCoins(ProtocolFault):
    """A party tosses coins that its protocol does not declare."""


class ForgottenAwait(ProtocolFault):
    """A channel operation is called but never awaited, or something awaited is no channel operation."""


class ProgramError(ProtocolFault):
    """A party's program raised an exception of its own; it is the ``__cause__``."""

    exit_code = 2
