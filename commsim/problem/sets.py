"""Problems on sets beyond plain disjointness: few elements, the median, a clique against an independent set."""

from typing import Any

import networkx as nx
import numpy as np

from commsim.arrays import Array, Bits, Integers
from commsim.domain import Listed, NonemptySubsets, SparseSubsets
from commsim.errors import InputError
from commsim.problem.base import Problem


class SparseDisjointness(Problem):
    """DISJ_{n,k}(x, y) = 1 iff the subsets x and y of {1, ..., n}, of at most k elements each, are disjoint.

    Deterministic: of the order of k log(n/k) bits. With public coins: of the order of k, whatever n is (Hastad and
    Wigderson 2007).
    """

    name = "sparse-disjointness"
    symbol = "kDISJ"

    def __init__(self, n: int, k: int = 2) -> None:
        """Fix the sizes: n >= 1 and k >= 1; k is lowered to n if it is greater."""
        super().__init__(n)
        if k < 1:
            raise InputError(f"sparse-disjointness needs k at least 1, not k = {k}")
        self.k = min(k, n)

    @property
    def parameters(self) -> dict[str, int]:
        """The size n of the universe and the greatest size k of a set."""
        return {"n": self.n, "k": self.k}

    def domains(self) -> tuple[SparseSubsets, SparseSubsets]:
        """Both parties hold sets of at most k elements."""
        return SparseSubsets(self.n, self.k), SparseSubsets(self.n, self.k)

    def evaluate(self, x: Bits, y: Bits) -> Bits:
        """1 iff no element lies in both."""
        return np.asarray(~(x & y).any(axis=-1))

    def balanced_pairs(self, generator: np.random.Generator, count: int) -> tuple[Bits, Bits]:
        """Full sets, in turn disjoint and with one common element (where 2k > n, of as many elements as can be)."""
        x, y = np.zeros((count, self.n), dtype=bool), np.zeros((count, self.n), dtype=bool)
        size = min(self.k, max(1, self.n // 2))
        for row in range(count):
            elements = generator.choice(self.n, size=min(self.n, 2 * size), replace=False)
            x[row, elements[:size]] = True
            y[row, elements[size:]] = True
            if row % 2 or not y[row].any():
                y[row, elements[-1]] = False
                y[row, elements[0]] = True
        return x, y


class Median(Problem):
    """MED_n(x, y) = the median of the multiset union of two nonempty subsets of {1, ..., n}.

    Of m numbers it is the one at place ceil(m/2) in increasing order. The values are numbers from 1 to n.
    """

    name = "median"
    symbol = "MED"

    def domains(self) -> tuple[NonemptySubsets, NonemptySubsets]:
        """Both parties hold nonempty subsets."""
        return NonemptySubsets(self.n), NonemptySubsets(self.n)

    def evaluate(self, x: Bits, y: Bits) -> Integers:
        """The least v such that at least half of all elements are at most v."""
        counts = np.add(x, y, dtype=np.int64).cumsum(axis=-1)
        return np.asarray((2 * counts >= counts[..., -1:]).argmax(axis=-1) + 1)


class CliqueIndependentSet(Problem):
    """CIS_G(x, y) = 1 iff the clique x and the independent set y of the graph G share a vertex (at most one can be).

    Args:
        n: the number of vertices.
        graph: G; by default a random one in which each edge is there with probability 1/2, fixed by n.
    """

    name = "clique-independent-set"
    symbol = "CIS"

    def __init__(self, n: int, graph: "nx.Graph[Any] | None" = None) -> None:
        """Fix the graph; InputError if it has another number of vertices than n."""
        super().__init__(n)
        if graph is not None and len(graph) != n:
            raise InputError(f"the graph has {len(graph)} vertices, not n = {n}")
        self.graph = nx.gnp_random_graph(n, 0.5, seed=n) if graph is None else graph
        self.adjacency: Bits = nx.to_numpy_array(self.graph) != 0

    def domains(self) -> tuple[Listed, Listed]:
        """Alice holds a clique, Bob an independent set; both may be empty."""
        return (
            Listed(_cliques(self.adjacency), "a clique of the graph"),
            Listed(_cliques(~self.adjacency), "an independent set of the graph"),
        )

    def evaluate(self, x: Bits, y: Bits) -> Bits:
        """1 iff a vertex lies in both."""
        return np.asarray((x & y).any(axis=-1))

    def balanced_pairs(self, generator: np.random.Generator, count: int) -> tuple[Bits, Bits]:
        """In turn a pair that shares a vertex, and one drawn uniformly."""
        x, y = self.alice_inputs.sample(generator, count), self.bob_inputs.sample(generator, count)
        cliques, independent = self.alice_inputs.all(), self.bob_inputs.all()
        for row in range(0, count, 2):
            vertex = int(generator.integers(self.n))
            for drawn, sets in ((x, cliques), (y, independent)):
                holding = np.flatnonzero(sets[:, vertex])
                drawn[row] = sets[generator.choice(holding)]
        return x, y


def _cliques(adjacency: Bits) -> Bits:
    """All cliques, the empty one first, in the order of their bit strings; loops are ignored."""
    graph = nx.from_numpy_array(adjacency & ~np.eye(len(adjacency), dtype=bool))
    cliques: list[list[int]] = [[], *nx.enumerate_all_cliques(graph)]
    rows: Array = np.zeros((len(cliques), len(adjacency)), dtype=bool)
    for row, clique in enumerate(cliques):
        rows[row, clique] = True
    return rows[np.lexsort(rows.T[::-1])]
