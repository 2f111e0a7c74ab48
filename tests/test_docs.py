"""Every console and python block of the README and of the documentation says what really happens."""

from pathlib import Path

import pytest
from page_runner import ROOT, run_page

PAGES = [ROOT / "README.md", *(page for page in sorted((ROOT / "docs").rglob("*.md")) if "_build" not in page.parts)]


@pytest.mark.parametrize("page", PAGES, ids=[str(page.relative_to(ROOT)) for page in PAGES])
def test_page_runs_as_it_says(page: Path, tmp_path: Path) -> None:
    failures = run_page(page, tmp_path)
    assert not failures, "\n\n".join(failures)
