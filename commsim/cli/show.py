"""``commsim show``: one thing in full."""

import click

from commsim.cli.common import Name, json_option


@click.command()
@click.argument("name", type=Name("problems", "tasks", "protocols", "reductions"))
@json_option
def show(name: str, as_json: bool) -> None:
    """Show one thing in full: definition, sizes, bounds, source.

    NAME is a problem, a task, a protocol or a reduction, or your own as FILE.py[:Class].

    \b
    Examples:
      commsim show disjointness
      commsim show disjointness-to-qsa
    """
    from commsim.report.catalogue import describe

    description = describe(name)
    if as_json:
        import msgspec

        click.echo(msgspec.json.encode(description))
        return
    from commsim.report.text import console, print_description

    print_description(description, console())
