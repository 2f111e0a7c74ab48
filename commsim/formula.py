"""Costs, sizes and bounds as formulas: declared as text, evaluated exactly, solved by sympy.

A formula is written as on paper: ``n + 1``, ``ceil(log2(n)) + 1``, ``H*p*(2*m + d)``. Every other name in it is a size,
a positive integer.
"""

import re
from fractions import Fraction
from typing import TYPE_CHECKING

from commsim.errors import InputError

if TYPE_CHECKING:
    import sympy

_NAME = re.compile(r"[A-Za-z_]\w*")
_ALLOWED = re.compile(r"[\w\s+\-*/(),.]*")
_FUNCTIONS = ("ceil", "floor", "log2", "log", "sqrt", "min", "max")


def parse(text: str) -> "sympy.Expr":
    """The formula as a sympy expression in positive integer symbols.

    Raises:
        InputError: the text is not a formula.
    """
    import sympy
    from sympy.parsing.sympy_parser import parse_expr

    functions = {
        "ceil": sympy.ceiling,
        "floor": sympy.floor,
        "log2": lambda argument: sympy.log(argument, 2),
        "log": sympy.log,
        "sqrt": sympy.sqrt,
        "min": sympy.Min,
        "max": sympy.Max,
    }
    names = set(_NAME.findall(text)) - set(_FUNCTIONS)
    symbols = {name: sympy.Symbol(name, integer=True, positive=True) for name in names}
    numbers = {"Integer": sympy.Integer, "Float": sympy.Float, "Rational": sympy.Rational, "__builtins__": {}}
    try:
        if not _ALLOWED.fullmatch(text) or "__" in text:
            raise SyntaxError("only names, numbers, + - * / ( ) and commas")
        expression = parse_expr(text, {**functions, **symbols}, global_dict=numbers)
    except Exception as error:
        raise InputError(f"cannot read the formula {text!r}: write it like n + 1 or ceil(log2(n))") from error
    if not isinstance(expression, sympy.Expr):
        raise InputError(f"{text!r} is not a formula: write it like n + 1 or ceil(log2(n))")
    return expression


def evaluate(text: str, sizes: dict[str, int]) -> Fraction:
    """The exact value of a formula at given sizes.

    Raises:
        InputError: the formula names a size that is not given, or its value is not rational.
    """
    import sympy

    expression = parse(text)
    missing = sorted(str(symbol) for symbol in expression.free_symbols if str(symbol) not in sizes)
    if missing:
        raise InputError(f"the formula {text!r} uses {', '.join(missing)}, but the sizes are {', '.join(sizes)}")
    value = expression.subs({symbol: sizes[str(symbol)] for symbol in expression.free_symbols})
    if not isinstance(value, sympy.Rational):
        raise InputError(f"the formula {text!r} is {value} at {sizes}, not a rational number")
    return Fraction(int(value.p), int(value.q))


def solve_at_least(cost: str, bound: str, size: str) -> str:
    """What ``cost >= bound`` says about one size of which the cost is an increasing affine function.

    Returns:
        An inequality such as ``m >= n/(2*H*p) - d/2``.

    Raises:
        InputError: the cost is not affine in that size.
    """
    import sympy

    expression = sympy.expand(parse(cost))
    symbol = sympy.Symbol(size, integer=True, positive=True)
    slope, rest = expression.coeff(symbol, 1), expression.coeff(symbol, 0)
    if slope == 0 or sympy.expand(slope * symbol + rest - expression) != 0:
        raise InputError(f"the cost {cost!r} is not affine in {size}")
    return f"{size} >= {sympy.expand((parse(bound) - rest) / slope)}"
