"""The picture of the main job in the README shows what the command prints."""

import xml.etree.ElementTree as ElementTree
from collections import defaultdict
from pathlib import Path

from click.testing import CliRunner

from commsim.cli import main

ROOT = Path(__file__).resolve().parent.parent
PICTURE = ROOT / "docs" / "reduce.svg"


def lines_of(picture: Path) -> list[str]:
    """The text of an SVG of a terminal, line by line: pieces of one line share their height."""
    pieces: dict[float, list[tuple[float, str]]] = defaultdict(list)
    for text in ElementTree.parse(picture).iter("{http://www.w3.org/2000/svg}text"):
        if "clip-path" in text.attrib:
            piece = (text.text or "").replace("\u00a0", " ")
            pieces[float(text.attrib["y"])].append((float(text.attrib["x"]), piece))
    return ["".join(piece for _, piece in sorted(pieces[height])).rstrip() for height in sorted(pieces)]


def test_the_picture_shows_what_the_command_prints() -> None:
    printed = CliRunner(env={"COLUMNS": "80"}).invoke(main, ["reduce", "disjointness", "--to", "qsa"])
    assert printed.exit_code == 0
    command, *shown = [line for line in lines_of(PICTURE) if line.strip()]
    assert command == "$ commsim reduce disjointness --to qsa"
    expected = [line for line in printed.output.splitlines() if line.strip()]
    # blanks are where the pieces stand in the picture
    assert ["".join(line.split()) for line in shown] == ["".join(line.split()) for line in expected]


def test_the_picture_fetches_nothing() -> None:
    text = PICTURE.read_text(encoding="utf-8").replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert "http" not in text
    assert "url(" not in text.replace("url(#", "")
