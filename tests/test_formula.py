"""Formulas: exact values, hostile text, and the inequality that a cost implies."""

from fractions import Fraction

import pytest
import sympy

from commsim.errors import InputError
from commsim.formula import evaluate, parse, solve_at_least


@pytest.mark.parametrize(
    ("text", "sizes", "value"),
    [
        ("n + 1", {"n": 7}, 8),
        ("n+1", {"n": 7}, 8),
        ("-n + 3", {"n": 7}, -4),
        ("H*p*(2*m + d)", {"H": 2, "p": 8, "m": 3, "d": 4}, 160),
        ("2/n", {"n": 6}, Fraction(1, 3)),
        ("1.5*n", {"n": 3}, Fraction(9, 2)),
        ("0.1 + 0.2", {}, Fraction(3, 10)),
        ("0.100000000000000000001", {}, Fraction(1, 10) + Fraction(1, 10**21)),
        ("min(n, q) + max(n, q, 5)", {"n": 3, "q": 4}, 8),
        ("sqrt(n)", {"n": 49}, 7),
        ("floor(n/2) + ceil(n/2)", {"n": 7}, 7),
        ("floor(log2(n))", {"n": 1023}, 9),
        ("log2(n)", {"n": 1024}, 10),
        ("log2(n/3)", {"n": 24}, 3),
        ("ceil(log2(log2(n)))", {"n": 2**32}, 5),
        ("log(1)", {}, 0),
        ("pow2(k + 1)", {"k": 4}, 32),
        ("1/pow2(k)", {"k": 3}, Fraction(1, 8)),
        ("pow2(-k)", {"k": 3}, Fraction(1, 8)),
        ("log2(pow2(k))", {"k": 10_000}, 10_000),
    ],
)
def test_exact_values(text: str, sizes: dict[str, int], value: Fraction | int) -> None:
    assert evaluate(text, sizes) == value


@pytest.mark.parametrize("k", range(1, 41))
def test_logarithms_round_up_exactly_at_and_beside_powers_of_two(k: int) -> None:
    assert evaluate("ceil(log2(n))", {"n": 2**k}) == k
    assert evaluate("ceil(log2(n))", {"n": 2**k + 1}) == k + 1
    assert evaluate("log2(n)", {"n": 2**k}) == k


@pytest.mark.parametrize(
    "name", ["N", "S", "E", "I", "Q", "O", "C", "pi", "beta", "gamma", "zeta", "oo", "Symbol", "d_1"]
)
def test_a_name_is_a_size_whatever_it_means_elsewhere(name: str) -> None:
    assert evaluate(f"2*{name} + 1", {name: 5}) == 11
    assert parse(name) == sympy.Symbol(name, integer=True, positive=True)


@pytest.mark.parametrize("k", [2, 10, 31, 33, 47, 60, 61, 64, 100, 1000])
def test_rounding_is_exact_however_close_to_an_integer(k: int) -> None:
    assert evaluate("ceil(log2(n + 1))", {"n": 2**k}) == k + 1
    assert evaluate("floor(log2(n - 1))", {"n": 2**k}) == k - 1
    assert evaluate("ceil(-log2(n + 1))", {"n": 2**k}) == -k
    assert evaluate("floor(sqrt(n*n - 1))", {"n": 2 ** min(k, 100)}) == 2 ** min(k, 100) - 1


@pytest.mark.parametrize("text", ["ceil(log(9)/log(3))", "ceil(log2(-n))"])
def test_what_cannot_be_rounded_for_sure_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="not a rational number"):
        evaluate(text, {"n": 6})  # the first is exactly 2, which no number of digits shows


