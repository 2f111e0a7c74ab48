"""How much faster exhaustive verification is than pair by pair. Run: python tests/benchmarks/exhaustive.py

Both do the same work: the trivial protocol for disjointness on all 4^n pairs of inputs, every answer compared with f.
The baseline drives the two coroutines pair by pair with nothing but a loop (no faults, no transcripts are built), on a
sample of pairs, and is scaled up. Then n = 14, 268 million pairs, with its time and peak memory.
"""

import resource
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import numpy as np

from commsim.arrays import Bits
from commsim.channel import Channel, Finish, Operation, Send
from commsim.coins import SeededCoins
from commsim.problem import Disjointness
from commsim.protocol import Protocol
from commsim.registry import protocols
from commsim.verify import verify


def answer_of(protocol: Protocol, x: Bits, y: Bits) -> Any:
    """Bob's answer on one pair: the barest engine, which only moves messages between the two coroutines."""
    coins = SeededCoins(0)
    programs = [
        protocol.alice(x, Channel(None, coins, "alice", "none")),
        protocol.bob(y, Channel(None, coins, "bob", "none")),
    ]
    pending: list[Operation] = [program.send(None) for program in programs]
    while not all(isinstance(operation, Finish) for operation in pending):
        speaker = 0 if isinstance(pending[0], Send) else 1
        sent = pending[speaker]
        assert isinstance(sent, Send)
        for party, received in ((speaker, None), (1 - speaker, sent.bits[0])):
            try:
                pending[party] = programs[party].send(received)
            except StopIteration as stop:
                pending[party] = Finish(stop.value)
    assert isinstance(pending[1], Finish)
    return pending[1].output


def main() -> None:
    n, sample = 12, 20_000
    trivial = protocols()["disjointness-trivial"](n)
    problem = Disjointness(n)
    generator = np.random.default_rng(0)
    xs, ys = problem.balanced_pairs(generator, sample)
    truth = problem.evaluate(xs, ys)
    pair_by_pair = exhaustive = float("inf")
    for _ in range(3):  # the best of three each, in turn: whatever else the machine does then counts for neither
        start = time.perf_counter()
        wrong = sum(bool(answer_of(trivial, x, y)) != bool(f) for x, y, f in zip(xs, ys, truth, strict=True))
        pair_by_pair = min(pair_by_pair, (time.perf_counter() - start) / sample * problem.pairs)
        start = time.perf_counter()
        found = verify(trivial)
        exhaustive = min(exhaustive, time.perf_counter() - start)
        assert wrong == found.wrong == 0
    print(f"n = {n}: pair by pair {pair_by_pair:.0f} s (from {sample} pairs), exhaustive {exhaustive:.2f} s")
    print(f"ratio {pair_by_pair / exhaustive:.0f}")

    start = time.perf_counter()
    found = verify(protocols()["disjointness-trivial"](14))
    seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(f"n = 14: {found.pairs} pairs, {found.wrong} wrong, {seconds:.1f} s, peak {peak:.2f} GiB")


if __name__ == "__main__":
    main()
