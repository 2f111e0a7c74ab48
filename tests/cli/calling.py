"""Calls the command line as a test can: an 80-column screen that is no terminal."""

import os
import subprocess
import sys
from pathlib import Path

from click.testing import CliRunner, Result

from commsim.cli import main

ROOT = Path(__file__).resolve().parents[2]


def commsim(*arguments: str, input: str | None = None) -> Result:
    """Run a command in this process."""
    return CliRunner(env={"COLUMNS": "80"}).invoke(main, arguments, input=input)


def shell(command: str, cwd: Path | None = None) -> "subprocess.CompletedProcess[str]":
    """Run a line of bash in which ``commsim`` is this checkout's."""
    script = f'commsim() {{ "{sys.executable}" -P -m commsim "$@"; }}\n{command}'
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "80"}
    return subprocess.run(["bash", "-c", script], cwd=cwd, env=environment, capture_output=True, text=True)


def squeezed(text: str) -> str:
    """Text without its line breaks and alignment."""
    return " ".join(text.split())
