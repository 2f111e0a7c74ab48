"""``commsim bounds``: what is known of the communication complexity of a problem or of any matrix."""

import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from commsim.bounds.bound import METHODS
from commsim.cli.common import (
    HOLDS,
    UNDECIDED,
    Name,
    json_option,
    shown_path,
    size_option,
    sizes_option,
    status,
    written_whole,
)
from commsim.errors import InputError

if TYPE_CHECKING:
    from commsim.matrix import CommunicationMatrix
    from commsim.problem import Problem


def _a_number(ctx: click.Context, param: click.Parameter, value: float) -> float:
    if math.isnan(value):
        raise click.BadParameter("nan is no number of seconds")
    return value


@click.command()
@click.argument("target", metavar="PROBLEM|FILE", type=Name("problems"))
@size_option
@sizes_option
@click.option(
    "--method",
    "methods",
    type=click.Choice(METHODS),
    multiple=True,
    metavar="NAME",
    help=f"Only this; repeat it for several. One of {', '.join(METHODS)}.",
)
@click.option(
    "--time-limit",
    type=click.FloatRange(min=0),
    callback=_a_number,
    default=60,
    show_default=True,
    metavar="SECONDS",
    help="For all methods together.",
)
@click.option("--certificate", metavar="FILE", help="Write the proofs there, for `commsim check`.")
@click.option("--tree", "tree_path", metavar="FILE.py", help="Write the best protocol found, as a protocol to run.")
@json_option
@click.pass_context
def bounds(
    ctx: click.Context,
    target: str,
    n: int | None,
    sizes: dict[str, int],
    methods: tuple[str, ...],
    time_limit: float,
    certificate: str | None,
    tree_path: str | None,
    as_json: bool,
) -> None:
    """Bound the communication complexity of a problem or a matrix.

    PROBLEM is a name from `commsim list problems`, or your own as FILE.py[:Class], at size -n (4 if not given). FILE
    is a matrix: lines of 0 and 1, integers with blanks or commas between them, .npy; - is stdin. Rows are Alice's
    inputs. More than two values are allowed; discrepancy and gamma_2 need 0 and 1.

    One line a quantity: the best lower and upper bound, exact or not, and how each was found. Exit 3: the time was
    spent before a method had finished; the bounds so far are printed.

    \b
    Examples:
      commsim bounds disjointness -n 4
      printf '0110\\n1010\\n0011\\n' | commsim bounds -
      commsim bounds matrix.txt --method search --certificate out.json
    """
    from commsim.bounds.survey import survey

    matrix, problem = read_target(target, n, sizes)
    if tree_path is not None and not tree_path.endswith(".py"):
        raise InputError(f"the protocol is written as Python: give --tree a name that ends in .py, not {tree_path!r}")
    if certificate == "-":
        raise InputError("the certificate is written to a file: give --certificate a name")
    if certificate is not None or tree_path is not None:
        matrix.check_dense()  # before the work
    with status("reading") as say:
        found = survey(matrix, problem, methods or METHODS, time_limit, say)
    undecided = bool(found.out_of_time)
    name = (
        f"{problem.name}, " + ", ".join(f"{k} = {v}" for k, v in problem.parameters.items())
        if problem
        else shown_path(target)
    )
    if certificate is not None:
        _write_certificate(certificate, matrix, found)
    if tree_path is not None:
        _write_tree(tree_path, matrix, found)
    if as_json:
        from commsim.report.bounds import survey_record

        click.echo(json.dumps(survey_record(name, found, undecided=undecided)))
    else:
        from commsim.report.bounds import print_survey
        from commsim.report.text import console

        print_survey(name, found, console())
    ctx.exit(UNDECIDED if undecided else HOLDS)


def read_target(target: str, n: int | None, sizes: dict[str, int]) -> "tuple[CommunicationMatrix, Problem | None]":
    """The matrix of a problem, or in a file."""
    from commsim.matrix_file import read_matrix
    from commsim.registry import is_path, problems

    is_file = target == "-" or (not _is_python(target) and (is_path(target) or Path(target).is_file()))
    if (is_file and target not in problems()) or Path(target).suffix in (".txt", ".csv", ".npy", ".tsv"):
        if n is not None or sizes:
            raise InputError(f"{target} is read as a matrix, which has a size of its own: leave out -n and --set")
        return read_matrix(target), None
    return matrix_of(target, n, sizes)


def matrix_of(target: str, n: int | None, sizes: dict[str, int]) -> "tuple[CommunicationMatrix, Problem]":
    """The matrix of a problem at its size, 4 unless given."""
    from commsim.matrix import CommunicationMatrix
    from commsim.registry import at_sizes, find_problem

    problem = at_sizes(find_problem(target), 4 if n is None else n, sizes)
    return CommunicationMatrix.of(problem), problem


def _is_python(target: str) -> bool:
    return target.partition(":")[0].endswith(".py")


def _write_certificate(path: str, matrix: "CommunicationMatrix", found: Any) -> None:
    from commsim.bounds.survey import certificate_record

    record = certificate_record(found, matrix.entries().tolist())
    with written_whole(path) as file:
        file.write(json.dumps(record) + "\n")  # much faster than json.dump
    click.echo(f"wrote {path}, {len(record['claims'])} claims; now: commsim check {path} ...", err=True)


def _write_tree(path: str, matrix: "CommunicationMatrix", found: Any) -> None:
    from commsim.given import protocol_source

    known = found.quantities.get("deterministic")
    upper = known.upper if known is not None else None
    trees = [bound for bound in (known.bounds if known else []) if bound.evidence and "tree" in bound.evidence]
    if upper is None or not trees:
        raise InputError("no protocol was looked for: --tree needs the method search, or one-way for the trivial one")
    best = min(trees, key=lambda bound: bound.value)
    assert best.evidence is not None
    with written_whole(path) as file:
        file.write(protocol_source(matrix.entries().tolist(), best.evidence["tree"]))
    click.echo(f"wrote {path}; now: commsim validate {path}", err=True)
