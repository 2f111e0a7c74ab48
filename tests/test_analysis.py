"""From transcripts to numbers held against bounds: transcripts made by hand, inequalities worked out by hand."""

from fractions import Fraction
from typing import Any

import pytest

from commsim import registry
from commsim.analysis.lower_bound import LowerBound, implied_inequality, known_lower_bound
from commsim.analysis.summary import Summary, compare, summarize
from commsim.problem import Disjointness, Equality, Index, KnownBound
from commsim.transcript import Message, Transcript

N_PLUS_1 = LowerBound(KnownBound("two-way", "both", "=", "n + 1", "a book"), 5)


def transcript(x: str, y: str, *messages: str, right: bool = True, **declared: Any) -> Transcript:
    """One run for disjointness at n = 1; a message is written ``a01`` or ``b1``, by its sender's initial."""
    expected = int((x, y) != ("1", "1"))
    facts: dict[str, Any] = {"protocol": "mine", "problem": "disjointness", "n": 1, "output_of": "both"}
    return Transcript(
        x=x,
        y=y,
        messages=tuple(Message("alice" if text[0] == "a" else "bob", text[1:]) for text in messages),
        output=expected if right else 1 - expected,
        expected=expected,
        correct=right,
        **(facts | declared),
    )


def summary(*transcripts: Transcript) -> Summary:
    (one,) = summarize(transcripts, registry.problem_of)
    return one


# which bound speaks about a protocol


@pytest.mark.parametrize(
    ("communication", "output", "value", "words"),
    [
        ("two-way", "both", 4, "ceil(log2(n)) + 1 = 4 (two-way, both know)"),
        ("two-way", "alice", 3, "ceil(log2(n)) = 3 (two-way, one party knows)"),
        ("one-way", "bob", 8, "n = 8 (one-way from alice)"),
        ("one-way", "alice", 3, "ceil(log2(n)) = 3 (one-way from bob)"),
        ("simultaneous", "referee", 3, "ceil(log2(n)) = 3 (two-way, one party knows)"),
    ],
)
def test_the_bounds_of_index_of_8_bits(communication: str, output: Any, value: int, words: str) -> None:
    """Bob's position has 3 bits; one-way, Alice must send all 8 of hers."""
    bound = known_lower_bound(Index(8), communication, output, "none")
    assert bound is not None
    assert bound.value == value
    assert str(bound) == words


def test_no_bound_speaks_about_coins() -> None:
    assert known_lower_bound(Equality(8), "two-way", "both", "public") is None
    assert known_lower_bound(Equality(8), "two-way", "both", "private") is None


def test_upper_bounds_are_no_lower_bounds_and_the_largest_lower_bound_counts() -> None:
    class Bounded(Disjointness):
        bounds = (
            KnownBound("two-way", "both", "<=", "9*n", "below"),
            KnownBound("two-way", "both", ">=", "n - 1", "weak"),
            KnownBound("two-way", "both", "=", "n + 1", "exact"),
            KnownBound("two-way", "one", ">=", "8*n", "another convention"),
            KnownBound("one-way from alice", "both", ">=", "7*n", "another model"),
        )

    bound = known_lower_bound(Bounded(4), "two-way", "both", "none")
    assert bound is not None
    assert (bound.value, bound.bound.reference) == (5, "exact")


def test_a_problem_without_bounds() -> None:
    class Unknown(Disjointness):
        bounds = ()

    assert known_lower_bound(Unknown(4), "two-way", "both", "none") is None


# what it says about the models of a family


@pytest.mark.parametrize(
    ("cost", "size", "inequality"),
    [
        # attention that owns its reader: H p (2m + v) >= n
        ("H*p*(2*m + v)", "m", "H*p*(2*m + v) >= n, so m >= n/(2*H*p) - v/2"),
        # attention with split keys: H (v b_mean + b_log) >= n
        ("H*(v*b_mean + b_log)", "v", "H*(v*b_mean + b_log) >= n, so v >= n/(H*b_mean) - b_log/b_mean"),
        # a recurrent network: with one hand-over there is nothing to solve
        ("S", "S", "S >= n"),
        ("3*S", "S", "3*S >= n, so S >= n/3"),
        # an MLP
        ("w*p", "w", "w*p >= n, so w >= n/p"),
    ],
)
def test_the_inequality_of_each_family_by_hand(cost: str, size: str, inequality: str) -> None:
    bound = known_lower_bound(Disjointness(6), "one-way", "bob", "none")
    assert bound is not None
    assert implied_inequality(cost, bound, size) == inequality


def test_the_inequality_with_a_logarithm() -> None:
    """What INDEX says of attention: next to nothing, as it should be."""
    bound = known_lower_bound(Index(8), "one-way", "alice", "none")
    assert bound is not None
    assert implied_inequality("H*p*m", bound, "m") == "H*p*m >= ceil(log2(n)), so m >= ceil(log2(n))/(H*p)"


# how a metered cost stands to a bound


