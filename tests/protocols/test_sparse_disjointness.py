"""Small sets: a common element survives every round, and the messages do what the docstring says."""

import numpy as np
import pytest

from commsim.protocols.sparse_disjointness import SparseDisjointnessHastadWigderson, SparseDisjointnessTrivial


def subset(n: int, *elements: int) -> np.ndarray:
    row = np.zeros(n, dtype=bool)
    row[[element - 1 for element in elements]] = True
    return row


def test_the_elements_by_hand() -> None:
    # n = 5 takes 3 bits an element, 000 stands for none
    run = SparseDisjointnessTrivial(5, 3).run(subset(5, 2, 5), subset(5, 5))
    assert [message.bits for message in run.messages] == ["010101000", "0"]


@pytest.mark.parametrize("seed", range(30))
def test_sets_that_meet_are_never_called_disjoint(seed: int) -> None:
    protocol = SparseDisjointnessHastadWigderson(50, 6)
    run = protocol.run(subset(50, 1, 7, 20, 33, 41), subset(50, 2, 8, 21, 33, 50), seed)
    assert run.output == 0


def test_disjoint_sets_are_mostly_recognised() -> None:
    protocol = SparseDisjointnessHastadWigderson(1000, 16)
    x, y = subset(1000, *range(1, 17)), subset(1000, *range(101, 117))
    runs = [protocol.run(x, y, seed) for seed in range(60)]
    assert sum(run.output for run in runs) >= 50
    # about 9.3 k + 3 R bits, and the sizes: far below the worst case
    assert np.mean([run.bits for run in runs]) < 350 < protocol.declared_cost


def test_the_first_message() -> None:
    # one element: its number of elements, 1, in one bit for k = 1; then one group: t = 1 in unary, found, 3 bits
    protocol = SparseDisjointnessHastadWigderson(9, 1)
    run = protocol.run(subset(9, 4), subset(9, 5), 0)
    assert run.messages[0].bits == "1"
    assert len(run.messages[1].bits) == 6
    assert run.messages[1].bits[:2] == "10"


def test_an_empty_set_ends_it_at_once() -> None:
    run = SparseDisjointnessHastadWigderson(9, 2).run(subset(9), subset(9, 5), 0)
    assert (run.output, [message.bits for message in run.messages]) == (1, ["00"])
