"""``commsim analyze``: transcripts in, numbers out."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from commsim.cli.common import HOLDS, REFUTED, json_option, read_lines, shown_path
from commsim.errors import InputError

if TYPE_CHECKING:
    from commsim.transcript import Transcript


@click.command()
@click.argument("path", metavar="FILE")
@json_option
@click.pass_context
def analyze(ctx: click.Context, path: str, as_json: bool) -> None:
    """Count the bits in transcripts; hold them against the bounds.

    FILE (- is stdin) has one transcript a line, as `commsim run --json` prints them. For each protocol and size: bits
    by party, rounds, worst (beside the declared cost), mean, histogram. A sample never checks a lower bound.
    Transcripts of all pairs of inputs, all right, that stay below one are reported as a contradiction (exit 1).

    \b
    Examples:
      commsim run disjointness-trivial -n 6 --all --json | commsim analyze -
      commsim analyze transcripts.jsonl --json
    """
    from commsim.analysis.summary import summarize
    from commsim.registry import problem_of

    summaries = summarize(_read(path), problem_of)
    if not summaries:
        raise InputError(f"{shown_path(path)} holds no transcripts")
    if as_json:
        import msgspec

        for summary in summaries:
            click.echo(msgspec.json.encode(summary))
    else:
        from commsim.report.text import console, print_summary

        out = console()
        for number, summary in enumerate(summaries):
            if number:
                out.print()
            print_summary(summary, out)
    refuted = any(summary.contradiction or summary.above_declared for summary in summaries)
    ctx.exit(REFUTED if refuted else HOLDS)


def _read(path: str) -> Iterator["Transcript"]:
    import msgspec
    import numpy as np

    from commsim.registry import problem_of
    from commsim.transcript import Transcript

    for number, line in read_lines(path):
        try:
            transcript = msgspec.json.decode(line, type=Transcript)
            problem = problem_of(transcript)
            x, y = problem.alice_inputs.parse(transcript.x), problem.bob_inputs.parse(transcript.y)
            expected = int(problem.evaluate(x, y))
            if transcript.expected != expected:
                raise InputError(f"it says f = {transcript.expected}, but {problem.name} is {expected}")
            if transcript.correct != bool(problem.accepts(x, y, np.asarray(transcript.output))):
                raise InputError(f"it says correct = {transcript.correct} of the output {transcript.output}: it is not")
        except (msgspec.DecodeError, InputError) as error:
            raise InputError(f"{shown_path(path)}, line {number}: {error}") from error
        yield transcript
