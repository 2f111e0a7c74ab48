"""Information cost: closed forms, inequalities on every protocol, and the known values for AND."""

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commsim import registry
from commsim.analysis import distribution
from commsim.analysis.information import TranscriptLaw, greatest_internal, information_cost, transcript_laws
from commsim.arrays import Floats
from commsim.errors import InputError
from commsim.problem import Disjointness, Equality, Index, Intersection, Median, Problem
from commsim.protocol import Protocol
from commsim.validation import accepts


def entropy(*probabilities: float) -> float:
    return -sum(p * math.log2(p) for p in probabilities if p > 0)


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_the_trivial_protocol_for_disjointness_on_uniform_sets(n: int) -> None:
    # the transcript is x and f(x, y). Bob learns all n bits of x; Alice learns f, which is 1 with probability 2^-|x|
    answer = sum(math.comb(n, size) / 2**n * entropy(2.0**-size, 1 - 2.0**-size) for size in range(n + 1))
    protocol = registry.protocols()["disjointness-trivial"](n)
    found = information_cost(transcript_laws(protocol), distribution.uniform(protocol.function))
    assert found.internal == pytest.approx(n + answer)
    assert found.external == pytest.approx(n + answer)
    assert found.entropy == pytest.approx(n + answer)
    assert (found.expected_bits, found.cost) == (n + 1, n + 1)


@pytest.mark.parametrize("n", [1, 2, 3])
def test_the_trivial_protocol_for_equality_on_biased_bits(n: int) -> None:
    # x has n h(1/3) bits; given x, y equals it with probability (1/3)^|x| (2/3)^(n - |x|)
    answer = 0.0
    for ones in range(n + 1):
        equal = (1 / 3) ** ones * (2 / 3) ** (n - ones)
        answer += math.comb(n, ones) * equal * entropy(equal, 1 - equal)
    protocol = registry.protocols()["equality-trivial"](n)
    found = information_cost(transcript_laws(protocol), distribution.product(protocol.function, Fraction(1, 3)))
    assert found.internal == pytest.approx(n * entropy(1 / 3, 2 / 3) + answer)


def test_public_coins_reveal_nothing_by_themselves() -> None:
    # one parity of a public random set, on equal strings only: 0 bits if the set is empty, else one bit, known to both
    protocol = registry.at_sizes(registry.find_protocol("equality-public-coin"), 2, {"k": 1})
    equal = np.eye(4) / 4
    found = information_cost(transcript_laws(protocol), equal)
    assert found.internal == pytest.approx(0)
    assert found.external == pytest.approx(3 / 4)


def test_private_coins_hide_what_they_mask() -> None:
    # Alice's guess is uniform among two elements: given x = {1, 2} it is one bit of coin, that says nothing of x
    protocol = registry.protocols()["intersection-witness"](2)
    laws = transcript_laws(protocol)
    assert [law.probability for law in laws] == [1]
    both = np.zeros((4, 4))
    both[3, 3] = 1
    found = information_cost(laws, both)
    assert found.internal == found.external == pytest.approx(0)
    assert found.entropy == pytest.approx(1)


SMALL = [
    protocol(n)
    for name, protocol in registry.protocols().items()
    for n in (1, 2, 3)
    if name not in ("equality-code", "equality-newman", "gap-hamming-sketch", "sparse-disjointness-hastad-wigderson")
    if not name.startswith(("hamming-distance-sketch", "greater-than-fingerprint")) or n == 1
    if accepts(protocol, n) and protocol(n).function.pairs <= 64
]


def laws_of(protocol: Protocol) -> list[TranscriptLaw] | None:
    try:
        return transcript_laws(protocol)
    except InputError:
        return None


KNOWN = [(protocol, laws) for protocol in SMALL if (laws := laws_of(protocol)) is not None]


@settings(max_examples=150)
@given(st.data())
def test_internal_is_at_most_external_at_most_the_cost(data: st.DataObject) -> None:
    protocol, laws = data.draw(st.sampled_from(KNOWN), label="protocol")
    shape = protocol.function.alice_inputs.size, protocol.function.bob_inputs.size
    count = shape[0] * shape[1]
    drawn = data.draw(st.lists(st.integers(0, 5), min_size=count, max_size=count).filter(any), label="weights")
    weights = np.array(drawn, dtype=float).reshape(shape)
    found = information_cost(laws, weights / weights.sum())
    assert -1e-9 <= found.internal <= found.external + 1e-9
    assert found.external <= found.entropy + 1e-9
    assert found.entropy <= found.cost + 1e-9
    assert found.expected_bits <= found.cost + 1e-9
    assert found.cost <= protocol.declared_cost


def test_most_protocols_are_among_them() -> None:
    assert len({protocol.name for protocol, _ in KNOWN}) >= 20


