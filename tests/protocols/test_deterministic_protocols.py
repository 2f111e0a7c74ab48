"""What every protocol without coins promises, on all pairs of inputs, against costs written out by hand."""

from itertools import zip_longest

import pytest

from commsim.exploration import explore
from commsim.protocol import Protocol
from commsim.protocols.disjointness import DisjointnessBitByBit, DisjointnessOneWay, DisjointnessTrivial
from commsim.protocols.equality import EqualityOneWay, EqualityTrivial
from commsim.protocols.greater_than import GreaterThanTrivial
from commsim.protocols.index import IndexFromBob, IndexOneWay
from commsim.protocols.inner_product import InnerProductTrivial
from commsim.protocols.intersection import IntersectionTrivial
from commsim.verify import check_locality, verify

# for n = 1, ..., 6: the worst case, and the most that Alice and that Bob send
COSTS: dict[type[Protocol], tuple[list[int], list[int], list[int]]] = {
    DisjointnessTrivial: ([2, 3, 4, 5, 6, 7], [1, 2, 3, 4, 5, 6], [1] * 6),
    DisjointnessBitByBit: ([2, 4, 6, 8, 10, 12], [1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5, 6]),
    DisjointnessOneWay: ([1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5, 6], [0] * 6),
    IntersectionTrivial: ([2, 3, 4, 5, 6, 7], [1, 2, 3, 4, 5, 6], [1] * 6),
    EqualityTrivial: ([2, 3, 4, 5, 6, 7], [1, 2, 3, 4, 5, 6], [1] * 6),
    EqualityOneWay: ([1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5, 6], [0] * 6),
    GreaterThanTrivial: ([2, 3, 4, 5, 6, 7], [1, 2, 3, 4, 5, 6], [1] * 6),
    InnerProductTrivial: ([2, 3, 4, 5, 6, 7], [1, 2, 3, 4, 5, 6], [1] * 6),
    IndexFromBob: ([1, 2, 3, 3, 4, 4], [1] * 6, [0, 1, 2, 2, 3, 3]),
    IndexOneWay: ([1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5, 6], [0] * 6),
}
every_protocol = pytest.mark.parametrize("protocol", COSTS, ids=lambda protocol: protocol.name)


@every_protocol
@pytest.mark.parametrize("n", range(1, 7))
def test_it_is_right_on_all_pairs_at_its_cost(protocol: type[Protocol], n: int) -> None:
    instance = protocol(n)
    found = verify(instance)
    worst, by_alice, by_bob = (costs[n - 1] for costs in COSTS[protocol])
    assert found.pairs == (2**n * n if protocol in (IndexFromBob, IndexOneWay) else 4**n)
    assert found.first_wrong is None
    assert found.wrong == 0
    assert (found.cost, found.alice_bits, found.bob_bits) == (worst, by_alice, by_bob)
    assert instance.declared_cost == worst


@every_protocol
@pytest.mark.parametrize("n", [1, 2, 3])
def test_batches_and_single_inputs_give_the_same_tree(protocol: type[Protocol], n: int) -> None:
    assert protocol.batched
    batched, single = (explore(protocol(n), batched=batched) for batched in (True, False))
    assert all(one and two and one.same_as(two) for one, two in zip_longest(batched.leaves, single.leaves))


@every_protocol
@pytest.mark.parametrize("n", [1, 2])
def test_it_is_local(protocol: type[Protocol], n: int) -> None:
    check_locality(explore(protocol(n)))


@every_protocol
def test_it_works_far_beyond_what_can_be_listed(protocol: type[Protocol]) -> None:
    instance = protocol(100)
    x, y = instance.function.alice_inputs, instance.function.bob_inputs
    last_place = y.parse("100") if protocol in (IndexFromBob, IndexOneWay) else y.parse("0" * 99 + "1")
    run = instance.run(x.parse("01" * 50), last_place)
    # the last bit of x is a 1: the strings differ, the last place is the only one where both hold a 1, and x > y
    answers = {"equality": 0, "disjointness": 0, "intersection": 1, "greater-than": 1, "inner-product": 1, "index": 1}
    assert run.output == run.expected == answers[protocol.problem.name]
    assert run.bits <= instance.declared_cost
