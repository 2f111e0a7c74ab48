"""stub"""

import click


@click.command(name="new")
def new() -> None:
    """Stub."""
