"""Exact D of planted matrices, against a SAT solver. Run: python tests/benchmarks/planted.py (needs '.[benchmark]')

A planted matrix is drawn as a random protocol of known depth; its rank is low, so the bounds by rank do not decide it.
Both sides see the matrix without repeated lines, start from the same bound by ranks, and ask for one depth after the
other. The baseline asks CaDiCaL whether there is a protocol tree of the depth: variables for the owner of each node,
for the bit of each row and column at each node, and for the label of each leaf. Then all planted matrices of 32 x 32
and depth 5, one by one.
"""

import statistics
import sys
import time
from itertools import product
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "bounds"))

from brute import planted, searched
from pysat.solvers import Solver

from commsim.bounds.elimination import rank
from commsim.certificate import bits_for
from commsim.matrix import CommunicationMatrix

SIZES = (12, 16, 20, 24, 32)
OF_EACH_SIZE = 6
LARGE = 300


def by_solver(matrix: CommunicationMatrix) -> int:
    """D by a SAT solver."""
    smaller = matrix.distinct.matrix
    rows, _ = smaller.lines()
    depth = bits_for(sum(rank(layer) for layer in rows))
    while not has_tree(smaller.entries().tolist(), depth):
        depth += 1
    return depth


def has_tree(entries: list[list[int]], depth: int) -> bool:
    """Whether a protocol tree of the depth computes the matrix; nodes are numbered 1, 2, 3, ... by level."""
    rows, columns = range(len(entries)), range(len(entries[0]))
    inner, nodes = range(1, 2**depth), range(1, 2 ** (depth + 1))
    numbers: dict[tuple[str, int, int], int] = {}

    def variable(name: str, node: int, line: int = 0) -> int:
        return numbers.setdefault((name, node, line), len(numbers) + 1)

    with Solver("cadical153") as solver:
        # a row gets to a child if it got to the node and Bob owns it, or Alice does and sends this bit
        for node, bit in product(inner, (0, 1)):
            bob = variable("owner", node)
            for name, lines, owned in (("row", rows, -bob), ("column", columns, bob)):
                for line in lines:
                    here, there = variable(name, node, line), variable(name, 2 * node + bit, line)
                    sends = variable(f"bit of {name}", node, line) * (1 if bit else -1)
                    solver.add_clause([-here, owned, there])
                    solver.add_clause([-here, -sends, there])
        for name, lines in (("row", rows), ("column", columns)):
            for line in lines:
                solver.add_clause([variable(name, 1, line)])
        for leaf in nodes[2**depth - 1 :]:
            label = variable("label", leaf)
            for row, column in product(rows, columns):
                gets_there = [-variable("row", leaf, row), -variable("column", leaf, column)]
                solver.add_clause([*gets_there, label if entries[row][column] else -label])
        return bool(solver.solve())


def main() -> None:
    ratios = []
    for size, number in product(SIZES, range(OF_EACH_SIZE)):
        entries = planted(size, size, 4 if size < 16 else 5, 100 * size + number)
        matrix = CommunicationMatrix.from_array(entries)
        start = time.perf_counter()
        found, _ = searched(entries)
        middle = time.perf_counter()
        solved = by_solver(matrix)
        stop = time.perf_counter()
        assert found == solved, (size, number, found, solved)
        ratios.append((stop - middle) / (middle - start))
        distinct = " x ".join(map(str, matrix.distinct.matrix.shape))
        print(
            f"{size} x {size}, {distinct} distinct, D = {found}: search {(middle - start) * 1000:.1f} ms,"
            f" CaDiCaL {(stop - middle) * 1000:.0f} ms, ratio {ratios[-1]:.0f}",
            flush=True,
        )
    print(f"{len(ratios)} matrices, all answers equal: ratio {statistics.median(ratios):.0f} in the median,")
    print(f"{min(ratios):.0f} at least")

    seconds = []
    for seed in range(LARGE):
        entries = planted(32, 32, 5, seed)
        start = time.perf_counter()
        searched(entries)
        seconds.append(time.perf_counter() - start)
    print(f"{LARGE} matrices of 32 x 32 and depth 5: at most {max(seconds):.2f} s each,", end=" ")
    print(f"{statistics.median(seconds) * 1000:.1f} ms in the median")


if __name__ == "__main__":
    main()
