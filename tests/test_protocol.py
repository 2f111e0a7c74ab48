"""One run of a protocol, and every rule that a protocol can break, found by a run and by exploration."""

import asyncio
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from made import made, simultaneous

from commsim.arrays import Array, Bits
from commsim.channel import Channel
from commsim.coins import SeededCoins
from commsim.errors import InputError
from commsim.exploration import explore
from commsim.faults import (
    BothReceive,
    BothSend,
    ForgottenAwait,
    LengthMismatch,
    NotBits,
    OtherFinished,
    OutputFault,
    ProgramError,
    ProtocolFault,
    TurnDependsOnInput,
    UndeclaredCoins,
    WrongDirection,
)
from commsim.party import Program
from commsim.problem import Equality, Index
from commsim.protocol import Protocol
from commsim.transcript import Message


def pair(protocol: Protocol, x: str, y: str) -> tuple[Array, Array]:
    return protocol.function.alice_inputs.parse(x), protocol.function.bob_inputs.parse(y)


# Pieces of programs. Each takes part in a protocol for equality of two bits, after one legal bit from Alice: 1.


def then(rest: Callable[[Array, Channel], Any]) -> tuple[Program, Program]:
    """Alice's program that sends a 1 and goes on, and Bob's that hears it and goes on."""

    async def alice(x: Array, channel: Channel) -> Any:
        await channel.send(1)
        result = rest(x, channel)
        return await result if inspect.isawaitable(result) else result

    async def bob(y: Array, channel: Channel) -> Any:
        assert await channel.receive_bit()
        result = rest(y, channel)
        return await result if inspect.isawaitable(result) else result

    return alice, bob


def alice_then(rest: Callable[[Array, Channel], Any]) -> Program:
    return then(rest)[0]


def bob_then(rest: Callable[[Array, Channel], Any]) -> Program:
    return then(rest)[1]


def sends(bits: Any) -> Callable[[Array, Channel], Any]:
    async def rest(own: Array, channel: Channel) -> int:
        await channel.send(bits)
        return 0

    return rest


def receives(length: int) -> Callable[[Array, Channel], Any]:
    async def rest(own: Array, channel: Channel) -> int:
        await channel.receive(length)
        return 0

    return rest


def returns(output: Any) -> Callable[[Array, Channel], Any]:
    return lambda own, channel: output


def raises(own: Array, channel: Channel) -> None:
    raise LookupError("not\nhere")


async def awaits_sleep(own: Array, channel: Channel) -> int:
    await asyncio.sleep(0)
    return 0


def forgets(own: Array, channel: Channel) -> int:
    channel.send(1)
    return 0


def tosses(own: Array, channel: Channel) -> int:
    return int(channel.public.integers(2))


def tosses_privately(own: Array, channel: Channel) -> int:
    return int(channel.private.integers(2))


@dataclass
class Case:
    fault: type[ProtocolFault]
    said: str
    alice: Program
    bob: Program


