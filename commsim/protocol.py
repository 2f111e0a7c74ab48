"""Protocols: two programs, what they declare, and one run of them."""

import inspect
from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cached_property
from typing import Any, Literal

import numpy as np

from commsim.arrays import Array, Bits
from commsim.channel import Channel, Finish, Operation, Receive, Send
from commsim.coins import Coins, SeededCoins
from commsim.errors import InputError
from commsim.faults import (
    BothReceive,
    BothSend,
    Endless,
    LengthMismatch,
    OtherFinished,
    OutputFault,
    ProtocolFault,
    WrongDirection,
)
from commsim.formula import evaluate
from commsim.party import Party, Program, guarded
from commsim.problem import Problem
from commsim.transcript import Message, OutputConvention, PartyName, Path, Transcript

#: who may know the answer, by model of communication
_OUTPUTS = {"two-way": ("both", "alice", "bob"), "one-way": ("alice", "bob"), "simultaneous": ("referee",)}


#: a run of more messages than this is taken to be endless
MOST_MESSAGES = 2**16


class Protocol(ABC):
    """A two-party protocol at one size n.

    A party is an async function of its own input and a channel. It may ``await channel.send(bits)``,
    ``await channel.receive(k)``, toss coins, and returns its output.

    Attributes:
        name: as on the command line.
        problem: the problem it claims to solve.
        cost: the bits that cross in the worst case, a formula in ``parameters``. It is compared with what is metered.
        output: who knows the answer at the end: ``both`` (standard), ``alice``, ``bob`` or ``referee``.
        coins: ``none``, ``public`` or ``private``.
        error: a bound on the probability of a wrong answer on any inputs, a formula; ``0`` if deterministic.
        trusted: the answers that are never wrong, whatever the coins: one of them for one-sided error, none for
            two-sided error. (With ``error = "0"`` none ever is.)
        communication: ``two-way``; ``one-way`` (only the party that does not output speaks); ``simultaneous``.
        batched: whether the programs also accept a batch of inputs along axis 0 (see :class:`commsim.channel.Channel`).
        source: where it is from.
        function: the problem at this size.

    Raises:
        InputError: n is too small, or the declarations do not fit together.
    """

    name: str
    problem: type[Problem]
    cost: str
    output: OutputConvention = "both"
    coins: Literal["none", "public", "private"] = "none"
    error: str = "0"
    trusted: tuple[int, ...] = ()
    batched: bool = False
    source: str = ""
    communication: Literal["two-way", "one-way", "simultaneous"] = "two-way"

    def __init__(self, n: int) -> None:
        legal = _OUTPUTS.get(self.communication, ())
        if self.output not in legal:
            raise InputError(
                f"{self.name} declares communication = {self.communication!r} and output = {self.output!r}; legal are "
                + ", ".join(f"{kind} with {' or '.join(outputs)}" for kind, outputs in _OUTPUTS.items())
            )
        if self.coins not in ("none", "public", "private"):
            raise InputError(f"{self.name} declares coins = {self.coins!r}; legal are none, public and private")
        self.n = n
        self.function = self.make_problem()

    @abstractmethod
    async def alice(self, x: Any, channel: Channel) -> Any:
        """Alice's program; returns her output (ignored where she need not know the answer)."""

    @abstractmethod
    async def bob(self, y: Any, channel: Channel) -> Any:
        """Bob's program; returns his output (ignored where he need not know the answer)."""

    @classmethod
    def error_kind(cls) -> str:
        """``zero``, ``one-sided`` or ``two-sided``, and which answer can be trusted."""
        if cls.error == "0":
            return "zero error"
        return f"one-sided error, {cls.trusted[0]} is never wrong" if cls.trusted else "two-sided error"

    def make_problem(self) -> Problem:
        """The problem at this size; a protocol for a problem with further sizes hands them on."""
        return self.problem(self.n)

    @property
    def parameters(self) -> dict[str, int]:
        """The sizes that the formulas speak of."""
        return self.function.parameters

    @cached_property
    def declared_cost(self) -> int:
        """The declared worst case, in bits.

        Raises:
            InputError: the formula has no integer value at these parameters.
        """
        bits = evaluate(self.cost, self.parameters)
        if bits.denominator != 1:
            raise InputError(
                f"{self.name} declares a cost of {self.cost} = {bits} bits at n = {self.n}: not an integer"
            )
        return int(bits)

    def program(self, party: PartyName) -> Program:
        """One party's program."""
        return self.alice if party == "alice" else self.bob

    def channel(self, party: PartyName, coins: Coins, batch: int | None = None) -> Channel:
        """One party's end of a fresh channel."""
        return Channel(batch, coins, party, self.coins)

    def knows(self, party: PartyName) -> bool:
        """Whether a party must know the answer at the end."""
        return self.output in ("both", party)

    def answer(self, alice: Array | None, bob: Array | None, path: Path, coins: Coins) -> Array:
        """The answer at a leaf, from what the programs returned there.

        Args:
            alice, bob: the outputs by :func:`outputs`, shape (batch,); None if it need not know or gives none.
            path: the transcript.
            coins: the coins of the run.

        Returns:
            Shape (alice's batch or 1, bob's batch or 1): the output of whoever must know the answer.

        Raises:
            OutputFault: there is no output, or both must know the answer and their outputs differ.
        """
        if self.output == "alice":
            return _some("alice", alice)[:, None]
        if self.output == "bob":
            return _some("bob", bob)[None, :]
        return agreed_output(_some("alice", alice), _some("bob", bob))

    def run(self, x: Array, y: Array, seed: int = 0, coins: Coins | None = None) -> Transcript:
        """Run both programs side by side on one pair of inputs.

        Args:
            x, y: one input each.
            seed: of the coins, if there are any.
            coins: the outcome of the coins, instead of a seed.

        Raises:
            ProtocolFault: the protocol broke a rule; its subclass says which.
        """
        coins = coins or SeededCoins(seed)
        path: list[Message] = []
        try:
            alice = Party("alice", self.alice, np.array(x), self.channel("alice", coins))
            bob = Party("bob", self.bob, np.array(y), self.channel("bob", coins))
            while sender := self.next_sender(alice.pending, bob.pending):
                speaking, listening = (alice, bob) if sender == "alice" else (bob, alice)
                assert isinstance(speaking.pending, Send)
                message = Message.from_array(sender, speaking.pending.bits[0])
                path.append(message)
                check_ends(path, MOST_MESSAGES)
                speaking.resume(None)
                if self.communication != "simultaneous":
                    listening.resume(message.array)
            answer = self.answer(self._output(alice), self._output(bob), tuple(path), coins)
        except ProtocolFault as fault:
            raise fault.located(self.n, *self.format_pair(x, y), tuple(path)) from fault.__cause__
        output = int(answer.item())
        sizes = self.function.parameters
        return Transcript(
            protocol=self.name,
            problem=self.problem.name,
            n=self.n,
            sizes={name: size for name, size in sizes.items() if name != "n"},
            x=self.function.alice_inputs.format(x),
            y=self.function.bob_inputs.format(y),
            messages=tuple(path),
            output=output,
            output_of=self.output,
            expected=int(self.function.evaluate(x, y)),
            correct=bool(self.function.accepts(x, y, np.asarray(output))),
            declared=self.declared_cost,
            communication=self.communication,
            coins=self.coins,
            seed=coins.seed if self.coins != "none" and isinstance(coins, SeededCoins) else None,
        )

    def _output(self, party: Party) -> Array | None:
        assert isinstance(party.pending, Finish)
        output = party.pending.output
        return outputs(party.name, output) if self.knows(party.name) and output is not None else None

    def format_pair(self, x: Array, y: Array) -> tuple[str, str]:
        """Both inputs as text."""
        return self.function.alice_inputs.format(x), self.function.bob_inputs.format(y)

    def next_sender(self, alice: Operation, bob: Operation) -> PartyName | None:
        """Whose message crosses next; None when both have finished.

        Raises:
            BothSend, BothReceive, LengthMismatch, OtherFinished, WrongDirection: the operations do not fit together.
        """
        match alice, bob:
            case Finish(), Finish():
                return None
            case Send(), Send():
                raise BothSend(f"both parties send at once: alice {alice}, bob {bob}")
            case Receive(), Receive():
                raise BothReceive(f"both parties wait, so nothing can cross: alice {alice}, bob {bob}")
            case (Finish(), _) | (_, Finish()):
                raise OtherFinished(f"one party has finished before the other: alice {alice}, bob {bob}")
            case (Send() as sent, Receive(length)) | (Receive(length), Send() as sent) if sent.length != length:
                raise LengthMismatch(f"the lengths differ: alice {alice}, bob {bob}")
        sender: PartyName = "alice" if isinstance(alice, Send) else "bob"
        if self.communication == "one-way" and sender == self.output:
            raise WrongDirection(f"in this one-way protocol {sender} only receives: alice {alice}, bob {bob}")
        return sender


