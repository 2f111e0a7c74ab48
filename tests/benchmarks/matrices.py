"""Packed matrices and exact ranks, against numpy and FLINT. Run: python tests/benchmarks/matrices.py

1. The matrix of disjointness at n = 16, 2^32 entries. The baseline evaluates x & y == 0 in numpy, one byte an entry, by
   blocks of rows: 4 GiB. Time and peak memory of a process of its own each.
2. The rank of a random 0/1 matrix of 4096 x 4096 over the rationals. The baseline is FLINT's nmod_mat.rank modulo one
   prime, which is a proof here too, as the rank is full.
3. The rank over the rationals of random 2048 x 2048 0/1 matrices of low rank: sums of disjoint random rectangles. The
   baseline is FLINT's fmpz_mat.rank.
"""

import resource
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import numpy as np

from commsim.arrays import Bits

N = 16
BLOCK = 2**8
PRIME = 2**31 - 1


def build_packed() -> None:
    from commsim.matrix import CommunicationMatrix
    from commsim.problem import Disjointness

    start = time.perf_counter()
    matrix = CommunicationMatrix.of(Disjointness(N))
    print(time.perf_counter() - start, peak_of_process())
    assert int(np.bitwise_count(matrix.layer(1)).sum()) == 3**N


def build_bytes() -> None:
    y = np.arange(2**N, dtype=np.uint16)
    matrix = np.empty((2**N, 2**N), dtype=np.uint8)
    start = time.perf_counter()
    for first in range(0, 2**N, BLOCK):
        matrix[first : first + BLOCK] = (y[first : first + BLOCK, None] & y) == 0
    print(time.perf_counter() - start, peak_of_process())


def peak_of_process() -> float:
    """In MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**10


def in_process(name: str) -> tuple[float, float]:
    """The seconds and the MiB that a process of its own prints."""
    found = subprocess.run([sys.executable, __file__, name], check=True, capture_output=True, text=True)
    seconds, peak = found.stdout.split()
    return float(seconds), float(peak)


def low_rank(size: int, rectangles: int, generator: np.random.Generator) -> Bits:
    """A sum of disjoint rectangles: blocks of rows, each with its own rectangles on disjoint columns."""
    blocks = max(1, rectangles // 8)
    row_block = generator.integers(0, blocks, size)
    matrix = np.zeros((size, size), dtype=bool)
    for block in range(blocks):
        owner = generator.integers(0, 8, size)
        subset_of_rows = generator.random((8, size)) < 0.5
        matrix[row_block == block] = subset_of_rows[owner][:, row_block == block].T
    return matrix


def main() -> None:
    from flint import fmpz_mat, nmod_mat

    from commsim.bounds.rank import rational_rank

    packed, packed_peak = in_process("build_packed")
    plain, plain_peak = in_process("build_bytes")
    print(f"disjointness n = {N}: packed {packed:.2f} s, peak {packed_peak:.0f} MiB;", end=" ")
    print(f"uint8 {plain:.1f} s, {plain_peak:.0f} MiB; ratio {plain / packed:.0f}", flush=True)

    generator = np.random.default_rng(0)
    for size in (1024, 4096):
        bits = generator.random((size, size)) < 0.5
        start = time.perf_counter()
        ours = rational_rank(bits).value
        middle = time.perf_counter()
        theirs = nmod_mat(size, size, bits.astype(int).ravel().tolist(), PRIME)
        loaded = time.perf_counter()
        assert theirs.rank() == ours
        stop = time.perf_counter()
        print(f"rank of a random {size} x {size}: {ours} proved in {middle - start:.2f} s,", end=" ")
        print(f"nmod_mat.rank {stop - loaded:.2f} s; ratio {(stop - loaded) / (middle - start):.1f}", flush=True)

    for rectangles in (64, 128, 256):
        bits = low_rank(2048, rectangles, generator)
        start = time.perf_counter()
        ours = rational_rank(bits).value
        middle = time.perf_counter()
        matrix = fmpz_mat(2048, 2048, bits.astype(int).ravel().tolist())
        loaded = time.perf_counter()
        assert matrix.rank() == ours
        stop = time.perf_counter()
        print(f"rank of a low-rank 2048 x 2048: {ours} proved in {middle - start:.2f} s,", end=" ")
        print(f"fmpz_mat.rank {stop - loaded:.2f} s; ratio {(stop - loaded) / (middle - start):.1f}", flush=True)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        {"build_packed": build_packed, "build_bytes": build_bytes}[sys.argv[1]]()
    else:
        main()
