"""How long proofs take from the command line. Run: python tests/benchmarks/theorems.py

D = n + 1 for disjointness, equality, inner product and greater-than, each proved by `commsim bounds` with a certificate
and an optimal protocol, and the certificate checked by `commsim check`. Then exact D of all 0/1 matrices of 2 x 2,
3 x 3 and 4 x 4.
"""

import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "bounds"))

import numpy as np
from brute import oracle, searched

ROOT = Path(__file__).resolve().parents[2]
NAMES = ("disjointness", "equality", "inner-product", "greater-than")


def commsim(*words: str) -> tuple[str, float]:
    """What a command prints, and its seconds."""
    start = time.perf_counter()
    found = subprocess.run(
        [sys.executable, "-m", "commsim", *words], cwd=ROOT, check=True, capture_output=True, text=True
    )
    return found.stdout, time.perf_counter() - start


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "certificate.json")
        for name in NAMES:
            for n in (4, 8, 10):
                size = ("-n", str(n))
                methods = ("--method", "rank", "--method", "search")
                found, proving = commsim("bounds", name, *size, *methods, "--certificate", path, "--json")
                (known,) = (q for q in json.loads(found)["quantities"] if q["quantity"] == "deterministic")
                assert known["lower"]["value"] == known["upper"]["value"] == str(n + 1)
                checked, checking = commsim("check", path, "--problem", name, *size)
                assert f"deterministic >= {n + 1}\n" in checked and f"deterministic <= {n + 1}\n" in checked
                print(
                    f"{name}, n = {n}: D = {n + 1} proved in {proving:.1f} s, checked in {checking:.1f} s", flush=True
                )

    expected = oracle("census")["counts"]
    for side in (2, 3, 4):
        start = time.perf_counter()
        counts: Counter[int] = Counter()
        for number in range(2 ** (side * side)):
            entries = (number >> np.arange(side * side) & 1).reshape(side, side)
            counts[searched(entries)[0]] += 1
        assert {str(depth): count for depth, count in counts.items()} == expected[str(side)]
        print(f"all {side} x {side} matrices: {dict(sorted(counts.items()))}, {time.perf_counter() - start:.1f} s")


if __name__ == "__main__":
    main()
