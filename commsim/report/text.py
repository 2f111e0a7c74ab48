"""Records as text for people, at the width of the terminal."""

import re
import sys
from collections import Counter
from fractions import Fraction
from typing import IO, Any, cast

from rich.console import Console
from rich.markup import escape
from rich.padding import Padding
from rich.table import Table

from commsim.analysis.information import InformationCost
from commsim.analysis.scaling import Scaling
from commsim.analysis.summary import Summary
from commsim.channel import count_bits
from commsim.protocol import Protocol
from commsim.report.catalogue import Description
from commsim.report.explain import Explanation, Rectangle
from commsim.transcript import Transcript
from commsim.validation import Check

#: at most so many rows of a table are shown
MOST_ROWS = 24
COLOUR = {"alice": "cyan", "bob": "magenta", "public": "default"}


class _Trimmed:
    """Stdout, less the blanks with which rich fills each line of a table."""

    def write(self, text: str) -> None:
        sys.stdout.write(re.sub(r" +$", "", text, flags=re.MULTILINE))

    def flush(self) -> None:
        sys.stdout.flush()


class _Screen(Console):
    def on_broken_pipe(self) -> None:
        """Leave it to the command line, which treats all output alike."""
        raise


def console() -> Console:
    """Where text goes: stdout, 80 columns wide if it is no terminal."""
    if sys.stdout.isatty():
        return _Screen(highlight=False)
    return _Screen(highlight=False, file=cast(IO[str], _Trimmed()))


def fields(*rows: tuple[str, str]) -> Table:
    """Labels on the left, text that wraps on the right."""
    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True, min_width=9)
    table.add_column()
    for label, text in rows:
        table.add_row(f"[bold]{label}[/bold]", text)
    return table


def print_transcript(run: Transcript, out: Console) -> None:
    """One run as a conversation."""
    out.print(
        f"[bold]{escape(run.protocol)}[/bold]  n = {run.n}" + (f", seed {run.seed}" if run.seed is not None else "")
    )
    rows = [
        ("alice", f"[cyan]x = {escape(short(run.x))}[/cyan]"),
        ("bob", f"[magenta]y = {escape(short(run.y))}[/magenta]"),
    ]
    listeners = {"alice": "bob", "bob": "alice"}
    for message in run.messages:
        listener = "referee" if run.communication == "simultaneous" else listeners[message.sender]
        arrow = f"[{COLOUR[message.sender]}]{message.sender} -> {listener}[/]"
        rows.append(("", f"{arrow}  {short(message.bits)}  ({count_bits(len(message.bits))})"))
    right = "right" if run.correct else f"[red bold]WRONG[/red bold]: {run.expected} is right"
    knows = "both know it" if run.output_of == "both" else f"{run.output_of} knows it"
    rows.append(("output", f"{run.output}, {right}; {knows}"))
    rows.append(("cost", f"{count_bits(run.bits)}, {run.rounds} round{'s' * (run.rounds != 1)}"))
    out.print(Padding(fields(*rows), (0, 0, 0, 2)))


def print_summary(summary: Summary, out: Console) -> None:
    """What the transcripts of one protocol at one size show."""
    out.print(f"[bold]{escape(summary.protocol)}[/bold]  n = {summary.n}")
    knows = "both know the answer" if summary.output_of == "both" else f"{summary.output_of} knows the answer"
    everything = "2^63 or more" if summary.all_pairs is None else str(summary.all_pairs)
    scope = "all" if summary.pairs == summary.all_pairs else f"{summary.pairs} of the"
    wrong = summary.runs - summary.correct
    answers = "all right" if not wrong else f"[red bold]{wrong} wrong[/red bold]"
    parties = ", ".join(f"{party} at most {count_bits(bits)}" for party, bits in summary.worst_of.items())
    most = max(summary.histogram.values())
    shown = list(summary.histogram.items())[:MOST_ROWS]
    histogram = "\n".join(f"{bits:>6} {'#' * max(1, round(40 * count / most))} {count}" for bits, count in shown)
    if len(summary.histogram) > len(shown):
        histogram += f"\n   ... {len(summary.histogram) - len(shown)} more; --json has all"
    rows = [
        ("runs", f"{summary.runs}, on {scope} {everything} pairs of inputs; {answers}"),
        ("kind", f"{summary.communication}, coins {summary.coins}; {knows}"),
        ("bits", f"worst {summary.worst}{_against(summary)}, mean {summary.mean}; {parties}"),
        ("rounds", f"at most {summary.rounds}"),
        ("bits: runs", histogram),
        ("bound", f"[red bold]{escape(summary.verdict)}[/]" if summary.contradiction else escape(summary.verdict)),
    ]
    out.print(Padding(fields(*rows), (0, 0, 0, 2)))


