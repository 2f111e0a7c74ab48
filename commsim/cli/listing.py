"""``commsim list``: what there is."""

import click

from commsim.cli.common import json_option


@click.command("list")
@click.argument(
    "kinds",
    metavar="[KINDS]...",
    nargs=-1,
    type=click.Choice(["problems", "tasks", "protocols", "reductions", "models"]),
)
@json_option
def list_items(kinds: tuple[str, ...], as_json: bool) -> None:
    """List problems, tasks, protocols, reductions and models.

    With KINDS, such as protocols, lists only these.

    \b
    Examples:
      commsim list
      commsim list protocols --json
    """
    from commsim.report.catalogue import catalogue

    items = {kind: rows for kind, rows in catalogue().items() if not kinds or kind in kinds}
    if as_json:
        import msgspec

        click.echo(msgspec.json.encode(items))
        return
    from commsim.report.text import console, print_catalogue

    print_catalogue(items, console())
