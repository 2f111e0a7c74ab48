"""Bad command lines: one line on stderr that begins with commsim:, nothing on stdout, exit 2, no traceback."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from commsim.cli import main

REDUCE = ["reduce", "disjointness", "--to", "qsa"]
RUN = ["run", "disjointness-trivial"]

BAD = [
    (["foo"], "no command is called 'foo'"),
    (["reduec"], "did you mean reduce?"),
    (["--foo"], "No such option"),
    (["reduce"], "Missing argument"),
    (["reduce", "disjointness"], "say what to reduce disjointness to: --to match3 or --to qsa"),
    (["reduce", "equality"], "say what to reduce equality to"),
    (["reduce", "disjointnes", "--to", "qsa"], "did you mean disjointness"),
    (["reduce", "disjointness", "--to", "qas"], "did you mean qsa?"),
    (["reduce", "index", "--to", "match3"], "there is no reduction from index to match3"),
    ([*REDUCE, "-n", "0"], "'-n'"),
    ([*REDUCE, "-n", "x"], "'-n'"),
    ([*REDUCE, "-n", "8", "-N", "16"], "needs N at least 2*n + 1 = 17, not N = 16"),
    ([*REDUCE, "--alice", "101", "--bob", "01"], "bob's input: '01' has length 2, but n = 3"),
    ([*REDUCE, "--alice", "10a", "--bob", "011"], "alice's input: cannot read '10a'"),
    ([*REDUCE, "--alice", "{1,9}", "-n", "4"], "alice's input: 9 is not an element of {1, ..., 4}"),
    ([*REDUCE, "--alice", "{1,3}"], "the size is not clear from '{1,3}': give it as -n"),
    ([*REDUCE, "--alice", ""], "the size is not clear from ''"),
    ([*REDUCE, "--model", "transformer"], "'transformer' is not one of 'attention', 'rnn', 'mlp'"),
    ([*REDUCE, "--sample", "0"], "'--sample'"),
    ([*REDUCE, "--seed", "-1"], "'--seed'"),
    ([*REDUCE, "--input", "missing.jsonl"], "cannot read missing.jsonl: No such file or directory"),
    ([*REDUCE, "--input", "bad.jsonl"], "bad.jsonl, line 2: not JSON"),
    ([*REDUCE, "--input", "list.jsonl"], "list.jsonl, line 1: each line must be an object with alice and bob"),
    ([*REDUCE, "--input", "sets.jsonl"], "sets.jsonl, line 1: the size is not clear: give it as -n"),
    ([*REDUCE, "--input", "sets.jsonl", "-n", "2"], "sets.jsonl, line 1: bob's input: 3 is not an element"),
    ([*REDUCE, "--input", "latin.jsonl"], "cannot read latin.jsonl: it is not UTF-8 text"),
    ([*REDUCE, "--input", "sets.jsonl", "--alice", "1"], "leave out --alice, --bob and --sample"),
    ([*REDUCE, "--output", "missing/file.json"], "cannot write missing/file.json: No such file or directory"),
    ([*REDUCE, "-n", "4096", "--model", "attention", "--sample", "1", "--bob", "1"], "bob's input"),
    (["reduce", "raises.py"], "raises.py, line 3: 1 / 0"),
    (["reduce", "syntax.py"], "syntax.py, line 1"),
    (["run"], "Missing argument"),
    (["run", "disjointness-trival"], "did you mean disjointness-trivial"),
    ([*RUN, "--all", "--sample", "3"], "exclude one another"),
    ([*RUN, "--all", "--alice", "101"], "exclude one another"),
    ([*RUN, "-n", "30", "--all"], "use --sample K, or commsim validate"),
    (["run", "index-one-way", "-n", "4", "--bob", "5"], "bob's input: cannot read 5: write a position from 1 to 4"),
    (["run", "disjointness-to-qsa/attn", "-n", "3"], "did you mean attention?"),
    (["run", "disjointness-to-qsaa/rnn", "-n", "3"], "no reduction is called 'disjointness-to-qsaa'"),
    (["run", "program.py", "-n", "2"], "program.py, line 12: return {}['missing']"),
    (["analyze"], "Missing argument"),
    (["analyze", "missing.jsonl"], "cannot read missing.jsonl"),
    (["analyze", "empty.jsonl"], "empty.jsonl holds no transcripts"),
    (["analyze", "bad.jsonl"], "bad.jsonl, line 1"),
    (["show", "disjointnes"], "did you mean disjointness"),
    (["show", "zzz"], "nothing is called 'zzz'"),
    (["list", "models", "planets"], "'planets' is not one of"),
    (["validate", "missing.py"], "cannot read missing.py: no such file"),
    (["validate", "empty.py"], "empty.py defines no Protocol or Reduction"),
    (["validate", "program.py"], "program.py, line 12: return {}['missing']"),
    (["validate", "exits.py"], "SystemExit"),
    (["new", "theorem", "x"], "'theorem' is not one of 'protocol', 'reduction'"),
    (["new", "protocol", "3x"], "'3x' cannot be a file's name"),
    (["new", "protocol", "ünï"], "'ünï' cannot be a file's name"),
    ([*RUN, "-n", "99999999999"], "disjointness takes n up to 2^24 = 16777216, not n = 99999999999"),
    (["show", ""], "nothing is called ''; commsim list shows what there is"),
    ([*RUN, "--output", ""], "the name of the file to write is empty"),
    (["new", "protocol", "../x"], "'../x' cannot be a file's name"),
    (["new", "protocol", "class"], "'class' cannot be a file's name"),
    (["new", "protocol", "program"], "program.py exists"),
]

FILES = {
    "bad.jsonl": '{"alice": "101", "bob": "010"}\n{"alice": \n',
    "list.jsonl": '["101", "010"]\n',
    "sets.jsonl": '{"alice": [1], "bob": [3]}\n',
    "empty.jsonl": "\n",
    "raises.py": "import math\n\n1 / 0\n",
    "syntax.py": "def f(:\n",
    "empty.py": "import math\n",
    "exits.py": "import sys\nsys.exit(7)\n",
    "program.py": '''from commsim.problem import Equality
from commsim.protocol import Protocol

class Raises(Protocol):
    """Raises."""

    name = "raises"
    problem = Equality
    cost = "0"

    async def alice(self, x, channel):
        return {}['missing']

    async def bob(self, y, channel):
        return 0
''',
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "latin.jsonl").write_bytes(b'{"alice": "\xe9", "bob": "1"}\n')
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(("arguments", "said"), BAD, ids=[" ".join(arguments) or "-" for arguments, _ in BAD])
def test_a_bad_command_line_is_refused_in_one_line(arguments: list[str], said: str, folder: Path) -> None:
    before = sorted(folder.iterdir())
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 2, result.output
    # a stream has answered the lines before the bad one; nothing else prints before it knows what is wrong
    streams, checks = "bad.jsonl" in arguments and "--input" in arguments, arguments == ["validate", "program.py"]
    assert streams or checks or result.stdout == ""
    (line,) = result.stderr.splitlines()
    assert line.startswith("commsim: ")
    assert said in line
    assert sorted(path for path in folder.iterdir() if path.name != "__pycache__") == before


def test_without_a_command_there_is_help() -> None:
    result = CliRunner().invoke(main, [])
    assert result.exit_code == 2
    assert "commsim reduce disjointness --to qsa" in result.output


def test_an_error_of_commsim_itself_is_one_line_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(name: str) -> None:
        raise KeyError(name)

    monkeypatch.setattr("commsim.report.catalogue.describe", fail)
    result = CliRunner().invoke(main, ["show", "disjointness"])
    assert result.exit_code == 70
    (line,) = result.stderr.splitlines()
    assert line.startswith("commsim: an error of commsim itself, please report it: KeyError: 'disjointness' (test_")


@pytest.mark.parametrize(
    ("raised", "code", "said"),
    [(MemoryError(), 2, "out of memory: choose a smaller size"), (KeyboardInterrupt(), 130, "interrupted")],
)
def test_what_ends_a_command_from_outside(
    raised: BaseException, code: int, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(name: str) -> None:
        raise raised

    monkeypatch.setattr("commsim.report.catalogue.describe", fail)
    result = CliRunner().invoke(main, ["show", "disjointness"])
    assert (result.exit_code, result.stderr.split()) == (code, ["commsim:", *said.split()])
