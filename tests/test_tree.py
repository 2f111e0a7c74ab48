"""Protocol trees: the same by batches and input by input, and the same as the runs of all pairs."""

from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from made import Drawn, drawn_protocol, drawn_trees, made, simultaneous

from commsim.arrays import Array, Bits
from commsim.channel import Channel
from commsim.coins import SeededCoins
from commsim.errors import InputError
from commsim.exploration import explore, group_by_message, walk
from commsim.faults import LocalityFault
from commsim.problem import Disjointness, Equality, Index, Problem
from commsim.protocol import Protocol
from commsim.transcript import Message, Path, bits_sent, rounds
from commsim.tree import Leaf, ProtocolTree

SIZES: list[tuple[type[Problem], int]] = [(Equality, 1), (Disjointness, 2), (Index, 3)]


@st.composite
def drawn_protocols(draw: st.DrawFn) -> tuple[Protocol, Drawn]:
    problem, n = draw(st.sampled_from(SIZES))
    function = problem(n)
    tree = draw(drawn_trees({"alice": function.alice_inputs.size, "bob": function.bob_inputs.size}))
    return drawn_protocol(tree, problem, n), tree


def expected_path(tree: Drawn, row: int, column: int) -> tuple[Path, int]:
    """The transcript and label of one pair, read off the drawn tree."""
    path: Path = ()
    while tree.owner:
        message = tree.messages[row if tree.owner == "alice" else column]
        path = (*path, Message(tree.owner, format(message, f"0{tree.length}b")))
        tree = tree.children[message]
    return path, tree.label


quick = settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])


@quick
@given(drawn_protocols())
def test_batches_and_single_inputs_give_the_same_leaves(drawn: tuple[Protocol, Drawn]) -> None:
    protocol, _ = drawn
    by_batches, one_by_one = explore(protocol, batched=True).leaves, explore(protocol, batched=False).leaves
    assert len(by_batches) == len(one_by_one)
    assert all(leaf.same_as(other) for leaf, other in zip(by_batches, one_by_one, strict=True))
    assert all(leaf.same_as(other) for leaf, other in zip(by_batches, walk(protocol), strict=True))


@quick
@given(drawn_protocols())
def test_rectangles_partition_the_matrix_and_paths_are_those_of_the_runs(drawn: tuple[Protocol, Drawn]) -> None:
    protocol, described = drawn
    tree = explore(protocol)
    function = protocol.function
    x, y = function.alice_inputs.all(), function.bob_inputs.all()
    assert sum(leaf.pairs for leaf in tree.leaves) == function.pairs
    assert (tree.leaf_numbers >= 0).all()
    paths = {}
    for row in range(len(x)):
        for column in range(len(y)):
            leaf = tree.leaves[tree.leaf_numbers[row, column]]
            assert row in leaf.alice_indices
            assert column in leaf.bob_indices
            path, label = expected_path(described, row, column)
            run = protocol.run(x[row], y[column])
            assert leaf.path == run.messages == path
            assert leaf.output.tolist() == [[run.output]] == [[label]]
            paths[path] = run
    assert [leaf.path for leaf in tree.leaves] == sorted(paths, key=lambda path: [message.bits for message in path])
    assert tree.cost == max(run.bits for run in paths.values())
    assert tree.rounds == max(run.rounds for run in paths.values())
    assert tree.cost_of("alice") == max(bits_sent(path, "alice") for path in paths)
    assert tree.cost_of("bob") == max(bits_sent(path, "bob") for path in paths)