class OneWayProtocol(Protocol):
    """A protocol in which only one party speaks, and the other (``output``, Bob unless stated) knows the answer."""

    output = "bob"
    communication = "one-way"


class SimultaneousProtocol(Protocol):
    """A protocol in which each party sends to a referee, who knows neither input (simultaneous messages).

    The programs only send; they hear nothing and output nothing.
    """

    output = "referee"
    communication = "simultaneous"

    @abstractmethod
    def referee(self, from_alice: Bits, from_bob: Bits, channel: Channel) -> Any:
        """The answer, from all that Alice sent and all that Bob sent.

        Args:
            from_alice, from_bob: shape (k,) each.
            channel: for the coins only; ``channel.private`` are the referee's own.
        """

    def answer(self, alice: Array | None, bob: Array | None, path: Path, coins: Coins) -> Array:
        """The referee's output, shape (1, 1).

        Raises:
            OutputFault: it is not one value.
            WrongDirection: the referee uses the channel for more than its coins.
            ProgramError: the referee's program raised an exception of its own.
        """
        sent = {
            name: np.concatenate([np.zeros(0, dtype=bool), *(m.array for m in path if m.sender == name)])
            for name in ("alice", "bob")
        }
        channel = Channel(None, coins, "referee", self.coins)
        output = guarded("the referee", channel, lambda: self.referee(sent["alice"], sent["bob"], channel))
        if inspect.iscoroutine(output):
            output.close()
            raise OutputFault("the referee must be a plain function, not an async one: nothing is left to wait for")
        if channel.not_awaited:
            raise WrongDirection("the referee sends or receives, but may only toss coins")
        return outputs("the referee", output)[:, None]

    def next_sender(self, alice: Operation, bob: Operation) -> PartyName | None:
        """Alice's messages first, then Bob's; neither hears anything, so the order does not matter.

        Raises:
            WrongDirection: a party waits for a message.
        """
        if isinstance(alice, Receive) or isinstance(bob, Receive):
            raise WrongDirection(f"with simultaneous messages nobody receives: alice {alice}, bob {bob}")
        if isinstance(alice, Send):
            return "alice"
        return "bob" if isinstance(bob, Send) else None


