"""What all commands share: help, completion, width, pipes, files that are whole, progress."""

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest
from calling import ROOT, commsim, shell
from click.shell_completion import ShellComplete

from commsim.cli import main
from commsim.cli.common import written_whole
from commsim.errors import InputError

COMMANDS = sorted(main.commands)


def examples() -> list[str]:
    """The example lines of every help text."""
    texts = [main.help or "", *(command.help or "" for command in main.commands.values())]
    return [line.strip() for text in texts for line in text.splitlines() if re.match(r" +commsim [a-z]", line)]


@pytest.mark.parametrize("arguments", [["--help"], ["reduce", "--help"], ["--version"]])
def test_help_imports_no_large_library(arguments: list[str]) -> None:
    script = (
        "import sys; from commsim.cli import main\n"
        f"try: main({arguments!r})\n"
        "finally: print({'numpy', 'sympy', 'networkx', 'scipy', 'rich'} & set(sys.modules), file=sys.stderr)"
    )
    result = shell(f'"{sys.executable}" -c "{script}"')
    assert (result.returncode, result.stderr) == (0, "set()\n")


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_has_help_with_examples(command: str) -> None:
    result = commsim(command, "--help")
    assert result.exit_code == 0
    assert "Examples:\n    commsim " in result.stdout
    assert all(len(line) <= 80 for line in result.stdout.splitlines())
    assert f"  {command} " in commsim("--help").stdout


def test_summaries_are_not_cut_short() -> None:
    assert "..." not in commsim("--help").stdout.partition("Commands:")[2]


@pytest.mark.parametrize("line", examples())
def test_each_example_runs(line: str, tmp_path: Path) -> None:
    (tmp_path / "matrix.txt").write_text("0110\n1010\n0011\n", encoding="utf-8")
    (tmp_path / "instances.jsonl").write_text('{"alice": "101", "bob": "010"}\n', encoding="utf-8")
    prepare = [
        "commsim new protocol my-protocol",
        "commsim new reduction my-file",
        "commsim new protocol my-disjointness" if " new " not in line else "true",
        "sed -i 's/class MyFile/class MyReduction/' my_file.py",
        "commsim run equality-trivial -n 2 --all --output transcripts.jsonl",
        "commsim bounds matrix.txt --certificate out.json" if " check out.json" in line else "true",
        "commsim bounds disjointness -n 4 --certificate proof.json" if " check proof.json" in line else "true",
    ]
    assert shell(" && ".join(prepare), tmp_path).returncode == 0
    result = shell(line, tmp_path)
    undecided = "--sample" in line and " reduce " in line
    assert result.returncode == (3 if undecided else 0), result.stderr
    assert result.stdout or "new" in line


def test_module_and_program_are_the_same() -> None:
    assert shell("commsim --version").stdout == commsim("--version").stdout


@pytest.mark.parametrize(
    "line",
    [
        "reduce disjointness --to qsa",
        "reduce index --to qsa -n 200 --sample 2 --model rnn",
        "reduce disjointness --to match3 -n 40 --sample 2",
        "list",
        "show disjointness",
        "show equality-private-coin",
        "run disjointness-to-qsa/attention -n 4",
        "run index-from-bob -n 6 --all",
        "validate index-to-qsa",
    ],
)
def test_lines_fit_the_screen_and_end_in_no_blank(line: str) -> None:
    text = commsim(*line.split()).stdout
    assert text
    assert [line for line in text.splitlines() if len(line) > 80 or line != line.rstrip()] == []


def complete(*arguments: str) -> list[str]:
    """What the shell offers for the last of the words."""
    *before, incomplete = arguments
    completion = ShellComplete(main, {}, "commsim", "_COMMSIM_COMPLETE")
    return [item.value for item in completion.get_completions(list(before), incomplete)]


def test_names_are_completed() -> None:
    assert complete("red") == ["reduce"]
    assert complete("reduce", "disj") == ["disjointness"]
    assert complete("reduce", "index", "--to", "m") == ["match2", "match3"]
    assert complete("run", "index-") == ["index-from-bob", "index-one-way"]
    assert complete("show", "disjointness-to") == ["disjointness-to-match3", "disjointness-to-qsa"]
    assert complete("reduce", "--model", "") == ["attention", "rnn", "mlp"]


def test_a_path_is_left_to_the_shell() -> None:
    completion = ShellComplete(main, {}, "commsim", "_COMMSIM_COMPLETE")
    (item,) = completion.get_completions(["validate"], "./my")
    assert (item.value, item.type) == ("./my", "file")


def test_a_closed_pipe_ends_a_command_silently() -> None:
    for command in ("run disjointness-trivial -n 8 --all --json", "list"):
        result = shell(f"commsim {command} | true; echo ${{PIPESTATUS[0]}}")
        assert (result.stdout, result.stderr) == ("141\n", "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("command", ["list", "run disjointness-trivial -n 8 --all --json"])
def test_a_full_disk_is_said_in_one_line(command: str) -> None:
    result = shell(f"commsim {command} > /dev/full")
    assert (result.returncode, result.stderr) == (
        2,
        "commsim: cannot read or write the output: No space left on device\n",
    )


def test_a_file_is_whole_or_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("old", encoding="utf-8")
    with pytest.raises(ZeroDivisionError), written_whole(str(path)) as file:
        file.write("new")
        raise ZeroDivisionError
    assert path.read_text(encoding="utf-8") == "old"
    with written_whole(str(path)) as file:
        file.write("new")
        assert path.read_text(encoding="utf-8") == "old"
    assert path.read_text(encoding="utf-8") == "new"
    assert list(tmp_path.iterdir()) == [path]


def test_a_written_file_has_the_usual_permissions(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        with written_whole(str(tmp_path / "file")) as file:
            file.write("new")
    finally:
        os.umask(before)
    assert (tmp_path / "file").stat().st_mode & 0o777 == 0o640


def test_a_disk_that_fills_up_while_writing(tmp_path: Path) -> None:
    with (
        pytest.raises(InputError, match=r"cannot write .*: No space left on device"),
        written_whole(str(tmp_path / "file")),
    ):
        raise OSError(28, "No space left on device")
    assert list(tmp_path.iterdir()) == []


def test_long_work_shows_its_progress_on_a_terminal() -> None:
    # stdout is a pipe, stderr a terminal: the bar goes there and leaves the data alone
    primary, secondary = pty.openpty()
    command = [sys.executable, "-P", "-m", "commsim", "run", "disjointness-trivial", "-n", "5", "--all", "--json"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=secondary, env=environment) as process:
        assert process.stdout is not None
        data = process.stdout.read()
        assert process.wait() == 0
    os.close(secondary)
    seen = b""
    while chunk := _read(primary):
        seen += chunk
    assert b"running disjointness-trivial" in seen
    assert data.count(b"\n") == 4**5 and b"\x1b" not in data


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 65536)
    except OSError:  # the other end is closed
        return b""