CASES = {
    "both send": Case(
        BothSend,
        "both parties send at once: alice sends 2 bits, bob sends 1 bit",
        alice_then(sends([0, 1])),
        bob_then(sends(1)),
    ),
    "both wait": Case(
        BothReceive,
        "both parties wait, so nothing can cross: alice waits for 2 bits, bob waits for 1 bit",
        alice_then(receives(2)),
        bob_then(receives(1)),
    ),
    "lengths differ, Alice sends": Case(
        LengthMismatch,
        "the lengths differ: alice sends 2 bits, bob waits for 1 bit",
        alice_then(sends([0, 1])),
        bob_then(receives(1)),
    ),
    "lengths differ, Bob sends": Case(
        LengthMismatch,
        "the lengths differ: alice waits for 3 bits, bob sends 1 bit",
        alice_then(receives(3)),
        bob_then(sends(1)),
    ),
    "Alice has finished": Case(
        OtherFinished,
        "one party has finished before the other: alice has finished, bob waits for 1 bit",
        alice_then(returns(0)),
        bob_then(receives(1)),
    ),
    "Bob has finished": Case(
        OtherFinished,
        "one party has finished before the other: alice sends 1 bit, bob has finished",
        alice_then(sends(1)),
        bob_then(returns(0)),
    ),
    "Alice has finished without an output": Case(
        OtherFinished,
        "one party has finished before the other: alice has finished, bob sends 1 bit",
        alice_then(returns(None)),
        bob_then(sends(1)),
    ),
    "two": Case(NotBits, "bob sends 2, which is not a bit", alice_then(receives(1)), bob_then(sends(2))),
    "a half": Case(NotBits, "alice sends 0.5, which is not a bit", alice_then(sends(0.5)), bob_then(receives(1))),
    "a string": Case(NotBits, "alice sends values of type <U2", alice_then(sends("01")), bob_then(receives(2))),
    "nothing": Case(NotBits, "alice sends an array of shape (0,)", alice_then(sends([])), bob_then(receives(1))),
    "a matrix": Case(NotBits, "shape (1, 2); for k >= 1 bits it must be (k,)", *then(sends([[0, 1]]))),
    "receive nothing": Case(NotBits, "alice receive(0): the length", alice_then(receives(0)), bob_then(sends(1))),
    "no output of Alice": Case(OutputFault, "alice must know the answer, but returns None", *then(returns(None))),
    "no output of Bob": Case(
        OutputFault, "bob must know the answer, but returns None", alice_then(returns(0)), bob_then(returns(None))
    ),
    "a string as output": Case(OutputFault, "must return an integer or a bool, not 'yes'", *then(returns("yes"))),
    "a float as output": Case(OutputFault, "must return an integer or a bool, not 1.0", *then(returns(1.0))),
    "an array as output": Case(OutputFault, "must return one value an input, not an array", *then(returns([1]))),
    "two outputs": Case(OutputFault, "not an array of shape (2,)", *then(returns(np.array([1, 1])))),
    "ragged output": Case(
        OutputFault, "must return an integer or a bool, not [[0], [0, 1]]", *then(returns([[0], [0, 1]]))
    ),
    "long output": Case(OutputFault, f"not '{'y' * 59}...", *then(returns("y" * 99))),
    "outputs that differ": Case(
        OutputFault,
        "both must know the answer, but alice outputs 0 and bob 1",
        alice_then(returns(0)),
        bob_then(returns(1)),
    ),
    "undeclared public coins": Case(
        UndeclaredCoins, 'alice uses channel.public, but the protocol declares coins = "none"', *then(tosses)
    ),
    "undeclared private coins": Case(
        UndeclaredCoins,
        'bob uses channel.private, but the protocol declares coins = "none"',
        alice_then(returns(0)),
        bob_then(tosses_privately),
    ),
    "forgotten await": Case(
        ForgottenAwait,
        "bob called channel.send or channel.receive without await",
        alice_then(receives(1)),
        bob_then(forgets),
    ),
    "foreign await": Case(
        ForgottenAwait, "alice awaits something that is no channel operation: None", *then(awaits_sleep)
    ),
    "an exception": Case(
        ProgramError, "bob's program raised LookupError: not here", alice_then(returns(0)), bob_then(raises)
    ),
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("explored", [False, True])
def test_a_broken_rule_is_named_with_inputs_transcript_and_operations(name: str, explored: bool) -> None:
    case = CASES[name]
    protocol = made(case.alice, case.bob)
    with pytest.raises(case.fault) as caught:
        if explored:
            explore(protocol)
        else:
            protocol.run(*pair(protocol, "00", "00"))
    fault = caught.value
    assert case.said in str(fault)
    assert str(fault).endswith("; at n = 2, x = 00, y = 00, after the transcript: alice 1")
    assert "\n" not in str(fault)
    assert (fault.n, fault.x, fault.y, fault.path) == (2, "00", "00", (Message("alice", "1"),))


@pytest.mark.parametrize("explored", [False, True])
def test_the_cause_of_a_program_error_is_kept(explored: bool) -> None:
    case = CASES["an exception"]
    protocol = made(case.alice, case.bob)
    with pytest.raises(ProgramError) as caught:
        if explored:
            explore(protocol)
        else:
            protocol.run(*pair(protocol, "00", "00"))
    assert isinstance(caught.value.__cause__, LookupError)


@pytest.mark.parametrize("explored", [False, True])
def test_a_fault_at_the_start_has_an_empty_transcript(explored: bool) -> None:
    def plain(x: Array, channel: Channel) -> Any:
        return 1

    protocol = made(plain, plain)
    with pytest.raises(ForgottenAwait, match=r"alice's program is not an async function.*\(nothing yet\)$"):
        if explored:
            explore(protocol)
        else:
            protocol.run(*pair(protocol, "01", "10"))


# What a run on one pair cannot see, exploration does, at the very inputs that show it.


async def _alice_speaks_first(x: Array, channel: Channel) -> int:
    await channel.send(x[0])
    return 0


def test_a_turn_that_depends_on_the_input() -> None:
    async def alice(x: Array, channel: Channel) -> int:
        if x[1]:
            await channel.send(1)
        else:
            await channel.receive(2)
        return 0

    async def bob(y: Array, channel: Channel) -> int:
        await channel.receive(1)
        return 0

    protocol = made(alice, bob)
    with pytest.raises(TurnDependsOnInput) as caught:
        explore(protocol)
    assert str(caught.value) == (
        "what alice does next depends on more than the transcript: on input 00 it waits for 2 bits, on input 01 it"
        " sends 1; at n = 2, x = 01, y = 00, after the transcript: (nothing yet)"
    )


def test_a_length_that_depends_on_the_input() -> None:
    async def alice(x: Array, channel: Channel) -> int:
        await channel.receive(1)
        return 0

    async def bob(y: Array, channel: Channel) -> int:
        await channel.send(y if y.all() else y[:1])
        return 0

    with pytest.raises(TurnDependsOnInput) as caught:
        explore(made(alice, bob))
    assert "on input 00 it sends 0, on input 11 it sends 11; at n = 2, x = 00, y = 11" in str(caught.value)


def test_finishing_that_depends_on_the_input() -> None:
    async def alice(x: Array, channel: Channel) -> int:
        await channel.send(x[0])
        if x[1]:
            await channel.send(0)
        return 0

    async def bob(y: Array, channel: Channel) -> int:
        await channel.receive(1)
        return 0

    with pytest.raises(TurnDependsOnInput) as caught:
        explore(made(alice, bob))
    assert "on input 00 it has finished, on input 01 it sends 0; at n = 2, x = 01, y = 00" in str(caught.value)
    assert caught.value.path == (Message("alice", "0"),)


def test_a_turn_may_depend_on_what_was_sent() -> None:
    async def alice(x: Array, channel: Channel) -> bool:
        await channel.send(x[0])
        return bool(x[0]) and bool(await channel.receive_bit())

    async def bob(y: Array, channel: Channel) -> bool:
        if not await channel.receive_bit():
            return False
        await channel.send(y[0])
        return bool(y[0])

    leaves = explore(made(alice, bob)).leaves
    assert [[message.bits for message in leaf.path] for leaf in leaves] == [["0"], ["1", "0"], ["1", "1"]]


def _only_on(text: str, rest: Callable[[Array, Channel], Any]) -> Program:
    """A program that goes wrong on one input alone; batches too."""

    async def program(own: Array, channel: Channel) -> Any:
        bad = (own == [character == "1" for character in text]).all(axis=-1)
        return rest(bad, channel) if bad.any() else 0

    return program


async def _returns_zero(own: Array, channel: Channel) -> int:
    return 0


@pytest.mark.parametrize("batched", [False, True])
@pytest.mark.parametrize(
    ("fault", "rest"),
    [
        (ProgramError, raises),
        (NotBits, lambda bad, channel: channel.send(bad * 2)),
        (OutputFault, lambda bad, channel: np.where(bad, 0.5, 0)),
        (OutputFault, lambda bad, channel: "no"),
        (OutputFault, lambda bad, channel: np.where(bad, 1, 0)),
    ],
)
def test_exploration_names_the_input_that_goes_wrong(
    fault: type[ProtocolFault], rest: Callable[[Array, Channel], Any], batched: bool
) -> None:
    protocol = made(_only_on("10", rest), _returns_zero, batched=batched)
    with pytest.raises(fault, match=r"at n = 2, x = 10, y = 00, after"):
        explore(protocol)
    # and a run on just that pair shows the same
    with pytest.raises(fault, match=r"at n = 2, x = 10, y = 00, after"):
        protocol.run(*pair(protocol, "10", "00"))
    protocol.run(*pair(protocol, "11", "00"))
    with pytest.raises(fault, match=r"at n = 2, x = 00, y = 10, after"):
        explore(made(_returns_zero, _only_on("10", rest), batched=batched))


def test_an_input_without_output_among_others_is_named() -> None:
    with pytest.raises(
        OutputFault, match=r"^alice must return an integer or a bool, not None; at n = 2, x = 10, y = 00"
    ):
        explore(made(_only_on("10", lambda bad, channel: None), _returns_zero))


def test_a_batch_must_give_one_output_an_input() -> None:
    async def three(x: Array, channel: Channel) -> Any:
        return np.zeros(3, dtype=bool) if channel.batch else 0

    with pytest.raises(OutputFault, match=r"alice must return one value an input, not an array of shape \(3,\)"):
        explore(made(three, _returns_zero, batched=True))


def test_only_who_must_know_needs_an_output() -> None:
    async def tells(x: Array, channel: Channel) -> Any:
        await channel.send(x[..., 0])
        return [["anything"], [1, 2]] if x[..., 0].any() else None

    async def hears(y: Array, channel: Channel) -> Any:
        return await channel.receive_bit()

    for batched in (False, True):
        protocol = made(tells, hears, output="bob", batched=batched)
        assert protocol.run(*pair(protocol, "10", "00")).output == 1
        assert [leaf.output.tolist() for leaf in explore(protocol).leaves] == [[[0] * 4], [[1] * 4]]
        protocol = made(hears, tells, output="alice", batched=batched)
        assert protocol.run(*pair(protocol, "00", "00")).output == 0
        assert [leaf.output.tolist() for leaf in explore(protocol).leaves] == [[[0]] * 4, [[1]] * 4]


# Models of communication.


@pytest.mark.parametrize("explored", [False, True])
def test_one_way_the_receiver_must_not_speak(explored: bool) -> None:
    protocol = made(*then(lambda own, channel: 0), communication="one-way", output="bob")
    assert protocol.run(*pair(protocol, "00", "00")).bits == 1
    back = made(alice_then(receives(1)), bob_then(sends(1)), communication="one-way", output="bob")
    with pytest.raises(WrongDirection) as caught:
        if explored:
            explore(back)
        else:
            back.run(*pair(back, "00", "00"))
    assert str(caught.value) == (
        "in this one-way protocol bob only receives: alice waits for 1 bit, bob sends 1 bit;"
        " at n = 2, x = 00, y = 00, after the transcript: alice 1"
    )


async def _sends_both_bits(own: Array, channel: Channel) -> None:
    await channel.send(own[0])
    await channel.send(own[1])


def _compare(from_alice: Bits, from_bob: Bits, channel: Channel) -> bool:
    return bool((from_alice == from_bob).all())


@pytest.mark.parametrize(("x", "y", "equal"), [("01", "01", 1), ("01", "11", 0)])
def test_simultaneous_messages(x: str, y: str, equal: int) -> None:
    protocol = simultaneous(_sends_both_bits, _sends_both_bits, _compare)
    run = protocol.run(*pair(protocol, x, y))
    assert (run.output, run.expected, run.output_of, run.communication) == (equal, equal, "referee", "simultaneous")
    assert [message.bits for message in run.messages] == [*x, *y]


@pytest.mark.parametrize("explored", [False, True])
def test_with_simultaneous_messages_nobody_receives(explored: bool) -> None:
    protocol = simultaneous(alice_then(receives(1)), _sends_both_bits, _compare)
    with pytest.raises(WrongDirection) as caught:
        if explored:
            explore(protocol)
        else:
            protocol.run(*pair(protocol, "00", "00"))
    assert str(caught.value) == (
        "with simultaneous messages nobody receives: alice waits for 1 bit, bob sends 1 bit;"
        " at n = 2, x = 00, y = 00, after the transcript: alice 1"
    )


async def _async_referee(from_alice: Bits, from_bob: Bits, channel: Channel) -> bool:
    return True


@pytest.mark.parametrize("explored", [False, True])
@pytest.mark.parametrize(
    ("referee", "fault", "said"),
    [
        (lambda a, b, channel: None, OutputFault, "the referee must return an integer or a bool, not None"),
        (lambda a, b, channel: "yes", OutputFault, "the referee must return an integer or a bool, not 'yes'"),
        (
            lambda a, b, channel: [1],
            OutputFault,
            "the referee must return one value an input, not an array of shape (1,)",
        ),
        (lambda a, b, channel: raises(a, channel), ProgramError, "the referee's program raised LookupError: not here"),
        (lambda a, b, channel: channel.public, UndeclaredCoins, "the referee uses channel.public"),
        (lambda a, b, channel: forgets(a, channel), WrongDirection, "the referee sends or receives, but may only toss"),
        (_async_referee, OutputFault, "the referee must be a plain function, not an async one"),
    ],
)
def test_referees_obey_rules_too(referee: Any, fault: type[ProtocolFault], said: str, explored: bool) -> None:
    protocol = simultaneous(_sends_both_bits, _sends_both_bits, referee)
    with pytest.raises(fault) as caught:
        if explored:
            explore(protocol)
        else:
            protocol.run(*pair(protocol, "00", "00"))
    assert said in str(caught.value)
    assert "at n = 2, x = 00, y = 00, after the transcript: alice 0, alice 0, bob 0, bob 0" in str(caught.value)


def test_the_referee_shares_public_coins_but_knows_no_private_ones() -> None:
    async def tells_its_coins(own: Array, channel: Channel) -> None:
        await channel.send(channel.private.integers(2, size=30))

    def same(from_alice: Bits, from_bob: Bits, channel: Channel) -> int:
        own = channel.private.integers(2, size=30)
        return 2 * int((own == from_alice).all()) + int((own == from_bob).all())

    protocol = simultaneous(tells_its_coins, tells_its_coins, same, coins="private")
    run = protocol.run(*pair(protocol, "00", "00"), seed=1)
    assert run.output == 0
    assert run.messages[0].bits != run.messages[1].bits

    async def tells_public_coins(own: Array, channel: Channel) -> None:
        await channel.send(channel.public.integers(2, size=30))

    def same_public(from_alice: Bits, from_bob: Bits, channel: Channel) -> bool:
        own = channel.public.integers(2, size=30)
        return bool((own == from_alice).all() and (own == from_bob).all())

    protocol = simultaneous(tells_public_coins, tells_public_coins, same_public, coins="public")
    assert protocol.run(*pair(protocol, "00", "00"), seed=1).output == 1


# Declarations.


@pytest.mark.parametrize(
    ("communication", "output"),
    [
        ("one-way", "both"),
        ("one-way", "referee"),
        ("simultaneous", "both"),
        ("two-way", "referee"),
        ("two-way", "carol"),
        ("oneway", "bob"),
    ],
)
def test_declarations_must_fit_together(communication: str, output: str) -> None:
    with pytest.raises(InputError) as caught:
        made(_returns_zero, _returns_zero, communication=communication, output=output)
    assert str(caught.value) == (
        f"made declares communication = {communication!r} and output = {output!r}; legal are two-way with both or alice"
        " or bob, one-way with alice or bob, simultaneous with referee"
    )


def test_declared_coins_are_one_of_three() -> None:
    with pytest.raises(InputError, match=r"^made declares coins = 'shared'; legal are none, public and private$"):
        made(_returns_zero, _returns_zero, coins="shared")


def test_the_declared_cost_is_an_integer() -> None:
    assert made(_returns_zero, _returns_zero, cost="2*n + 1").declared_cost == 5
    with pytest.raises(InputError, match=r"^made declares a cost of n/3 = 2/3 bits at n = 2: not an integer$"):
        _ = made(_returns_zero, _returns_zero, cost="n/3").declared_cost
    with pytest.raises(InputError, match="uses k, but the sizes are n"):
        _ = made(_returns_zero, _returns_zero, cost="k").declared_cost


# One run.


def test_a_run_tells_everything() -> None:
    async def alice(x: Array, channel: Channel) -> Any:
        await channel.send(x)
        return await channel.receive_bit()

    async def bob(y: Array, channel: Channel) -> Any:
        equal = ((await channel.receive(3)) == y).all()
        await channel.send(equal)
        return equal

    protocol = made(alice, bob, n=3)
    run = protocol.run(*pair(protocol, "011", "010"))
    assert run.messages == (Message("alice", "011"), Message("bob", "0"))
    assert (run.protocol, run.problem, run.n, run.x, run.y) == ("made", "equality", 3, "011", "010")
    assert (run.output, run.expected, run.correct, run.output_of) == (0, 0, True, "both")
    assert (run.bits, run.rounds, run.coins, run.seed) == (4, 2, "none", None)


def test_inputs_may_be_rows_of_a_list_of_inputs_and_are_not_changed() -> None:
    async def alice(x: Array, channel: Channel) -> Any:
        await channel.send(x)
        return 0

    async def bob(y: Array, channel: Channel) -> Any:
        bits = await channel.receive(3)
        return bits[y - 1]

    protocol = made(alice, bob, n=3, problem=Index, output="bob")
    x: Any = protocol.function.alice_inputs.all()
    y: Any = protocol.function.bob_inputs.all()
    assert not isinstance(y[1], np.ndarray)  # a numpy number
    assert protocol.run(x[2], y[1]).output == 1
    assert protocol.run(x[2], y[2]).output == 0
    assert x.flags.writeable
    assert y.flags.writeable


def test_runs_with_coins_follow_their_seed() -> None:
    async def alice(x: Array, channel: Channel) -> int:
        await channel.send(channel.public.integers(2, size=40))
        await channel.send(channel.private.integers(2, size=40))
        return 0

    async def bob(y: Array, channel: Channel) -> int:
        public = channel.public.integers(2, size=40)
        assert ((await channel.receive(40)) == public).all()
        assert ((await channel.receive(40)) != channel.private.integers(2, size=40)).any()
        return 0

    protocol = made(alice, bob, coins="public")
    inputs = pair(protocol, "00", "00")
    assert protocol.run(*inputs, seed=3) == protocol.run(*inputs, seed=3)
    assert protocol.run(*inputs, seed=3).seed == 3
    assert protocol.run(*inputs, seed=3).messages != protocol.run(*inputs, seed=4).messages
    assert protocol.run(*inputs, coins=SeededCoins(4)) == protocol.run(*inputs, seed=4)


def test_equality_is_the_problem_by_default() -> None:
    assert isinstance(made(_returns_zero, _returns_zero).function, Equality)
