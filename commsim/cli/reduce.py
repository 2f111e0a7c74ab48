"""``commsim reduce``: the main job, a reduction from its instance to the bound that it implies."""

from typing import TYPE_CHECKING, Any

import click

from commsim.cli.common import (
    HOLDS,
    REFUTED,
    UNDECIDED,
    Name,
    choose_inputs,
    json_option,
    parse_input,
    progress,
    read_lines,
    seed_option,
    shown_path,
    size_of,
    size_option,
    with_inputs,
    written_whole,
)
from commsim.errors import InputError

if TYPE_CHECKING:
    from commsim.reduction import InducedProtocol, Reduction
    from commsim.report.reduction import ReductionReport


@click.command()
@click.argument("source", type=Name("problems"))
@click.option("--to", "target", type=Name("tasks"), help="The task, such as qsa or match3.")
@click.option(
    "--model",
    "families",
    type=click.Choice(["attention", "rnn", "mlp"]),
    multiple=True,
    help="Only this family; can be given again.",
)
@size_option
@click.option("-N", "length", type=click.IntRange(min=1), help="Tokens; the spare ones are public constants.")
@with_inputs
@click.option("--sample", type=click.IntRange(min=1), metavar="K", help="Check K balanced pairs instead of all.")
@seed_option
@click.option(
    "--input", "input_path", metavar="FILE", help="Source instances, JSON Lines with alice and bob; - is stdin."
)
@click.option("--output", "output_path", metavar="FILE", help="Write the target instance, or the results of --input.")
@json_option
@click.pass_context
def reduce(
    ctx: click.Context,
    source: str,
    target: str | None,
    families: tuple[str, ...],
    n: int | None,
    length: int | None,
    alice: str | None,
    bob: str | None,
    sample: int | None,
    seed: int,
    input_path: str | None,
    output_path: str | None,
    as_json: bool,
) -> None:
    """Reduce a problem to a task, and turn models into protocols.

    SOURCE is a problem, with --to naming the task; or a reduction by its name, or your own as FILE.py[:Class].

    Shows the instance, its tokens and their owners, the exact output, and for each family who sends what, the metered
    bits, the lower bound, and whether the protocol is right: on all pairs of inputs (verified) while these are few
    enough, else on a sample.

    \b
    Examples:
      commsim reduce disjointness --to qsa
      commsim reduce disjointness --to match3 --model rnn -n 10
      commsim reduce index --to qsa -n 4096 --sample 200 --seed 7
      commsim reduce disjointness --to qsa --alice 10110010 --bob 01000100 --json
      commsim reduce disjointness --to qsa --input instances.jsonl
    """
    cls = _find(source, target)
    chosen = families or ("attention", "rnn", "mlp")
    if input_path is not None:
        if alice is not None or bob is not None or sample is not None:
            raise InputError("--input brings the inputs: leave out --alice, --bob and --sample")
        ctx.exit(_stream(cls, chosen, n, length, input_path, output_path))
    reduction = cls(size_of(n, [alice, bob], default=8), length)
    report = _report(reduction, chosen, alice, bob, sample, seed)
    if output_path is not None:
        _write_instance(report, output_path)
    _show(report, as_json)
    ctx.exit(_verdict(report))


def _find(source: str, target: str | None) -> "type[Reduction]":
    from commsim import registry

    if registry.is_path(source) or source in registry.reductions():
        return registry.find_reduction(source)
    problem = registry.find_problem(source)
    if target is None:
        targets = sorted({cls.target.name for cls in registry.reductions().values() if cls.source is problem})
        raise InputError(f"say what to reduce {problem.name} to: --to {' or --to '.join(targets) or 'TASK'}")
    return registry.find_reduction_between(problem, registry.find_task(target))


