"""What bounds are held against: definitions, gone through in full on small matrices."""

import json
import random
from functools import cache
from itertools import chain, combinations
from pathlib import Path
from typing import Any

import numpy as np

from commsim.arrays import Integers
from commsim.bounds.search import Search
from commsim.matrix import CommunicationMatrix

ORACLES = Path(__file__).resolve().parents[1] / "oracles"


def oracle(name: str) -> Any:
    return json.loads((ORACLES / f"{name}.json").read_text(encoding="utf-8"))


def functions() -> dict[str, Any]:
    """The functions of the oracles, on integers of n bits."""
    return {
        "EQ": lambda x, y: x == y,
        "DISJ": lambda x, y: (x & y) == 0,
        "GT (x > y)": lambda x, y: x > y,
        "GE (x >= y)": lambda x, y: x >= y,
        "IP": lambda x, y: np.bitwise_count(x & y) % 2 == 1,
    }


def matrix_of(function: str, n: int) -> Integers:
    x = np.arange(2**n)
    found: Integers = np.asarray(functions()[function](x[:, None], x[None])).astype(np.int64)
    return found


def planted(rows: int, columns: int, depth: int, seed: int, values: int = 2) -> Integers:
    """The matrix of a random protocol of the depth."""
    generator = random.Random(seed)
    entries = np.zeros((rows, columns), dtype=np.int64)

    def grow(some_rows: list[int], some_columns: list[int], left: int) -> None:
        if left == 0:
            entries[np.ix_(some_rows, some_columns)] = generator.randrange(values)
            return
        of_rows = generator.random() < 0.5
        lines = some_rows if of_rows else some_columns
        zero = [line for line in lines if generator.random() < 0.5]
        for part in (zero, [line for line in lines if line not in zero]):
            grow(part if of_rows else some_rows, some_columns if of_rows else part, left - 1)

    grow(list(range(rows)), list(range(columns)), depth)
    return entries


def subsets(things: range) -> Any:
    """All subsets but the empty one."""
    return chain.from_iterable(combinations(things, size) for size in range(1, len(things) + 1))


def depth_by_definition(entries: Integers) -> int:
    """D by recursion over all splits of all submatrices."""

    @cache
    def depth(rows: tuple[int, ...], columns: tuple[int, ...]) -> int:
        if len(np.unique(entries[np.ix_(rows, columns)])) == 1:
            return 0
        best = len(rows) + len(columns)
        for lines, is_rows in ((rows, True), (columns, False)):
            for size in range(1, len(lines)):
                for part in combinations(lines, size):
                    rest = tuple(line for line in lines if line not in part)
                    halves = [(part, columns), (rest, columns)] if is_rows else [(rows, part), (rows, rest)]
                    best = min(best, 1 + max(depth(*half) for half in halves))
        return best

    return depth(tuple(range(len(entries))), tuple(range(entries.shape[1])))


def searched(entries: Integers) -> tuple[int, Search]:
    """D by the search, which is returned too."""
    search = Search(CommunicationMatrix.from_array(entries))
    depth = 0
    while (refutation := search.at_most(depth)) is not None:
        depth = refutation.depth + 1
    return depth, search
