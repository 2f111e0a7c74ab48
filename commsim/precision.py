"""Number formats: how a real number becomes p bits, and what is lost.

A party that sends a real number must say in which format. A format rounds to its nearest number (ties to even), never
saturates and never lets NaN through: a number it cannot hold is an error, since a wrong number would pass unnoticed.
All bit strings have their most significant bit first; bits are counted along the last axis.
"""

import difflib
import re
from abc import ABC, abstractmethod

import numpy as np
from numpy.typing import ArrayLike, NDArray

from commsim.arrays import Bits, Floats, Integers
from commsim.errors import InputError

_Unsigned64 = NDArray[np.uint64]

#: The floating-point formats: name here -> name of the type in numpy or ml_dtypes.
_FLOATS = {
    "fp64": "float64",
    "fp32": "float32",
    "fp16": "float16",
    "bf16": "bfloat16",
    "fp8_e4m3": "float8_e4m3fn",
    "fp8_e5m2": "float8_e5m2",
}
#: float64 has 53 significant bits: every integer up to 2^53 is one, so formats that wide lose nothing.
_EXACT_BITS = 53


def integer_to_bits(values: ArrayLike, width: int) -> Bits:
    """Write nonnegative integers in binary.

    Args:
        values: integers of shape S, each in 0..2^width - 1.
        width: bits for each of them, 0..64.

    Returns:
        Bits of shape S + (width,), most significant first.

    Raises:
        InputError: a value is not an integer or does not fit, or the width is out of range.
    """
    if not 0 <= width <= 64:
        raise InputError(f"the width of an integer must lie in 0..64 bits, not {width}")
    integers = np.asarray(values)
    if integers.size and integers.dtype.kind not in "iub":
        raise InputError(f"only integers of at most 64 bits can be written in binary, not {integers.dtype}")
    if integers.size:
        least, greatest = int(integers.min()), int(integers.max())
        if least < 0 or greatest >> width:
            raise InputError(
                f"{least if least < 0 else greatest} does not fit into {width} bits: must lie in 0..{2**width - 1}"
            )
    return _to_bits(integers.astype(np.uint64), width)


def bits_to_integer(bits: Bits) -> Integers:
    """Read nonnegative integers from binary; undoes :func:`integer_to_bits`.

    Args:
        bits: of shape S + (width,), most significant first, width at most 62 so that sums of two still fit int64.

    Returns:
        Integers of shape S.

    Raises:
        InputError: not an array of bits, or wider than 62.
    """
    _require_bits(bits)
    if bits.shape[-1] > 62:
        raise InputError(f"an integer may have at most 62 bits here, not {bits.shape[-1]}")
    return _from_bits(bits).astype(np.int64)


