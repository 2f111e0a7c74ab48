"""Programs that never finish are stopped, and said to be endless."""

from typing import Any

import pytest

from commsim.channel import Channel
from commsim.exploration import explore
from commsim.faults import Endless
from commsim.problem import Equality
from commsim.protocol import Protocol


class Chatter(Protocol):
    """Alice sends for ever, and Bob listens for ever."""

    name = "chatter"
    problem = Equality
    cost = "n"

    async def alice(self, x: Any, channel: Channel) -> Any:
        while True:
            await channel.send(x[0])

    async def bob(self, y: Any, channel: Channel) -> Any:
        while True:
            await channel.receive_bit()


def test_a_run_that_does_not_end_is_stopped() -> None:
    protocol = Chatter(1)
    with pytest.raises(Endless, match=r"65536 messages and still do not finish; at n = 1, x = 1, y = 0") as caught:
        protocol.run(protocol.function.alice_inputs.parse("1"), protocol.function.bob_inputs.parse("0"))
    assert len(str(caught.value)) < 400


def test_an_exploration_that_does_not_end_is_stopped() -> None:
    with pytest.raises(Endless, match=r"512 messages and still do not finish; at n = 1, x = 0, y = 0"):
        explore(Chatter(1))
