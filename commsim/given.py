"""A problem that is given by its matrix, and a protocol that is given by its tree."""

from typing import Any

import numpy as np

from commsim.arrays import Array, Integers
from commsim.channel import Channel
from commsim.domain import Positions
from commsim.errors import InputError
from commsim.problem import Problem
from commsim.protocol import Protocol


def matrix_problem(matrix: list[list[int]]) -> type[Problem]:
    """The function with this matrix: Alice holds a row and Bob a column, counted from 1, and f is the entry.

    It exists at one size only: the least n with at most 2^n rows and 2^n columns, and at least 1.
    """
    entries = np.array(matrix)
    if entries.ndim != 2 or 0 in entries.shape or entries.dtype.kind not in "iu":
        raise InputError("a matrix is a list of rows of the same length, of integers")
    size = max(1, (max(entries.shape) - 1).bit_length())

    class GivenMatrix(Problem):
        """The entry of a given matrix at Alice's row and Bob's column."""

        name = "given-matrix"
        symbol = "M"

        def __init__(self, n: int) -> None:
            if n != size:
                raise InputError(f"the matrix of {entries.shape[0]} x {entries.shape[1]} is given at n = {size} only")
            super().__init__(n)

        def domains(self) -> tuple[Positions, Positions]:
            """A row and a column."""
            return Positions(entries.shape[0]), Positions(entries.shape[1])

        def evaluate(self, x: Integers, y: Integers) -> Array:
            """The entry."""
            found: Array = entries[np.asarray(x) - 1, np.asarray(y) - 1]
            return found

    return GivenMatrix


def tree_protocol(matrix: list[list[int]], tree: dict[str, Any]) -> type[Protocol]:
    """The protocol that walks down a tree, for the function with this matrix.

    Args:
        matrix: of integers.
        tree: a leaf ``{"value": z}``, or ``{"owner": "alice", "zero": [...], "children": [left, right]}``: the owner
            sends 0 if its line, counted from 0, is listed, and 0 leads to the left. As in certificates.
    """

    class GivenTree(Protocol):
        """Walk down a given tree: the owner of a node says on which side of it its input lies."""

        name = "given-tree"
        problem = matrix_problem(matrix)
        cost = str(depth(tree))

        async def alice(self, x: Integers, channel: Channel) -> int:
            return await _walk("alice", int(x) - 1, channel)

        async def bob(self, y: Integers, channel: Channel) -> int:
            return await _walk("bob", int(y) - 1, channel)

    async def _walk(party: str, line: int, channel: Channel) -> int:
        node = tree
        while "children" in node:
            if node["owner"] == party:
                bit = line not in node["zero"]
                await channel.send(bit)
            else:
                bit = bool(await channel.receive_bit())
            node = node["children"][bit]
        return int(node["value"])

    return GivenTree


def depth(tree: dict[str, Any]) -> int:
    """The bits in the worst case."""
    return 1 + max(depth(child) for child in tree["children"]) if "children" in tree else 0


def protocol_source(matrix: list[list[int]], tree: dict[str, Any]) -> str:
    """A file of Python that defines the protocol of a tree."""
    rows = "\n".join(f"    {row}," for row in matrix)
    return f'''"""A protocol found by `commsim bounds`, for a matrix of {len(matrix)} x {len(matrix[0])}."""

from commsim.given import tree_protocol

MATRIX = [
{rows}
]
TREE = {tree}


class FoundProtocol(tree_protocol(MATRIX, TREE)):
    """Walk down the tree: the owner of a node says on which side of it its line lies. {depth(tree)} bits."""

    name = "found-protocol"
'''
