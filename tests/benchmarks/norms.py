"""Fooling sets, discrepancy and gamma_2, against general solvers. Run: python tests/benchmarks/norms.py

Needs '.[benchmark]'. The fooling set of a random 20 x 20 matrix is a largest clique; the baseline is networkx's
max_weight_clique on the same graph. gamma_2 of a random 64 x 64 sign matrix is a semidefinite program; the baseline is
cvxpy with SCS at its default accuracy. The discrepancy of 24 rows has no baseline.
"""

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import cvxpy
import networkx as nx
import numpy as np

from commsim.arrays import Bits, Floats
from commsim.bounds.discrepancy import exact_discrepancy
from commsim.bounds.fooling import largest_fooling_set
from commsim.bounds.gamma2 import gamma2


def by_networkx(bits: Bits) -> int:
    rows, columns = (places.tolist() for places in np.nonzero(bits))
    graph: nx.Graph[int] = nx.Graph()
    graph.add_nodes_from(range(len(rows)))
    for v in range(len(rows)):
        for w in range(v):
            if not (bits[rows[v], columns[w]] and bits[rows[w], columns[v]]):
                graph.add_edge(v, w)
    return len(nx.max_weight_clique(graph, weight=None)[0])


def by_scs(signs: Floats) -> float:
    rows, columns = signs.shape
    gram = cvxpy.Variable((rows + columns, rows + columns), PSD=True)
    norm = cvxpy.Variable()
    program = cvxpy.Problem(cvxpy.Minimize(norm), [cvxpy.diag(gram) <= norm, gram[:rows, rows:] == signs])
    return float(program.solve(solver=cvxpy.SCS))


def main() -> None:
    generator = np.random.default_rng(0)
    for _ in range(3):
        bits = generator.random((20, 20)) < 0.5
        start = time.perf_counter()
        ours = largest_fooling_set(bits)
        middle = time.perf_counter()
        theirs = by_networkx(bits)
        stop = time.perf_counter()
        assert ours.exact and len(ours.pairs) == theirs
        print(f"fooling set of a random 20 x 20: {theirs}, exact in {middle - start:.2f} s,", end=" ")
        print(f"max_weight_clique {stop - middle:.1f} s; ratio {(stop - middle) / (middle - start):.0f}", flush=True)

    signs = np.where(generator.random((24, 24)) < 0.5, 1.0, -1.0)
    start = time.perf_counter()
    found = exact_discrepancy(signs)
    print(f"discrepancy of a random 24 x 24: {found.imbalance} in {time.perf_counter() - start:.2f} s", flush=True)

    for _ in range(3):
        signs = np.where(generator.random((64, 64)) < 0.5, 1.0, -1.0)
        start = time.perf_counter()
        interval = gamma2(signs)
        middle = time.perf_counter()
        value = by_scs(signs)
        stop = time.perf_counter()
        print(f"gamma_2 of a random 64 x 64: {float(interval.lower):.6f} to {float(interval.upper):.6f},", end=" ")
        print(f"width {float(interval.upper - interval.lower):.1e}, {middle - start:.3f} s; SCS {value:.6f},", end=" ")
        print(f"{stop - middle:.1f} s; ratio {(stop - middle) / (middle - start):.0f}", flush=True)


if __name__ == "__main__":
    main()
