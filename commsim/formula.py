"""Costs, sizes and bounds as formulas: declared as text, evaluated exactly, solved by sympy.

A formula is written as on paper: ``n + 1``, ``ceil(log2(n)) + 1``, ``H*p*(2*m + d)``; 2^k is ``pow2(k)``, and
``**`` raises to a power of at most 100. Every other name in it is a size, a positive integer.
"""

import ast
import operator
import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from commsim.errors import InputError

if TYPE_CHECKING:
    import sympy

#: A formula is a line for people: a longer text is refused before it is read.
LONGEST = 1000
#: Of ``pow2``: the value has 3011 digits then, and Python writes out at most 4300.
LARGEST_EXPONENT = 10_000


def parse(text: str) -> "sympy.Expr":
    """The formula as a sympy expression in positive integer symbols.

    Raises:
        InputError: the text is not a formula.
    """
    import sympy

    return _build(text, lambda name: sympy.Symbol(name, integer=True, positive=True))


def evaluate(text: str, sizes: Mapping[str, int]) -> Fraction:
    """The exact value of a formula at given sizes.

    Raises:
        InputError: the formula names a size that is not given, or its value is not rational.
    """
    import sympy

    missing: set[str] = set()

    def size(name: str) -> sympy.Expr:
        if name not in sizes:
            missing.add(name)
        return sympy.Integer(sizes.get(name, 1))

    # from numbers all the way: a logarithm to base 2 of a number is exact, of a symbol it becomes a quotient
    value = _build(text, size)
    if missing:
        given = ", ".join(sizes) or "none"
        raise InputError(f"the formula {text!r} uses {', '.join(sorted(missing))}, but the sizes are {given}")
    if not isinstance(value, sympy.Rational):
        raise InputError(f"the formula {text!r} is {value} at {dict(sizes)}, not a rational number")
    return Fraction(int(value.p), int(value.q))


def _build(text: str, size: "Callable[[str], sympy.Expr]") -> "sympy.Expr":
    """The formula with ``size`` in place of its names. The text is never executed, its syntax tree is read."""
    import sympy

    functions: dict[str, Callable[..., sympy.Expr]] = {
        "ceil": _rounding(up=True),
        "floor": _rounding(up=False),
        "log2": lambda value: sympy.log(value, 2),
        "log": lambda value: sympy.log(value),
        "sqrt": lambda value: sympy.sqrt(value),
        "pow2": _power_of_two,
        "min": sympy.Min,
        "max": sympy.Max,
    }
    operators: dict[type[ast.operator], Callable[[Any, Any], sympy.Expr]] = {
        ast.Add: operator.add,
        ast.Sub: operator.sub,
        ast.Mult: operator.mul,
        ast.Div: operator.truediv,
    }

    def source(node: ast.expr) -> str:
        return ast.get_source_segment(text, node) or ""

    def built(node: ast.expr) -> "sympy.Expr":
        match node:
            case ast.Constant(value=int() as value) if not isinstance(value, bool):
                return sympy.Integer(value)
            case ast.Constant(value=float()) if re.fullmatch(r"[\d.]+", decimal := source(node)):
                return sympy.Rational(decimal)
            case ast.Name(id=name) if name not in functions:
                return size(name)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return -built(operand)
            case ast.BinOp(left=left, op=op, right=right) if type(op) in operators:
                return operators[type(op)](built(left), built(right))
            case ast.BinOp(left=left, op=ast.Pow(), right=ast.Constant(value=int() as exponent)) if exponent <= 100:
                return built(left) ** exponent
            case ast.Call(func=ast.Name(id=name), args=[_, *_] as arguments, keywords=[]) if name in functions:
                return functions[name](*map(built, arguments))
        raise SyntaxError(f"{source(node)} is not part of the language of formulas")

    text = text.strip()
    try:
        if len(text) > LONGEST:
            raise SyntaxError(f"longer than {LONGEST} characters")
        return built(ast.parse(text, mode="eval").body)
    except InputError:
        raise
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError) as error:
        shown = repr(text) if len(text) <= 60 else f"{text[:60]!r}..."
        raise InputError(f"cannot read the formula {shown}: write it like n + 1 or ceil(log2(n))") from error


def _power_of_two(exponent: "sympy.Expr") -> "sympy.Expr":
    import sympy

    if exponent.is_number and not abs(exponent) <= LARGEST_EXPONENT:
        raise InputError(f"pow2 takes an exponent of at most {LARGEST_EXPONENT}, not {exponent}")
    return sympy.Pow(2, exponent)


def _rounding(up: bool) -> "Callable[[sympy.Expr], sympy.Expr]":
    """Ceiling or floor, left standing where 1000 digits do not settle it.

    Sympy's own takes log2(2^31 + 1) for 31: a floating-point value next to an integer must not decide.
    """
    import sympy

    symbolic = sympy.ceiling if up else sympy.floor

    def rounded(value: sympy.Expr) -> sympy.Expr:
        if not value.is_number or not value.is_real or value.is_rational:
            return symbolic(value)
        for digits in (50, 1000):
            number = sympy.N(value, digits)
            nearest = sympy.Integer(round(number))
            if abs(number - nearest) > (1 + abs(number)) * sympy.Rational(10) ** (-digits // 2):
                return nearest + bool(number > nearest) if up else nearest - bool(number < nearest)
        return symbolic(value, evaluate=False)

    return rounded


def solve_at_least(cost: str, bound: str, size: str) -> str:
    """What ``cost >= bound`` says about one size of which the cost is an increasing affine function.

    Returns:
        An inequality such as ``m >= n/(2*H*p) - d/2``.

    Raises:
        InputError: the cost is not affine in that size, or not sure to increase with it.
    """
    import sympy

    expression = sympy.expand(parse(cost))
    symbol = sympy.Symbol(size, integer=True, positive=True)
    slope, rest = expression.coeff(symbol, 1), expression.coeff(symbol, 0)
    if slope == 0 or slope.has(symbol) or sympy.expand(slope * symbol + rest - expression) != 0:
        raise InputError(f"the cost {cost!r} is not affine in {size}")
    if not slope.is_positive:
        raise InputError(f"the cost {cost!r} is not sure to increase with {size}: its slope is {slope}")
    least, less = sympy.expand(parse(bound) / slope), sympy.expand(rest / slope)
    if less == 0:
        return f"{size} >= {_written(least)}"
    subtracted = f"({_written(less)})" if less.is_Add or less.could_extract_minus_sign() else _written(less)
    return f"{size} >= {_written(least)} - {subtracted}"


def _written(expression: "sympy.Expr") -> str:
    """A sympy expression in the language of formulas: sympy has no log2, and writes ceiling for ceil."""
    import sympy

    argument = sympy.Wild("argument")
    expression = expression.replace(sympy.log(argument) / sympy.log(2), sympy.Function("log2")(argument))
    return str(expression.replace(sympy.ceiling, sympy.Function("ceil")))