@pytest.mark.parametrize(("excluded", "limit"), [(True, 0.4827), (False, 1.4923)])
def test_and_by_the_buzzer_falls_towards_the_known_value(excluded: bool, limit: float) -> None:
    support = np.array([[True, True], [True, not excluded]])
    values = []
    for k in (2, 4, 8, 16):
        laws = transcript_laws(registry.at_sizes(registry.find_protocol("intersection-buzzer"), 1, {"k": k}))
        worst, bound = greatest_internal(laws, support)
        values.append(information_cost(laws, worst).internal)
        assert 0 <= bound - values[-1] <= 1e-6
    assert values == sorted(values, reverse=True)
    assert limit < values[-1] < limit + 0.004
    # the distance to the limit falls by about four each time the number of steps doubles
    assert (values[2] - limit) / (values[3] - limit) > 3


def test_the_greatest_for_equality_by_hand() -> None:
    # by symmetry and concavity: x = y with probability p, else uniform. Then 2 h(p) + (1 - p) log 7, greatest where
    # ((1 - p)/p)^2 = 7
    laws = transcript_laws(registry.protocols()["equality-trivial"](3))
    worst, bound = greatest_internal(laws, np.ones((8, 8), dtype=bool))
    p = 1 / (1 + math.sqrt(7))
    assert worst.trace() == pytest.approx(p, abs=1e-3)
    assert information_cost(laws, worst).internal == pytest.approx(2 * entropy(p, 1 - p) + (1 - p) * math.log2(7))
    assert bound == pytest.approx(2 * entropy(p, 1 - p) + (1 - p) * math.log2(7), abs=1e-5)


def test_the_greatest_is_not_exceeded_by_others() -> None:
    laws = transcript_laws(registry.protocols()["disjointness-bit-by-bit"](2))
    _, bound = greatest_internal(laws, np.ones((4, 4), dtype=bool))
    generator = np.random.default_rng(0)
    for _ in range(100):
        weights = generator.random((4, 4)) ** 3
        assert information_cost(laws, weights / weights.sum()).internal <= bound


# distributions


def test_hard_for_disjointness() -> None:
    weights = distribution.hard_for_disjointness(Disjointness(2))
    assert weights.sum() == pytest.approx(1)
    # x = 01, y = 10: Alice's alone, Bob's alone
    assert weights[1, 2] == pytest.approx(1 / 16)
    assert weights[1, 1] == 0
    assert weights[0, 0] == pytest.approx(1 / 4)


def test_a_distribution_from_lines() -> None:
    lines = [
        (1, '{"alice": "{1}", "bob": "10", "weight": "2e400"}'),
        (2, '{"alice": [2], "bob": [], "weight": "1e400"}'),
    ]
    weights = distribution.from_lines(Intersection(2), lines)
    assert weights[2, 2] == pytest.approx(2 / 3)
    assert weights[1, 0] == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("problem", "line", "message"),
    [
        (Equality(2), '{"alice": "00", "bob": "11"}', "line 1: each line must be an object like"),
        (Equality(2), "{", "line 1: not JSON"),
        (Equality(2), '{"alice": "0", "bob": "11", "weight": 1}', "line 1: '0' has length 1"),
        (Equality(2), '{"alice": "00", "bob": "11", "weight": -1}', "line 1: cannot read -1"),
        (Equality(2), '{"alice": "00", "bob": "11", "weight": "1/0"}', "line 1: cannot read '1/0'"),
        (Equality(2), '{"alice": "00", "bob": "11", "weight": true}', "line 1: cannot read True"),
        (Equality(2), '{"alice": "00", "bob": "11", "weight": 0}', "do not have a positive sum"),
    ],
)
def test_wrong_lines(problem: Problem, line: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        distribution.from_lines(problem, [(1, line)])


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: distribution.uniform(Equality(9)), "has 262144 pairs of inputs, more than 65536"),
        (lambda: distribution.product(Index(2), Fraction(1, 2)), "on bit strings only"),
        (lambda: distribution.product(Equality(2), Fraction(3, 2)), "3/2 is no probability"),
        (lambda: distribution.hard_for_disjointness(Index(2)), "on bit strings only"),
        (lambda: distribution.hard_for_disjointness(Median(2)), "on all pairs of strings"),
    ],
)
def test_distributions_that_there_are_not(make: Callable[[], Floats], message: str) -> None:
    with pytest.raises(InputError, match=message):
        make()


@pytest.mark.parametrize(("name", "message"), [
    ("gap-hamming-sketch", "the coins of gap-hamming-sketch cannot be enumerated"),
    ("equality-code", "more than 256 outcomes"),
])  # fmt: skip
def test_coins_that_cannot_be_enumerated(name: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        transcript_laws(registry.protocols()[name](3))
