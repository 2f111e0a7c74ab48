"""How far each built-in protocol is verified on all pairs of inputs: python tests/benchmarks/reach.py [SECONDS].

For each deterministic one the largest n that takes at most so many seconds (10 unless given), and whether it is right
on all pairs there, at exactly the declared worst case. For each one with coins the largest n at which the error on the
worst input is found in that time, beside the declared bound.
"""

import sys
import time
from fractions import Fraction
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from commsim.error_probability import error_probability  # noqa: E402
from commsim.formula import evaluate  # noqa: E402
from commsim.protocol import Protocol  # noqa: E402
from commsim.registry import protocols  # noqa: E402
from commsim.validation import accepts  # noqa: E402
from commsim.verify import MOST_PAIRS, verify  # noqa: E402


def deterministic(protocol: Protocol) -> str:
    found = verify(protocol)
    exact = "exactly" if found.cost == protocol.declared_cost else "NOT"
    return f"{found.pairs:>11} pairs, {found.wrong} wrong, {found.cost} bits, {exact} as declared"


def randomized(protocol: Protocol) -> str:
    found = error_probability(protocol)
    declared = evaluate(protocol.error, protocol.parameters)
    low, high = found.interval
    exactly = Fraction(int(found.wrong), int(found.trials))
    kind = f"= {exactly}" if found.exact else f"in [{low:.3f}, {high:.3f}]"
    held = "within" if (exactly if found.exact else low) <= declared else "NOT within"
    return f"{protocol.function.pairs:>11} pairs, worst error {kind}, {held} the declared {declared}"


def main(limit: float) -> None:
    for name, cls in protocols().items():
        reached, taken = "no size", 0.0
        for n in range(1, 25):
            if not accepts(cls, n):
                continue
            protocol = cls(n)
            # the next size takes about as many times longer as it has more pairs
            if protocol.function.pairs > MOST_PAIRS or (taken > 0.2 and taken * 3 > limit):
                break
            start = time.perf_counter()
            found = deterministic(protocol) if cls.coins == "none" else randomized(protocol)
            taken = time.perf_counter() - start
            if taken > limit:
                break
            reached = f"n = {n:2} {taken:5.1f} s {found}"
        print(f"{name:37} {reached}", flush=True)


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 10)
