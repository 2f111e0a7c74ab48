"""Equality with coins: the exact error on every pair, by enumerating the coins, against values found by hand."""

from fractions import Fraction
from itertools import zip_longest
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from commsim.arrays import Array
from commsim.coins import SeededCoins, Stream, enumerate_coins
from commsim.error_probability import error_probability
from commsim.errors import InputError
from commsim.exploration import explore, walk
from commsim.formula import evaluate
from commsim.protocol import Protocol
from commsim.protocols.equality import EqualityPrivateCoin, EqualityPublicCoin, EqualitySimultaneous
from commsim.transcript import Message, Transcript
from commsim.verify import check_locality, verify

Parities = type[EqualityPublicCoin] | type[EqualitySimultaneous]
by_parities = pytest.mark.parametrize("protocol", [EqualityPublicCoin, EqualitySimultaneous])
with_coins = pytest.mark.parametrize("protocol", [EqualityPublicCoin, EqualitySimultaneous, EqualityPrivateCoin])


class ChosenCoins:
    """Coins that fall as the test says."""

    def __init__(self, outcome: Any) -> None:
        self.outcome = outcome

    def generator(self, stream: Stream) -> np.random.Generator:
        return cast(np.random.Generator, SimpleNamespace(integers=lambda *_, **__: self.outcome))


def run(protocol: Protocol, x: str, y: str, outcome: Any) -> Transcript:
    domain = protocol.function.alice_inputs
    return protocol.run(domain.parse(x), domain.parse(y), coins=ChosenCoins(outcome))


def answers_equal(protocol: Protocol) -> tuple[Array, int]:
    """For each pair the number of outcomes of the coins on which the answer is 1, and how many outcomes there are."""
    function = protocol.function
    count = np.zeros((function.alice_inputs.size, function.bob_inputs.size), dtype=np.int64)
    outcomes = 0
    for coins in enumerate_coins(4096):
        outcomes += 1
        for leaf in walk(protocol, coins):
            count[np.ix_(leaf.alice_indices, leaf.bob_indices)] += leaf.output
    return count, outcomes


@with_coins
@pytest.mark.parametrize("n", [1, 2, 3])
def test_batches_and_single_inputs_give_the_same_tree(protocol: type[Protocol], n: int) -> None:
    assert protocol.batched
    for coins in map(SeededCoins, range(3)):
        batched, single = (explore(protocol(n), coins, batched) for batched in (True, False))
        assert all(one and two and one.same_as(two) for one, two in zip_longest(batched.leaves, single.leaves))


@with_coins
@pytest.mark.parametrize("n", [1, 2])
def test_it_is_local(protocol: type[Protocol], n: int) -> None:
    for coins in map(SeededCoins, range(3)):
        check_locality(explore(protocol(n), coins), coins)


@with_coins
def test_long_equal_strings_are_always_called_equal_and_unequal_ones_not_always(protocol: type[Protocol]) -> None:
    instance = protocol(64)
    domain = instance.function.alice_inputs
    x, y = domain.parse("0110" * 16), domain.parse("0110" * 15 + "0111")
    same, different = ([instance.run(x, other, seed) for seed in range(20)] for other in (x, y))
    assert {transcript.output for transcript in same} == {1}
    assert 0 in {transcript.output for transcript in different}
    assert {transcript.bits for transcript in same + different} == {instance.declared_cost}


@by_parities
@pytest.mark.parametrize(("n", "k"), [(1, 1), (1, 2), (2, 1), (2, 2), (3, 2), (2, 3), (4, 1)])
def test_parities_err_with_probability_exactly_two_to_the_minus_k_on_every_unequal_pair(
    protocol: Parities, n: int, k: int
) -> None:
    count, outcomes = answers_equal(protocol(n, k))
    assert outcomes == 2 ** (n * k)
    equal = np.eye(2**n, dtype=bool)
    assert (count[equal] == outcomes).all()
    assert (count[~equal] * 2**k == outcomes).all()


@by_parities
@pytest.mark.parametrize(("k", "error"), [(1, Fraction(1, 2)), (2, Fraction(1, 4)), (5, Fraction(1, 32))])
def test_parities_declare_their_error(protocol: Parities, k: int, error: Fraction) -> None:
    instance = protocol(1, k)
    found = error_probability(instance)
    assert found.exact
    assert Fraction(found.wrong, found.trials) == error == evaluate(instance.error, instance.parameters)


@by_parities
@pytest.mark.parametrize("k", [1, 2, 3])
def test_parities_cost_what_they_declare(protocol: Parities, k: int) -> None:
    instance = protocol(4, k)
    by_bob = 1 if protocol is EqualityPublicCoin else k
    for seed in range(3):
        found = verify(instance, SeededCoins(seed))
        assert (found.cost, found.alice_bits, found.bob_bits) == (k + by_bob, k, by_bob)
    assert instance.declared_cost == k + by_bob


def test_two_parities_are_the_default() -> None:
    assert EqualityPublicCoin(9).declared_cost == 3
    assert EqualitySimultaneous(9).declared_cost == 4


@by_parities
def test_there_is_at_least_one_parity(protocol: Parities) -> None:
    with pytest.raises(InputError, match="at least 1 parity, not k = 0"):
        protocol(4, 0)


