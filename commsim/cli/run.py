"""``commsim run``: a protocol on one pair of inputs, on a sample, or on all pairs."""

import sys
from collections.abc import Iterable, Iterator
from typing import IO, TYPE_CHECKING

import click

from commsim.cli.common import (
    HOLDS,
    REFUTED,
    Name,
    choose_inputs,
    json_option,
    progress,
    seed_option,
    size_of,
    size_option,
    sizes_option,
    with_inputs,
    written_whole,
)
from commsim.cli.scaling import Span, run_scaling
from commsim.errors import InputError

if TYPE_CHECKING:
    from commsim.protocol import Protocol
    from commsim.transcript import Transcript

#: with --all, at most so many pairs
_MOST_PAIRS = 2**20


@click.command()
@click.argument("name", metavar="PROTOCOL", type=Name("protocols"))
@size_option
@sizes_option
@with_inputs
@click.option("--sample", type=click.IntRange(min=1), metavar="K", help="Run K pairs balanced between the answers.")
@click.option("--all", "everything", is_flag=True, help="Run all pairs of inputs.")
@click.option("--explain", is_flag=True, help="Say in words what each message of one run reveals.")
@click.option("--scaling", type=Span(), metavar="[k=]A:B", help="Sample many sizes and fit how the bits grow.")
@click.option("--plot", metavar="FILE", help="With --scaling: draw it, as .png, .svg or .pdf (needs matplotlib).")
@seed_option
@click.option("--output", "output_path", metavar="FILE", help="Write the transcripts there, as JSON Lines.")
@json_option
@click.pass_context
def run(
    ctx: click.Context,
    name: str,
    n: int | None,
    sizes: dict[str, int],
    alice: str | None,
    bob: str | None,
    sample: int | None,
    everything: bool,
    explain: bool,
    scaling: tuple[str, list[int]] | None,
    plot: str | None,
    seed: int,
    output_path: str | None,
    as_json: bool,
) -> None:
    """Run a protocol on one pair of inputs, a sample or all pairs.

    PROTOCOL is a name from `commsim list protocols`, a reduction and a model family such as
    disjointness-to-qsa/attention, or your own as FILE.py[:Class]. With --json, prints one transcript a line.

    --scaling 8:20 runs the sizes n = 8, 9, ..., 20; 2^8:2^20 doubles from one to the next; k=1:64 lets k grow instead.
    Each is run on --sample pairs (20 if not given), and growths from constant to n^2 are fitted to the mean bits.

    \b
    Examples:
      commsim run disjointness-trivial --alice 1011 --bob '{2}'
      commsim run equality-public-coin -n 64 --sample 100 --seed 1
      commsim run index-from-bob -n 6 --all --json | commsim analyze -
      commsim run median-halving --alice 1101 --bob 0110 --explain
      commsim run greater-than-fingerprint --scaling 2^8:2^16
    """
    from commsim.registry import at_sizes, find_protocol

    if scaling is not None:
        if n is not None and scaling[0] == "n":
            raise InputError("--scaling gives the values of n: leave out -n")
        if everything or explain or alice is not None or bob is not None or output_path is not None:
            raise InputError("--scaling goes with -n, --set, --sample, --seed, --plot and --json only")
        run_scaling(name, n, sizes, scaling, sample or 20, seed, plot, as_json)
        return
    if plot is not None:
        raise InputError("--plot draws what --scaling measures: give both")
    several = sample is not None or everything
    if explain and (several or output_path is not None):
        raise InputError("--explain is about one run: leave out --sample, --all and --output")
    if (sample is not None and everything) or (several and (alice is not None or bob is not None)):
        raise InputError("--alice and --bob (one pair), --sample and --all exclude one another")
    make = find_protocol(name)
    protocol = at_sizes(make, size_of(n, [alice, bob], default=8), sizes)
    runs = _runs(protocol, alice, bob, sample, everything, seed)
    if output_path is not None:
        with written_whole(output_path) as file:
            right = _written(runs, file)
        ctx.exit(HOLDS if right else REFUTED)
    if explain:
        ctx.exit(_explain(protocol, next(runs), as_json))
    if as_json:
        ctx.exit(HOLDS if _written(runs, sys.stdout) else REFUTED)
    ctx.exit(_print(runs, protocol, one=not several))


def _explain(protocol: "Protocol", run: "Transcript", as_json: bool) -> int:
    from commsim.report.explain import explain
    from commsim.report.text import console, print_explanation

    explanation = explain(protocol, run)
    if as_json:
        import msgspec

        click.echo(msgspec.json.encode(explanation))
    else:
        print_explanation(explanation, console())
    return HOLDS if run.correct or run.coins != "none" else REFUTED


def _runs(
    protocol: "Protocol", alice: str | None, bob: str | None, sample: int | None, everything: bool, seed: int
) -> Iterator["Transcript"]:
    from commsim.verify import all_runs, sample_runs

    if sample is None and not everything:
        x, y = choose_inputs(protocol.function, alice, bob, seed)
        yield protocol.run(x, y, seed)
        return
    pairs = protocol.function.pairs
    if everything and pairs > _MOST_PAIRS:
        raise InputError(f"{pairs} pairs of inputs are more than {_MOST_PAIRS}: use --sample K, or commsim validate")
    with progress(f"running {protocol.name}", sample or pairs) as advance:
        for transcript in sample_runs(protocol, sample, seed) if sample else all_runs(protocol, seed):
            yield transcript
            advance(1)


def _written(runs: Iterable["Transcript"], file: IO[str]) -> bool:
    """Write transcripts as JSON Lines; say whether none refutes its protocol (with coins, no single run does)."""
    import msgspec

    right = True
    for transcript in runs:
        file.write(msgspec.json.encode(transcript).decode() + "\n")
        right = right and (transcript.correct or transcript.coins != "none")
    return right


def _print(runs: Iterable["Transcript"], protocol: "Protocol", one: bool) -> int:
    from commsim.analysis.summary import summarize
    from commsim.report.text import console, print_summary, print_transcript

    out = console()
    if one:
        for transcript in runs:
            print_transcript(transcript, out)
            return HOLDS if transcript.correct or transcript.coins != "none" else REFUTED
    code = HOLDS
    for summary in summarize(runs, lambda run: protocol.function):
        print_summary(summary, out)
        if summary.contradiction or (summary.coins == "none" and summary.correct < summary.runs):
            code = REFUTED
    return code
