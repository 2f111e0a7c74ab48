"""The communication matrix of a function: rows are Alice's inputs, columns Bob's, and the entry is f(x, y).

It is kept as packed bits, one layer of indicator bits for each value but the smallest, and is never held entry by entry
unless asked for.
"""

import mmap
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from commsim.arrays import Array, Bits, Integers
from commsim.errors import InputError
from commsim.problem import Problem

Packed = NDArray[np.uint8]

#: 2^33 packed bits take 1 GiB
MOST_ENTRIES = 2**33
#: the most entries that are ever held one by one, at one byte or more each
MOST_DENSE = 2**26
#: so many entries are evaluated at a time
_AT_ONCE = 2**20
#: rows and columns that are transposed at a time, multiples of 8
_TILE = (1024, 256)
#: a function with more values than this would take a layer for each
MOST_VALUES = 64


class CommunicationMatrix:
    """The matrix of a function of two inputs, as packed bits.

    Attributes:
        shape: the numbers of rows and columns.
        values: the values that occur, in increasing order.
    """

    def __init__(self, layers: dict[int, Packed], least: int | None, shape: tuple[int, int]) -> None:
        """Of one layer for each value but the least one, shape (rows, columns / 8 rounded up), padded with zeros."""
        self.shape = shape
        self._layers = layers
        self.values = (*([] if least is None else [least]), *sorted(layers))

    @classmethod
    def from_array(cls, entries: Array) -> "CommunicationMatrix":
        """Of integers or bools, shape (rows, columns).

        Raises:
            InputError: it is empty, has another shape, or more than ``MOST_VALUES`` values.
        """
        if entries.ndim != 2 or 0 in entries.shape:
            raise InputError(f"a matrix has at least one row and one column, not the shape {entries.shape}")
        return cls._gathered([entries], (entries.shape[0], entries.shape[1]))

    @classmethod
    def of(cls, problem: Problem) -> "CommunicationMatrix":
        """Of a function at its size.

        Raises:
            InputError: it is a partial function or a relation, or the matrix has more than ``MOST_ENTRIES`` entries.
        """
        if problem.kind != "function":
            raise InputError(
                f"only a function has a matrix with one value an entry; {problem.name} is a {problem.kind}"
            )
        if problem.pairs > MOST_ENTRIES:
            raise InputError(
                f"the matrix of {problem.name} at n = {problem.n} has 2^{problem.pairs.bit_length() - 1} or more"
                f" entries, and at most 2^{MOST_ENTRIES.bit_length() - 1} are held: choose a smaller n"
            )
        if problem.blocks is not None and problem.n >= 3:
            return cls._from_blocks(problem)
        x, y = problem.alice_inputs.all(), problem.bob_inputs.all()
        step = max(1, _AT_ONCE // len(y))
        parts = (problem.evaluate(x[start : start + step, None], y[None]) for start in range(0, len(x), step))
        return cls._gathered(parts, (len(x), len(y)))

    @classmethod
    def _gathered(cls, parts: Iterable[Array], shape: tuple[int, int]) -> "CommunicationMatrix":
        """Of blocks of rows, from top to bottom."""
        layers: dict[int, Packed] = {}
        start = 0
        for part in parts:
            stop = start + len(part)
            for value in map(int, np.unique(part)):
                if value not in layers:
                    if len(layers) == MOST_VALUES:
                        raise InputError(f"the function has more than {MOST_VALUES} values: too many to keep apart")
                    layers[value] = np.zeros((shape[0], -(-shape[1] // 8)), dtype=np.uint8)
                layers[value][start:stop] = np.packbits(part == value, axis=1)
            start = stop
        least = min(layers)
        if least == 0 or len(layers) > 1:
            del layers[least]
            return cls(layers, int(least), shape)
        return cls(layers, None, shape)

    @classmethod
    def _from_blocks(cls, problem: Problem) -> "CommunicationMatrix":
        """By doubling: the matrix at n + 1 is made of four blocks, each a copy of the one at n or constant."""
        assert problem.blocks is not None
        size = 2**problem.n
        # a mapping of its own: where pages are dear, those of a shared one come several times faster
        memory = mmap.mmap(-1, size * size // 8)
        packed = np.frombuffer(memory, dtype=np.uint8).reshape(size, size // 8)
        small = type(problem)(3)
        start = small.evaluate(small.alice_inputs.all()[:, None], small.bob_inputs.all()[None])
        packed[:8, :1] = np.packbits(start, axis=1)
        side = 8
        while side < size:
            corner = packed[:side, : side // 8]
            for row, kinds in enumerate(problem.blocks):
                for column, kind in enumerate(kinds):
                    _fill(
                        packed[row * side : (row + 1) * side, column * side // 8 : (column + 1) * side // 8],
                        kind,
                        corner,
                    )
            side *= 2
        return cls({1: packed}, 0, (size, size))

    def layer(self, value: int) -> Packed:
        """Where the value stands, as packed bits, shape (rows, columns / 8 rounded up), most significant bit first."""
        if value in self._layers:
            return self._layers[value]
        width = -(-self.shape[1] // 8)
        if value not in self.values:
            return np.zeros((self.shape[0], width), dtype=np.uint8)
        full = np.packbits(np.ones(self.shape[1], dtype=bool))
        rest = np.broadcast_to(full, (self.shape[0], width)).copy()
        for packed in self._layers.values():
            rest &= ~packed
        return rest

    def bits(self, value: int) -> Bits:
        """Where the value stands, entry by entry, shape (rows, columns).

        Raises:
            InputError: there are more than ``MOST_DENSE`` entries.
        """
        self.check_dense()
        return np.unpackbits(self.layer(value), axis=1, count=self.shape[1]).view(np.bool_)

    def entries(self) -> Integers:
        """The matrix entry by entry.

        Raises:
            InputError: there are more than ``MOST_DENSE`` entries.
        """
        self.check_dense()
        found = np.full(self.shape, self.values[0], dtype=np.int64)
        for value in self.values:
            found[self.bits(value)] = value
        return found

    def check_dense(self) -> None:
        """Raise InputError if there are more than ``MOST_DENSE`` entries, too many to be held one by one."""
        rows, columns = self.shape
        if rows * columns > MOST_DENSE:
            raise InputError(f"a matrix of {rows} x {columns} is too large for this: at most 2^26 entries")

    def lines(self) -> tuple[list[list[int]], list[list[int]]]:
        """For each value the rows as integers, and likewise the columns: bit k is set where the value stands at k.

        Raises:
            InputError: there are more than ``MOST_DENSE`` entries.
        """
        rows: list[list[int]] = []
        columns: list[list[int]] = []
        for value in self.values[1:]:
            bits = self.bits(value)
            rows.append(as_integers(bits))
            columns.append(as_integers(bits.T))
        # the least value stands where no other does
        rows.insert(0, _complements(rows, self.shape))
        columns.insert(0, _complements(columns, self.shape[::-1]))
        return rows, columns

    @cached_property
    def distinct(self) -> "Distinct":
        """The matrix without repeated rows and columns."""
        rows, row_classes = _first_of_each(self._stacked(self._layers))
        kept = self._layers if len(rows) == self.shape[0] else {z: packed[rows] for z, packed in self._layers.items()}
        columns_as_rows = self._stacked({value: _transposed(packed, self.shape[1]) for value, packed in kept.items()})
        columns, column_classes = _first_of_each(columns_as_rows)
        smaller = kept if len(columns) == self.shape[1] else {z: _chosen(kept[z], columns) for z in kept}
        least = self.values[0] if self.values[0] not in self._layers else None
        matrix = CommunicationMatrix(smaller, least, (len(rows), len(columns)))
        return Distinct(matrix, rows, columns, row_classes, column_classes)

    def _stacked(self, layers: dict[int, Packed]) -> Packed:
        if not layers:
            return np.zeros((self.shape[0] if layers is self._layers else self.shape[1], 1), dtype=np.uint8)
        return np.concatenate(list(layers.values()), axis=1) if len(layers) > 1 else next(iter(layers.values()))


@dataclass(frozen=True)
class Distinct:
    """A matrix without repeated rows and columns, and where they were.

    Attributes:
        matrix: the smaller matrix.
        rows, columns: the places, in the original, of the rows and columns that are kept: the first of each kind.
        row_classes, column_classes: for each line of the original, the number of the kept line that equals it.
    """

    matrix: CommunicationMatrix
    rows: Integers
    columns: Integers
    row_classes: Integers
    column_classes: Integers


def as_integers(bits: Bits) -> list[int]:
    """Rows of bits, shape (rows, columns), as one integer each: bit k is set where column k is."""
    packed = np.packbits(bits, axis=1, bitorder="little")
    width, content = packed.shape[1], packed.tobytes()
    return [int.from_bytes(content[start : start + width], "little") for start in range(0, len(content), width)]


def _complements(layers: list[list[int]], shape: tuple[int, ...]) -> list[int]:
    rest = [(1 << shape[1]) - 1] * shape[0]
    for layer in layers:
        rest = [left & ~line for left, line in zip(rest, layer, strict=True)]
    return rest


def _fill(block: Packed, kind: str, corner: Packed) -> None:
    if kind == "=":
        if block.base is not corner.base or block.ctypes.data != corner.ctypes.data:
            block[:] = corner
    elif kind == "~":
        np.invert(corner, out=block)
    elif kind == "1":
        block[:] = 255


def _first_of_each(rows: Packed) -> tuple[Integers, Integers]:
    """The places of the first of each kind of row, in order, and the number of each row's kind."""
    first: dict[bytes, int] = {}
    places: list[int] = []
    classes = np.empty(len(rows), dtype=np.int64)
    for place, row in enumerate(np.ascontiguousarray(rows)):
        number = first.setdefault(row.tobytes(), len(first))
        if number == len(places):
            places.append(place)
        classes[place] = number
    return np.array(places), classes


def _chosen(packed: Packed, columns: Integers) -> Packed:
    """Some of the columns, so many rows at a time that little is ever unpacked."""
    step = max(1, _AT_ONCE // (8 * packed.shape[1]))
    parts = (np.unpackbits(packed[start : start + step], axis=1) for start in range(0, len(packed), step))
    return np.concatenate([np.packbits(part[:, columns], axis=1) for part in parts])


def _transposed(packed: Packed, columns: int) -> Packed:
    """Packed rows to packed columns, by tiles that fit into the cache."""
    rows = len(packed)
    result = np.empty((columns, -(-rows // 8)), dtype=np.uint8)
    tall, wide = _TILE
    for top in range(0, rows, tall):
        for left in range(0, columns, wide):
            right = min(columns, left + wide)
            bits = np.unpackbits(packed[top : top + tall, left // 8 : -(-right // 8)], axis=1)[:, : right - left]
            turned = np.packbits(np.ascontiguousarray(bits.T), axis=1)
            result[left:right, top // 8 : top // 8 + turned.shape[1]] = turned
    return result
