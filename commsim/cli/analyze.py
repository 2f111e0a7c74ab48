"""stub"""

import click


@click.command(name="analyze")
def analyze() -> None:
    """Stub."""
