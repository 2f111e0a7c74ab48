"""``commsim run --scaling``: many sizes, a table, a fit and a figure."""

import io
from pathlib import Path
from typing import Any

import click

from commsim.cli.common import progress, written_whole
from commsim.errors import InputError


class Span(click.ParamType[tuple[str, list[int]]]):
    """The values of a size: ``8:20`` or ``n=8:20``, one after the other, or ``2^8:2^20``, doubling."""

    name = "span"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, list[int]]:
        """The name of the size, and its values."""
        name, equals, text = value.rpartition("=")
        first, _, last = text.partition(":")
        try:
            if first.startswith("2^") and last.startswith("2^"):
                # whether a size is too large is for the protocol to say; 2^64 only keeps the list short
                values = [2**exponent for exponent in range(int(first[2:]), min(64, int(last[2:])) + 1)]
            else:
                values = list(range(int(first), int(last) + 1))
        except ValueError:
            values = []
        if len(values) < 3 or values[0] < 1 or (equals and not name.isidentifier()):
            self.fail(f"cannot read {value!r}: write three sizes or more, such as 8:20, 2^8:2^20 or k=1:64", param, ctx)
        return name or "n", values


def run_scaling(
    name: str,
    n: int | None,
    sizes: dict[str, int],
    span: tuple[str, list[int]],
    runs: int,
    seed: int,
    plot: str | None,
    as_json: bool,
) -> None:
    """Measure a protocol at each value of a size, fit, print, and draw."""
    from commsim.analysis.scaling import fit, measure
    from commsim.registry import at_sizes, find_protocol

    over, values = span
    make, points = find_protocol(name), []
    with progress(f"running {name}", len(values)) as advance:
        for value in values:
            chosen = {"n": 64 if n is None else n, **sizes, over: value}
            points.append(measure(at_sizes(make, chosen.pop("n"), chosen), value, runs, seed))
            advance(1)
    scaling = fit(name, over, points)
    if plot is not None:
        _draw(scaling, plot)
    if as_json:
        import msgspec

        click.echo(msgspec.json.encode(scaling))
        return
    from commsim.report.text import console, print_scaling

    print_scaling(scaling, console())


def _draw(scaling: Any, path: str) -> None:
    from commsim.report.plot import plot_scaling

    kind = Path(path).suffix.removeprefix(".").lower()
    if kind not in ("png", "svg", "pdf"):
        raise InputError(f"cannot write a plot to {path!r}: name the file .png, .svg or .pdf")
    drawn = io.BytesIO()
    plot_scaling(scaling, drawn, kind)
    with written_whole(path, "wb") as file:
        file.write(drawn.getvalue())
