"""Disjointness and intersection to Match3: tokens by hand, all small pairs, and the least modulus for one element."""

from itertools import product

import numpy as np
import pytest

from commsim.arrays import Array
from commsim.errors import InputError
from commsim.reductions.disjointness_match3 import DisjointnessToMatch3, IntersectionToMatch3


def bits(text: str) -> Array:
    return np.array([character == "1" for character in text])


@pytest.mark.parametrize(
    ("x", "y", "length", "tokens"),
    [
        # n = 2: N = 5, M = 6
        ("00", "00", None, [1, 1, 1, 1, 1]),
        ("11", "11", None, [5, 2, 6, 3, 1]),
        ("10", "01", None, [5, 1, 1, 3, 1]),
        # n = 4: N = 9, M = 10
        ("1111", "1111", None, [9, 2, 3, 4, 10, 7, 6, 5, 1]),
        ("0101", "0110", None, [1, 2, 1, 4, 1, 7, 6, 1, 1]),
        # two spare tokens: N = 7, M = 8
        ("11", "11", 7, [7, 2, 8, 5, 1, 1, 1]),
    ],
)
def test_tokens_by_hand(x: str, y: str, length: int | None, tokens: list[int]) -> None:
    reduction = DisjointnessToMatch3(len(x), length)
    shape = reduction.shape()
    assert shape.task.parameters == {"N": len(tokens), "M": len(tokens) + 1}
    assert shape.owners == ("alice",) * len(x) + ("bob",) * len(x) + ("public",) * (len(tokens) - 2 * len(x))
    assert shape.reader == len(tokens)
    assert reduction.assemble(bits(x), bits(y)).tolist() == tokens
    assert IntersectionToMatch3(len(x), length).assemble(bits(x), bits(y)).tolist() == tokens


@pytest.mark.parametrize("spare", [0, 1, 4])
@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_right_on_all_pairs(n: int, spare: int) -> None:
    reduction, twin = (made(n, 2 * n + 1 + spare) for made in (DisjointnessToMatch3, IntersectionToMatch3))
    x, y = reduction.problem.alice_inputs.all(), reduction.problem.bob_inputs.all()
    x, y = np.repeat(x, len(y), axis=0), np.tile(y, (len(x), 1))
    tokens = reduction.assemble(x, y)
    task = reduction.shape().task
    task.check(tokens)
    outputs = task.evaluate(tokens, [reduction.shape().reader])[:, 0]
    meet = [
        any(one and two for one, two in zip(*pair, strict=True)) for pair in zip(x.tolist(), y.tolist(), strict=True)
    ]
    assert outputs.tolist() == meet
    assert twin.decode(outputs).tolist() == meet
    assert reduction.decode(outputs).tolist() == [not met for met in meet]


@pytest.mark.parametrize(
    "reduction", [DisjointnessToMatch3(40), IntersectionToMatch3(40)], ids=lambda made: str(made.name)
)
def test_right_on_balanced_pairs_of_forty_elements(reduction: DisjointnessToMatch3) -> None:
    x, y = reduction.problem.balanced_pairs(np.random.default_rng(3), 500)
    outputs = reduction.shape().task.evaluate(reduction.assemble(x, y), [reduction.shape().reader])[:, 0]
    expected = reduction.problem.evaluate(x, y)
    assert 100 < expected.sum() < 400
    assert (reduction.decode(outputs) == expected).all()


@pytest.mark.parametrize(("modulus", "possible"), [(1, False), (2, False), (3, False), (4, True)])
def test_the_least_modulus_for_one_element(modulus: int, possible: bool) -> None:
    # whatever three tokens stand for x, y and the reader: is there a match iff x = y = 1?
    def decides(zero_x: int, one_x: int, zero_y: int, one_y: int, reader: int) -> bool:
        for x, y in product((0, 1), repeat=2):
            tokens = ((zero_x, one_x)[x], (zero_y, one_y)[y], reader)
            match = any((reader + v + w) % modulus == 0 for v in tokens for w in tokens)
            if match != (x == y == 1):
                return False
        return True

    assert any(decides(*tokens) for tokens in product(range(1, modulus + 1), repeat=5)) == possible


def test_one_element_has_the_least_modulus() -> None:
    assert DisjointnessToMatch3(1).shape().task.parameters == {"N": 3, "M": 4}


def test_a_sequence_too_short_is_refused() -> None:
    with pytest.raises(InputError, match=r"intersection-to-match3 at n = 3 needs N at least 2\*n \+ 1 = 7, not N = 6"):
        IntersectionToMatch3(3, 6)
