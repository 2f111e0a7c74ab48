"""Protocols: two programs, what they declare, and one run of them."""

from abc import ABC, abstractmethod
from typing import Any, Literal

import numpy as np

from commsim.arrays import Array, Bits
from commsim.channel import Channel, Finish, Operation, Receive, Send
from commsim.coins import Coins, SeededCoins
from commsim.errors import InputError
from commsim.faults import (
    BothReceive,
    BothSend,
    LengthMismatch,
    OtherFinished,
    OutputFault,
    ProtocolFault,
    WrongDirection,
)
from commsim.formula import evaluate
from commsim.party import Party, Program
from commsim.problem import Problem
from commsim.transcript import Message, OutputConvention, PartyName, Path, Transcript


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
        error: the largest probability of a wrong answer over the inputs, a formula; ``0`` if deterministic.
        communication: ``two-way``; ``one-way`` (only the party that does not output speaks); ``simultaneous``.
        batched: whether the programs also accept a batch of inputs along axis 0 (see :class:`commsim.channel.Channel`).
        source: where it is from.
        function: the problem at this size.
    """

    name: str
    problem: type[Problem]
    cost: str
    output: OutputConvention = "both"
    coins: Literal["none", "public", "private"] = "none"
    error: str = "0"
    batched: bool = False
    source: str = ""
    communication: Literal["two-way", "one-way", "simultaneous"] = "two-way"

    def __init__(self, n: int) -> None:
        self.n = n
        self.function = self.problem(n)

    @abstractmethod
    async def alice(self, x: Any, channel: Channel) -> Any:
        """Alice's program; returns her output (ignored where she need not know the answer)."""

    @abstractmethod
    async def bob(self, y: Any, channel: Channel) -> Any:
        """Bob's program; returns his output (ignored where he need not know the answer)."""

    @property
    def parameters(self) -> dict[str, int]:
        """The sizes that the formulas speak of."""
        return {"n": self.n}

    @property
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

    def answer(self, alice: Any, bob: Any, path: Path, coins: Coins) -> Array:
        """The answer at a leaf, from what the programs returned there.

        Args:
            alice, bob: integers, or one array of shape (batch,) each.
            path: the transcript.
            coins: the coins of the run.

        Returns:
            Shape (alice's batch or 1, bob's batch or 1): the output of whoever must know the answer.

        Raises:
            OutputFault: there is no output, or both must know the answer and their outputs differ.
        """
        if self.output == "alice":
            return _labels("alice", alice)[:, None]
        if self.output == "bob":
            return _labels("bob", bob)[None, :]
        return agreed_output(_labels("alice", alice), _labels("bob", bob))

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
        path: Path = ()
        try:
            alice = Party("alice", self.alice, x.copy(), self.channel("alice", coins))
            bob = Party("bob", self.bob, y.copy(), self.channel("bob", coins))
            while sender := self.next_sender(alice.pending, bob.pending):
                speaking, listening = (alice, bob) if sender == "alice" else (bob, alice)
                assert isinstance(speaking.pending, Send)
                message = Message.from_array(sender, speaking.pending.bits[0])
                path = (*path, message)
                speaking.resume(None)
                if self.communication != "simultaneous":
                    listening.resume(message.array)
            assert isinstance(alice.pending, Finish)
            assert isinstance(bob.pending, Finish)
            answer = self.answer(alice.pending.output, bob.pending.output, path, coins)
            if answer.size != 1:
                raise OutputFault(f"the output on one pair of inputs is not one value but {answer.size}")
        except ProtocolFault as fault:
            raise fault.located(self.n, *self.format_pair(x, y), path) from fault.__cause__
        return Transcript(
            protocol=self.name,
            problem=self.problem.name,
            n=self.n,
            x=self.function.alice_inputs.format(x),
            y=self.function.bob_inputs.format(y),
            messages=path,
            output=int(answer.item()),
            output_of=self.output,
            expected=int(self.function.evaluate(x, y)),
            communication=self.communication,
            coins=self.coins,
            seed=coins.seed if self.coins != "none" and isinstance(coins, SeededCoins) else None,
        )

    def format_pair(self, x: Array, y: Array) -> tuple[str, str]:
        """Both inputs as text."""
        return self.function.alice_inputs.format(x), self.function.bob_inputs.format(y)

    def next_sender(self, alice: Operation, bob: Operation) -> PartyName | None:
        """Whose message crosses next; None when both have finished.

        Raises:
            BothSend, BothReceive, LengthMismatch, OtherFinished, WrongDirection: the operations do not fit together.
        """
        both = f"alice {alice}, bob {bob}"
        match alice, bob:
            case Finish(), Finish():
                return None
            case Send(), Send():
                raise BothSend(f"both parties send at once: {both}")
            case Receive(), Receive():
                raise BothReceive(f"both parties wait, so nothing can cross: {both}")
            case (Finish(), _) | (_, Finish()):
                raise OtherFinished(f"one party has finished before the other: {both}")
            case (Send() as sent, Receive(length)) | (Receive(length), Send() as sent):
                if sent.length != length:
                    raise LengthMismatch(f"the lengths differ: {both}")
        sender: PartyName = "alice" if isinstance(alice, Send) else "bob"
        if self.communication == "one-way" and sender == self.output:
            raise WrongDirection(f"{sender} sends, but in this one-way protocol {sender} only receives")
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
            channel: for ``channel.public`` only.
        """

    def answer(self, alice: Any, bob: Any, path: Path, coins: Coins) -> Array:
        """The referee's output, shape (1, 1)."""
        sent = {
            name: np.concatenate([np.zeros(0, dtype=bool), *(m.array for m in path if m.sender == name)])
            for name in ("alice", "bob")
        }
        output = self.referee(sent["alice"], sent["bob"], self.channel("alice", coins))
        return _labels("the referee", output)[:, None]

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
    outputs = np.concatenate([alice, bob])
    if (outputs != outputs[0]).any():
        raise OutputFault(f"both must know the answer, but alice outputs {_values(alice)} and bob {_values(bob)}")
    return outputs[:1, None]


def _labels(who: str, output: Any) -> Array:
    if output is None:
        raise OutputFault(f"{who} must know the answer, but returns None")
    labels = np.atleast_1d(np.asarray(output))
    if labels.dtype.kind not in "biu" or labels.ndim != 1:
        raise OutputFault(f"{who} must return an integer or a bool, not {output!r}")
    return labels


def _values(outputs: Array) -> str:
    return " or ".join(str(int(value)) for value in np.unique(outputs))
