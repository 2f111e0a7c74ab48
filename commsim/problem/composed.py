"""Problems made of a Boolean function: a decision tree composed with a gadget, and the game of a formula."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from commsim.arrays import Array, Bits, Integers
from commsim.domain import BitStrings, Listed
from commsim.errors import InputError
from commsim.problem.base import MOST_N, Problem


@dataclass(frozen=True)
class DecisionTree:
    """A decision tree: it looks at variable ``variable`` (from 1) and goes on with one of its branches.

    A leaf is a plain 0 or 1.
    """

    variable: int
    if_zero: "DecisionTree | int"
    if_one: "DecisionTree | int"

    @property
    def depth(self) -> int:
        """The most variables that are looked at."""
        return 1 + max(tree.depth if isinstance(tree, DecisionTree) else 0 for tree in (self.if_zero, self.if_one))

    @property
    def variables(self) -> int:
        """The greatest variable."""
        below = [tree.variables for tree in (self.if_zero, self.if_one) if isinstance(tree, DecisionTree)]
        return max([self.variable, *below])


def alternating_tree(n: int) -> DecisionTree:
    """Looks at variables 1, 2, ... in turn: the answer is the parity of the place of the first 1, or 0 without one."""
    tree: DecisionTree | int = 0
    for variable in range(n, 0, -1):
        tree = DecisionTree(variable, tree, variable % 2)
    assert isinstance(tree, DecisionTree)
    return tree


class ComposedWithIndex(Problem):
    """(f o IND^n)(x, y): f of the n bits z_i = y_i[x_i], where Alice holds n pointers x_i and Bob n strings y_i.

    The gadget IND hides each variable of f from either party alone. A decision tree for f gives a protocol; for gadgets
    that are large enough nothing better is possible (Raz and McKenzie 1999; Goos, Pitassi, Watson 2015).

    Args:
        n: the number of variables of f.
        b: the bits of a pointer; the strings of Bob have 2^b bits.
        tree: a decision tree for f, with at most n variables; by default :func:`alternating_tree`.
    """

    name = "composed-with-index"
    symbol = "f o IND"

    def __init__(self, n: int, b: int = 1, tree: DecisionTree | None = None) -> None:
        """Fix f and the gadget; InputError if b < 1 or the tree has more variables than n."""
        super().__init__(n)
        if b < 1:
            raise InputError(f"composed-with-index needs b at least 1, not b = {b}")
        if b > 20 or n * 2**b > MOST_N:
            raise InputError(f"composed-with-index takes n 2^b up to 2^24, not n = {n} and b = {b}")
        self.b = b
        self.tree = tree or alternating_tree(n)
        if self.tree.variables > n:
            raise InputError(f"the tree looks at variable {self.tree.variables}, but n = {n}")

    @property
    def parameters(self) -> dict[str, int]:
        """The number n of variables and the bits b of a pointer."""
        return {"n": self.n, "b": self.b}

    def domains(self) -> tuple[BitStrings, BitStrings]:
        """Alice holds n pointers of b bits, Bob n strings of 2^b bits, each one after the other."""
        return BitStrings(self.n * self.b), BitStrings(self.n * 2**self.b)

    def pointer(self, x: Bits, variable: int) -> Bits:
        """Alice's bits of one pointer, shape (..., b)."""
        return x[..., (variable - 1) * self.b : variable * self.b]

    def string(self, y: Bits, variable: int) -> Bits:
        """Bob's string for one variable, shape (..., 2^b)."""
        return y[..., (variable - 1) * 2**self.b : variable * 2**self.b]

    def variable(self, x: Bits, y: Bits, variable: int) -> Bits:
        """z_i, from whole inputs."""
        place = self.pointer(x, variable) @ (1 << np.arange(self.b)[::-1])
        string = self.string(y, variable)
        shape = np.broadcast_shapes(place.shape, string.shape[:-1])
        string = np.broadcast_to(string, (*shape, string.shape[-1]))
        return np.take_along_axis(string, np.broadcast_to(place, shape)[..., None], axis=-1)[..., 0]

    def evaluate(self, x: Bits, y: Bits) -> Bits:
        """The value of f on all z_i."""

        def below(tree: DecisionTree | int) -> Array:
            if isinstance(tree, int):
                return np.asarray(bool(tree))
            z = self.variable(x, y, tree.variable)
            return np.where(z, below(tree.if_one), below(tree.if_zero))

        return below(self.tree)

    def balanced_pairs(self, generator: np.random.Generator, count: int) -> tuple[Bits, Bits]:
        """Uniform, in turn as they come and with a random stretch of the first variables all 0."""
        x, y = super().balanced_pairs(generator, count)
        for row in range(1, count, 2):
            y[row, : int(generator.integers(self.n)) * 2**self.b] = False
        return x, y


