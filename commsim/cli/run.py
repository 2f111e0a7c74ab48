"""stub"""

import click


@click.command(name="run")
def run() -> None:
    """Stub."""
