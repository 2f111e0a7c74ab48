"""The runner of documentation pages, on small pages of our own: what passes, what fails, and what it then says."""

import sys
from pathlib import Path

import pytest
from page_runner import Block, parse_blocks, run_page

import commsim


def run(folder: Path, text: str) -> list[str]:
    """The failures of a page with this text, each without the page's path: 'LINE: reason'."""
    page = folder / "page.md"
    page.write_text(text, encoding="utf-8")
    return [failure.removeprefix(f"{page}:") for failure in run_page(page, folder)]


def fence(language: str, *lines: str) -> str:
    return "\n".join([f"```{language}", *lines, "```", ""])


def test_blocks_are_read_with_language_line_and_caption() -> None:
    text = "# Title\n\n" + fence("python", "x = 1") + fence("{code-block} python", ":caption: a.py", "", "y = 2")
    assert parse_blocks(text) == [Block("python", "x = 1\n", 4), Block("python", "y = 2\n", 9, "a.py")]


def test_block_quoted_in_another_block_is_text() -> None:
    assert [block.language for block in parse_blocks("````text\n" + fence("python", "1 / 0") + "````\n")] == ["text"]


def test_block_inside_a_note_is_read() -> None:
    note = "````{note}\n" + fence("python", "x = 1") + "````\n"
    assert [block.language for block in parse_blocks(note)] == ["python"]


def test_page_that_says_what_happens_passes(tmp_path: Path) -> None:
    page = [
        fence("python", "from pathlib import Path", "x = 2"),
        fence("python", ">>> x + 1", "3", ">>> list(range(99))", "[0, 1, ..., 98]"),
        fence("python", ">>> size = Path('a').write_text('A')"),
        fence("console", "$ cat a", "A", "", "$ cat missing", "cat: missing: ...", "$ echo $?", "1"),
        fence("{code-block} console", "$ echo one \\", "  two", "one two", "$ export N=3"),
        fence("sh", "exit 1"),
        fence("text", "$ false"),
    ]
    assert run(tmp_path, "\n".join(page)) == []


def test_captioned_block_is_a_file_and_not_executed(tmp_path: Path) -> None:
    page = [
        fence("{code-block} python", ":caption: twice.py", "", "def twice(x): return 2 * x", "print('loaded')"),
        fence("python", ">>> 'twice' in globals()", "False"),
        fence("python", ">>> from twice import twice", "loaded", ">>> twice(4)", "8"),
        fence("console", '$ python -c "import twice"', "loaded"),
    ]
    assert run(tmp_path, "\n".join(page)) == []
    assert "twice" not in sys.modules


def test_commsim_is_the_one_of_this_checkout_and_the_folder_holds_only_the_pages_files(tmp_path: Path) -> None:
    shadow = fence("{code-block} python", ":caption: click.py", "", "raise RuntimeError('not the real click')")
    version = f"commsim, version {commsim.__version__}"
    assert run(tmp_path, shadow + fence("console", "$ commsim --version", version, "$ ls", "click.py")) == []


def test_output_is_80_columns_without_colour_and_in_order(tmp_path: Path) -> None:
    code = "import sys; print('out'); print('err', file=sys.stderr); print('out')"
    console = fence("console", "$ echo $COLUMNS $NO_COLOR", "80 1", f'$ python -c "{code}"', "out", "err", "out")
    assert run(tmp_path, console) == []


def test_folder_is_left_and_names_are_not_shared_between_pages(tmp_path: Path) -> None:
    before = Path.cwd(), list(sys.path)
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        assert run(tmp_path / name, fence("python", ">>> 'x' in globals()", "False", ">>> x = 1")) == []
    assert (Path.cwd(), sys.path) == before


@pytest.mark.parametrize(
    ("block", "line", "parts"),
    [
        (fence("python", "x = 1", "1 / 0"), 5, ["expected to run, got:", "ZeroDivisionError"]),
        (fence("python", "x = 1", "x = = 1"), 5, ["SyntaxError"]),
        (fence("python", "raise SystemExit(3)"), 4, ["SystemExit: 3"]),
        (fence("python", ">>> x = 1", ">>> x", "2"), 5, [">>> x", "Expected:\n    2", "Got:\n    1"]),
        (fence("python", ">>> x = 1", "", "x = 2"), 6, ["neither a prompt nor an output", "x = 2"]),
        (fence("console", "$ true", "$ echo 'a  b'", "a b"), 5, ["Expected:\n    a b", "Got:\n    a  b"]),
        (fence("console", "$ printf 'a\\n\\nb\\n'", "a", "b"), 4, ["Got:\n    a\n", "\n    b"]),
        (fence("console", "$ echo 1", "True"), 4, ["Expected:\n    True", "Got:\n    1"]),
        (fence("console", "$ echo surprise"), 4, ["Expected nothing", "surprise"]),
        (fence("console", "$ true", "promise"), 4, ["Expected:\n    promise", "Got nothing"]),
        (fence("console", "$ sh -c 'exit 3'", "$ true"), 4, ["expected exit status 0, got 3"]),
        (fence("console", "$ true", "$ exit 3", "$ true"), 5, ["never ran to its end"]),
        (fence("console", "$ echo 'open"), 4, ["never ran to its end", "unexpected EOF"]),
        (fence("console", "text", "$ true"), 4, ["begins with a line '$ command'"]),
        (fence("console", "commsim list"), 4, ["begins with a line '$ command'"]),
        (fence("bash", "commsim list"), 4, ["a bash block is not run: call it console"]),
        (fence("{code-block} python", ":caption: The idea", "", "x = 1"), 6, ["'The idea' is not one"]),
    ],
)
def test_page_that_is_wrong_fails_with_line_and_reason(tmp_path: Path, block: str, line: int, parts: list[str]) -> None:
    failure = run(tmp_path, "# Title\n\n" + block)[0]
    assert failure.startswith(f"{line}: ")
    for part in parts:
        assert part in failure


def test_each_wrong_block_is_reported(tmp_path: Path) -> None:
    text = fence("python", ">>> 1", "2") + fence("console", "$ echo a", "b")
    assert [failure.split(":")[0] for failure in run(tmp_path, text)] == ["2", "6"]
