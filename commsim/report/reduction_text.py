"""The whole argument of a reduction as one screen of text."""

from itertools import groupby

from rich.console import Console
from rich.markup import escape
from rich.padding import Padding
from rich.table import Table

from commsim.channel import count_bits
from commsim.report.reduction import Evidence, Instance, ModelReport, ReductionReport, SkippedModel, Token
from commsim.report.text import COLOUR, MOST_ROWS, fields, short


def print_reduction(report: ReductionReport, out: Console) -> None:
    """The whole argument on one screen."""
    instance = report.instance
    sizes = ", ".join(f"{name} = {value}" for name, value in instance.sizes.items())
    out.print(f"[bold]{instance.source}, n = {instance.n}  ->  {instance.target}, {sizes}[/bold]")
    out.print("; ".join(escape(text) for text in (instance.reduction, report.origin) if text), style="dim")
    out.print()
    out.print(
        fields(
            ("alice", f"[cyan]x = {escape(short(instance.x))}[/cyan]"),
            ("bob", f"[magenta]y = {escape(short(instance.y))}[/magenta]"),
            ("f(x, y)", str(instance.f)),
        )
    )
    out.print()
    out.print(_tokens(instance))
    out.print()
    right = "as it must" if instance.decoded == instance.f else "[red bold]WRONG[/red bold]"
    out.print(
        fields(
            ("output", f"{', '.join(instance.output)} at token {instance.reader}, exactly"),
            ("decoded", f"{instance.decoded}, {right}"),
        )
    )
    for model in report.models:
        out.print()
        if isinstance(model, SkippedModel):
            out.print(f"[bold]{model.family}[/bold]: not here: {escape(model.skipped)}")
        else:
            _print_model(model, out)


def _print_model(model: ModelReport, out: Console) -> None:
    sizes = ", ".join(f"{name} = {value}" for name, value in model.sizes.items())
    out.print(f"[bold]{model.family}[/bold]  {sizes}")
    run = model.transcript
    rows = []
    for message, carried in zip(run.messages, model.carries, strict=True):
        receiver = "bob" if message.sender == "alice" else "alice"
        sender = f"[{COLOUR[message.sender]}]{message.sender} -> {receiver}[/]"
        rows.append(("sent", f"{sender}, {count_bits(len(message.bits))}: {carried.partition(': ')[2]}"))
    right = "right" if run.correct else "[red bold]WRONG[/red bold]"
    rows.append(("answer", f"{run.output}, {right}; {run.output_of} knows it"))
    rows.append(("cost", f"metered {count_bits(run.bits)}; {model.cost} = {model.cost_value}"))
    rows.append(("bound", escape(model.verdict)))
    if model.implied:
        rows.append(("implied", model.implied))
    rows.append(("evidence", _evidence(model.evidence)))
    out.print(Padding(fields(*rows), (0, 0, 0, 2)))


def _evidence(evidence: Evidence) -> str:
    if evidence.wrong and evidence.counterexample:
        where = f"x = {short(evidence.counterexample['x'])}, y = {short(evidence.counterexample['y'])}"
        return f"[red bold]REFUTED[/red bold]: wrong on {evidence.wrong} of {evidence.pairs} pairs, such as {where}"
    if evidence.kind == "verified":
        return f"[green]verified[/green]: right on all {evidence.pairs} pairs of inputs"
    assert evidence.error_interval is not None
    return (
        f"[yellow]sampled[/yellow]: right on {evidence.pairs} balanced pairs; error on such at most"
        f" {evidence.error_interval[1]:.4f} (95 % Clopper-Pearson)"
    )


def _tokens(instance: Instance) -> Table:
    """Tokens of one owner and one content in one row."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for heading in ("token", "owner", "holds"):
        table.add_column(heading, overflow="fold")
    groups = _grouped(instance.tokens)
    for tokens in groups[:MOST_ROWS]:
        first = tokens[0]
        mark = "  <- reader" if any(token.position == instance.reader for token in tokens) else ""
        owner = f"[{COLOUR[first.owner]}]{first.owner}[/]"
        table.add_row(_ranges([token.position for token in tokens]), owner, f"{escape(short(first.text, 52))}{mark}")
    if len(groups) > MOST_ROWS:
        table.add_row("...", "", f"{len(groups) - MOST_ROWS} more; --json or --output FILE has all")
    return table


def _grouped(tokens: list[Token]) -> list[list[Token]]:
    def key(token: Token) -> tuple[str, str]:
        return token.owner, token.text

    groups = [list(group) for _, group in groupby(sorted(tokens, key=key), key)]
    return sorted(groups, key=lambda group: group[0].position)


def _ranges(positions: list[int]) -> str:
    """Positions such as ``1-3, 5``, cut short."""
    runs: list[list[int]] = []
    for position in positions:
        if runs and position == runs[-1][1] + 1:
            runs[-1][1] = position
        else:
            runs.append([position, position])
    texts = [str(first) if first == last else f"{first}-{last}" for first, last in runs]
    if len(texts) > 7:
        return f"{', '.join(texts[:5])}, ... ({len(positions)} tokens)"
    return ", ".join(texts)