def _to_bits(values: _Unsigned64, width: int) -> Bits:
    """Write the low `width` bits of each value, without looking at the rest."""
    size = -(-width // 8)
    octets = np.ascontiguousarray(values, dtype=">u8")[..., np.newaxis].view(np.uint8)[..., 8 - size :]
    return np.unpackbits(octets, axis=-1)[..., 8 * size - width :].view(np.bool_).reshape(*values.shape, width)


def _from_bits(bits: Bits) -> _Unsigned64:
    """Read integers of at most 64 bits."""
    width = bits.shape[-1]
    if width == 0:
        return np.zeros(bits.shape[:-1], dtype=np.uint64)
    octets = np.zeros((*bits.shape[:-1], 8), dtype=np.uint8)
    octets[..., : -(-width // 8)] = np.packbits(bits, axis=-1)
    # packbits fills from the top, so the number stands at the upper end of its 64 bits
    return octets.view(">u8")[..., 0].astype(np.uint64) >> np.uint64(64 - width)


def _require_bits(bits: Bits) -> None:
    if not isinstance(bits, np.ndarray) or bits.dtype != np.bool_ or bits.ndim == 0:
        kind = f"{bits.dtype} of shape {bits.shape}" if isinstance(bits, np.ndarray) else type(bits).__name__
        raise InputError(f"bits must be an array of bool with at least one axis, not {kind}")


def _exact_floats(values: ArrayLike) -> Floats:
    """Take real numbers as float64; refuse what this would already round, since two roundings may differ from one."""
    numbers = np.asarray(values)
    if numbers.dtype.kind not in "biuf" or numbers.dtype.itemsize > 8:
        raise InputError(f"a number format takes integers and floats of at most 64 bits, not {numbers.dtype}")
    if numbers.dtype.kind in "iu" and numbers.size:
        widest = max(int(numbers.max()), int(numbers.min()), key=abs)
        if abs(widest) > 2**_EXACT_BITS:
            raise InputError(
                f"cannot take the integer {widest}: must lie in -2^53..2^53, where every integer is a float64"
            )
    return numbers.astype(np.float64)


class NumberFormat(ABC):
    """A finite set of real numbers, each with its own pattern of bits.

    For every number v of the format ``decode(encode(v)) == v``, and for every pattern b that decodes to a number,
    ``encode(decode(b))`` is b again. Negative zero keeps its sign in the floating-point formats and becomes plain zero
    in the others, which have one zero. Patterns that mean NaN decode to NaN, whose payload is not kept; NaN is never
    encoded.

    Attributes:
        name: as :func:`number_format` reads it.
        bits: what one number costs, in bits.
        minimum: the least finite number.
        maximum: the greatest finite number.
    """

    def __init__(self, name: str, bits: int, minimum: float, maximum: float) -> None:
        """Set the attributes."""
        self.name = name
        self.bits = bits
        self.minimum = minimum
        self.maximum = maximum

    def __repr__(self) -> str:
        """Show the name."""
        return self.name

    def __eq__(self, other: object) -> bool:
        """Compare by name, which says everything about a format."""
        return isinstance(other, NumberFormat) and self.name == other.name

    def __hash__(self) -> int:
        """Hash what is compared."""
        return hash(self.name)

    def encode(self, values: ArrayLike) -> Bits:
        """Round real numbers to the format, ties to even, and write them.

        Args:
            values: real numbers of shape S: floats, or integers within -2^53..2^53.

        Returns:
            Bits of shape S + (bits,), most significant first.

        Raises:
            InputError: a value is NaN, or after rounding lies outside minimum..maximum. Infinities are refused but by
                the floating-point formats that have them; a finite number never becomes an infinity.
        """
        numbers = _exact_floats(values)
        rounded = self._round(numbers)
        held = (rounded >= self.minimum) & (rounded <= self.maximum)
        if not held.all():
            held |= self._holds_infinity() & np.isinf(numbers)
        if not held.all():
            first = float(numbers[~held][0])
            raise InputError(f"{self.name} cannot hold {first!r}: must lie in {self.minimum!r}..{self.maximum!r}")
        return _to_bits(self._pattern(rounded), self.bits)

    def decode(self, bits: Bits) -> Floats:
        """Read numbers from bits.

        Args:
            bits: of shape S + (bits,), most significant first.

        Returns:
            The numbers, of shape S, exactly.

        Raises:
            InputError: not an array of bits, or its last axis has another length.
        """
        _require_bits(bits)
        if bits.shape[-1] != self.bits:
            raise InputError(f"a number in {self.name} has {self.bits} bits, not {bits.shape[-1]}")
        return self._number(_from_bits(bits))

    def quantize(self, values: ArrayLike) -> Floats:
        """Round to the format: what arrives when values are sent in it. Shapes and errors as for :meth:`encode`."""
        return self.decode(self.encode(values))

    def _holds_infinity(self) -> bool:
        return False

    @abstractmethod
    def _round(self, numbers: Floats) -> Floats:
        """Round to the nearest multiple of the format's step, ties to even, as if the range had no end; NaN stays."""

    @abstractmethod
    def _pattern(self, rounded: Floats) -> _Unsigned64:
        """Give the bit patterns, as integers, of numbers that the format holds."""

    @abstractmethod
    def _number(self, patterns: _Unsigned64) -> Floats:
        """Give the numbers of bit patterns."""


class FixedPoint(NumberFormat):
    """Signed fixed point in two's complement: the numbers k / 2^fraction_bits with -2^(bits-1) <= k < 2^(bits-1)."""

    def __init__(self, bits: int, fraction_bits: int) -> None:
        """Lay out the bits.

        Args:
            bits: all bits of a number, 1..53, so that a float64 holds every number exactly.
            fraction_bits: how many of them stand after the point, 0..1022; more than `bits` if all numbers are small.

        Raises:
            InputError: either is out of range.
        """
        _require_width("fixed point", bits)
        if not 0 <= fraction_bits <= 1022:
            raise InputError(f"fixed point may have 0..1022 fraction bits, not {fraction_bits}")
        self.fraction_bits = fraction_bits
        step, half = 2.0**-fraction_bits, 2.0 ** (bits - 1)
        super().__init__(f"fixed{bits}.{fraction_bits}", bits, -half * step, (half - 1) * step)

    @property
    def resolution(self) -> float:
        """The distance of neighbouring numbers; rounding moves a number by at most half of it."""
        return 2.0**-self.fraction_bits

    def _round(self, numbers: Floats) -> Floats:
        with np.errstate(over="ignore"):  # infinity is as much out of range as what it stands for
            return np.ldexp(np.rint(np.ldexp(numbers, self.fraction_bits)), -self.fraction_bits)

    def _pattern(self, rounded: Floats) -> _Unsigned64:
        return np.ldexp(rounded, self.fraction_bits).astype(np.int64).view(np.uint64)

    def _number(self, patterns: _Unsigned64) -> Floats:
        half = 1 << (self.bits - 1)
        # flipping the sign bit adds half to a two's complement number, modulo 2^bits
        return np.ldexp(((patterns.astype(np.int64) ^ half) - half).astype(np.float64), -self.fraction_bits)


class Unsigned(NumberFormat):
    """The integers 0 <= k < 2^bits, in binary."""

    def __init__(self, bits: int) -> None:
        """Take 1..53 bits, so that a float64 holds every number exactly; InputError otherwise."""
        _require_width("unsigned", bits)
        super().__init__(f"unsigned{bits}", bits, 0.0, 2.0**bits - 1)

    def _round(self, numbers: Floats) -> Floats:
        return np.rint(numbers)

    def _pattern(self, rounded: Floats) -> _Unsigned64:
        return rounded.astype(np.uint64)

    def _number(self, patterns: _Unsigned64) -> Floats:
        return patterns.astype(np.float64)


class Float(NumberFormat):
    """A floating-point format: fp64, fp32, fp16 (IEEE 754), bf16, fp8_e4m3 or fp8_e5m2.

    fp8_e4m3 is the variant without infinities and with maximum 448 (Micikevicius et al. 2022, arXiv 2209.05433); the
    others have both infinities, which are encoded as such. Numbers below the normal range are subnormal, not zero.
    """

    def __init__(self, name: str) -> None:
        """Take one of the names above; InputError otherwise."""
        if name not in _FLOATS:
            raise InputError(_unknown(name))
        import ml_dtypes

        self._dtype = np.dtype(_FLOATS[name])  # numpy knows the names in ml_dtypes once that is imported
        self._pattern_dtype = np.dtype(f"u{self._dtype.itemsize}")
        facts = ml_dtypes.finfo(self._dtype)  # type: ignore[no-untyped-call]
        self._fraction_bits = int(facts.nmant)
        self._least_exponent = int(facts.minexp)
        super().__init__(name, 8 * self._dtype.itemsize, -float(facts.max), float(facts.max))

    def _holds_infinity(self) -> bool:
        return self.name != "fp8_e4m3"

    def _round(self, numbers: Floats) -> Floats:
        if self.name == "fp64":
            return numbers
        # Not by a cast: ml_dtypes casts float64 by way of float32, and two roundings may differ from one.
        _, exponents = np.frexp(numbers)
        steps = np.maximum(exponents - 1, self._least_exponent) - self._fraction_bits
        with np.errstate(over="ignore"):  # infinity is as much out of range as what it stands for
            rounded: Floats = np.ldexp(np.rint(np.ldexp(numbers, -steps)), steps)
        return rounded

    def _pattern(self, rounded: Floats) -> _Unsigned64:
        return rounded.astype(self._dtype).view(self._pattern_dtype).astype(np.uint64)

    def _number(self, patterns: _Unsigned64) -> Floats:
        with np.errstate(invalid="ignore"):  # signalling NaNs become quiet ones
            return patterns.astype(self._pattern_dtype).view(self._dtype).astype(np.float64)


def number_format(text: str) -> NumberFormat:
    """Find a format by its name.

    Args:
        text: a floating-point format ("fp32", "bf16", "fp8_e4m3", ...), "fixed8.6" (8 bits, 6 of them after the point)
            or "unsigned5" (5 bits).

    Raises:
        InputError: no such format (with the nearest name), or its sizes are out of range.
    """
    if text in _FLOATS:
        return Float(text)
    if fixed := re.fullmatch(r"fixed([0-9]{1,4})\.([0-9]{1,4})", text):
        return FixedPoint(int(fixed[1]), int(fixed[2]))
    if unsigned := re.fullmatch(r"unsigned([0-9]{1,4})", text):
        return Unsigned(int(unsigned[1]))
    raise InputError(_unknown(text))


def _unknown(name: str) -> str:
    known = [*_FLOATS, "fixed8.6", "unsigned5"]
    near = difflib.get_close_matches(name, known, n=1)
    guess = f"did you mean {near[0]}? " if near else ""
    return f"no number format {name!r}: {guess}must be one of {', '.join(known)} (the last two with any sizes)"


def _require_width(what: str, bits: int) -> None:
    if not 1 <= bits <= _EXACT_BITS:
        raise InputError(f"{what} may have 1..{_EXACT_BITS} bits, not {bits}")