def print_information(
    name: str, source: str, over: str | None, rows: list[tuple[Protocol, InformationCost]], out: Console
) -> None:
    """The information cost of a protocol, one row for each of its sizes."""
    sizes = ", ".join(f"{size} = {value}" for size, value in rows[0][0].parameters.items() if size != over)
    out.print(f"[bold]{escape(name)}[/bold]  {sizes}, on the {escape(source)} distribution; in bits")
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for heading in ([over] if over else []) + ["internal", "external", "H(transcript)", "expected bits", "cost"]:
        table.add_column(heading, justify="right")
    for protocol, found in rows:
        numbers = [f"{value:.4f}" for value in (found.internal, found.external, found.entropy, found.expected_bits)]
        table.add_row(*([str(protocol.parameters[over])] if over else []), *numbers, str(found.cost))
    out.print(Padding(table, (0, 0, 0, 2)))


def print_explanation(explanation: Explanation, out: Console) -> None:
    """One run in words."""
    run, start = explanation.run, explanation.start
    print_transcript(run, out)
    out.print()
    if start is None:
        out.print("There are too many inputs to count which are consistent with what was said.")
        return
    out.print(f"Alice holds one of {start.alice} inputs, Bob one of {start.bob}. {_values(start)}".rstrip())
    for number, step in enumerate(explanation.steps, start=1):
        after, name = step.rectangle, step.sender.capitalize()
        assert after is not None
        left = after.alice if step.sender == "alice" else after.bob
        out.print(
            f"{number}. {name} sends {short(step.bits)}. {left} of {name}'s inputs would have said all this: the"
            f" rectangle of what is still possible has {after.alice} x {after.bob} inputs. {_values(after)}".rstrip()
        )
    who = {"both": "both", "referee": "the referee"}.get(run.output_of, run.output_of.capitalize())
    out.print(f"So {who} can answer {run.output}, which is {'right' if run.correct else 'WRONG'}.")


def _values(rectangle: Rectangle) -> str:
    if rectangle.values is None:
        return ""
    pairs = sum(rectangle.values.values())
    if len(rectangle.values) == 1:
        return f"On all {pairs} pairs f = {next(iter(rectangle.values))}." if pairs > 1 else ""
    return (
        "f is " + ", ".join(f"{value} on {count}" for value, count in rectangle.values.items()) + f" of {pairs} pairs."
    )


def print_scaling(scaling: Scaling, out: Console) -> None:
    """How the bits grow."""
    out.print(f"[bold]{escape(scaling.protocol)}[/bold]  bits over {scaling.over}")
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for heading in (scaling.over, "mean", "worst", "declared", "known bound", "wrong"):
        table.add_column(heading, justify="right")
    for point in scaling.points:
        bound = "-" if point.lower_bound is None else str(point.lower_bound)
        mean = f"{float(Fraction(point.mean)):.1f}"
        numbers = (str(point.value), mean, str(point.worst), str(point.declared), bound)
        table.add_row(*numbers, f"{point.wrong}/{point.runs}")
    out.print(Padding(table, (0, 0, 0, 2)))
    growth = "" if scaling.growth == "1" else f" + {scaling.slope:.4g} * ({scaling.growth})"
    where = f", n = {scaling.over}" if scaling.over != "n" and growth else ""
    out.print(f"\nfit of the mean: {scaling.offset:.4g}{growth}{where}, off by {scaling.residual:.1%} (rms)")


