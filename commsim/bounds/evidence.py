"""What was found on a matrix without repeated lines, as evidence about the original matrix."""

from typing import Any

import numpy as np

from commsim.bounds.elimination import places
from commsim.bounds.rectangles import Rectangle
from commsim.bounds.trees import Case, Refutation, Split, Tree
from commsim.matrix import Distinct

#: a refutation of more parts than this is not written out
MOST_PARTS = 100_000


def expanded_rectangles(rectangles: list[Rectangle], distinct: Distinct) -> list[dict[str, Any]]:
    """Rectangles with every repetition of their lines."""
    return [
        {
            "rows": np.flatnonzero(np.isin(distinct.row_classes, rectangle.rows)).tolist(),
            "columns": np.flatnonzero(np.isin(distinct.column_classes, rectangle.columns)).tolist(),
        }
        for rectangle in rectangles
    ]


def trivial_tree(distinct: Distinct) -> dict[str, Any]:
    """The tree of the trivial protocol: who has fewer distinct lines names theirs, and the other party the value."""
    alice_names = distinct.matrix.shape[0] <= distinct.matrix.shape[1]
    names, answers = ("alice", "bob") if alice_names else ("bob", "alice")
    entries = distinct.matrix.entries() if alice_names else distinct.matrix.entries().T
    mine, others = distinct.row_classes, distinct.column_classes
    if not alice_names:
        mine, others = others, mine

    def name(kinds: Any) -> dict[str, Any]:
        if len(kinds) == 1:
            line = entries[kinds[0]][others]
            return answer(line, np.unique(line))
        halves = kinds[: len(kinds) // 2], kinds[len(kinds) // 2 :]
        zero = np.flatnonzero(np.isin(mine, halves[0])).tolist()
        return {"owner": names, "zero": zero, "children": [name(half) for half in halves]}

    def answer(line: Any, values: Any) -> dict[str, Any]:
        if len(values) == 1:
            return {"value": int(values[0])}
        halves = values[: len(values) // 2], values[len(values) // 2 :]
        zero = np.flatnonzero(np.isin(line, halves[0])).tolist()
        return {"owner": answers, "zero": zero, "children": [answer(line, half) for half in halves]}

    return name(np.arange(len(entries)))


def tree_record(tree: Tree, distinct: Distinct) -> dict[str, Any]:
    """A protocol tree with every repetition of the lines."""
    everything = (np.arange(len(distinct.row_classes)), np.arange(len(distinct.column_classes)))

    def record(node: Tree, rows: Any, columns: Any) -> dict[str, Any]:
        if not node.children:
            return {"value": node.value}
        of_alice = node.owner == "alice"
        mine, classes = (rows, distinct.row_classes) if of_alice else (columns, distinct.column_classes)
        sends_zero = np.array([node.zero >> int(number) & 1 == 1 for number in classes[mine]], dtype=bool)
        parts = [mine[sends_zero], mine[~sends_zero]]
        children = [
            record(child, part if of_alice else rows, columns if of_alice else part)
            for child, part in zip(node.children, parts, strict=True)
        ]
        return {"owner": node.owner, "zero": parts[0].tolist(), "children": children}

    return record(tree, *everything)


def refutation_record(refutation: Refutation, distinct: Distinct) -> dict[str, Any] | None:
    """A refutation as a list of submatrices, each after those that it needs; None if it is too large."""
    nodes: list[dict[str, Any]] = []
    numbers: dict[int, int] = {}
    parts = 0

    def original(lines: int, of_rows: bool) -> list[int]:
        kept = distinct.rows if of_rows else distinct.columns
        return [int(kept[place]) for place in places(lines)]

    def node(found: Refutation) -> int:
        if id(found) not in numbers:
            submatrix = found.submatrix
            record = {
                "rows": original(submatrix.rows, True),
                "columns": original(submatrix.columns, False),
                "depth": found.depth,
                "splits": [split(each) for each in found.splits],
            }
            numbers[id(found)] = len(nodes)
            nodes.append(record)
        return numbers[id(found)]

    def split(found: Split) -> dict[str, Any]:
        circuits = [[z, original(lines, found.of_rows)] for z, lines in found.circuits]
        of = "rows" if found.of_rows else "columns"
        return {"of": of, "circuits": circuits, "case": case(found.case, found.of_rows)}

    def case(found: Case | Refutation | None, of_rows: bool) -> Any:
        nonlocal parts
        parts += 1
        if parts > MOST_PARTS:
            raise _TooLarge
        if found is None:
            return None
        if isinstance(found, Refutation):
            return node(found)
        (line,) = original(found.line, of_rows)
        return {"line": line, "first": case(found.first, of_rows), "second": case(found.second, of_rows)}

    try:
        node(refutation)
    except _TooLarge:
        return None
    return {"kind": "refutation", "nodes": nodes}


class _TooLarge(Exception):
    pass
