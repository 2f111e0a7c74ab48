"""One party's program in motion: a coroutine that is driven from one channel operation to the next."""

import inspect
from collections.abc import Awaitable, Callable
from typing import Any

from commsim.arrays import Array, Bits
from commsim.channel import Channel, Finish, Operation, Receive, Send
from commsim.errors import CommsimError, own_line
from commsim.faults import ForgottenAwait, ProgramError, ProtocolFault
from commsim.transcript import PartyName

Program = Callable[[Any, Channel], Awaitable[Any]]


class Party:
    """Runs a program up to its first operation, then on by :meth:`resume`.

    Attributes:
        pending: the operation that the program is at.
    """

    pending: Operation

    def __init__(self, name: PartyName, program: Program, inputs: Array, channel: Channel) -> None:
        self.name = name
        self._channel = channel
        inputs.flags.writeable = False
        coroutine = guarded(name, channel, lambda: program(inputs, channel))
        if not inspect.iscoroutine(coroutine):
            raise ForgottenAwait(
                f"{name}'s program is not an async function: write async def {name}(...), without yield"
            )
        self._coroutine = coroutine
        self._step(None)

    def resume(self, received: Bits | None) -> None:
        """Answer the pending operation (with the message, if it is a Receive) and run to the next one."""
        self._step(received)

    def close(self) -> None:
        """Abandon the program where it is."""
        self._coroutine.close()

    def _step(self, received: Bits | None) -> None:
        operation = guarded(self.name, self._channel, lambda: self._advance(received))
        if self._channel.not_awaited:
            self.close()
            raise _forgotten(self.name)
        if not isinstance(operation, Send | Receive | Finish):
            self.close()
            raise ForgottenAwait(f"{self.name} awaits something that is no channel operation: {operation!r}")
        self.pending = operation

    def _advance(self, received: Bits | None) -> Any:
        try:
            return self._coroutine.send(received)
        except StopIteration as stop:
            return Finish(stop.value)


def guarded(who: str, channel: Channel, call: Callable[[], Any]) -> Any:
    """Call the user's code.

    Raises:
        ProgramError: for whatever exception of its own it raises.
        ForgottenAwait: if that happens after a channel operation was called without await, most likely because of it.
        CommsimError: the engine's own errors, as they are, the faults of a protocol with the name in front.
    """
    try:
        return call()
    except ProtocolFault as fault:
        raise type(fault)(f"{who} {fault}") from fault.__cause__
    except CommsimError:
        raise
    except Exception as error:
        if channel.not_awaited:
            raise _forgotten(who) from error
        batch = "" if channel.batch is None else f", on a batch of {channel.batch} inputs,"
        raise ProgramError(f"{who}'s program{batch} raised {own_line(error)}") from error


def _forgotten(who: str) -> ForgottenAwait:
    return ForgottenAwait(f"{who} called channel.send or channel.receive without await")
