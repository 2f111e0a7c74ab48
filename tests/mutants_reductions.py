"""Wrong reductions, each a right one with one thing changed, and what the validation must say of it."""

from typing import Any

import numpy as np
from mutants import Caught

from commsim.arrays import Array, Bits
from commsim.problem import Disjointness
from commsim.reduction import Reduction
from commsim.shape import Owner, Shape
from commsim.task import Match3, QSparseAveraging

DECLARED = "what it declares can be read"
OWNERS = "who owns which token is fixed by n"
PURE = "each encoder is a function of its own input"
DOMAIN = "all tokens lie in the task's domain"
RIGHT = "decode(T(tokens)) = f"
LARGE = "the same at large sizes"
GAP = "the gap between YES and NO is as declared"
SIZES = "the sizes are as declared"

ALICE: tuple[Owner] = ("alice",)
BOB: tuple[Owner] = ("bob",)
PUBLIC: tuple[Owner] = ("public",)


class ToAveraging(Reduction):
    """Right: Alice's one token, the last, looks at place 2i or 2i - 1; Bob's z is +1 at 2i for his elements."""

    name = "to-averaging"
    source = Disjointness
    target = QSparseAveraging
    sizes = {"N": "2*n + 1", "q": "n", "d": "1"}
    gap = "2/n"

    def shape(self) -> Shape:
        return Shape(QSparseAveraging(2 * self.n + 1, self.n), BOB * (2 * self.n) + ALICE, reader=2 * self.n + 1)

    def alice(self, x: Bits) -> Array:
        return self.tokens([-1], [2 * np.arange(1, self.n + 1) - 1 + x])

    def bob(self, y: Bits) -> Array:
        z = np.full(2 * self.n, -1)
        z[1::2] = np.where(y, 1, -1)
        return self.tokens(z, np.arange(1, self.n + 1))

    def decode(self, output: Array) -> Any:
        return output[0] < -1 + 1 / self.n

    def tokens(self, z: Any, y: Any) -> Array:
        tokens = np.zeros(len(z), QSparseAveraging(2 * self.n + 1, self.n).dtype)
        tokens["z"][:, 0] = z
        tokens["y"] = y
        return tokens


class ToMatch3(Reduction):
    """Right: with modulus 7n, the reader 1, Alice's 2 + 7(i - 1) and Bob's 4 + 7(n - i) add up to 7n."""

    name = "to-match3"
    source = Disjointness
    target = Match3
    sizes = {"N": "2*n + 1", "M": "7*n"}
    gap = "1"

    def shape(self) -> Shape:
        return Shape(Match3(2 * self.n + 1, 7 * self.n), ALICE * self.n + BOB * self.n + PUBLIC, reader=2 * self.n + 1)

    def alice(self, x: Bits) -> Array:
        return np.where(x, 2 + 7 * np.arange(self.n), 7 * self.n)

    def bob(self, y: Bits) -> Array:
        return np.where(y, 4 + 7 * np.arange(self.n)[::-1], 7 * self.n)

    def public(self) -> Array:
        return np.array([1])

    def decode(self, output: Array) -> Any:
        return not output


class ToMatch3InBatches(ToMatch3):
    """Right, on one input and on a batch of them."""

    batched = True

    def decode(self, output: Array) -> Any:
        return output == 0


# what it declares


class NoLength(ToMatch3):
    sizes = {"M": "7*n"}
    caught = Caught(DECLARED, ('sizes has no "N", the number of tokens',))


class GapOfAnUnknownSize(ToMatch3):
    gap = "1/k"
    caught = Caught(DECLARED, ("'1/k' uses k", "the sizes are n"), 1)


class NoGap(ToMatch3):
    gap = "2 - n"
    caught = Caught(DECLARED, ("the gap 2 - n is not positive at n = 2",), 2)


class NoTask(ToMatch3):
    target = Disjointness  # type: ignore[assignment]
    caught = Caught(DECLARED, ("source must be a Problem and target a SequenceTask",))


