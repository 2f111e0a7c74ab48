"""``commsim validate``: is a protocol, or a reduction, what it declares?"""

from typing import TYPE_CHECKING

import click

from commsim.cli.common import HOLDS, REFUTED, UNDECIDED, Name, json_option, seed_option

if TYPE_CHECKING:
    from collections.abc import Iterator

    from commsim.protocol import Protocol
    from commsim.reduction import Reduction
    from commsim.validation import Check


@click.command()
@click.argument("name", type=Name("protocols", "reductions"))
@seed_option
@json_option
@click.pass_context
def validate(ctx: click.Context, name: str, seed: int, as_json: bool) -> None:
    """Check every claim of a protocol or a reduction.

    Stops at the first that is refuted. NAME is built in, or your own as FILE.py[:Class]. A protocol must be legal,
    local, right, and as cheap as declared.
    A reduction must fix its owners by n, encode each input by itself, stay in the task's domain, decode to the right
    answer with the declared gap, have the declared sizes, and induce right protocols at their symbolic cost.

    Small sizes are checked on all pairs of inputs, large ones on a sample. Exit 0: all hold; 1: refuted, with the
    smallest counterexample found; 3: a sample cannot tell.

    \b
    Examples:
      commsim validate disjointness-to-qsa
      commsim validate my_protocol.py
      commsim validate my_file.py:MyReduction --json
    """
    from commsim.registry import find_item

    item = find_item(name)
    checks = _checks(item, seed)
    if as_json:
        import msgspec

        seen = list(checks)
        click.echo(
            msgspec.json.encode({"name": item.name, "seed": seed, "holds": _code(seen) == HOLDS, "checks": seen})
        )
    else:
        from commsim.report.text import console, print_check, print_verdict

        out = console()
        seen = []
        for check in checks:
            print_check(check, out)
            seen.append(check)
        print_verdict(item, seen, seed, out)
    ctx.exit(_code(seen))


def _checks(item: "type[Protocol] | type[Reduction]", seed: int) -> "Iterator[Check]":
    from commsim.reduction import Reduction
    from commsim.validate_protocol import validate_protocol
    from commsim.validate_reduction import validate_reduction

    return validate_reduction(item, seed) if issubclass(item, Reduction) else validate_protocol(item, seed)


def _code(checks: "list[Check]") -> int:
    statuses = {check.status for check in checks}
    if "refuted" in statuses:
        return REFUTED
    return UNDECIDED if "undecided" in statuses else HOLDS
