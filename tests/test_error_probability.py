"""Error probabilities, exact and sampled, and confidence intervals."""

from collections.abc import Callable
from fractions import Fraction
from math import comb
from typing import Any

import numpy as np
import pytest
from made import hashed_equality, hears_all_and_compares, made, nothing, sends_all, simultaneous

from commsim.arrays import Array, Bits
from commsim.channel import Channel
from commsim.coins import SeededCoins, Stream, enumerate_coins
from commsim.error_probability import ErrorProbability, clopper_pearson, error_probability

# Error probabilities.


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
