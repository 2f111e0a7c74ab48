"""What the search for an optimal protocol returns: a protocol tree, or why there is none of a depth.

Sets of lines are integers, one bit a line.
"""

from dataclasses import dataclass

from commsim.errors import CommsimError


class OutOfTime(CommsimError):
    """The search did not end within its time."""

    exit_code = 3


@dataclass(frozen=True)
class Submatrix:
    """Rows and columns, as sets of bits."""

    rows: int
    columns: int


@dataclass
class Refutation:
    """Why a submatrix has no protocol tree of a depth.

    Attributes:
        submatrix: its lines.
        depth: the depth that is too small.
        splits: why no split of the rows, and none of the columns, works; empty if the ranks, or the few lines that are
            left, show it at once.
    """

    submatrix: Submatrix
    depth: int
    splits: "tuple[Split, ...]" = ()


@dataclass
class Split:
    """Why no split of the rows (or columns) of a submatrix works.

    Attributes:
        of_rows: which lines are split.
        circuits: minimal dependent sets of lines, each of which must stay together: (value of f, lines).
        case: what happens to the first line, and so on.
    """

    of_rows: bool
    circuits: list[tuple[int, int]]
    case: "Case | Refutation | None"


@dataclass
class Case:
    """A line that is put to the first half, or else to the second; a missing one needs no reason but the ranks."""

    line: int
    first: "Case | Refutation | None" = None
    second: "Case | Refutation | None" = None


@dataclass
class Tree:
    """A protocol tree: a leaf with a value, or its owner, the lines that send 0, and what follows on 0 and on 1."""

    value: int | None = None
    owner: str | None = None
    zero: int = 0
    children: "tuple[Tree, ...]" = ()
