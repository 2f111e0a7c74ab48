"""``commsim validate``: is a protocol, or a reduction, what it declares?"""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from commsim.cli.common import GRADES, HOLDS, REFUTED, UNDECIDED, Name, json_option, seed_option
from commsim.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from commsim.protocol import Protocol
    from commsim.reduction import Reduction
    from commsim.validation import Check


@click.command()
@click.argument("name", type=Name("protocols", "reductions"))
@click.option("--max-bits", "most_bits", metavar="FORMULA", help="Grade an exercise: at most so many bits.")
@click.option("--problem", type=Name("problems"), help="Grade an exercise: it must be for this problem.")
@click.option("--csv", "csv_path", metavar="FILE", help="For a folder: write the table there as well.")
@click.option(
    "--timeout", type=click.IntRange(min=1), default=60, show_default=True, help="For a folder: seconds for each file."
)
@click.option(
    "--memory", type=click.IntRange(min=256), default=2048, show_default=True, help="For a folder: MiB for each file."
)
@seed_option
@json_option
@click.pass_context
def validate(
    ctx: click.Context,
    name: str,
    most_bits: str | None,
    problem: str | None,
    csv_path: str | None,
    timeout: int,
    memory: int,
    seed: int,
    as_json: bool,
) -> None:
    """Check every claim of a protocol or a reduction.

    Stops at the first that is refuted. NAME is built in, or your own as FILE.py[:Class]. A protocol must be legal,
    local, right, and as cheap as declared.
    A reduction must fix its owners by n, encode each input by itself, stay in the task's domain, decode to the right
    answer with the declared gap, have the declared sizes, and induce right protocols at their symbolic cost.

    Small sizes are checked on all pairs of inputs, large ones on a sample. Exit 0: all hold; 1: refuted, with the
    smallest counterexample found; 3: a sample cannot tell.

    An exercise is graded with --max-bits or --problem: it passes if every claim holds, these among them. NAME may be a
    folder then: each of its .py files is graded in a process of its own, with limits of time and memory.

    \b
    Examples:
      commsim validate disjointness-to-qsa
      commsim validate my_protocol.py
      commsim validate my_file.py:MyReduction --json
      commsim validate my_protocol.py --problem disjointness --max-bits "n + 1"
    """
    if Path(name).is_dir():
        from commsim.cli.grade import Exercise, grade_folder

        ctx.exit(grade_folder(Path(name), Exercise(problem, most_bits, seed), timeout, memory, csv_path, as_json))
    if csv_path is not None:
        raise InputError(f"--csv is for a folder of submissions, and {name} is none")
    from commsim.registry import find_item

    item = find_item(name)
    checks = _checks(item, seed, problem, most_bits)
    graded = problem is not None or most_bits is not None
    if as_json:
        import msgspec

        seen = list(checks)
        code = _code(seen)
        grade = {"grade": GRADES[code]} if graded else {}
        record = {"name": item.name, "seed": seed, "holds": code == HOLDS, **grade, "checks": seen}
        click.echo(msgspec.json.encode(record))
    else:
        from commsim.report.text import console, print_check, print_verdict

        out = console()
        seen = []
        for check in checks:
            print_check(check, out)
            seen.append(check)
        print_verdict(item, seen, seed, out)
        if graded:
            out.print(f"grade: {GRADES[_code(seen)]}")
    ctx.exit(_code(seen))


def _checks(
    item: "type[Protocol] | type[Reduction]", seed: int, problem: str | None, most_bits: str | None
) -> "Iterator[Check]":
    from commsim.reduction import Reduction
    from commsim.registry import find_problem
    from commsim.validate_protocol import validate_protocol
    from commsim.validate_reduction import validate_reduction

    if not issubclass(item, Reduction):
        return validate_protocol(item, seed, None if problem is None else find_problem(problem), most_bits)
    if problem is not None or most_bits is not None:
        raise InputError(f"--max-bits and --problem are for protocols, and {item.name} is a reduction")
    return validate_reduction(item, seed)


def _code(checks: "list[Check]") -> int:
    statuses = {check.status for check in checks}
    if "refuted" in statuses:
        return REFUTED
    return UNDECIDED if "undecided" in statuses else HOLDS
