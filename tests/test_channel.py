"""What crosses a channel, one party at a time: the operations of a program, driven by hand."""

from typing import Any

import numpy as np
import pytest

from commsim.arrays import Array
from commsim.channel import Channel, Finish, Operation, Receive, Send, count_bits
from commsim.coins import SeededCoins
from commsim.errors import CommsimError
from commsim.faults import ForgottenAwait, NotBits, ProgramError, ProtocolFault, UndeclaredCoins
from commsim.party import Party, Program


def start(program: Program, batch: int | None = None, declared: str = "none") -> Party:
    inputs = np.zeros(() if batch is None else (batch,), dtype=np.int64)
    return Party("alice", program, inputs, Channel(batch, SeededCoins(3), "alice", declared))


def sent(bits: Any, batch: int | None = None) -> Array:
    async def program(x: Array, channel: Channel) -> None:
        await channel.send(bits)

    pending = start(program, batch).pending
    assert isinstance(pending, Send)
    assert pending.bits.dtype == bool
    return pending.bits


@pytest.mark.parametrize(
    ("bits", "crossing"),
    [
        (1, [[True]]),
        (False, [[False]]),
        (np.True_, [[True]]),
        (1.0, [[True]]),
        ([0, 1, 1], [[False, True, True]]),
        ([True], [[True]]),
        (np.array([1, 0], dtype=np.uint8), [[True, False]]),
        (np.array([-0.0, 1.0]), [[False, True]]),
        ((1, 0), [[True, False]]),
    ],
)
def test_bits_of_one_input(bits: Any, crossing: list[list[bool]]) -> None:
    assert sent(bits).tolist() == crossing


@pytest.mark.parametrize(
    ("bits", "crossing"),
    [
        (1, [[True], [True], [True]]),
        ([0, 1, 1], [[False], [True], [True]]),
        ([[0, 1], [1, 1], [0, 0]], [[False, True], [True, True], [False, False]]),
    ],
)
def test_bits_of_a_batch_of_three(bits: Any, crossing: list[list[bool]]) -> None:
    assert sent(bits, batch=3).tolist() == crossing


@pytest.mark.parametrize(
    ("bits", "batch", "said"),
    [
        (2, None, "sends 2, which is not a bit"),
        (0.5, None, "sends 0.5, which is not a bit"),
        (-1, None, "sends -1, which is not a bit"),
        (float("nan"), None, "sends nan, which is not a bit"),
        ([0, 1, 3], None, "sends 3, which is not a bit"),
        ("1", None, "sends values of type <U1, which is not a bit"),
        (["0", "1"], None, "sends values of type <U1, which is not a bit"),
        (None, None, "sends values of type object, which is not a bit"),
        (1j, None, "sends values of type complex128, which is not a bit"),
        ([], None, r"sends an array of shape \(0,\); for k >= 1 bits it must be \(k,\) or \(\)"),
        ([[0, 1]], None, r"sends an array of shape \(1, 2\); for k >= 1 bits it must be \(k,\) or \(\)"),
        ([0, 1], 3, r"sends an array of shape \(2,\); for k >= 1 bits it must be \(3, k\) or \(3,\)"),
        ([[0, 1]], 3, r"sends an array of shape \(1, 2\); for k >= 1 bits it must be \(3, k\) or \(3,\)"),
        (np.zeros((3, 0)), 3, r"sends an array of shape \(3, 0\)"),
        (np.zeros((3, 1, 1)), 3, r"sends an array of shape \(3, 1, 1\)"),
        ([0, 1, 2], 3, "sends 2, which is not a bit"),
    ],
)
def test_what_is_not_bits_does_not_cross(bits: Any, batch: int | None, said: str) -> None:
    with pytest.raises(NotBits, match=f"^alice {said}"):
        sent(bits, batch)


def test_a_ragged_list_is_refused_as_numpy_says() -> None:
    with pytest.raises(ProgramError, match=r"^alice's program raised ValueError: .*inhomogeneous"):
        sent([[0], [0, 1]])


@pytest.mark.parametrize("length", [0, -1, True, 1.0, "3", None])
def test_the_length_to_receive_is_a_positive_integer(length: Any) -> None:
    async def program(x: Array, channel: Channel) -> None:
        await channel.receive(length)

    with pytest.raises(NotBits, match=r"the length of a message is a positive number of bits$") as caught:
        start(program)
    assert f"receive({length!r})" in str(caught.value)


def test_a_program_runs_from_operation_to_operation() -> None:
    async def program(x: Array, channel: Channel) -> list[bool]:
        length: Any = np.int64(3)
        received = await channel.receive(length)
        await channel.send(~received)
        bit = await channel.receive_bit()
        assert isinstance(bit, np.bool_)
        return [*received.tolist(), bool(bit)]

    party = start(program)
    seen: list[Operation] = [party.pending]
    party.resume(np.array([True, False, False]))
    seen.append(party.pending)
    party.resume(None)
    seen.append(party.pending)
    party.resume(np.array([True]))
    seen.append(party.pending)
    assert [str(operation) for operation in seen] == [
        "waits for 3 bits",
        "sends 3 bits",
        "waits for 1 bit",
        "has finished",
    ]
    assert seen[0] == Receive(3)
    assert isinstance(seen[1], Send)
    assert seen[1].bits.tolist() == [[False, True, True]]
    assert seen[1].length == 3
    assert seen[3] == Finish([True, False, False, True])


def test_counts_in_words() -> None:
    assert [count_bits(count) for count in (0, 1, 2)] == ["0 bits", "1 bit", "2 bits"]


def test_inputs_are_read_only() -> None:
    async def program(x: Array, channel: Channel) -> None:
        x[...] = 1

    with pytest.raises(ProgramError, match="read-only"):
        start(program)


