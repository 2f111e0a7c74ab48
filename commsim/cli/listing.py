"""stub"""

import click


@click.command(name="list")
def list_items() -> None:
    """Stub."""
