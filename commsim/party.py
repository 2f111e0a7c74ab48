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
        coroutine = self._guarded(lambda: program(inputs, channel))
        if not inspect.iscoroutine(coroutine):
            raise ForgottenAwait(f"{name}'s program is not an async function: write async def {name}(...)")
        self._coroutine = coroutine
        self._step(None)

    def resume(self, received: Bits | None) -> None:
        """Answer the pending operation (with the message, if it is a Receive) and run to the next one."""
        self._step(received)

    def close(self) -> None:
        """Abandon the program where it is."""
        self._coroutine.close()

    def _step(self, received: Bits | None) -> None:
        try:
            operation = self._guarded(lambda: self._coroutine.send(received))
        except StopIteration as stop:
            operation = Finish(stop.value)
        try:
            self._channel.check_awaited()
        except ForgottenAwait as fault:
            self.close()
            raise ForgottenAwait(f"{self.name} {fault}") from None
        if not isinstance(operation, Send | Receive | Finish):
            self.close()
            raise ForgottenAwait(f"{self.name} awaits something that is no channel operation: {operation!r}")
        self.pending = operation

    def _guarded(self, call: Callable[[], Any]) -> Any:
        """Call the user's code; whatever it raises becomes a ProgramError, except the engine's own errors."""
        try:
            return call()
        except StopIteration:
            raise
        except ProtocolFault as fault:
            raise type(fault)(f"{self.name} {fault}") from fault.__cause__
        except CommsimError:
            raise
        except Exception as error:
            batch = "" if self._channel.batch is None else f", on a batch of {self._channel.batch} inputs,"
            raise ProgramError(f"{self.name}'s program{batch} raised {own_line(error)}") from error