def _report(
    reduction: "Reduction", families: tuple[str, ...], alice: str | None, bob: str | None, sample: int | None, seed: int
) -> "ReductionReport":
    from commsim.report.reduction import (
        ModelReport,
        ReductionReport,
        SkippedModel,
        build_instance,
        induce,
        model_report,
    )

    x, y = choose_inputs(reduction.problem, alice, bob, seed)
    instance = build_instance(reduction, x, y)
    models: list[ModelReport | SkippedModel] = []
    for family in families:
        induced = induce(reduction, family)
        if isinstance(induced, SkippedModel):
            models.append(induced)
        else:
            models.append(model_report(induced, x, y, sample, seed, progress))
    return ReductionReport(instance=instance, models=models, origin=reduction.origin, seed=seed)


def _show(report: "ReductionReport", as_json: bool) -> None:
    import msgspec

    if as_json:
        click.echo(msgspec.json.encode(report))
        return
    from commsim.report.reduction_text import print_reduction
    from commsim.report.text import console

    out = console()
    print_reduction(report, out)
    out.print(f"\nseed {report.seed}", style="dim")


def _verdict(report: "ReductionReport") -> int:
    """The exit code: any wrong answer refutes; without one, a sample or no protocol at all leaves it undecided."""
    from commsim.report.reduction import ModelReport

    checked = [model for model in report.models if isinstance(model, ModelReport)]
    wrong = report.instance.decoded != report.instance.f or any(
        model.evidence.wrong or not model.transcript.correct or model.verdict.startswith("CONTRADICTION")
        for model in checked
    )
    if wrong:
        return REFUTED
    return HOLDS if checked and all(model.evidence.kind == "verified" for model in checked) else UNDECIDED


def _write_instance(report: "ReductionReport", path: str) -> None:
    import msgspec

    with written_whole(path) as file:
        file.write(msgspec.json.format(msgspec.json.encode(report.instance), indent=1).decode() + "\n")


def _stream(
    cls: "type[Reduction]",
    families: tuple[str, ...],
    n: int | None,
    length: int | None,
    input_path: str,
    output_path: str | None,
) -> int:
    """One line of JSON out for each line in, as it comes; or a whole file of them."""
    worst = HOLDS
    if output_path is None:
        for record, right in _results(cls, families, n, length, input_path):
            click.echo(record)
            worst = worst if right else REFUTED
        return worst
    with written_whole(output_path) as file:
        for record, right in _results(cls, families, n, length, input_path):
            file.write(record + "\n")
            worst = worst if right else REFUTED
    return worst


def _results(cls: "type[Reduction]", families: tuple[str, ...], n: int | None, length: int | None, path: str) -> Any:
    import msgspec

    from commsim.report.reduction import SkippedModel, build_instance, induce

    made: dict[int, tuple[Reduction, list[InducedProtocol]]] = {}
    for number, line in read_lines(path):
        try:
            alice, bob = _read_pair(line)
            size = size_of(n, [text for text in (alice, bob) if isinstance(text, str)], default=0)
            if size == 0:
                raise InputError("the size is not clear: give it as -n")
            if size not in made:
                reduction = cls(size, length)
                protocols = [
                    protocol
                    for family in families
                    if not isinstance(protocol := induce(reduction, family), SkippedModel)
                ]
                made[size] = reduction, protocols
            reduction, protocols = made[size]
            x = parse_input("alice", reduction.problem.alice_inputs, alice)
            y = parse_input("bob", reduction.problem.bob_inputs, bob)
        except InputError as error:
            raise InputError(f"{shown_path(path)}, line {number}: {error}") from error
        instance = build_instance(reduction, x, y)
        runs = {protocol.model.family: protocol.run(x, y) for protocol in protocols}
        record = {"line": number, "instance": instance, "runs": runs}
        right = instance.decoded == instance.f and all(run.correct for run in runs.values())
        yield msgspec.json.encode(record).decode(), right


def _read_pair(line: str) -> tuple[object, object]:
    import msgspec

    try:
        pair = msgspec.json.decode(line)
    except msgspec.DecodeError as error:
        raise InputError(f"not JSON: {error}") from error
    if not isinstance(pair, dict) or "alice" not in pair or "bob" not in pair:
        raise InputError('each line must be an object with alice and bob, like {"alice": "101", "bob": "010"}')
    return pair["alice"], pair["bob"]
