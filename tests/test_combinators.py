"""Repetition and Newman's reduction, on protocols whose error is known exactly."""

from fractions import Fraction
from typing import Any

import pytest

from commsim.arrays import Bits
from commsim.channel import Channel
from commsim.combinators import privatize, repeat
from commsim.error_probability import error_probability
from commsim.errors import InputError
from commsim.formula import evaluate
from commsim.problem import Equality
from commsim.protocol import Protocol
from commsim.registry import protocols
from commsim.validate_protocol import validate_protocol

Public = protocols()["equality-public-coin"]
Witness = protocols()["intersection-witness"]


class Noisy(Protocol):
    """Sends everything; the answer is turned around with probability 1/4."""

    name = "noisy"
    problem = Equality
    cost = "n + 1"
    coins = "public"
    error = "1/4"
    batched = True

    async def alice(self, x: Bits, channel: Channel) -> Any:
        await channel.send(x)
        return await channel.receive_bit()

    async def bob(self, y: Bits, channel: Channel) -> Any:
        same = (await channel.receive(self.n) == y).all(axis=-1) ^ (channel.public.integers(4) == 0)
        await channel.send(same)
        return same


def test_majority_of_three() -> None:
    three = repeat(Noisy, 3)
    # 3 (1/4)^2 (3/4) + (1/4)^3 = 10/64
    assert evaluate(three.error, {"n": 1}) == Fraction(10, 64)
    protocol = three(1)
    assert protocol.declared_cost == 3 * 2
    found = error_probability(protocol)
    assert (found.exact, Fraction(found.wrong, found.trials)) == (True, Fraction(10, 64))


def test_one_sided_error_is_raised_to_a_power() -> None:
    twice = repeat(Public, 2)
    protocol = twice(2)
    assert protocol.parameters == {"n": 2, "k": 2}
    assert (protocol.declared_cost, evaluate(twice.error, protocol.parameters)) == (6, Fraction(1, 16))
    found = error_probability(protocol)
    assert (found.exact, Fraction(found.wrong, found.trials)) == (True, Fraction(1, 16))
    assert found.trusted_wrong is None


@pytest.mark.parametrize("protocol", [repeat(Noisy, 3), repeat(Witness, 2), privatize(Public), privatize(Noisy, 3)])
def test_what_they_make_is_a_protocol_like_any_other(protocol: type[Protocol]) -> None:
    assert {check.status for check in validate_protocol(protocol)} == {"holds"}


def test_newman_sends_the_number_of_a_list() -> None:
    protocol = privatize(Public)(4)
    # ln(4^4) + ln(1000) = 12.45..., divided by 2 (1/4)^2: t = 100, so 7 bits more than k + 1 = 3
    assert (protocol.parameters["t"], protocol.declared_cost) == (100, 10)
    x = protocol.function.alice_inputs.parse("1010")
    runs = [protocol.run(x, x, seed) for seed in range(20)]
    numbers = {int(run.messages[0].bits, 2) for run in runs}
    assert all(number < 100 for number in numbers) and len(numbers) > 5
    assert all(run.correct for run in runs)
    assert [message.sender for message in runs[0].messages] == ["alice", "alice", "bob"]


def test_a_trust_that_is_broken_is_refuted() -> None:
    class Trusting(Noisy):
        trusted = (1,)

    *_, last = validate_protocol(Trusting)
    assert (last.status, last.claim) == ("refuted", "the error is as declared")
    assert "the answer 1 is declared never to be wrong" in last.detail


def test_what_cannot_be_repeated() -> None:
    for protocol, k in ((protocols()["equality-trivial"], 3), (protocols()["equality-simultaneous"], 3)):
        with pytest.raises(InputError, match="cannot be repeated"):
            repeat(protocol, k)
    for k in (0, 2):
        with pytest.raises(InputError, match=f"k = {k} repetitions"):
            repeat(Noisy, k)
    for protocol, k in ((Noisy, 75), (Public, 101)):
        with pytest.raises(InputError, match=f"k = {k} repetitions are too many"):
            repeat(protocol, k)
    for name in ("equality-private-coin", "equality-simultaneous"):
        with pytest.raises(InputError, match="has no public coins that Alice could choose"):
            privatize(protocols()[name])