@dataclass(frozen=True)
class Formula:
    """A formula over AND and OR with literals at its leaves (a De Morgan formula).

    Attributes:
        gate: ``and``, ``or``, or ``literal``.
        left, right: below a gate.
        variable, negated: of a literal; variables count from 1.
    """

    gate: str
    left: "Formula | None" = None
    right: "Formula | None" = None
    variable: int = 0
    negated: bool = False

    @property
    def depth(self) -> int:
        """The most gates on a path."""
        if self.left is None or self.right is None:
            return 0
        return 1 + max(self.left.depth, self.right.depth)

    def evaluate(self, z: Bits) -> Bits:
        """The value on assignments, shape (..., n)."""
        if self.left is None or self.right is None:
            return np.asarray(z[..., self.variable - 1] ^ self.negated)
        left, right = self.left.evaluate(z), self.right.evaluate(z)
        return left & right if self.gate == "and" else left | right


def parity_formula(n: int) -> Formula:
    """The parity of n variables by halving: x + y mod 2 = (x and not y) or (not x and y); depth 2 ceil(log2(n))."""

    def parity(variables: range, negated: bool) -> Formula:
        if len(variables) == 1:
            return Formula("literal", variable=variables[0], negated=negated)
        left, right = variables[: (len(variables) + 1) // 2], variables[(len(variables) + 1) // 2 :]
        one = Formula("and", parity(left, False), parity(right, not negated))
        two = Formula("and", parity(left, True), parity(right, negated))
        return Formula("or", one, two)

    return parity(range(1, n + 1), False)


class KarchmerWigderson(Problem):
    """KW_f: Alice holds x with f(x) = 1, Bob y with f(y) = 0; they look for a place where x and y differ.

    The communication complexity of this relation is exactly the least depth of a formula for f (Karchmer and Wigderson
    1990).

    Args:
        n: the number of variables.
        formula: f; by default :func:`parity_formula`.
    """

    name = "karchmer-wigderson"
    symbol = "KW"
    kind = "relation"

    def __init__(self, n: int, formula: Formula | None = None) -> None:
        """Fix f; InputError if it is constant."""
        super().__init__(n)
        self.formula = formula or parity_formula(n)
        values = self.formula.evaluate(BitStrings(n).all())
        if values.all() or not values.any():
            raise InputError("the formula is constant: there is nothing to look for")

    def domains(self) -> tuple[Listed, Listed]:
        """Alice's inputs are those with f = 1, Bob's those with f = 0."""
        assignments = BitStrings(self.n).all()
        values = self.formula.evaluate(assignments)
        return (
            Listed(assignments[values], "an assignment with f(x) = 1"),
            Listed(assignments[~values], "an assignment with f(y) = 0"),
        )

    def evaluate(self, x: Bits, y: Bits) -> Integers:
        """The first place where they differ."""
        return np.asarray((x ^ y).argmax(axis=-1) + 1)

    def accepts(self, x: Bits, y: Bits, output: Array) -> Bits:
        """Whether x and y differ at the place."""
        differ = x ^ y
        place = np.broadcast_to(output, differ.shape[:-1])
        inside = (place >= 1) & (place <= self.n)
        at_place: Any = np.take_along_axis(differ, np.where(inside, place, 1)[..., None] - 1, axis=-1)[..., 0]
        return np.asarray(at_place & inside)
