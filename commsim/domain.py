"""The inputs a party can hold: their arrays, their text, and all of them in order."""

import itertools
import math
import re
from abc import ABC, abstractmethod
from collections.abc import Iterator

import numpy as np

from commsim.arrays import Array, Bits, Integers
from commsim.errors import InputError

#: No more inputs than this are ever listed: 2^24 inputs of 24 bits take 400 MB.
MOST_LISTED = 2**24


class InputDomain(ABC):
    """The set of inputs of one party.

    Attributes:
        size: how many inputs there are.
        reads: what :meth:`parse` accepts, in words.
    """

    size: int
    reads: str

    @abstractmethod
    def all(self) -> Array:
        """Every input once, along axis 0, in increasing order.

        Raises:
            InputError: there are more than ``MOST_LISTED``.
        """

    @abstractmethod
    def sample(self, generator: np.random.Generator, count: int) -> Array:
        """A batch of independent uniform inputs."""

    @abstractmethod
    def parse(self, text: object) -> Array:
        """One input from what a user wrote: text, or a value read from JSON.

        Raises:
            InputError: it is not an input of this domain.
        """

    @abstractmethod
    def format(self, value: Array) -> str:
        """One input as text that :meth:`parse` reads."""

    @abstractmethod
    def simpler(self, value: Array) -> Iterator[Array]:
        """Inputs one step simpler than this one, for shrinking a counterexample."""

    def _check_listed(self) -> None:
        if self.size > MOST_LISTED:
            size = f"2^{self.size.bit_length() - 1}"
            raise InputError(f"{size} or more inputs are too many to list (at most {MOST_LISTED}): sample instead")


