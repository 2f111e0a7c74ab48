"""Verification against brute force, locality, and samples."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from made import (
    drawn_protocol,
    drawn_trees,
    hashed_equality,
    hears_all_and_compares,
    made,
    nothing,
    sends_all,
)

from commsim.arrays import Array, Bits
from commsim.channel import Channel
from commsim.coins import SeededCoins
from commsim.errors import InputError
from commsim.exploration import explore
from commsim.faults import LocalityFault, ProtocolFault
from commsim.problem import Disjointness, Equality, GreaterThan, Index, Problem
from commsim.protocol import Protocol
from commsim.verify import (
    all_runs,
    check_locality,
    sample_runs,
    truth_matrix,
    verify,
)

SIZES: list[tuple[type[Problem], int]] = [(Equality, 1), (Disjointness, 2), (GreaterThan, 2), (Index, 3)]


@st.composite
def drawn_protocols(draw: st.DrawFn) -> Protocol:
    problem, n = draw(st.sampled_from(SIZES))
    function = problem(n)
    tree = draw(drawn_trees({"alice": function.alice_inputs.size, "bob": function.bob_inputs.size}))
    return drawn_protocol(tree, problem, n)


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(drawn_protocols(), st.booleans())
def test_verification_is_what_all_runs_show(protocol: Protocol, batched: bool) -> None:
    runs = list(all_runs(protocol, 0))
    done: list[int] = []
    found = verify(protocol, batched=batched, progress=done.append)
    wrong = [run for run in runs if not run.correct]
    assert found.pairs == len(runs) == sum(done)
    assert found.wrong == len(wrong)
    if wrong:
        assert found.first_wrong is not None
        first = found.first_wrong
        # the runs are in lexicographic order of the pairs
        assert (first.x, first.y, first.output, first.expected) == (
            wrong[0].x,
            wrong[0].y,
            wrong[0].output,
            wrong[0].expected,
        )
    else:
        assert found.first_wrong is None
    assert found.cost == max(run.bits for run in runs)
    assert found.rounds == max(run.rounds for run in runs)
    assert found.alice_bits == max(sum(len(m.bits) for m in run.messages if m.sender == "alice") for run in runs)
    assert found.bob_bits == max(sum(len(m.bits) for m in run.messages if m.sender == "bob") for run in runs)
    assert found.mean_bits == Fraction(sum(run.bits for run in runs), len(runs))
    assert found.leaves == len({run.messages for run in runs}) == len(done)


def test_the_first_wrong_pair_in_words() -> None:
    async def bob(y: Array, channel: Channel) -> Any:
        x = await channel.receive(2)
        return (x == y).all(axis=-1) | (y[..., 0] & (not x[0]))

    for batched in (False, True):
        found = verify(made(sends_all, bob, output="bob", batched=batched))
        # wrong: x in {00, 01}, y in {10, 11}
        assert found.wrong == 4
        assert str(found.first_wrong) == "on x = 00, y = 10 the output is 1, but f = 0"


def test_progress_is_optional_and_sizes_are_limited() -> None:
    assert verify(made(nothing, nothing, n=3)).wrong == 8
    with pytest.raises(InputError) as caught:
        verify(made(nothing, nothing, n=15))
    assert str(caught.value) == (
        "equality at n = 15 has 2^30 or more pairs of inputs, and at most 268435456 are listed: sample instead"
    )
    with pytest.raises(InputError, match=r"has 2\^40000 or more pairs"):
        truth_matrix(Equality(20000))


@pytest.mark.parametrize(("problem", "n"), [(Equality, 1), (GreaterThan, 3), (Index, 12), (Disjointness, 9)])
def test_the_truth_matrix_holds_f_of_every_pair(problem: type[Problem], n: int) -> None:
    function = problem(n)
    x, y = function.alice_inputs.all(), function.bob_inputs.all()
    matrix = truth_matrix(function)
    assert matrix.dtype == bool
    assert matrix.shape == (len(x), len(y))
    assert np.array_equal(matrix, function.evaluate(x[:, None], y[None]))


# Locality.


def test_honest_protocols_are_local() -> None:
    check_locality(explore(made(sends_all, hears_all_and_compares, output="bob")))
    check_locality(explore(made(sends_all, hears_all_and_compares, output="bob", batched=True)))
    check_locality(explore(made(nothing, nothing, n=1)))
    check_locality(explore(made(nothing, nothing, n=1, output="alice")))


@settings(max_examples=20, suppress_health_check=[HealthCheck.too_slow])
@given(drawn_protocols())
def test_drawn_protocols_are_local(protocol: Protocol) -> None:
    check_locality(explore(protocol))


_board: list[Array] = []


async def _writes_on_the_board(x: Array, channel: Channel) -> Any:
    _board[:] = [x]
    await channel.send(1)
    return None


async def _reads_the_board(y: Array, channel: Channel) -> Any:
    await channel.receive(1)
    return bool((_board[0] == y).all())


async def _sends_what_is_on_the_board(y: Array, channel: Channel) -> Any:
    await channel.receive(1)
    await channel.send(_board[0])
    return None


async def _writes_and_hears(x: Array, channel: Channel) -> Any:
    _board[:] = [x]
    await channel.send(1)
    return bool((await channel.receive(2)).all())


def test_a_leak_by_a_global_is_found() -> None:
    protocol = made(_writes_on_the_board, _reads_the_board, output="bob")
    with pytest.raises(LocalityFault) as caught:
        check_locality(explore(protocol))
    # asked apart, Bob always found Alice's last input, 11, on the board; for the first pair he should have said no
    assert str(caught.value) == (
        "the two programs run side by side give alice 1 and output 1, but run apart, on the same inputs, they give"
        " alice 1 and output 0: a party learns something other than by the channel;"
        " at n = 2, x = 00, y = 00, after the transcript: alice 1"
    )


def test_a_leak_by_a_global_is_found_in_the_messages() -> None:
    protocol = made(_writes_and_hears, _sends_what_is_on_the_board, output="alice")
    with pytest.raises(LocalityFault, match=r"give alice 1, bob 00 and output 0.*at n = 2, x = 00, y = 00"):
        check_locality(explore(protocol))


class _SharesItself(Protocol):
    """Alice leaves her input on the protocol object; no bit crosses."""

    name = "shares-itself"
    problem = Equality
    cost = "0"
    output = "bob"

    async def alice(self, x: Array, channel: Channel) -> None:
        self.left = x

    async def bob(self, y: Array, channel: Channel) -> bool:
        return bool((self.left == y).all())


def test_a_leak_by_the_protocol_object_is_found() -> None:
    runs = [run.correct for run in all_runs(_SharesItself(2), 0)]
    assert all(runs)  # side by side it looks like equality for free
    with pytest.raises(LocalityFault):
        check_locality(explore(_SharesItself(2)))


def test_a_leak_that_breaks_the_turns_is_found() -> None:
    class Silent(_SharesItself):
        async def bob(self, y: Array, channel: Channel) -> bool:
            if not self.left.all():
                await channel.receive(1)
            return True

    with pytest.raises(ProtocolFault, match="at n = 2, x = 00, y = 00"):
        check_locality(explore(Silent(2)))


def test_a_batch_in_which_inputs_see_one_another_is_found() -> None:
    async def bob(y: Bits, channel: Channel) -> Any:
        x = await channel.receive(2)
        return (x == y).all()  # forgets axis=-1: in a batch, all inputs at once

    with pytest.raises(LocalityFault, match="or its program treats a batch unlike its inputs one by one; at n"):
        check_locality(explore(made(sends_all, bob, output="bob", batched=True)))


def test_locality_is_judged_under_the_coins_of_the_tree() -> None:
    async def alice(x: Array, channel: Channel) -> Any:
        await channel.send(x @ channel.public.integers(2, size=2) % 2)
        return None

    async def bob(y: Array, channel: Channel) -> Any:
        theirs = await channel.receive_bit()
        return theirs == y @ channel.public.integers(2, size=2) % 2

    protocol = made(alice, bob, output="bob", coins="public")
    for seed in range(4):
        check_locality(explore(protocol, SeededCoins(seed)), SeededCoins(seed))


# Samples.


def test_sampled_runs_are_balanced_reproducible_and_have_coins_of_their_own() -> None:
    protocol = hashed_equality(30, 2, False)
    runs = list(sample_runs(protocol, 40, seed=5))
    assert runs == list(sample_runs(protocol, 40, seed=5))
    assert runs != list(sample_runs(protocol, 40, seed=6))
    assert len({run.seed for run in runs}) == 40
    assert 15 < sum(run.expected for run in runs) < 25
    assert all(run.output == 1 for run in runs if run.expected)


def test_all_runs_are_in_the_order_of_the_pairs() -> None:
    runs = list(all_runs(made(nothing, nothing, n=2, problem=Index), 3))
    assert [(run.x, run.y) for run in runs] == [(x, y) for x in ("00", "01", "10", "11") for y in ("1", "2")]
    protocol = hashed_equality(1, 1, False)
    assert list(all_runs(protocol, 3)) == list(all_runs(protocol, 3))
    assert len({run.seed for run in all_runs(protocol, 3)}) == 4