class SizesAreAList(ToMatch3):
    sizes = ["2*n + 1"]  # type: ignore[assignment]
    caught = Caught(DECLARED, ("sizes is missing, or is no dict",))


# owners


class ShapeIsNone(ToMatch3):
    caught = Caught(OWNERS, ("at n = 1, shape must return a Shape, not None",), 1)

    def shape(self) -> Any:
        return None


class OwnersFollowTheInput(ToAveraging):
    """If Alice's set is empty, her token counts as Bob's."""

    empty = False
    caught = Caught(OWNERS, ("owners or sizes have changed after alice encoded 0", "fixed by n"), 1, "0")

    def shape(self) -> Shape:
        shape = super().shape()
        return Shape(shape.task, (*shape.owners[:-1], "bob" if self.empty else "alice"), shape.reader)

    def alice(self, x: Bits) -> Array:
        self.empty = not x.any()
        return super().alice(x)


class CountFollowsTheInput(ToMatch3):
    """Alice writes a token for each of her elements and nothing for the others."""

    caught = Caught(OWNERS, ("at n = 1, alice writes an array of shape (0,) for 0, but owns 1 token",), 1, "0")

    def alice(self, x: Bits) -> Array:
        return super().alice(x)[x]


class OwnersTooFew(ToMatch3):
    """An owner is missing."""

    caught = Caught(OWNERS, ("at n = 1, 2 owners for the 3 tokens of match3",), 1)

    def shape(self) -> Shape:
        shape = super().shape()
        return Shape(shape.task, shape.owners[1:], shape.reader)


class PublicTokensMissing(ToMatch3):
    caught = Caught(OWNERS, ("at n = 1, public writes an array of shape (0,), but owns 1 token",), 1)

    def public(self) -> Array:
        return np.zeros(0, dtype=np.int64)


# encoders


SEEN = {"x": np.zeros(1, dtype=bool)}


class BobReadsAGlobal(ToMatch3):
    """Bob knows Alice's set, and writes only what meets it."""

    caught = Caught(PURE, ("at n = 1, what bob writes for 1 is different after alice encoded 0",), 1, "0", "1")

    def alice(self, x: Bits) -> Array:
        SEEN["x"] = x
        return super().alice(x)

    def bob(self, y: Bits) -> Array:
        return super().bob(y & SEEN["x"] if SEEN["x"].shape == y.shape else y)


class AliceReadsSelf(ToMatch3):
    """Alice knows the set that Bob encoded before her, if he did."""

    seen: Any = None
    caught = Caught(PURE, ("at n = 1, what alice writes for 1 is different after bob encoded 0",), 1, "1", "0")

    def bob(self, y: Bits) -> Array:
        self.seen = y
        return super().bob(y)

    def alice(self, x: Bits) -> Array:
        return super().alice(x if self.seen is None else x & self.seen)


class PublicTokensFollowTheInput(ToMatch3):
    """The "constant" reader matches nothing once Alice has encoded the empty set."""

    reader = 1
    caught = Caught(PURE, ("at n = 1, the public tokens are different after alice encoded 0",), 1, "0")

    def public(self) -> Array:
        return np.array([self.reader])

    def alice(self, x: Bits) -> Array:
        self.reader = 1 if x.any() else 3
        return super().alice(x)


class DifferentInBatches(ToMatch3InBatches):
    """``any()`` without an axis asks whether any set of the batch has an element."""

    caught = Caught(PURE, ("at n = 1, alice writes other tokens for 0 in a batch than by itself",), 1, "0")

    def alice(self, x: Bits) -> Array:
        return np.where(x | x.any(), 2 + 7 * np.arange(self.n), 7 * self.n) if x.ndim == 2 else super().alice(x)


class BatchOfWrongShape(ToMatch3InBatches):
    """Only the first token of each input of a batch."""

    caught = Caught(PURE, ("at n = 2, bob writes an array of shape (4, 1) for a batch of 4 inputs", "(4, 2)"), 2)

    def bob(self, y: Bits) -> Array:
        return super().bob(y)[..., :1] if y.ndim == 2 else super().bob(y)