@pytest.mark.parametrize(
    ("worst", "complete", "right", "verdict"),
    [
        (5, True, True, "5 bits, exactly the lower bound n + 1 = 5 (two-way, both know)"),
        (7, False, False, "7 bits, above the lower bound n + 1 = 5 (two-way, both know)"),
        (
            4,
            True,
            False,
            "4 bits, below the lower bound n + 1 = 5 (two-way, both know), and wrong on some inputs, as it must be",
        ),
        (
            4,
            False,
            True,
            "4 bits, below the lower bound n + 1 = 5 (two-way, both know), on these inputs, which need not hold the"
            " worst ones",
        ),
        (
            4,
            True,
            True,
            "CONTRADICTION: right on all pairs with 4 bits, below the lower bound n + 1 = 5 (two-way, both know):"
            " one of them is wrong",
        ),
    ],
)
def test_verdicts(worst: int, complete: bool, right: bool, verdict: str) -> None:
    assert compare(worst, N_PLUS_1, complete=complete, right=right) == verdict


def test_no_verdict_without_a_bound() -> None:
    assert compare(4, None, complete=True, right=True) == "no lower bound is known here for protocols of this kind"


# summaries


ALL_PAIRS = [("0", "0"), ("0", "1"), ("1", "0"), ("1", "1")]


def test_the_numbers_of_three_runs() -> None:
    found = summary(
        transcript("0", "0", "a0", "b1"),
        transcript("1", "0", "a1", "b01", "a1"),
        transcript("1", "1", "a1", "a1", "b0", right=False),
    )
    assert (found.protocol, found.problem, found.n, found.output_of) == ("mine", "disjointness", 1, "both")
    assert (found.runs, found.pairs, found.all_pairs, found.correct) == (3, 3, 4, 2)
    assert found.worst == 4
    assert found.worst_of == {"alice": 2, "bob": 2}
    assert Fraction(found.mean) == Fraction(2 + 4 + 3, 3)
    assert found.rounds == 3
    assert found.histogram == {2: 1, 3: 1, 4: 1}
    assert (found.lower_bound, found.lower_bound_is) == (2, "n + 1 = 2 (two-way, both know)")
    assert found.verdict == "4 bits, above the lower bound n + 1 = 2 (two-way, both know)"
    assert not found.contradiction


def test_the_mean_is_exact() -> None:
    found = summary(*(transcript("0", y, "a0", *("b1",) * bits) for y, bits in (("0", 1), ("1", 1), ("0", 2))))
    assert found.mean == "7/3"


def test_all_pairs_right_below_the_bound_is_a_contradiction() -> None:
    """One bit is not enough for disjointness at n = 1: whoever recorded these is wrong."""
    found = summary(*(transcript(x, y, "a1") for x, y in ALL_PAIRS))
    assert found.contradiction
    assert found.verdict.startswith("CONTRADICTION: right on all pairs with 1 bit, below the lower bound n + 1 = 2")


def test_below_the_bound_on_some_pairs_is_none() -> None:
    found = summary(*(transcript(x, y, "a1") for x, y in ALL_PAIRS[:3]))
    assert not found.contradiction
    assert "need not hold the worst ones" in found.verdict


def test_a_pair_that_comes_twice_counts_once() -> None:
    found = summary(*(transcript(x, y, "a1") for x, y in (*ALL_PAIRS[:3], ALL_PAIRS[0])))
    assert (found.runs, found.pairs) == (4, 3)
    assert not found.contradiction


def test_below_the_bound_and_wrong_is_none() -> None:
    found = summary(*(transcript(x, y, "a1", right=(x, y) != ("1", "1")) for x, y in ALL_PAIRS))
    assert (found.correct, found.contradiction) == (3, False)
    assert "wrong on some inputs, as it must be" in found.verdict


def test_one_bit_is_enough_where_one_party_knows() -> None:
    facts: dict[str, Any] = {"communication": "one-way", "output_of": "bob"}
    found = summary(*(transcript(x, y, f"a{x}", **facts) for x, y in ALL_PAIRS))
    assert (found.lower_bound, found.contradiction) == (1, False)
    assert found.verdict == "1 bit, exactly the lower bound n = 1 (one-way from alice)"


def test_no_bound_is_held_against_coins() -> None:
    found = summary(*(transcript(x, y, "a1", coins="public", seed=3) for x, y in ALL_PAIRS))
    assert (found.lower_bound, found.lower_bound_is, found.contradiction) == (None, None, False)
    assert found.verdict.startswith("no lower bound is known")


def test_a_protocol_that_says_nothing() -> None:
    found = summary(transcript("0", "0"))
    assert (found.worst, found.mean, found.rounds, found.histogram) == (0, "0", 0, {0: 1})


@pytest.mark.parametrize(("declared", "above"), [(1, True), (2, False), (None, False)])
def test_a_run_above_the_declared_cost_shows(declared: int | None, above: bool) -> None:
    found = summary(transcript("0", "0", "a0", "b1", declared=declared))
    assert (found.declared, found.above_declared) == (declared, above)


def test_protocols_sizes_and_conventions_are_kept_apart_in_their_order() -> None:
    runs = [
        transcript("0", "0", "a0", "b1", protocol="second"),
        transcript("0", "0", "a0", "b1"),
        transcript("00", "00", "a00", "b1", n=2),
        transcript("0", "0", "a0", output_of="bob"),
        transcript("1", "0", "a1", "b1", protocol="second"),
    ]
    found = summarize(runs, registry.problem_of)
    assert [(one.protocol, one.n, one.output_of, one.runs) for one in found] == [
        ("second", 1, "both", 2),
        ("mine", 1, "both", 1),
        ("mine", 2, "both", 1),
        ("mine", 1, "bob", 1),
    ]


def test_no_transcripts_no_summaries() -> None:
    assert summarize([], registry.problem_of) == []
