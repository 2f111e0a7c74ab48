"""Counting residues, and pairs that complete a third: against plain Python."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from commsim.errors import InputError
from commsim.models.attention import ResidueAveragingAttention
from commsim.models.feedforward import ResidueCountingNetwork
from commsim.models.model import Model
from commsim.models.recurrent import ResidueSetNetwork
from commsim.models.residues import completes_triple, count_residues
from commsim.task import Match3


def test_counts_by_hand() -> None:
    # modulo 5 the tokens 1 5 5 6 and 2 2 2 2 are 1 0 0 1 and 2 2 2 2
    assert count_residues(np.array([1, 5, 5, 6]), 5).tolist() == [2, 2, 0, 0, 0]
    assert count_residues(np.array([[1, 5, 5, 6], [2, 2, 2, 2]]), 5).tolist() == [[2, 2, 0, 0, 0], [0, 0, 4, 0, 0]]


def test_counts_of_no_tokens() -> None:
    assert count_residues(np.zeros((3, 0), dtype=np.int64), 2).tolist() == [[0, 0]] * 3
    assert count_residues(np.zeros(0, dtype=np.int64), 2).tolist() == [0, 0]


@given(st.integers(1, 12), st.lists(st.integers(1, 100), min_size=1, max_size=8))
def test_counts_against_a_list(modulus: int, tokens: list[int]) -> None:
    residues = [token % modulus for token in tokens]
    assert count_residues(np.array(tokens), modulus).tolist() == [residues.count(value) for value in range(modulus)]


def completes_by_hand(present: list[bool], residue: int) -> bool:
    values = [value for value, there in enumerate(present) if there]
    return any((residue + v + w) % len(present) == 0 for v in values for w in values)


@given(st.data(), st.integers(1, 9), st.integers(1, 4))
def test_pairs_against_all_pairs(data: st.DataObject, modulus: int, batch: int) -> None:
    one_set = st.lists(st.booleans(), min_size=modulus, max_size=modulus)
    sets = data.draw(st.lists(one_set, min_size=batch, max_size=batch))
    residues = data.draw(st.lists(st.integers(0, modulus - 1), min_size=batch, max_size=batch))
    present, residue = np.array(sets), np.array(residues)
    expected = [completes_by_hand(one, value) for one, value in zip(sets, residues, strict=True)]
    assert completes_triple(present, residue).tolist() == expected
    assert [completes_triple(one, value).item() for one, value in zip(present, residue, strict=True)] == expected
    # one set for many residues, and one residue for many sets
    assert completes_triple(present[0], residue).tolist() == [completes_by_hand(sets[0], value) for value in residues]
    assert completes_triple(present, residue[0]).tolist() == [completes_by_hand(one, residues[0]) for one in sets]


@pytest.mark.parametrize(("modulus", "residue", "completed"), [(1, 0, True), (2, 0, True), (2, 1, False), (3, 2, True)])
def test_one_residue_may_serve_twice(modulus: int, residue: int, completed: bool) -> None:
    # only modulus - 1 occurs; twice that is -2
    present = np.arange(modulus) == modulus - 1
    assert bool(completes_triple(present, np.array(residue))) == completed


@pytest.mark.parametrize("model", [ResidueAveragingAttention, ResidueSetNetwork, ResidueCountingNetwork])
def test_a_number_for_each_residue_takes_few_residues(model: type[Model]) -> None:
    assert model(Match3(3, 2**20)).task.parameters["M"] == 2**20
    with pytest.raises(InputError, match="a number for each residue, so M must be at most 1048576, not 1048577"):
        model(Match3(3, 2**20 + 1))
