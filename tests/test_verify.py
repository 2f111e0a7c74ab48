"""Verification against brute force, locality, error probabilities and confidence intervals."""

from collections.abc import Callable
from fractions import Fraction
from math import comb
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from made import drawn_protocol, drawn_trees, made, simultaneous

from commsim.arrays import Array, Bits
from commsim.channel import Channel
from commsim.coins import SeededCoins, Stream, enumerate_coins
from commsim.errors import InputError
from commsim.exploration import explore
from commsim.faults import LocalityFault, ProtocolFault
from commsim.problem import Disjointness, Equality, GreaterThan, Index, Problem
from commsim.protocol import Protocol
from commsim.verify import (
    ErrorProbability,
    all_runs,
    check_locality,
    clopper_pearson,
    error_probability,
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


async def sends_all(x: Array, channel: Channel) -> Any:
    await channel.send(x)
    return None


async def hears_all_and_compares(y: Array, channel: Channel) -> Any:
    x = await channel.receive(y.shape[-1])
    return (x == y).all(axis=-1)


async def nothing(own: Array, channel: Channel) -> int:
    return 0


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


# Error probabilities.


def hashed_equality(n: int, k: int, batched: bool) -> Protocol:
    """Alice sends k inner products with random vectors; Bob, who compares, is wrong with probability 2^-k if x != y."""

    async def alice(x: Bits, channel: Channel) -> Any:
        vectors = channel.public.integers(2, size=(n, k))
        await channel.send(x @ vectors % 2)
        return None

    async def bob(y: Bits, channel: Channel) -> Any:
        vectors = channel.public.integers(2, size=(n, k))
        return ((await channel.receive(k)) == y @ vectors % 2).all(axis=-1)

    return made(alice, bob, n, output="bob", coins="public", batched=batched)


@pytest.mark.parametrize("batched", [False, True])
@pytest.mark.parametrize(("n", "k"), [(2, 1), (2, 2), (3, 1), (3, 2)])
def test_hashing_errs_with_probability_exactly_two_to_the_minus_k(n: int, k: int, batched: bool) -> None:
    protocol = hashed_equality(n, k, batched)
    found = error_probability(protocol)
    assert found.exact
    assert Fraction(int(found.wrong), found.trials) == Fraction(1, 2**k)
    assert found.x != found.y
    assert found.interval == (2**-k, 2**-k)


@pytest.mark.parametrize("k", [1, 2])
def test_hashing_errs_on_unequal_pairs_alike_and_on_equal_ones_never(k: int) -> None:
    protocol = hashed_equality(2, k, False)
    inputs = protocol.function.alice_inputs.all()
    errors = np.zeros((4, 4), dtype=object)
    for coins in enumerate_coins(4096):
        wrong = [[not protocol.run(x, y, coins=coins).correct for y in inputs] for x in inputs]
        errors += np.array(wrong, dtype=object) * coins.probability
    assert errors.tolist() == [[0 if row == column else Fraction(1, 2**k) for column in range(4)] for row in range(4)]


def test_errors_of_unequal_weight_are_added_exactly() -> None:
    async def alice(x: Bits, channel: Channel) -> Any:
        if channel.private.integers(3) == 0:  # a third of the time
            return 1
        return int(channel.private.integers(5) == 0)  # else one time in five

    # f = 1 on equal pairs only: the answer 1 has probability 1/3 + 2/3 * 1/5 = 7/15, so equal pairs err more
    found = error_probability(made(alice, nothing, n=1, output="alice", coins="private"))
    assert (found.exact, Fraction(int(found.wrong), found.trials), found.x == found.y) == (True, Fraction(8, 15), True)


def test_a_common_denominator_beyond_64_bits_is_exact() -> None:
    primes = [211, 223, 227, 229, 233, 239, 241, 251]
    assert np.prod(primes, dtype=object) * 8 > 2**63

    async def alice(x: Bits, channel: Channel) -> Any:
        prime = primes[int(channel.private.integers(8))]
        return int(channel.private.integers(prime) == 0)

    found = error_probability(made(alice, nothing, n=1, output="alice", coins="private"))
    wrong_on_equal = 1 - sum(Fraction(1, 8 * prime) for prime in primes)
    assert found.exact
    assert Fraction(int(found.wrong), found.trials) == wrong_on_equal
    assert found.interval[0] == pytest.approx(float(wrong_on_equal))


def test_without_coins_the_error_is_zero_or_one() -> None:
    assert error_probability(made(sends_all, hears_all_and_compares, output="bob")).interval == (0, 0)
    found = error_probability(made(nothing, nothing))
    assert (found.x, found.y, found.interval, found.trials) == ("00", "00", (1, 1), 1)


def test_a_referee_s_coins_are_counted() -> None:
    async def silent(own: Array, channel: Channel) -> None:
        await channel.send(0)

    def referee(a: Bits, b: Bits, channel: Channel) -> int:
        return int(channel.private.integers(4) == 0)

    found = error_probability(simultaneous(silent, silent, referee, n=1, coins="private"))
    assert (found.exact, found.wrong, found.trials, found.x == found.y) == (True, 3, 4, True)


@pytest.mark.parametrize(
    "errs",
    [
        lambda coins: bool(coins.integers(5000) < 1250),  # more values than are enumerated
        lambda coins: bool(coins.random() < 0.25),  # not finitely many values
    ],
)
def test_a_coin_space_too_large_is_sampled_with_an_interval_that_holds_the_truth(
    errs: Callable[[np.random.Generator], bool],
) -> None:
    async def bob(y: Array, channel: Channel) -> Any:
        equal = ((await channel.receive(1)) == y).all()
        return equal ^ errs(channel.public)

    found = error_probability(made(sends_all, bob, n=1, output="bob", coins="public"), samples=200)
    assert (found.exact, found.trials) == (False, 200)
    # every pair is wrong on the same seeds, so the first one is judged, by the seeds after those that picked it
    assert (found.x, found.y) == ("0", "0")
    assert found.wrong == sum(errs(SeededCoins(seed).generator(Stream("public"))) for seed in range(20, 220))
    low, high = found.interval
    assert 0.1 < low < 0.25 < high < 0.5


def test_a_sampled_error_of_zero_keeps_an_upper_end() -> None:
    async def bob(y: Array, channel: Channel) -> Any:
        channel.private.random()
        return await hears_all_and_compares(y, channel)

    found = error_probability(made(sends_all, bob, n=1, output="bob", coins="private"), samples=50)
    assert (found.wrong, found.exact) == (0, False)
    low, high = found.interval
    assert low == 0
    assert high == pytest.approx(1 - 0.005 ** (1 / 50))


# Clopper-Pearson.


@pytest.mark.parametrize("trials", [1, 10, 400])
@pytest.mark.parametrize("confidence", [0.9, 0.99])
def test_intervals_known_in_closed_form(trials: int, confidence: float) -> None:
    alpha = 1 - confidence
    low, high = clopper_pearson(0, trials, confidence)
    assert low == 0
    assert high == pytest.approx(1 - (alpha / 2) ** (1 / trials), rel=1e-9)
    low, high = clopper_pearson(trials, trials, confidence)
    assert low == pytest.approx((alpha / 2) ** (1 / trials), rel=1e-9)
    assert high == 1


@pytest.mark.parametrize(("hits", "trials"), [(1, 2), (3, 10), (50, 400)])
def test_an_interval_ends_where_the_tails_weigh_half_of_alpha(hits: int, trials: int) -> None:
    low, high = clopper_pearson(hits, trials, 0.95)

    def at_most(count: int, p: float) -> float:
        return sum(comb(trials, i) * p**i * (1 - p) ** (trials - i) for i in range(count + 1))

    assert 1 - at_most(hits - 1, low) == pytest.approx(0.025, rel=1e-6)
    assert at_most(hits, high) == pytest.approx(0.025, rel=1e-6)


def test_without_trials_nothing_is_known() -> None:
    assert clopper_pearson(0, 0, 0.99) == (0, 1)
    assert ErrorProbability("0", "0", 1, 4, True).interval == (0.25, 0.25)


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
