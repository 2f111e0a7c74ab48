"""Draws the picture of the main job in the README: python docs/make_picture.py."""

import sys
from io import StringIO
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from click.testing import CliRunner  # noqa: E402
from rich.console import Console  # noqa: E402

import commsim.report.text  # noqa: E402
from commsim.cli import main  # noqa: E402

COMMAND = "commsim reduce disjointness --to qsa"
PATH = ROOT / "docs" / "reduce.svg"
#: rich's own frame, less the fonts that it would fetch from elsewhere
FORMAT = """\
<svg class="rich-terminal" viewBox="0 0 {width} {height}" xml:space="preserve"
    xmlns="http://www.w3.org/2000/svg">
<title>{command}</title>
<style>
.{unique_id}-matrix {{ font-family: monospace; font-size: {char_height}px; line-height: {line_height}px; }}
.{unique_id}-matrix text {{ white-space: pre; }}
.{unique_id}-title {{ font-size: 18px; font-weight: bold; font-family: sans-serif; }}
{styles}
</style>
<defs>
<clipPath id="{unique_id}-clip-terminal">
<rect x="0" y="0" width="{terminal_width}" height="{terminal_height}" />
</clipPath>
{lines}
</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g>
</g>
</svg>
"""


def draw() -> str:
    """The picture of what the command prints, 80 columns wide, as SVG."""
    recorder = Console(record=True, width=80, file=StringIO(), force_terminal=True, highlight=False)
    recorder.print(f"[bold]$ {COMMAND}[/bold]")
    ordinary = commsim.report.text.console
    commsim.report.text.console = lambda: recorder
    try:
        result = CliRunner().invoke(main, COMMAND.split()[1:])
    finally:
        commsim.report.text.console = ordinary
    assert result.exit_code == 0, result.output
    return recorder.export_svg(title="", code_format=FORMAT.replace("{command}", COMMAND), unique_id="commsim")


if __name__ == "__main__":
    PATH.write_text(draw(), encoding="utf-8")