def agreed_output(alice: Array, bob: Array) -> Array:
    """The one label of a leaf, shape (1, 1), from the outputs of all its inputs.

    Raises:
        OutputFault: they are not all the same.
    """
    both = np.concatenate([alice, bob])
    if (both != both[0]).any():
        raise OutputFault(f"both must know the answer, but alice outputs {_values(alice)} and bob {_values(bob)}")
    return both[:1, None]


def outputs(who: str, returned: Any, batch: int | None = None) -> Array:
    """What a program returned, as an array of shape (batch,), or (1,) for one input.

    Args:
        who: for the message.
        returned: an integer or a bool; for a batch, also one for each input.
        batch: how many inputs the program was given; None for one.

    Raises:
        OutputFault: it is not that.
    """
    try:
        values = np.asarray(returned)
    except ValueError:  # a ragged list
        values = np.empty(0, dtype=object)
    if values.dtype.kind not in "biu":
        raise OutputFault(f"{who} must return an integer or a bool, not {_shown(returned)}")
    if values.shape not in ((), (batch,)):
        raise OutputFault(f"{who} must return one value an input, not an array of shape {values.shape}")
    return values if values.shape else np.full(batch or 1, values)


def check_ends(path: Sequence[Message], most: int) -> None:
    """Raise Endless if there are more messages than ``most``."""
    if len(path) > most:
        raise Endless(f"the parties have exchanged {most} messages and still do not finish")


def _some(who: str, output: Array | None) -> Array:
    if output is None:
        raise OutputFault(f"{who} must know the answer, but returns None")
    return output


def _shown(returned: object) -> str:
    shown = " ".join(repr(returned).split())
    return shown if len(shown) <= 60 else f"{shown[:60]}..."


def _values(labels: Array) -> str:
    return " or ".join(str(int(value)) for value in np.unique(labels))
