"""Greater-than against Python's own comparison of integers."""

import pytest

from commsim.protocols.greater_than import GreaterThanTrivial


@pytest.mark.parametrize(("x", "y"), [(5, 3), (3, 5), (6, 6), (8, 7), (0, 0), (15, 14), (0, 15)])
def test_it_compares_the_numbers(x: int, y: int) -> None:
    protocol = GreaterThanTrivial(4)
    domain = protocol.function.alice_inputs
    transcript = protocol.run(domain.parse(x), domain.parse(y))
    assert transcript.output == (x > y)
    assert [message.bits for message in transcript.messages] == [f"{x:04b}", "1" if x > y else "0"]


def test_numbers_too_large_for_machine_integers() -> None:
    protocol = GreaterThanTrivial(200)
    domain = protocol.function.alice_inputs
    assert protocol.run(domain.parse(2**199 + 1), domain.parse(2**199)).output == 1
    assert protocol.run(domain.parse(2**199), domain.parse(2**199 + 1)).output == 0