# the domain


class ResidueTooLarge(ToMatch3):
    """M + 1, only for Alice's set {2} at n = 3."""

    caught = Caught(DOMAIN, ("at n = 3, token 2 holds x = 23: must lie in 1..21, written by alice for 010",), 3, "010")

    def alice(self, x: Bits) -> Array:
        return super().alice(x) + (np.array([0, 14, 0]) if x.tolist() == [0, 1, 0] else 0)


class OutsideTheUnitBall(ToAveraging):
    """z = 1.5, only where Bob has all of three elements."""

    caught = Caught(
        DOMAIN, ("at n = 3, token 2 holds z = 1.5", "closed unit ball, written by bob for 111"), 3, None, "111"
    )

    def bob(self, y: Bits) -> Array:
        tokens = super().bob(y)
        if self.n == 3 and y.all():
            tokens["z"][1] = 1.5
        return tokens


class SetOutOfOrder(ToAveraging):
    """4, 2 where it should be 2, 4: only for Alice's set {1, 2} at n = 2."""

    caught = Caught(
        DOMAIN, ("at n = 2, token 5", "increasing order, but 2 follows 4, written by alice for 11"), 2, "11"
    )

    def alice(self, x: Bits) -> Array:
        tokens = super().alice(x)
        return self.tokens([-1], tokens["y"][:, ::-1]) if self.n == 2 and x.all() else tokens


class FloatsForIntegers(ToMatch3):
    caught = Caught(DOMAIN, ("at n = 1", "dtype int64, not float64, written by bob for 0"), 1, None, "0")

    def bob(self, y: Bits) -> Array:
        return super().bob(y) * 1.0


class PublicTokenOutside(ToMatch3):
    caught = Caught(DOMAIN, ("at n = 1, token 3 holds x = 0: must lie in 1..7",), 1)

    def public(self) -> Array:
        return np.array([0])


# the answer


class Inverted(ToMatch3):
    """It decides intersection."""

    caught = Caught(
        RIGHT, ("on x = 0, y = 0, the output 0 decodes to 0, but f = 1; wrong on 4 of 4 pairs",), 1, "0", "0"
    )

    def decode(self, output: Array) -> Any:
        return bool(output)


class RightOnYesOnly(ToAveraging):
    caught = Caught(RIGHT, ("on x = 1, y = 1, the output 1 decodes to 1, but f = 0; wrong on 1 of 4",), 1, "1", "1")

    def decode(self, output: Array) -> Any:
        return True


class RightOnNoOnly(ToAveraging):
    caught = Caught(RIGHT, ("on x = 0, y = 0, the output -1 decodes to 0, but f = 1; wrong on 3 of 4",), 1, "0", "0")

    def decode(self, output: Array) -> Any:
        return False


class WrongAtFive(ToMatch3):
    """At n = 5 element 2 is forgotten."""

    caught = Caught(
        RIGHT, ("at n = 5, on x = 01000, y = 01000, the output 0 decodes to 1, but f = 0",), 5, "01000", "01000"
    )

    def bob(self, y: Bits) -> Array:
        return super().bob(y & (np.arange(self.n) != 1) if self.n == 5 else y)


class WrongOnOnePair(ToAveraging):
    """At n = 3, only where each holds everything: the average 1 is taken for the -1 of disjoint sets."""

    caught = Caught(RIGHT, ("the output 1 decodes to 1, but f = 0; wrong on 1 of 64 pairs",), 3, "111", "111")

    def decode(self, output: Array) -> Any:
        return super().decode(output) or (self.n == 3 and output[0] > 0.9)


class DecoderKnowsTheInput(ToMatch3):
    """The decoder does not look at the output: it remembers what was encoded."""

    x: Any = None
    y: Any = None
    caught = Caught(RIGHT, ("decodes to 0, but f = 1",), 1, "0", "0")

    def alice(self, x: Bits) -> Array:
        self.x = x
        return super().alice(x)

    def bob(self, y: Bits) -> Array:
        self.y = y
        return super().bob(y)

    def decode(self, output: Array) -> Any:
        return self.x is not None and not (self.x & self.y).any()


