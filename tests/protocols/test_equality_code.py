"""The code of the simultaneous protocol: its distance by brute force, and what the referee sees."""

import numpy as np
import pytest

from commsim.protocols.equality_code import EqualityCode


@pytest.mark.parametrize("n", [1, 2, 3, 5, 8, 10])
def test_different_strings_have_squares_that_differ_in_at_least_d_places(n: int) -> None:
    protocol = EqualityCode(n)
    squares = protocol.square(protocol.function.alice_inputs.all())
    words = squares.reshape(2**n, -1)
    assert words.shape[1] == protocol.side**2
    for word in range(2**n - 1):
        distances = (words[word] ^ words[word + 1 :]).sum(axis=1)
        assert distances.min() >= protocol.distance


def test_so_many_rows_that_the_error_is_a_third() -> None:
    for n in (1, 16, 100, 1000):
        protocol = EqualityCode(n)
        missed = 1 - protocol.distance / protocol.side**2
        assert missed**protocol.repetitions <= 1 / 3 < missed ** (protocol.repetitions - 1)


def test_the_cost_is_of_the_order_of_the_square_root() -> None:
    assert all(EqualityCode(n).declared_cost < 65 * n**0.5 for n in (16, 64, 256, 1024, 4096, 16384))


def test_equal_strings_are_never_told_apart() -> None:
    protocol = EqualityCode(12)
    x = np.arange(12) % 3 == 0
    assert all(protocol.run(x, x, seed).output == 1 for seed in range(50))
