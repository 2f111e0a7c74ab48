"""Protocols made for the tests: from two programs, or from a drawn tree."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st

from commsim.arrays import Array, Bits
from commsim.channel import Channel
from commsim.party import Program
from commsim.problem import Equality, Problem
from commsim.protocol import Protocol, SimultaneousProtocol
from commsim.transcript import PartyName


def made(
    alice: Program, bob: Program, n: int = 2, problem: type[Problem] = Equality, batched: bool = False, **declared: str
) -> Protocol:
    """A protocol of two programs, and of whatever else is declared."""

    class Made(Protocol):
        name = "made"
        cost = "n"

        def alice(self, x: Any, channel: Channel) -> Any:
            return alice(x, channel)

        def bob(self, y: Any, channel: Channel) -> Any:
            return bob(y, channel)

    Made.problem = problem
    Made.batched = batched
    for attribute, value in declared.items():
        setattr(Made, attribute, value)
    return Made(n)


def simultaneous(alice: Program, bob: Program, referee: Any, n: int = 2, **declared: str) -> Protocol:
    """A simultaneous protocol of two programs and a referee."""

    class Made(SimultaneousProtocol):
        name = "made"
        cost = "2*n"
        problem = Equality

        def alice(self, x: Any, channel: Channel) -> Any:
            return alice(x, channel)

        def bob(self, y: Any, channel: Channel) -> Any:
            return bob(y, channel)

        def referee(self, from_alice: Bits, from_bob: Bits, channel: Channel) -> Any:
            return referee(from_alice, from_bob, channel)

    for attribute, value in declared.items():
        setattr(Made, attribute, value)
    return Made(n)


async def sends_all(x: Array, channel: Channel) -> Any:
    await channel.send(x)
    return None


async def hears_all_and_compares(y: Array, channel: Channel) -> Any:
    x = await channel.receive(y.shape[-1])
    return (x == y).all(axis=-1)


async def nothing(own: Array, channel: Channel) -> int:
    return 0


def hashed_equality(n: int, k: int, batched: bool) -> Protocol:
    """Alice sends k inner products with random vectors; Bob, who compares, is wrong with probability 2^-k if x != y."""

    async def alice(x: Bits, channel: Channel) -> Any:
        vectors = channel.public.integers(2, size=(n, k))
        await channel.send(x @ vectors % 2)
        return None

    async def bob(y: Bits, channel: Channel) -> Any:
        vectors = channel.public.integers(2, size=(n, k))
        return ((await channel.receive(k)) == y @ vectors % 2).all(axis=-1)

    return made(alice, bob, n, output="bob", coins="public", batched=batched)


@dataclass(frozen=True)
class Drawn:
    """A node of a drawn protocol tree.

    Attributes:
        owner: who sends here; None at a leaf.
        length: of the message, in bits.
        messages: the message of each input of the owner, as a number.
        children: the node after each message that occurs.
        label: the output at a leaf.

    """

    owner: PartyName | None
    length: int
    messages: tuple[int, ...]
    children: dict[int, "Drawn"]
    label: int


@st.composite
def drawn_trees(draw: st.DrawFn, sizes: dict[PartyName, int], depth: int = 3) -> Drawn:
    """Trees of at most this many messages on each path, for parties with this many inputs."""
    owner: PartyName | None = draw(st.sampled_from(["alice", "bob", None] if depth else [None]))
    if owner is None:
        return Drawn(None, 0, (), {}, draw(st.integers(0, 1)))
    length = draw(st.integers(1, 3))
    each = st.integers(0, 2**length - 1)
    messages = tuple(draw(st.lists(each, min_size=sizes[owner], max_size=sizes[owner])))
    children = {message: draw(drawn_trees(sizes, depth - 1)) for message in sorted(set(messages))}
    return Drawn(owner, length, messages, children, 0)


def follow(tree: Drawn, name: PartyName) -> Program:
    """The program of one party of a drawn tree, on the number of its input."""

    async def program(inputs: Array, channel: Channel) -> int:
        # places in the list of all inputs: positions count from 1, bit strings are binary numbers
        places = inputs - 1 if inputs.dtype == np.int64 else inputs @ (1 << np.arange(inputs.shape[-1])[::-1])
        node = tree
        while node.owner:
            powers = np.arange(node.length)[::-1]
            if node.owner == name:
                messages = np.array(node.messages)[places]
                await channel.send((messages[..., None] >> powers) & 1)
                # in a batch all inputs have sent the same message here
                node = node.children[int(np.ravel(messages)[0])]
            else:
                node = node.children[int((await channel.receive(node.length)) @ (1 << powers))]
        return node.label

    return program


def drawn_protocol(tree: Drawn, problem: type[Problem], n: int) -> Protocol:
    """The protocol of a drawn tree; its programs take batches."""
    return made(follow(tree, "alice"), follow(tree, "bob"), n, problem, batched=True)
