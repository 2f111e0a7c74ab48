"""Protocols on an object that both know: a graph, a decision tree, a formula."""

from typing import Any

import networkx as nx
import pytest

from commsim.problem import DecisionTree, Formula
from commsim.protocols.clique_independent_set import CliqueIndependentSetHalving
from commsim.protocols.composed_with_index import ComposedWithIndexByTree
from commsim.protocols.karchmer_wigderson import KarchmerWigdersonByFormula
from commsim.verify import verify

GRAPHS: dict[str, Any] = {
    "path": nx.path_graph(7),
    "cycle": nx.cycle_graph(8),
    "complete": nx.complete_graph(6),
    "empty": nx.empty_graph(6),
    "bipartite": nx.complete_bipartite_graph(4, 4),
    "petersen": nx.petersen_graph(),
    "random": nx.gnp_random_graph(9, 0.4, seed=5),
}


@pytest.mark.parametrize("name", GRAPHS)
def test_a_clique_against_an_independent_set(name: str) -> None:
    graph = GRAPHS[name]
    n = len(graph)
    protocol = CliqueIndependentSetHalving(n, graph)
    found = verify(protocol)
    assert found.wrong == 0
    # (floor(log2 n) + 1) rounds, of twice a number of bit_length(n) bits and an answer
    assert found.cost == protocol.declared_cost == 2 * n.bit_length() * (n.bit_length() + 1)


def literal(variable: int) -> Formula:
    return Formula("literal", variable=variable)


@pytest.mark.parametrize(
    ("n", "formula", "depth"),
    [
        (2, None, 2),
        (3, None, 4),
        (4, None, 4),
        (3, Formula("and", Formula("and", literal(1), literal(2)), literal(3)), 2),
        # MAJ_3 = (x1 and x2) or (x3 and (x1 or x2)): depth 3, as small as can be
        (
            3,
            Formula(
                "or",
                Formula("and", literal(1), literal(2)),
                Formula("and", literal(3), Formula("or", literal(1), literal(2))),
            ),
            3,
        ),
    ],
)
def test_a_game_costs_the_depth_of_its_formula(n: int, formula: Formula | None, depth: int) -> None:
    protocol = KarchmerWigdersonByFormula(n, formula)
    found = verify(protocol)
    assert (found.wrong, found.cost, protocol.declared_cost) == (0, depth, depth)


def test_a_tree_costs_a_pointer_and_a_bit_for_each_variable_on_a_path() -> None:
    # the address function: variable 1 selects variable 2 or 3
    address = DecisionTree(1, DecisionTree(2, 0, 1), DecisionTree(3, 0, 1))
    protocol = ComposedWithIndexByTree(3, 1, address)
    found = verify(protocol)
    assert (found.wrong, found.cost, protocol.declared_cost) == (0, 4, 4)
    assert verify(ComposedWithIndexByTree(2, 2)).cost == 2 * (2 + 1)
