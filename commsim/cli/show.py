"""stub"""

import click


@click.command(name="show")
def show() -> None:
    """Stub."""
