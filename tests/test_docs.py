"""Every console and python block of the README and of the documentation says what really happens."""

from pathlib import Path

import pytest
from page_runner import ROOT, run_page

from commsim.cli import main

PAGES = [ROOT / "README.md", *(page for page in sorted((ROOT / "docs").rglob("*.md")) if "_build" not in page.parts)]


@pytest.mark.parametrize("page", PAGES, ids=[str(page.relative_to(ROOT)) for page in PAGES])
def test_page_runs_as_it_says(page: Path, tmp_path: Path) -> None:
    failures = run_page(page, tmp_path)
    assert not failures, "\n\n".join(failures)


def reference(name: str) -> str:
    return (ROOT / "docs" / "reference" / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("command", sorted(main.commands))
def test_the_reference_has_the_help_of_each_command(command: str) -> None:
    assert f"$ commsim {command} --help\n" in reference("cli.md")


@pytest.mark.parametrize("folder", ["protocols", "reductions"])
def test_the_catalogue_has_each_built_in_module(folder: str) -> None:
    modules = {path.stem for path in (ROOT / folder).glob("*.py")} - {"__init__"}
    named = {line.split(".")[-1] for line in reference("catalogue.md").splitlines() if f"commsim.{folder}." in line}
    assert {name.strip("`") for name in named} == modules
