"""``commsim check``: verify a certificate from the matrix alone."""

import json
from typing import Any

import click

from commsim.cli.bounds import matrix_of
from commsim.cli.common import HOLDS, REFUTED, Name, json_option, read_lines, shown_path, size_option, sizes_option
from commsim.errors import InputError


@click.command()
@click.argument("path", metavar="CERTIFICATE")
@click.option("--matrix", "matrix_path", metavar="FILE", help="The matrix, in any form that `commsim bounds` reads.")
@click.option("--problem", type=Name("problems"), help="Or the problem whose matrix it is, with -n.")
@size_option
@sizes_option
@json_option
@click.pass_context
def check(
    ctx: click.Context,
    path: str,
    matrix_path: str | None,
    problem: str | None,
    n: int | None,
    sizes: dict[str, int],
    as_json: bool,
) -> None:
    """Check a certificate of bounds against the matrix.

    Every claim is verified in exact arithmetic from the matrix alone, by code that shares nothing with what found it.
    Exit 0: all claims follow; 1: refused, and the first thing wrong is printed.

    \b
    Examples:
      commsim bounds matrix.txt --certificate out.json
      commsim check out.json --matrix matrix.txt
      commsim bounds disjointness -n 4 --certificate proof.json
      commsim check proof.json --problem disjointness -n 4
    """
    from commsim.certificate import Refused
    from commsim.certificate import check as verified
    from commsim.matrix_file import read_matrix

    if (matrix_path is None) == (problem is None):
        raise InputError("say what the certificate is about: --matrix FILE, or --problem NAME -n N")
    if path == matrix_path == "-":
        raise InputError("only one of the certificate and the matrix can come from stdin")
    if problem is not None:
        matrix, _ = matrix_of(problem, n, sizes)
    elif matrix_path is not None:
        if n is not None or sizes:
            raise InputError("a matrix from a file has a size of its own: leave out -n and --set")
        matrix = read_matrix(matrix_path)
    record = _read(path)
    try:
        claims = verified(record, matrix.entries().tolist())
    except Refused as refused:
        if as_json:
            click.echo(json.dumps({"holds": False, "claims": [], "refused": str(refused)}))
        else:
            click.echo(f"REFUSED  {refused}")
        ctx.exit(REFUTED)
    if as_json:
        click.echo(json.dumps({"holds": True, "claims": claims, "refused": None}))
    else:
        for claim in claims:
            click.echo(f"holds  {claim}")
    ctx.exit(HOLDS)


def _read(path: str) -> Any:
    text = "".join(line for _, line in read_lines(path))
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{shown_path(path)} is not JSON: {error}") from error
