"""The facts that the repository states in more than one place, held against one another."""

import configparser
import os
import re
import shutil
import subprocess
from fnmatch import fnmatch
from pathlib import Path

import pytest
from page_runner import ROOT, parse_blocks

import commsim

TOP_LEVEL = {
    ".ci",
    ".gitignore",
    "CHANGELOG.md",
    "CITATION.cff",
    "CONTRIBUTING.md",
    "LICENSE",
    "README.md",
    "commsim",
    "docs",
    "protocols",
    "pyproject.toml",
    "reductions",
    "setup.cfg",
    "tests",
}


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def setup_cfg() -> configparser.ConfigParser:
    parser = configparser.ConfigParser()
    parser.read_string(read("setup.cfg"))
    return parser


def tracked_top_level(root: Path) -> set[str]:
    """The names at the top of the tree that git tracks."""
    # safe.directory: whoever runs the tests need not own the checkout
    command = ["git", "-c", f"safe.directory={root}", "-C", str(root), "ls-files", "-z"]
    listed = subprocess.run(command, check=True, capture_output=True, text=True)
    return {name.split("/")[0] for name in listed.stdout.split("\0") if name}


def unignored_top_level(root: Path) -> set[str]:
    """The names at the top of the tree that .gitignore does not name."""
    patterns = [line.strip("/") for line in (root / ".gitignore").read_text(encoding="utf-8").splitlines() if line]
    names = {path.name for path in root.iterdir()} - {".git"}
    return {name for name in names if not any(fnmatch(name, pattern) for pattern in patterns)}


def test_top_level_is_what_the_layout_says() -> None:
    is_git_checkout = (ROOT / ".git").exists() and shutil.which("git") is not None
    assert (tracked_top_level(ROOT) if is_git_checkout else unignored_top_level(ROOT)) == TOP_LEVEL


def test_without_git_only_what_is_ignored_is_left_out(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text("__pycache__/\n*.egg-info/\n.coverage\n/docs/_build/\n")
    for name in ("__pycache__", "a.egg-info", ".coverage", ".git", "docs", "stray.txt"):
        (tmp_path / name).mkdir()
    assert unignored_top_level(tmp_path) == {".gitignore", "docs", "stray.txt"}


def test_packages_are_the_folders_with_python_files() -> None:
    options = setup_cfg()["options"]
    prefix = {"commsim": "commsim", "protocols": "commsim.protocols", "reductions": "commsim.reductions"}
    found = set()
    for folder, package in prefix.items():
        for path in (ROOT / folder).rglob("*.py"):
            found.add(".".join([package, *path.parent.relative_to(ROOT / folder).parts]))
    listed = options["packages"].split()
    assert sorted(listed) == sorted(found)


def test_readme_gives_two_commands_and_ci_runs_the_second_verbatim() -> None:
    commands = [block.source.strip() for block in parse_blocks(read("README.md")) if block.language == "sh"]
    assert len(commands) == 2
    job, test = commands
    assert job.endswith("commsim reduce disjointness --to qsa")
    assert test.endswith("pytest")
    assert test in read(".ci/run")
    assert os.access(ROOT / ".ci/run", os.X_OK)


@pytest.mark.parametrize(
    ("file", "pattern"),
    [
        ("setup.cfg", r"^version = (\S+)$"),
        ("CITATION.cff", r"^version: (\S+)$"),
        ("CHANGELOG.md", r"^## \[([^\]]+)\]"),
    ],
)
def test_version_is_the_same_everywhere(file: str, pattern: str) -> None:
    first = re.search(pattern, read(file), re.MULTILINE)
    assert first is not None
    assert first[1] == commsim.__version__