class BitStrings(InputDomain):
    """The n-bit strings: arrays of shape (n,), dtype bool; leftmost bit most significant in the order."""

    def __init__(self, n: int) -> None:
        self.n = n
        self.size = 2**n
        self.reads = (
            f"{n} bits such as {('10' * n)[:n]}" if 1 < n <= 16 else f"a string of {n} bits" if n > 1 else "0 or 1"
        )

    def all(self) -> Bits:
        """Shape (2^n, n), stored column by column so that numpy reduces over the bits at full speed."""
        self._check_listed()
        numbers = np.arange(self.size)
        columns = np.empty((self.n, self.size), dtype=bool)
        for bit in range(self.n):
            columns[bit] = numbers >> (self.n - 1 - bit) & 1
        return columns.T

    def sample(self, generator: np.random.Generator, count: int) -> Bits:
        """Shape (count, n)."""
        random = np.frombuffer(generator.bytes(count * -(-self.n // 8)), dtype=np.uint8)
        return np.unpackbits(random.reshape(count, -(-self.n // 8)), axis=-1, count=self.n).view(np.bool_)

    def parse(self, text: object) -> Bits:
        """Reads a string of n zeros and ones."""
        if not isinstance(text, str) or not re.fullmatch(r"[01]+", text.strip()):
            raise InputError(f"cannot read {_shown(text)}: write {self.reads}")
        text = text.strip()
        if len(text) != self.n:
            raise InputError(f"{_shown(text)} has length {len(text)}, but n = {self.n}: write {self.reads}")
        return np.array([character == "1" for character in text])

    def format(self, value: Bits) -> str:
        """The bits as zeros and ones."""
        return (value.astype(np.uint8) + ord("0")).tobytes().decode("ascii")

    def simpler(self, value: Bits) -> Iterator[Bits]:
        """The same string with one 1 turned to 0."""
        for place in np.flatnonzero(value):
            simpler = value.copy()
            simpler[place] = False
            yield simpler


class Subsets(BitStrings):
    """The subsets of {1, ..., n}, as their characteristic bit strings."""

    def __init__(self, n: int) -> None:
        super().__init__(n)
        self.reads += ", or a set such as {1,3}" if n >= 3 else ", or a set such as {1}"

    def parse(self, text: object) -> Bits:
        """Reads a bit string, a set such as ``{1, 3}``, or a JSON list of elements."""
        if isinstance(text, str) and (match := re.fullmatch(r"\s*\{([\d\s,]*)\}\s*", text)):
            text = [int(element) if len(element) <= 18 else element for element in re.findall(r"\d+", match[1])]
        if not isinstance(text, list):
            return super().parse(text)
        bits = np.zeros(self.n, dtype=bool)
        for element in text:
            if not isinstance(element, int) or isinstance(element, bool) or not 1 <= element <= self.n:
                raise InputError(f"{_shown(element)} is not an element of {{1, ..., {self.n}}}")
            bits[element - 1] = True
        return bits


class NonemptySubsets(Subsets):
    """The subsets of {1, ..., n} but the empty one, as their characteristic bit strings."""

    def __init__(self, n: int) -> None:
        super().__init__(n)
        self.size = 2**n - 1

    def all(self) -> Bits:
        """Shape (2^n - 1, n)."""
        return Subsets(self.n).all()[1:]

    def sample(self, generator: np.random.Generator, count: int) -> Bits:
        """Shape (count, n)."""
        rows = super().sample(generator, count)
        while (empty := ~rows.any(axis=-1)).any():
            rows[empty] = super().sample(generator, int(empty.sum()))
        return rows

    def parse(self, text: object) -> Bits:
        """Reads what :class:`Subsets` reads, but the empty set."""
        bits = super().parse(text)
        if not bits.any():
            raise InputError("the set is empty: write at least one element")
        return bits

    def simpler(self, value: Bits) -> Iterator[Bits]:
        """The same set with one element fewer, if one is left."""
        return (simpler for simpler in super().simpler(value) if simpler.any())


class SparseSubsets(Subsets):
    """The subsets of {1, ..., n} with at most k elements, as their characteristic bit strings, but written as sets."""

    def __init__(self, n: int, k: int) -> None:
        super().__init__(n)
        self.k = k
        self._of_size = [math.comb(n, elements) for elements in range(k + 1)]
        self.size = sum(self._of_size)
        self.reads = f"a set of at most {k} of the numbers from 1 to {n}, such as {{1}}"

    def all(self) -> Bits:
        """Shape (size, n)."""
        self._check_listed()
        sets = [chosen for elements in range(self.k + 1) for chosen in itertools.combinations(range(self.n), elements)]
        rows = np.zeros((len(sets), self.n), dtype=bool)
        for row, chosen in enumerate(sets):
            rows[row, list(chosen)] = True
        return rows[np.lexsort(rows.T[::-1])]

    def sample(self, generator: np.random.Generator, count: int) -> Bits:
        """Shape (count, n): first how many elements, with the right probability, then which."""
        rows = np.zeros((count, self.n), dtype=bool)
        odds = [size / self.size for size in self._of_size]
        for row, elements in enumerate(generator.choice(self.k + 1, size=count, p=odds)):
            rows[row, generator.choice(self.n, size=elements, replace=False)] = True
        return rows

    def parse(self, text: object) -> Bits:
        """Reads a set, a JSON list, or n bits."""
        bits = super().parse(text)
        if bits.sum() > self.k:
            raise InputError(f"{_shown(text)} has {bits.sum()} elements: write {self.reads}")
        return bits

    def format(self, value: Bits) -> str:
        """The set, such as ``{1,3}``."""
        return f"{{{','.join(str(place + 1) for place in np.flatnonzero(value))}}}"


class Listed(BitStrings):
    """The n-bit strings of a list.

    Args:
        rows: shape (size, n), each string once, in increasing order.
        what: what they have in common, in words, such as ``a clique``.
    """

    def __init__(self, rows: Bits, what: str) -> None:
        super().__init__(rows.shape[1])
        self.size = len(rows)
        self.reads = f"{what}, as {self.reads}"
        self._rows = rows
        self._what = what
        self._known = {row.tobytes() for row in rows}

    def all(self) -> Bits:
        """Shape (size, n)."""
        return self._rows

    def sample(self, generator: np.random.Generator, count: int) -> Bits:
        """Shape (count, n)."""
        return self._rows[generator.integers(self.size, size=count)]

    def parse(self, text: object) -> Bits:
        """Reads n bits, a set, or a JSON list, that is in the list."""
        bits = Subsets(self.n).parse(text)
        if bits.tobytes() not in self._known:
            raise InputError(f"{_shown(text)} is not {self._what}")
        return bits

    def simpler(self, value: Bits) -> Iterator[Bits]:
        """The same string with one 1 turned to 0, where that is in the list."""
        return (simpler for simpler in super().simpler(value) if simpler.tobytes() in self._known)


class BinaryNumbers(BitStrings):
    """The numbers below 2^n, as n-bit strings, most significant bit first."""

    def __init__(self, n: int) -> None:
        super().__init__(n)
        self.reads += ", or a number with a digit above 1, or like 0x1f"

    def parse(self, text: object) -> Bits:
        """Reads a bit string, a number that cannot be mistaken for one (``57``, ``0x1f``), or a JSON integer."""
        if isinstance(text, str) and re.fullmatch(r"\s*(0[xX][0-9a-fA-F]+|0[bB][01]+|\d*[2-9]\d*)\s*", text):
            text = _integer(text.strip())
        if not isinstance(text, int) or isinstance(text, bool):
            return super().parse(text)
        if not 0 <= text < self.size:
            raise InputError(f"{_shown(text)} is not a number from 0 to 2^{self.n} - 1")
        return super().parse(format(text, f"0{self.n}b"))


class Positions(InputDomain):
    """The positions 1, ..., n: arrays of shape (), dtype int64."""

    def __init__(self, n: int) -> None:
        self.n = n
        self.size = n
        self.reads = f"a position from 1 to {n}"

    def all(self) -> Integers:
        """Shape (n,)."""
        self._check_listed()
        return np.arange(1, self.n + 1)

    def sample(self, generator: np.random.Generator, count: int) -> Integers:
        """Shape (count,)."""
        return generator.integers(1, self.n, size=count, endpoint=True)

    def parse(self, text: object) -> Integers:
        """Reads a decimal number, as text or as a JSON integer."""
        if isinstance(text, str) and re.fullmatch(r"\s*\d{1,18}\s*", text):
            text = int(text)
        if not isinstance(text, int) or isinstance(text, bool) or not 1 <= text <= self.n:
            raise InputError(f"cannot read {_shown(text)}: write {self.reads}")
        return np.array(text)

    def format(self, value: Integers) -> str:
        """The number in decimal."""
        return str(int(value))

    def simpler(self, value: Integers) -> Iterator[Integers]:
        """The position before."""
        if value > 1:
            yield np.array(value - 1)


class Maps(InputDomain):
    """The maps from {1, ..., n} to itself: arrays of shape (n,), dtype int64, with the image of i at place i - 1."""

    def __init__(self, n: int) -> None:
        self.n = n
        self.size = n**n
        self.reads = f"{n} numbers from 1 to {n}, such as {','.join(str(value) for value in range(n, 0, -1))}"

    def all(self) -> Integers:
        """Shape (n^n, n)."""
        self._check_listed()
        digits = np.indices((self.n,) * self.n).reshape(self.n, -1)
        return np.ascontiguousarray(digits.T) + 1

    def sample(self, generator: np.random.Generator, count: int) -> Integers:
        """Shape (count, n)."""
        return generator.integers(1, self.n, size=(count, self.n), endpoint=True)

    def parse(self, text: object) -> Integers:
        """Reads the images of 1, ..., n with commas between them, or a JSON list."""
        if isinstance(text, str) and re.fullmatch(r"\s*\d{1,9}(\s*,\s*\d{1,9})*\s*", text):
            text = [int(value) for value in text.split(",")]
        if (
            not isinstance(text, list)
            or len(text) != self.n
            or not all(
                isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= self.n for value in text
            )
        ):
            raise InputError(f"cannot read {_shown(text)}: write {self.reads}")
        return np.array(text)

    def format(self, value: Integers) -> str:
        """The images with commas between them."""
        return ",".join(str(image) for image in value.tolist())

    def simpler(self, value: Integers) -> Iterator[Integers]:
        """The same map with one image turned to 1."""
        for place in np.flatnonzero(value > 1):
            simpler = value.copy()
            simpler[place] = 1
            yield simpler


def _integer(text: str) -> int:
    try:
        return int(text, 0) if text[:2].lower() in ("0x", "0b") else int(text)
    except ValueError as error:  # Python reads no more than some thousand decimal digits
        raise InputError(f"cannot read {_shown(text)}: write so long a number in hexadecimal, like 0x1f") from error


def _shown(value: object) -> str:
    if isinstance(value, int) and value.bit_length() > 128:
        return f"a number of {value.bit_length()} bits"
    shown = repr(value)
    return shown if len(shown) <= 40 else f"{shown[:36]}..."
