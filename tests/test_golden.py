"""Every registered item does what its golden file shows; every item has a file, every file an item."""

import difflib
import re
from pathlib import Path

import pytest
from golden import FOLDER, golden_names, golden_text

UPDATE = "python -m tests.golden"


@pytest.mark.parametrize("name", golden_names())
def test_it_does_what_its_golden_file_shows(name: str) -> None:
    file = FOLDER / f"{name}.txt"
    if not file.exists():
        pytest.fail(f"there is no tests/golden/{name}.txt: write it with `{UPDATE}`, and read it", pytrace=False)
    golden, now = file.read_text(encoding="utf-8"), golden_text(name)
    if now != golden:
        difference = difflib.unified_diff(golden.splitlines(), now.splitlines(), "golden", "now", lineterm="")
        text = "\n".join(difference)
        pytest.fail(f"{name} has changed; if it was meant to, `{UPDATE}`:\n{text}", pytrace=False)


def test_every_golden_file_belongs_to_an_item() -> None:
    orphans = {file.stem for file in FOLDER.iterdir()} - set(golden_names())
    assert not orphans, f"these golden files belong to no registered item: {sorted(orphans)}; `{UPDATE}` removes them"


@pytest.mark.parametrize("file", sorted(FOLDER.iterdir()), ids=lambda file: str(file.stem))
def test_golden_files_show_both_answers_and_no_mistake(file: Path) -> None:
    """A mistake may only be shown where an error is declared."""
    text = file.read_text(encoding="utf-8")
    assert len(set(re.findall(r"output (-?\d+)", text))) > 1
    assert "wrong" not in text or ", error " in text