def _against(summary: Summary) -> str:
    if summary.declared is None:
        return ""
    return (
        f" [red bold]MORE THAN the declared {summary.declared}[/]"
        if summary.above_declared
        else f" (declared {summary.declared})"
    )


def print_check(check: Check, out: Console) -> None:
    """One claim and how it fared."""
    colour = {"holds": "green", "refuted": "red bold", "undecided": "yellow", "skipped": "dim"}[check.status]
    word = "REFUTED" if check.status == "refuted" else check.status
    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True, min_width=9)
    table.add_column()
    table.add_row(f"[{colour}]{word}[/]", f"{escape(check.claim)}\n[dim]{escape(check.detail)}[/dim]")
    out.print(table)


def print_grades(grades: list[dict[str, Any]], out: Console) -> None:
    """How each of the submissions fared."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for heading in ("file", "grade", "why"):
        table.add_column(heading, overflow="fold")
    colours = {"pass": "green", "undecided": "yellow"}
    for grade in grades:
        colour = colours.get(grade["grade"], "red bold")
        why = f"{grade['claim']}: {grade['detail']}" if grade["claim"] else grade["detail"]
        table.add_row(escape(grade["file"]), f"[{colour}]{grade['grade']}[/]", escape(why))
    out.print(table)
    counts = Counter(grade["grade"] for grade in grades)
    out.print(f"\n{len(grades)} files: {', '.join(f'{count} {grade}' for grade, count in counts.most_common())}")


def print_verdict(item: type, checks: list[Check], seed: int, out: Console) -> None:
    """The end of a validation: what all the checks come to, and the smallest counterexample."""
    name = getattr(item, "name", item.__name__)
    last = checks[-1]
    if last.status == "refuted":
        out.print(f"\n[red bold]{escape(str(name))} is refuted[/]: {escape(last.claim)}")
        if (found := last.counterexample) is not None:
            options = {"-n": str(found.n), "--alice": found.x, "--bob": found.y}
            shown = " ".join(f"{option} {value}" for option, value in options.items() if value is not None)
            out.print(f"counterexample: {escape(shown)}", soft_wrap=True)  # in one line, so that it can be pasted
    elif any(check.status == "undecided" for check in checks):
        out.print(f"\n{escape(str(name))}: undecided, a sample cannot tell (seed {seed})")
    else:
        out.print(f"\n{escape(str(name))}: every claim holds (seed {seed})")


def print_catalogue(items: dict[str, list[dict[str, str]]], out: Console) -> None:
    """What there is, a line or two each."""
    for number, (kind, rows) in enumerate(items.items()):
        if number:
            out.print()
        out.print(f"[bold]{kind}[/bold]")
        table = Table.grid(padding=(0, 2))
        table.add_column(no_wrap=True)
        table.add_column()
        for row in rows:
            name = f"{row['family']} for {row['task']}" if kind == "models" else row["name"]
            table.add_row(escape(name), escape(row["summary"]))
        out.print(Padding(table, (0, 0, 0, 2)))


def print_description(description: Description, out: Console) -> None:
    """One thing in full."""
    out.print(f"[bold]{escape(description.name)}[/bold]  ({description.kind})")
    for paragraph in description.definition:
        out.print()
        out.print(escape(paragraph))
    out.print()
    rows = [(name, escape(text)) for name, text in description.facts.items() if text]
    rows += [(kind, escape(", ".join(names))) for kind, names in description.related.items() if names]
    out.print(fields(*rows))
    if description.bounds:
        out.print("\n[bold]known bounds[/bold], in bits")
        table = Table.grid(padding=(0, 2))
        for bound in description.bounds:
            table.add_row(f"{bound.relation} {escape(bound.formula)}", bound.kind, escape(bound.reference))
        out.print(Padding(table, (0, 0, 0, 2)))


def short(text: str, most: int = 60) -> str:
    """A text, cut if it is long."""
    return text if len(text) <= most else f"{text[: most - 16]}... ({len(text)} characters)"
