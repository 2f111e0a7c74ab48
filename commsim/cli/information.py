"""``commsim information``: what a protocol's transcript reveals about the inputs."""

from typing import TYPE_CHECKING, Any

import click

from commsim.cli.common import Name, json_option, read_lines, size_option, sizes_option
from commsim.errors import InputError

if TYPE_CHECKING:
    from commsim.analysis.information import InformationCost, TranscriptLaw
    from commsim.arrays import Floats
    from commsim.problem import Problem
    from commsim.protocol import Protocol


#: bits by which the worst distribution may be missed in silence
_WORTH_A_NOTE = 1e-5


class _Values(click.ParamType[tuple[str, list[int]]]):
    """Several values of one size: ``k=2,4,8`` or ``k=2:8``."""

    name = "values"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, list[int]]:
        name, _, text = value.partition("=")
        first, colon, last = text.partition(":")
        try:
            values = list(range(int(first), int(last) + 1)) if colon else [int(part) for part in text.split(",")]
        except ValueError:
            values = []
        if not name.isidentifier() or not values:
            self.fail(f"cannot read {value!r}: write values of a size, such as k=2,4,8 or n=1:4", param, ctx)
        return name, values


@click.command()
@click.argument("name", metavar="PROTOCOL", type=Name("protocols"))
@size_option
@sizes_option
@click.option("--over", type=_Values(), metavar="NAME=VALUES", help="A row for each value, such as k=2,4,8 or n=1:4.")
@click.option("--input", "source", metavar="DIST", default="uniform", show_default=True, help="The distribution.")
@json_option
def information(
    name: str, n: int | None, sizes: dict[str, int], over: tuple[str, list[int]] | None, source: str, as_json: bool
) -> None:
    """Compute the information cost of a protocol, in bits.

    Internal is what the parties learn about one another's inputs, external what somebody learns who only listens. Both
    are computed from the protocol tree over all inputs and all coins, so n must be small. Logarithms are float64.

    DIST is a distribution on the pairs of inputs: uniform; product:P, all bits independent and 1 with probability P;
    hard, for disjointness: each element in neither set with probability 1/2, else in one of them; worst, with the
    greatest internal information; worst-on-0 or worst-on-1, the same where f is 0 or 1; or a FILE (- is stdin) of JSON
    Lines with alice, bob and weight.

    \b
    Examples:
      commsim information disjointness-trivial -n 3
      commsim information disjointness-bit-by-bit -n 3 --input hard
      commsim information intersection-buzzer -n 1 --over k=2,4,8 --input worst
    """
    from commsim.registry import at_sizes, find_protocol

    make = find_protocol(name)
    rows = []
    for value in over[1] if over else [None]:
        chosen = {"n": 4 if n is None else n, **sizes} | ({over[0]: value} if over and value is not None else {})
        protocol = at_sizes(make, chosen.pop("n"), chosen)
        rows.append((protocol, _information(protocol, source)))
    if as_json:
        import msgspec

        for protocol, found in rows:
            about: dict[str, Any] = {"protocol": protocol.name, **protocol.parameters, "input": source}
            click.echo(msgspec.json.encode({**about, **msgspec.structs.asdict(found)}))
        return
    from commsim.report.text import console, print_information

    print_information(name, source, over[0] if over else None, rows, console())


def _information(protocol: "Protocol", source: str) -> "InformationCost":
    from commsim.analysis.distribution import require_few_pairs
    from commsim.analysis.information import information_cost, transcript_laws

    require_few_pairs(protocol.function)
    laws = transcript_laws(protocol)
    return information_cost(laws, _distribution(protocol.function, source, laws))


def _distribution(problem: "Problem", source: str, laws: "list[TranscriptLaw]") -> "Floats":
    import numpy as np

    from commsim.analysis import distribution
    from commsim.analysis.information import greatest_internal, information_cost
    from commsim.verify import truth_matrix

    kind, _, parameter = source.partition(":")
    if source == "uniform":
        return distribution.uniform(problem)
    if source == "hard":
        return distribution.hard_for_disjointness(problem)
    if kind == "product":
        if not parameter:
            raise InputError("say how likely a 1 is, such as product:1/4")
        return distribution.product(problem, distribution.probability(parameter))
    if source in ("worst", "worst-on-0", "worst-on-1"):
        truth = truth_matrix(problem)
        support = np.ones(truth.shape, dtype=bool) if source == "worst" else truth == int(source[-1])
        if not support.any():
            raise InputError(f"f is never {source[-1]}")
        found, bound = greatest_internal(laws, support)
        missing = bound - information_cost(laws, found).internal
        if missing > _WORTH_A_NOTE:
            click.echo(
                f"commsim: no distribution has more than {bound:.6f} bits; this one has {missing:.6f} less", err=True
            )
        return found
    try:
        return distribution.from_lines(problem, read_lines(source))
    except InputError as error:
        raise InputError(f"{source}: {error}" if "cannot read" not in str(error) else str(error)) from error