@quick
@given(drawn_protocols())
def test_the_graph_is_the_tree(drawn: tuple[Protocol, Drawn]) -> None:
    protocol, _ = drawn
    tree = explore(protocol)
    graph = tree.to_networkx()
    assert nx.is_arborescence(graph)
    assert graph.in_degree(()) == 0
    leaves = {leaf.path: leaf for leaf in tree.leaves}
    assert {path for path in graph if graph.out_degree(path) == 0} == set(leaves)
    for path, attributes in graph.nodes.items():
        if path in leaves:
            assert attributes["owner"] is None
            assert attributes["output"] is leaves[path].output
            assert attributes["alice_indices"].tolist() == leaves[path].alice_indices.tolist()
            assert attributes["bob_indices"].tolist() == leaves[path].bob_indices.tolist()
        else:
            assert {child[-1].sender for child in graph[path]} == {attributes["owner"]}
            # the children split the owner's side, and only that
            side, other = ("alice_indices", "bob_indices")[:: 1 if attributes["owner"] == "alice" else -1]
            parts = [graph.nodes[child][side].tolist() for child in graph[path]]
            assert sorted(index for part in parts for index in part) == attributes[side].tolist()
            assert all(graph.nodes[child][other].tolist() == attributes[other].tolist() for child in graph[path])
    for start, end in graph.edges:
        assert end[:-1] == start
        assert end[-1].bits == graph.edges[start, end]["bits"]
    for path in leaves:
        along = nx.shortest_path(graph, (), path)
        assert sum(len(graph.edges[edge]["bits"]) for edge in nx.utils.pairwise(along)) == leaves[path].bits


def test_a_tree_written_out_by_hand() -> None:
    """Disjointness of subsets of {1}: Alice names her set, and only if it is {1} Bob answers."""

    async def alice(x: Bits, channel: Channel) -> object:
        await channel.send(x)
        return await channel.receive_bit() if x.any() else True

    async def bob(y: Bits, channel: Channel) -> object:
        if not await channel.receive_bit():
            return True
        await channel.send(~y)
        return ~y[..., 0]

    for batched in (False, True):
        tree = explore(made(alice, bob, n=1, problem=Disjointness, batched=batched))
        found = [
            (
                "".join(message.bits for message in leaf.path),
                leaf.alice_indices.tolist(),
                leaf.bob_indices.tolist(),
                leaf.output.tolist(),
            )
            for leaf in tree.leaves
        ]
        assert found == [("0", [0], [0, 1], [[1]]), ("10", [1], [1], [[0]]), ("11", [1], [0], [[1]])]
        assert tree.leaf_numbers.tolist() == [[0, 0], [2, 1]]
        assert (tree.cost, tree.rounds, tree.cost_of("alice"), tree.cost_of("bob")) == (2, 2, 1, 1)
        assert [tree.first_pair(leaf) for leaf in tree.leaves] == [("0", "0"), ("1", "1"), ("1", "0")]


def test_leaves_differ_in_path_rectangle_or_output() -> None:
    leaf = Leaf((Message("alice", "0"),), np.array([0, 2]), np.array([1]), np.array([[1]]))
    assert leaf.same_as(Leaf((Message("alice", "0"),), np.array([0, 2]), np.array([1]), np.array([[1]])))
    assert not leaf.same_as(Leaf((Message("alice", "1"),), leaf.alice_indices, leaf.bob_indices, leaf.output))
    assert not leaf.same_as(Leaf(leaf.path, np.array([0, 1]), leaf.bob_indices, leaf.output))
    assert not leaf.same_as(Leaf(leaf.path, leaf.alice_indices, np.array([0]), leaf.output))
    assert not leaf.same_as(Leaf(leaf.path, leaf.alice_indices, leaf.bob_indices, np.array([[0]])))
    assert (leaf.pairs, leaf.bits) == (2, 1)


@pytest.mark.parametrize("batched", [False, True])
def test_simultaneous_messages_make_a_tree_too(batched: bool) -> None:
    async def alice(x: Bits, channel: Channel) -> None:
        await channel.send(x[..., 0])
        await channel.send(x[..., 1])

    async def bob(y: Bits, channel: Channel) -> None:
        await channel.send(y)

    def referee(from_alice: Bits, from_bob: Bits, channel: Channel) -> bool:
        return bool((from_alice == from_bob).all())

    protocol = simultaneous(alice, bob, referee)
    tree = explore(protocol, batched=batched)
    assert len(tree.leaves) == 16
    assert [int(leaf.output[0, 0]) for leaf in tree.leaves] == np.eye(4, dtype=int).ravel().tolist()
    assert all(
        leaf.output.shape == (1, 1) and leaf.bits == 4 and rounds(leaf.path, "two-way") == 2 for leaf in tree.leaves
    )