def test_public_coins_are_shared_and_private_ones_are_not() -> None:
    ends = {own: Channel(None, SeededCoins(4), own, "public") for own in ("alice", "bob")}
    public = {own: end.public.integers(2**32, size=4).tolist() for own, end in ends.items()}
    private = {own: end.private.integers(2**32, size=4).tolist() for own, end in ends.items()}
    assert public["alice"] == public["bob"]
    assert private["alice"] != private["bob"]
    assert public["alice"] not in private.values()
    # a generator goes on where it was
    assert ends["alice"].public.integers(2**32, size=4).tolist() != public["alice"]


@pytest.mark.parametrize(
    ("declared", "asked", "legal"),
    [
        ("none", "public", False),
        ("none", "private", False),
        ("private", "public", False),
        ("private", "private", True),
        ("public", "public", True),
        ("public", "private", True),
    ],
)
def test_coins_must_be_declared(declared: str, asked: str, legal: bool) -> None:
    channel = Channel(None, SeededCoins(0), "alice", declared)
    if legal:
        assert 0 <= getattr(channel, asked).integers(2) <= 1
    else:
        with pytest.raises(UndeclaredCoins) as caught:
            getattr(channel, asked)
        assert str(caught.value) == f'uses channel.{asked}, but the protocol declares coins = "{declared}"'


async def _forgets_to_send(x: Array, channel: Channel) -> int:
    channel.send(1)
    return 1


async def _forgets_before_another(x: Array, channel: Channel) -> None:
    channel.send(1)
    await channel.send(1)


async def _forgets_to_receive_a_bit(x: Array, channel: Channel) -> int:
    return 1 if channel.receive_bit() else 0


async def _computes_with_what_was_not_awaited(x: Array, channel: Channel) -> Any:
    return x & channel.receive(1)


async def _awaits_one_twice_and_forgets_another(x: Array, channel: Channel) -> None:
    operation = channel.send(1)
    await operation
    channel.send(0)
    await operation


def _forgets_in_a_plain_function(x: Array, channel: Channel) -> Any:
    channel.send(1)
    return _forgets_to_send(x, channel)


@pytest.mark.parametrize(
    "program",
    [
        _forgets_to_send,
        _forgets_before_another,
        _forgets_to_receive_a_bit,
        _computes_with_what_was_not_awaited,
        _forgets_in_a_plain_function,
    ],
)
def test_a_forgotten_await_is_found(program: Program) -> None:
    with pytest.raises(ForgottenAwait, match=r"^alice called channel.send or channel.receive without await$"):
        start(program)


def test_a_forgotten_await_is_found_even_if_another_is_awaited_twice() -> None:
    party = start(_awaits_one_twice_and_forgets_another)
    with pytest.raises(ForgottenAwait):
        party.resume(None)


def test_an_operation_may_be_awaited_twice_and_crosses_twice() -> None:
    async def program(x: Array, channel: Channel) -> int:
        operation = channel.send(1)
        await operation
        await operation
        return 7

    party = start(program)
    pending = [str(party.pending)]
    for _ in range(2):
        party.resume(None)
        pending.append(str(party.pending))
    assert pending == ["sends 1 bit", "sends 1 bit", "has finished"]


class _Foreign:
    def __await__(self) -> Any:
        return (yield "something")


def test_only_channel_operations_are_awaited() -> None:
    async def program(x: Array, channel: Channel) -> None:
        await _Foreign()

    with pytest.raises(ForgottenAwait, match=r"^alice awaits something that is no channel operation: 'something'$"):
        start(program)


def _plain(x: Array, channel: Channel) -> int:
    return 1


async def _generator(x: Array, channel: Channel) -> Any:
    yield 1


@pytest.mark.parametrize("program", [_plain, _generator])
def test_a_program_is_an_async_function(program: Any) -> None:
    with pytest.raises(
        ForgottenAwait, match=r"alice's program is not an async function: write async def alice\(\.\.\.\)"
    ):
        start(program)


def _stops(x: Array, channel: Channel) -> Any:
    return next(iter(()))


async def _raises(x: Array, channel: Channel) -> None:
    raise KeyError("two\nlines")


async def _stops_inside(x: Array, channel: Channel) -> None:
    next(iter(()))


@pytest.mark.parametrize(
    ("program", "cause", "said"),
    [
        (_raises, KeyError, "KeyError"),
        (_stops, StopIteration, "StopIteration"),
        (_stops_inside, RuntimeError, "RuntimeError"),
    ],
)
def test_what_a_program_raises_is_told_in_one_line(program: Program, cause: type[Exception], said: str) -> None:
    with pytest.raises(ProgramError) as caught:
        start(program)
    assert str(caught.value).startswith(f"alice's program raised {said}: ")
    assert "\n" not in str(caught.value)
    assert isinstance(caught.value.__cause__, cause)


def test_the_engine_s_own_errors_pass_through() -> None:
    class Mine(CommsimError):
        pass

    async def program(x: Array, channel: Channel) -> None:
        raise Mine("as it is")

    with pytest.raises(Mine, match=r"^as it is$"):
        start(program)


def test_a_party_can_be_abandoned() -> None:
    closed = []

    async def program(x: Array, channel: Channel) -> None:
        try:
            await channel.send(1)
        finally:
            closed.append(True)

    party = start(program)
    assert not closed
    party.close()
    assert closed == [True]


def test_faults_name_the_party_and_are_located_later() -> None:
    with pytest.raises(ProtocolFault) as caught:
        sent(2)
    assert (caught.value.x, caught.value.y, caught.value.path) == (None, None, ())