def packed_sets(*sets: list[int]) -> Array:
    """Sets of places as the protocol draws them: eight places a byte, the first place in the lowest bit."""
    return np.packbits(np.array(sets), axis=-1, bitorder="little")


def test_parities_by_hand() -> None:
    # all three places, then the last alone: 110 has the parities 0 and 0, 101 has 0 and 1
    apart = run(EqualityPublicCoin(3), "110", "101", packed_sets([1, 1, 1], [0, 0, 1]))
    assert apart.messages == (Message("alice", "00"), Message("bob", "0"))
    # 110 and 011 agree on all three places and on the middle one: an unlucky choice
    unlucky = run(EqualityPublicCoin(3), "110", "011", packed_sets([1, 1, 1], [0, 1, 0]))
    assert unlucky.messages == (Message("alice", "01"), Message("bob", "1"))
    assert (unlucky.output, unlucky.expected) == (1, 0)


def test_the_referee_hears_both() -> None:
    transcript = run(EqualitySimultaneous(3), "110", "101", packed_sets([1, 1, 1], [0, 0, 1]))
    assert transcript.messages == (Message("alice", "00"), Message("bob", "01"))
    assert (transcript.output, transcript.output_of) == (0, "referee")


@pytest.mark.parametrize(
    ("n", "prime", "cost"), [(1, 2, 3), (2, 5, 7), (3, 11, 9), (4, 17, 11), (5, 29, 11), (6, 37, 13), (100, 10007, 29)]
)
def test_a_fingerprint_is_a_point_and_a_value_modulo_the_least_prime_above_n_squared(
    n: int, prime: int, cost: int
) -> None:
    protocol = EqualityPrivateCoin(n)
    assert protocol.parameters == {"n": n, "p": prime}
    assert protocol.declared_cost == cost


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_a_fingerprint_costs_what_it_declares(n: int) -> None:
    protocol = EqualityPrivateCoin(n)
    found = verify(protocol, SeededCoins(1))
    assert found.cost == protocol.declared_cost
    assert found.bob_bits == 1


def test_a_fingerprint_by_hand() -> None:
    # n = 3, p = 11: at t = 4 the string 101 has 1 + 16 = 17 = 6, and 110 has 1 + 4 = 5
    apart = run(EqualityPrivateCoin(3), "101", "110", 4)
    assert apart.messages == (Message("alice", "0100"), Message("alice", "0110"), Message("bob", "0"))
    # 100 and 001 differ by 1 - t^2, which has the root t = 10
    unlucky = run(EqualityPrivateCoin(3), "100", "001", 10)
    assert unlucky.messages == (Message("alice", "1010"), Message("alice", "0001"), Message("bob", "1"))
    assert (unlucky.output, unlucky.expected) == (1, 0)


@pytest.mark.parametrize(
    ("n", "roots"),
    [
        # the number of points of Z_5 where d_1 + d_2 t vanishes
        (2, {(1, 0): 0, (0, 1): 1, (1, 1): 1, (1, -1): 1}),
        # the number of points of Z_11 where d_1 + d_2 t + d_3 t^2 vanishes; the squares are 0, 1, 3, 4, 5, 9
        (
            3,
            {
                (1, 0, 0): 0,
                (0, 1, 0): 1,
                (1, 1, 0): 1,
                (1, -1, 0): 1,
                (0, 0, 1): 1,
                (0, 1, 1): 2,
                (0, 1, -1): 2,
                (1, 0, 1): 0,  # -1 is no square
                (1, 0, -1): 2,
                (1, 1, 1): 0,  # the discriminant -3 = 8 is no square
                (1, -1, 1): 0,
                (1, 1, -1): 2,  # the discriminant 5 is the square of 4
                (1, -1, -1): 2,
            },
        ),
    ],
)
def test_a_fingerprint_errs_exactly_at_the_roots_of_the_difference(n: int, roots: dict[tuple[int, ...], int]) -> None:
    protocol = EqualityPrivateCoin(n)
    count, outcomes = answers_equal(protocol)
    assert outcomes == protocol.prime
    strings = protocol.function.alice_inputs.all().astype(int)
    for row, x in enumerate(strings):
        for column, y in enumerate(strings):
            difference = tuple(int(place) for place in x - y)
            opposite = tuple(-place for place in difference)
            expected = roots.get(difference, roots.get(opposite, outcomes))
            assert count[row, column] == expected, difference


@pytest.mark.parametrize(
    ("n", "error"), [(1, 0), (2, Fraction(1, 5)), (3, Fraction(2, 11)), (4, Fraction(3, 17)), (5, Fraction(4, 29))]
)
def test_the_declared_error_of_a_fingerprint_is_reached(n: int, error: Fraction) -> None:
    protocol = EqualityPrivateCoin(n)
    found = error_probability(protocol)
    assert found.exact
    assert Fraction(found.wrong, found.trials) == error == evaluate(protocol.error, protocol.parameters)


@pytest.mark.parametrize(("x", "y"), [("01000", "00001"), ("010000", "000001")])
def test_only_different_roots_count(x: str, y: str) -> None:
    # t - t^4 has the root 0 and the third roots of 1: with p = 29 only 1 itself; t - t^5 has five roots with p = 37
    protocol = EqualityPrivateCoin(len(x))
    fooled = sum(run(protocol, x, y, point).output for point in range(protocol.prime))
    assert fooled == {5: 2, 6: 5}[len(x)]
