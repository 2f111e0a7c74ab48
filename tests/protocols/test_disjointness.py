"""Disjointness bit by bit, worked out by hand; what all deterministic protocols share is tested together."""

from fractions import Fraction

import pytest

from commsim.protocols.disjointness import DisjointnessBitByBit, DisjointnessOneWay
from commsim.transcript import Message
from commsim.verify import verify


def run(x: str, y: str) -> tuple[list[tuple[str, str]], int]:
    protocol = DisjointnessBitByBit(len(x))
    domain = protocol.function.alice_inputs
    transcript = protocol.run(domain.parse(x), domain.parse(y))
    return [(message.sender, message.bits) for message in transcript.messages], transcript.output


def test_they_stop_at_the_first_common_element() -> None:
    spoken = [("alice", "1"), ("bob", "0"), ("alice", "0"), ("alice", "1"), ("bob", "1")]
    assert run("10111", "01110") == (spoken, 0)


def test_bob_is_silent_where_alice_has_nothing() -> None:
    assert run("0000", "1111") == ([("alice", "0")] * 4, 1)


def test_the_worst_case_is_a_full_set_against_none_or_the_last_element() -> None:
    assert run("111", "000") == ([("alice", "1"), ("bob", "0")] * 3, 1)
    assert run("111", "001") == ([("alice", "1"), ("bob", "0")] * 2 + [("alice", "1"), ("bob", "1")], 0)


@pytest.mark.parametrize(
    ("n", "mean"), [(1, Fraction(3, 2)), (2, Fraction(21, 8)), (3, Fraction(111, 32)), (6, 6 - 6 * Fraction(3, 4) ** 6)]
)
def test_the_mean_over_uniform_pairs_stays_below_six_bits(n: int, mean: Fraction) -> None:
    assert verify(DisjointnessBitByBit(n)).mean_bits == mean


@pytest.mark.parametrize(("n", "leaves"), [(1, 3), (2, 7), (3, 15), (5, 63)])
def test_it_has_the_fewest_leaves_that_the_rank_allows(n: int, leaves: int) -> None:
    # 2^n leaves for the answer 1, the rank of the matrix, and 2^n - 1 for the answer 0, the rank of its complement
    assert verify(DisjointnessBitByBit(n)).leaves == leaves


def test_one_way_only_alice_speaks() -> None:
    protocol = DisjointnessOneWay(3)
    domain = protocol.function.alice_inputs
    transcript = protocol.run(domain.parse("{1,3}"), domain.parse("{2}"))
    assert transcript.messages == (Message("alice", "101"),)
    assert (transcript.output, transcript.output_of) == (1, "bob")
