"""The inner product modulo 2, by hand."""

import pytest

from commsim.protocols.inner_product import InnerProductTrivial


@pytest.mark.parametrize(
    ("x", "y", "parity"), [("111", "110", 0), ("111", "111", 1), ("101", "010", 0), ("0110", "0100", 1)]
)
def test_it_answers_the_parity_of_the_common_ones(x: str, y: str, parity: int) -> None:
    protocol = InnerProductTrivial(len(x))
    domain = protocol.function.alice_inputs
    transcript = protocol.run(domain.parse(x), domain.parse(y))
    assert transcript.output == parity
    assert [message.bits for message in transcript.messages] == [x, str(parity)]
