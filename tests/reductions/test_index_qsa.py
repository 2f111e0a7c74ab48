"""Index to q-SA: tokens by hand, and the bit on all small pairs."""

import numpy as np
import pytest

from commsim.errors import InputError
from commsim.reductions.index_qsa import IndexToQSA


@pytest.mark.parametrize(
    ("x", "y", "length", "owners", "z"),
    [
        ([1, 0], 2, None, "AAB", [1, -1, -1]),
        ([0, 1, 1], 1, None, "AAAB", [-1, 1, 1, -1]),
        ([0, 1, 1], 3, 6, "AAAPPB", [-1, 1, 1, -1, -1, -1]),
    ],
)
def test_tokens_by_hand(x: list[int], y: int, length: int | None, owners: str, z: list[int]) -> None:
    reduction = IndexToQSA(len(x), length)
    shape = reduction.shape()
    names = {"A": "alice", "B": "bob", "P": "public"}
    assert shape.owners == tuple(names[owner] for owner in owners)
    assert shape.reader == len(owners)
    assert shape.task.parameters == {"N": len(owners), "q": 1, "d": 1}
    tokens = reduction.assemble(np.array(x, dtype=bool), np.array(y))
    shape.task.check(tokens)
    assert tokens["z"][:, 0].tolist() == z
    assert tokens["y"][:, 0].tolist() == [1] * (len(owners) - 1) + [y]


@pytest.mark.parametrize("spare", [0, 2])
@pytest.mark.parametrize("n", [1, 2, 3, 4, 7])
def test_right_on_all_pairs(n: int, spare: int) -> None:
    reduction = IndexToQSA(n, n + 1 + spare)
    strings, places = reduction.problem.alice_inputs.all(), reduction.problem.bob_inputs.all()
    x, y = np.repeat(strings, n, axis=0), np.tile(places, len(strings))
    outputs = reduction.shape().task.evaluate(reduction.assemble(x, y), [reduction.shape().reader])[:, 0]
    asked = [row[place - 1] for row, place in zip(x.tolist(), y.tolist(), strict=True)]
    assert outputs[:, 0].tolist() == [1 if bit else -1 for bit in asked]
    assert reduction.decode(outputs).tolist() == asked
    # an error below half the gap of 2
    for shift in (-0.999, 0.999):
        assert reduction.decode(outputs.astype(float) + shift).tolist() == asked


def test_a_sequence_too_short_is_refused() -> None:
    with pytest.raises(InputError, match=r"index-to-qsa at n = 4 needs N at least n \+ 1 = 5, not N = 4"):
        IndexToQSA(4, 4)
