"""Intersection, pair by pair, and as the opposite of disjointness."""

import numpy as np
import pytest

from commsim.arrays import Array
from commsim.exploration import explore
from commsim.protocol import Protocol
from commsim.protocols.disjointness import DisjointnessTrivial
from commsim.protocols.intersection import IntersectionTrivial


def outputs(protocol: Protocol) -> Array:
    tree = explore(protocol)
    return np.array([int(leaf.output.item()) for leaf in tree.leaves])[tree.leaf_numbers]


@pytest.mark.parametrize("n", [1, 2, 4])
def test_it_answers_the_opposite_of_disjointness(n: int) -> None:
    assert (outputs(IntersectionTrivial(n)) == 1 - outputs(DisjointnessTrivial(n))).all()


def test_its_outputs_on_two_elements() -> None:
    # rows and columns are {}, {2}, {1}, {1,2}
    assert outputs(IntersectionTrivial(2)).tolist() == [[0, 0, 0, 0], [0, 1, 0, 1], [0, 0, 1, 1], [0, 1, 1, 1]]