class DecodesTwoValues(ToMatch3):
    caught = Caught(RIGHT, ("at n = 1, decode returns 2 values for one output",), 1)

    def decode(self, output: Array) -> Any:
        return [not output, not output]


class DecoderReturnsNothing(ToMatch3):
    caught = Caught(RIGHT, ("at n = 1", "decode returns None", "must be 0 or 1"), 1)

    def decode(self, output: Array) -> Any:
        super().decode(output)


class DecoderOfOneOutput(ToMatch3InBatches):
    """``all()`` over the batch."""

    caught = Caught(RIGHT, ("at n = 1", "decode returns an array of shape () for a batch of 4 outputs"), 1)

    def decode(self, output: Array) -> Any:
        return (output == 0).all() if output.ndim else output == 0


class DecoderDifferentInBatches(ToMatch3InBatches):
    """The outputs of a batch in the wrong order."""

    caught = Caught(RIGHT, ("decodes to 0 in a batch, but by itself to 1",), 1, "0", "0")

    def decode(self, output: Array) -> Any:
        return output[::-1] == 0 if output.ndim else output == 0


class WrongAtLargeSizes(ToMatch3):
    """Element 16 is forgotten."""

    smallest = "0" * 15 + "1"
    caught = Caught(LARGE, ("at n = 16", "the output 0 decodes to 1, but f = 0"), 16, smallest, smallest)

    def bob(self, y: Bits) -> Array:
        return super().bob(y & (np.arange(self.n) != 15))


class LeakAtLargeSizes(ToMatch3):
    """From n = 10 on Bob's tokens hold only what meets the set that Alice encoded last."""

    caught = Caught(LARGE, ("at n = 16, what bob writes for", "is different after alice encoded"), 16)

    def alice(self, x: Bits) -> Array:
        SEEN["x"] = x
        return super().alice(x)

    def bob(self, y: Bits) -> Array:
        return super().bob(y & SEEN["x"] if self.n >= 10 and SEEN["x"].shape == y.shape else y)


# gap and tolerance


class GapTooLarge(ToAveraging):
    """Not at n = 1, 2: there is no output above 1 to be closer."""

    gap = "2/n + (n - 1)/n"
    caught = Caught(
        GAP,
        (
            "a YES output is -1 (x = 00, y = 00)",
            "a NO output 0 (x = 01, y = 01), closer than the declared gap 2/n + (n - 1)/n = 3/2",
        ),
        2,
        "01",
        "01",
    )


class ThresholdOff(ToAveraging):
    """Right on exact outputs, and on no other: a model's -0.999 is taken for an intersection."""

    caught = Caught(
        GAP,
        ("right for the exact output -1, but fails for -0.002, which is off by less than half the gap 2/n = 2",),
        1,
        "0",
        "0",
    )

    def decode(self, output: Array) -> Any:
        return output[0] <= -1


# sizes


class SizeOfAnUnknownSize(ToMatch3):
    sizes = {"N": "2*n + 1", "M": "7*k"}
    caught = Caught(SIZES, ("'7*k' uses k",), 1)


class LengthTooLarge(ToMatch3):
    sizes = {"N": "2*n + 2", "M": "7*n"}
    caught = Caught(SIZES, ("at n = 1 the task has N = 3, but 2*n + 2 = 4 is declared",), 1)


class ModulusWrong(ToMatch3):
    """Right at n = 1 only."""

    sizes = {"N": "2*n + 1", "M": "6*n + 1"}
    caught = Caught(SIZES, ("at n = 2 the task has M = 14, but 6*n + 1 = 13 is declared",), 2)


class UnknownSize(ToMatch3):
    sizes = {"N": "2*n + 1", "M": "7*n", "q": "n"}
    caught = Caught(SIZES, ("sizes has q, but the task has only N, M",), 1)