def test_parse_gives_symbols_that_are_positive_integers() -> None:
    n = sympy.Symbol("n", integer=True, positive=True)
    assert parse("ceil(log2(n)) + n/2") == sympy.ceiling(sympy.log(n, 2)) + n / 2
    assert parse("ceil(n)") == n


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "n +",
        "3n",
        "n!",
        "lambda",
        "lambda + 1",
        "None",
        "True",
        "1j",
        "'n'",
        "[n]",
        "(n, n)",
        "n == n",
        "n < 3",
        "n if n else 1",
        "n // 2",
        "n % 2",
        "n ** n",
        "10**10**10",
        "1e9999999999",
        "1e-9999999999",
        "+n",
        "~n",
        "n(3)",
        "ceil",
        "ceil()",
        "ceil(n, n)",
        "log2(n, 3)",
        "ceil(*n)",
        "ceil(n=3)",
        "max()",
        "n.real",
        "n.__class__",
        "__import__('os')",
        "(lambda: n)()",
        "ceil(n)(3)",
        "min(1/0, 2)",
        "n\n+1",
        "n\x00",
        "9" * 5000,
        "(" * 5000 + "n" + ")" * 5000,
        "(" * 300 + "n" + ")" * 300,
        "-" * 5000 + "n",
        "+".join(["n"] * 20000),
        "ceil(" * 3000 + "n" + ")" * 3000,
    ],
)
def test_what_is_no_formula_is_refused_in_one_short_line(text: str) -> None:
    with pytest.raises(
        InputError, match=r"^cannot read the formula .*: write it like n \+ 1 or ceil\(log2\(n\)\)$"
    ) as caught:
        parse(text)
    assert len(str(caught.value)) < 200
    with pytest.raises(InputError):
        evaluate(text, {"n": 4})


def test_every_name_needs_a_size_even_one_that_cancels() -> None:
    with pytest.raises(InputError, match=r"^the formula 'q\*n \+ k - k' uses k, q, but the sizes are n, m$"):
        evaluate("q*n + k - k", {"n": 1, "m": 2})
    with pytest.raises(InputError, match="uses n, but the sizes are none"):
        evaluate("n", {})


@pytest.mark.parametrize("text", ["log(n)", "log2(n + 1)", "sqrt(n - 2)", "1/(n - 4)", "log2(0)", "log2(-n)"])
def test_a_value_that_is_not_rational_is_refused(text: str) -> None:
    with pytest.raises(InputError, match=r"^the formula .* is .* at \{'n': 4\}, not a rational number$"):
        evaluate(text, {"n": 4})


@pytest.mark.parametrize(
    ("cost", "bound", "size", "solved"),
    [
        ("m", "n", "m", "n"),  # m >= n
        ("2*m + 3", "n", "m", "(n - 3)/2"),
        ("H*p*(2*m + d)", "n", "m", "n/(2*H*p) - d/2"),
        ("3*m*p*H", "q", "m", "q/(3*H*p)"),
        ("H*(m*b + f)", "(N - 1)/2", "m", "((N - 1)/(2*H) - f)/b"),
        ("S*(p + 1) + n", "2*n", "S", "n/(p + 1)"),
    ],
)
def test_solved_by_hand(cost: str, bound: str, size: str, solved: str) -> None:
    left, right = solve_at_least(cost, bound, size).split(" >= ")
    assert left == size
    assert sympy.simplify(parse(right) - parse(solved)) == 0


@pytest.mark.parametrize(
    "cost", ["n + 3", "m*m", "m/2 + 1/m", "ceil(m/2)", "m*log(m)", "sqrt(m)", "m*(n + m)", "max(m, n)"]
)
def test_a_cost_that_is_not_affine_is_not_solved(cost: str) -> None:
    with pytest.raises(InputError, match=r"is not affine in m$"):
        solve_at_least(cost, "n", "m")


@pytest.mark.parametrize("cost", ["10 - m", "m*(p - 4)", "m*(1 - ceil(log2(n)))"])
def test_a_cost_that_may_decrease_is_not_solved_because_the_inequality_would_turn(cost: str) -> None:
    with pytest.raises(InputError, match="is not sure to increase with m"):
        solve_at_least(cost, "n", "m")


@pytest.mark.parametrize("text", ["pow2(k)", "1/pow2(-k)", "pow2(pow2(pow2(5)))"])
def test_a_power_too_large_to_write_out_is_refused_before_it_is_computed(text: str) -> None:
    with pytest.raises(InputError, match="pow2 takes an exponent of at most 10000, not"):
        evaluate(text, {"k": 10_001})


def test_a_power_of_two_stays_symbolic() -> None:
    k = sympy.Symbol("k", integer=True, positive=True)
    assert parse("1/pow2(k)") == 2 ** (-k)
