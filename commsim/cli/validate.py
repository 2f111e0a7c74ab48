"""stub"""

import click


@click.command(name="validate")
def validate() -> None:
    """Stub."""