def test_a_protocol_with_coins_has_a_tree_for_each_outcome() -> None:
    async def alice(x: Bits, channel: Channel) -> Any:
        await channel.send(x[..., int(channel.public.integers(2))])
        return 0

    async def bob(y: Bits, channel: Channel) -> Any:
        await channel.receive(1)
        return 0

    protocol = made(alice, bob, batched=True, coins="public")
    rectangles = {seed: explore(protocol, SeededCoins(seed)).leaves[0].alice_indices.tolist() for seed in range(12)}
    assert set(map(tuple, rectangles.values())) == {(0, 1), (0, 2)}
    for seed, rows in rectangles.items():
        runs = [protocol.run(x, y, seed) for x in protocol.function.alice_inputs.all() for y in [np.zeros(2, bool)]]
        assert [row for row, run in enumerate(runs) if run.messages[0].bits == "0"] == rows
    # seed 0 where none is given
    assert explore(protocol).leaves[0].alice_indices.tolist() == rectangles[0]


@settings(max_examples=100)
@given(st.integers(1, 20).flatmap(lambda k: st.lists(st.lists(st.booleans(), min_size=k, max_size=k), min_size=1)))
def test_messages_are_grouped_in_order(rows: list[list[bool]]) -> None:
    grouped = group_by_message(np.array(rows))
    assert [bits.tolist() for bits, _ in grouped] == sorted(map(list, {tuple(row) for row in rows}))
    for bits, members in grouped:
        assert members.tolist() == [place for place, row in enumerate(rows) if row == bits.tolist()]


def test_too_many_inputs_are_refused() -> None:
    async def program(own: Array, channel: Channel) -> int:
        return 0

    with pytest.raises(InputError, match="too many to list"):
        explore(made(program, program, n=25))


# A party whose behaviour changes between two runs on the same input and transcript.


def _changing(*actions: Any) -> Any:
    """A program that acts in one way while the root is explored, and in the last way after that."""
    left = [*actions]
    seen: set[str] = set()

    async def program(own: Array, channel: Channel) -> Any:
        key = str(own.tolist())
        if key in seen and len(left) > 1:
            left.pop(0)
        seen.add(key)
        return await left[0](channel)

    return program


async def _sends_0(channel: Channel) -> int:
    await channel.send(0)
    return 0


async def _sends_1(channel: Channel) -> int:
    await channel.send(1)
    return 0


async def _sends_00(channel: Channel) -> int:
    await channel.send(np.zeros(2) if channel.batch is None else np.zeros((channel.batch, 2)))
    return 0


async def _hears_1(channel: Channel) -> int:
    await channel.receive(1)
    return 0


async def _hears_2(channel: Channel) -> int:
    await channel.receive(2)
    return 0


async def _nothing(channel: Channel) -> int:
    return 0


ALIKE = "behaves differently in two runs on the same input and the same transcript, at the start"


@pytest.mark.parametrize("batched", [False, True])
@pytest.mark.parametrize(
    ("alice", "bob", "said"),
    [
        ((_sends_0, _sends_1), (_hears_1,), f"alice {ALIKE}: in one it sent 0, in the other it sends 1;"),
        ((_sends_0, _sends_00), (_hears_1,), "in one it sent 0, in the other it sends "),
        ((_sends_0, _nothing), (_hears_1,), "in one it sent 0, in the other it has finished;"),
        ((_sends_0,), (_hears_1, _hears_2), f"bob {ALIKE}: in one it waited for 1 bit, in the other it waits for 2"),
        ((_sends_0,), (_hears_1, _sends_0), "in one it waited for 1 bit, in the other it sends "),
    ],
)
def test_exploration_finds_a_party_that_changes_its_mind(alice: Any, bob: Any, said: str, batched: bool) -> None:
    with pytest.raises(LocalityFault) as caught:
        explore(made(_changing(*alice), _changing(*bob), batched=batched, output="bob", n=1))
    assert said in str(caught.value)
    assert "a party may use only its own input, what it receives, and its coins; at n = 1, x = 0, y = 0" in str(
        caught.value
    )


def test_a_tree_is_made_of_its_leaves() -> None:
    protocol = made(_changing(_nothing), _changing(_nothing))
    tree = ProtocolTree(protocol, list(walk(protocol)))
    assert (tree.cost, tree.rounds, len(tree.leaves)) == (0, 0, 1)
    assert list(tree.to_networkx().nodes) == [()]
