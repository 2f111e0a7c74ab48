"""What is known of a matrix's complexity, as a table and as JSON."""

from fractions import Fraction
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.padding import Padding
from rich.table import Table

from commsim.bounds.bound import Bound, Number, Quantity, Survey

#: how a quantity is written, what it is in words, and who knows the output
_COMPLEXITIES = {
    "deterministic": ("D", "both know the output"),
    "one-way from alice": ("D(A->B)", "Bob knows the output"),
    "one-way from bob": ("D(B->A)", "Alice knows the output"),
    "randomized": ("R_1/3", "public coins, error 1/3; both know the output"),
}


def symbol(quantity: str) -> str:
    """A quantity as in the literature, such as ``N^1``."""
    if quantity in _COMPLEXITIES:
        return _COMPLEXITIES[quantity][0]
    if quantity.startswith("nondeterministic of "):
        return f"N^{quantity.removeprefix('nondeterministic of ')}"
    return quantity


def convention(quantity: str) -> str:
    """The unit, and who knows the output where that matters."""
    if quantity in _COMPLEXITIES:
        return f"bits; {_COMPLEXITIES[quantity][1]}"
    if quantity.startswith("nondeterministic of "):
        return f"bits; both are convinced that f = {quantity.removeprefix('nondeterministic of ')}"
    for start, unit in (("fooling", "entries"), ("cover", "rectangles"), ("partition", "disjoint rectangles")):
        if quantity.startswith(start):
            return unit
    return "of [f = z]" if quantity.startswith("rank") else "of the +-1 matrix"


def print_survey(name: str, found: Survey, out: Console) -> None:
    """The table, one line a quantity, and what was left out."""
    rows, columns = found.shape
    distinct = (
        "all distinct" if found.distinct == found.shape else f"{found.distinct[0]} x {found.distinct[1]} distinct"
    )
    values = ", ".join(str(value) for value in found.values)
    out.print(f"[bold]{escape(name)}[/bold]  {rows} x {columns} ({distinct}), values {values}", emoji=False)
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("", no_wrap=True)
    for heading in ("lower", "upper"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("seconds", justify="right")
    table.add_column("how", overflow="fold")
    for quantity in found.ordered():
        lower, upper = quantity.lower, quantity.upper
        seconds = max(bound.seconds for bound in (lower, upper) if bound is not None)
        cells = [number(lower.value, up=False) if lower else "-", number(upper.value, up=True) if upper else "-"]
        known = "exact" if quantity.exact else "interval" if lower and upper else "lower" if lower else "upper"
        how = f"[bold]{known}[/bold]; {escape(_how(quantity))}"
        table.add_row(escape(symbol(quantity.name)), *cells, f"{seconds:.2f}", how)
    out.print(Padding(table, (0, 0, 0, 2)))
    out.print(
        "\n* proved by the certificate; ~ by a heuristic, so it might be improved. D and R: both know the output."
        "\n  One-way: only the receiver. All of these in bits; N^z is the logarithm of the cover number, rounded up."
    )
    for method, why in found.left_out.items():
        out.print(f"[yellow]left out[/yellow]  {method}: {escape(why)}")


def _how(quantity: Quantity) -> str:
    lower, upper = quantity.lower, quantity.upper
    if lower is not None and upper is not None and lower.method == upper.method:
        return _side(lower, quantity.exact)
    return " | ".join(_side(bound, quantity.exact) for bound in (lower, upper) if bound is not None)


def _side(bound: Bound, exact: bool) -> str:
    mark = "*" * (bound.evidence is not None) + "~" * (bound.heuristic and not exact)
    reference = f" ({bound.reference})" if bound.reference else ""
    return f"{mark}{' ' if mark else ''}{bound.method}{reference}"


def number(value: Number, *, up: bool) -> str:
    """An integer or a short fraction, else decimals rounded up or down, so that it stays a bound."""
    if Fraction(value).denominator < 10**4:
        return str(value)
    tenths_of_thousands = -(-value * 10**4 // 1) if up else value * 10**4 // 1
    return f"{int(tenths_of_thousands) / 10**4:.4f}"


def survey_record(name: str, found: Survey, *, undecided: bool) -> dict[str, Any]:
    """The same as JSON; every number that may be a fraction is text such as ``3/8``."""
    return {
        "format": "commsim bounds 1",
        "matrix": {
            "name": name,
            "rows": found.shape[0],
            "columns": found.shape[1],
            "distinct_rows": found.distinct[0],
            "distinct_columns": found.distinct[1],
            "values": list(found.values),
        },
        "quantities": [
            {
                "quantity": quantity.name,
                "symbol": symbol(quantity.name),
                "convention": convention(quantity.name),
                "lower": _bound_record(quantity.lower, quantity.exact),
                "upper": _bound_record(quantity.upper, quantity.exact),
                "exact": quantity.exact,
            }
            for quantity in found.ordered()
        ],
        "left_out": found.left_out,
        "undecided": undecided,
    }


def _bound_record(bound: Bound | None, exact: bool) -> dict[str, Any] | None:
    if bound is None:
        return None
    return {
        "value": str(bound.value),
        "method": bound.method,
        "certified": bound.evidence is not None,
        "heuristic": bound.heuristic and not exact,
        "seconds": round(bound.seconds, 3),
        "reference": bound.reference or None,
    }
