"""Coins: seeded streams, and the enumeration of a whole coin space."""

from fractions import Fraction

import numpy as np
import pytest

from commsim.coins import EnumeratedCoins, NotEnumerable, Owner, SeededCoins, Stream, enumerate_coins

STREAMS: tuple[Owner, ...] = ("public", "alice", "bob", "referee")


def test_a_stream_starts_anew_for_each_who_asks_and_follows_the_seed() -> None:
    for stream in STREAMS:
        first = SeededCoins(5).generator(Stream(stream)).integers(1000, size=20).tolist()
        coins = SeededCoins(5)
        assert coins.generator(Stream(stream)).integers(1000, size=20).tolist() == first
        assert coins.generator(Stream(stream)).integers(1000, size=20).tolist() == first
        assert SeededCoins(6).generator(Stream(stream)).integers(1000, size=20).tolist() != first


def test_streams_differ_and_do_not_disturb_one_another() -> None:
    coins = SeededCoins(0)
    alone = {stream: coins.generator(Stream(stream)).integers(2**32, size=5).tolist() for stream in STREAMS}
    assert len({tuple(values) for values in alone.values()}) == 4
    generators = {stream: coins.generator(Stream(stream)) for stream in STREAMS}
    turns = [{stream: int(generators[stream].integers(2**32)) for stream in STREAMS} for _ in range(5)]
    assert {stream: [turn[stream] for turn in turns] for stream in STREAMS} == alone


def test_products_of_unequal_numbers_of_values() -> None:
    seen: dict[tuple[int, int, int], Fraction] = {}
    for coins in enumerate_coins(100):
        one = int(coins.generator(Stream("public")).integers(2))
        two = int(coins.generator(Stream("alice")).integers(1, 4))
        three = int(coins.generator(Stream("bob")).integers(-2, 2, endpoint=True))
        assert (one, two, three) not in seen
        seen[one, two, three] = coins.probability
    assert set(seen) == {(i, j, k) for i in range(2) for j in range(1, 4) for k in range(-2, 3)}
    assert set(seen.values()) == {Fraction(1, 30)}


def test_a_toss_may_depend_on_the_tosses_before() -> None:
    seen: list[tuple[tuple[int, ...], Fraction]] = []
    for coins in enumerate_coins(100):
        generator = coins.generator(Stream("public"))
        tosses = [int(generator.integers(3))]
        if tosses[0]:  # 0: stop; 1: one more of two values; 2: one more of three
            tosses.append(int(generator.integers(tosses[0] + 1)))
        seen.append((tuple(tosses), coins.probability))
    assert seen == [
        ((0,), Fraction(1, 3)),
        ((1, 0), Fraction(1, 6)),
        ((1, 1), Fraction(1, 6)),
        ((2, 0), Fraction(1, 9)),
        ((2, 1), Fraction(1, 9)),
        ((2, 2), Fraction(1, 9)),
    ]
    assert sum(probability for _, probability in seen) == 1


def test_without_tosses_there_is_one_outcome() -> None:
    assert [coins.probability for coins in enumerate_coins(1)] == [1]


def test_both_parties_see_the_same_public_tosses_at_every_point() -> None:
    outcomes = set()
    for coins in enumerate_coins(16):
        alice, bob = coins.generator(Stream("public")), coins.generator(Stream("public"))
        first = alice.integers(2, size=3)
        assert bob.integers(2, size=2).tolist() == first[:2].tolist()
        assert bob.integers(2) == first[2]
        outcomes.add(tuple(first.tolist()))
    assert len(outcomes) == 8


@pytest.mark.parametrize("seeded", [True, False])
def test_enumerated_integers_have_the_shapes_and_types_of_numpy(seeded: bool) -> None:
    coins = SeededCoins(0) if seeded else EnumeratedCoins(2**20)
    generator = coins.generator(Stream("public"))
    one = generator.integers(3)
    assert isinstance(one, np.int64)
    assert (~(generator.integers(1) == 0)).dtype == bool  # a numpy bool: ~ is "not"
    assert generator.integers(2, size=3).shape == (3,)
    assert generator.integers(2, size=(2, 2)).shape == (2, 2)
    assert generator.integers(2, size=np.int64(2)).dtype == np.int64
    bits = generator.integers(0, 2, size=4, dtype=bool)
    assert bits.dtype == bool
    assert generator.integers(5, 6, size=2).tolist() == [5, 5]
    assert generator.integers(5, 5, endpoint=True) == 5
    for low, high in [(0, None), (3, 3), (5, 3)]:
        with pytest.raises(ValueError, match=r"low|high"):
            generator.integers(low, high)


def test_a_coin_space_that_is_too_large_is_not_enumerated() -> None:
    def outcomes(most: int) -> int:
        return sum(
            coins.generator(Stream("public")).integers(2, size=4).shape == (4,) for coins in enumerate_coins(most)
        )

    assert outcomes(16) == 16
    with pytest.raises(NotEnumerable, match=r"^more than 15 outcomes of the coin tosses$"):
        outcomes(15)


def test_tosses_that_are_not_discrete_are_not_enumerated() -> None:
    generator = EnumeratedCoins(16).generator(Stream("public"))
    with pytest.raises(
        NotEnumerable, match=r"^coins drawn by random\(\) cannot be enumerated, only those by integers\(\)"
    ):
        generator.random(3)
    with pytest.raises(NotEnumerable, match="arrays as bounds"):
        generator.integers(np.array([2, 3]))
    with pytest.raises(NotEnumerable, match="arrays as bounds"):
        generator.integers(0, [2, 3])


def test_a_number_of_values_that_depends_on_more_than_the_tosses_is_not_enumerated() -> None:
    coins = EnumeratedCoins(16)
    coins.generator(Stream("alice")).integers(2)
    with pytest.raises(NotEnumerable, match=r"^toss 1 of the alice coins has 2 values here and 3 there$"):
        coins.generator(Stream("alice")).integers(3)
