"""Grading: one exercise, a folder of planted wrong submissions, and some that try to take the grader down."""

import csv
import io
import json
from pathlib import Path

import pytest
from calling import commsim, squeezed

RIGHT = '''from commsim.problem import Disjointness
from commsim.protocol import Protocol


class Mine(Protocol):
    """Sends everything."""

    name = "mine"
    problem = Disjointness
    cost = "n + 1"

    async def alice(self, x, channel):
        await channel.send(x)
        return await channel.receive_bit()

    async def bob(self, y, channel):
        x = await channel.receive(self.n)
        disjoint = not (x & y).any()
        await channel.send(disjoint)
        return disjoint
'''

RULES = "it obeys the rules of its model of communication"
LOCAL = "each party uses only its input, its messages and its coins"
ANSWER = "the answer is right"
COST = "the worst case is the declared cost"

#: what is changed in the right submission, into what; the grade, and what the reason must say
PLANTED: dict[str, tuple[list[tuple[str, str]], str, str]] = {
    "wrong_polarity": ([("not (x & y)", "(x & y)")], "fail", ANSWER),
    "first_three": ([("(x & y).any()", "(x & y)[:3].any()")], "fail", "at n = 4, on x = 0001, y = 0001"),
    "wrong_at_five": ([("not (x & y).any()", "self.n == 5 or not (x & y).any()")], "fail", "at n = 5"),
    "wrong_at_sixteen": ([("not (x & y).any()", "self.n == 16 or not (x & y).any()")], "fail", "at n = 16"),
    "on_one_pair": ([("not (x & y).any()", "not (x & y).any() and not (x.all() and self.n > 2)")], "fail", ANSWER),
    "other_problem": ([("Disjointness", "Equality")], "fail", "it is for equality"),
    "too_expensive": (
        [("await channel.send(x)", "await channel.send(x)\n        await channel.send(x)"),
         ("x = await channel.receive(self.n)", "x = (await channel.receive(self.n), await channel.receive(self.n))[0]"),
         ('"n + 1"', '"2*n + 1"')],
        "fail", "costs 3 bits, more than n + 1 = 2",
    ),
    "declared_too_small": ([('"n + 1"', '"n"')], "fail", COST),
    "declared_too_large": ([('"n + 1"', '"n + 2"')], "fail", COST),
    "no_formula": ([('"n + 1"', '"n plus 1"')], "fail", "cannot read the formula 'n plus 1'"),
    "both_send": ([("return await channel.receive_bit()", "await channel.send(1)")], "fail", "both parties send"),
    "both_wait": ([("await channel.send(disjoint)", "await channel.receive(1)")], "fail", "both parties wait"),
    "too_short": ([("channel.send(x)", "channel.send(x[:-1] if self.n > 1 else x)")], "fail", "lengths differ"),
    "length_tells": ([("channel.send(x)", "channel.send(x[: max(1, x.sum())])")], "fail", RULES),
    "on_a_board": (
        [("class Mine", "board = {}\n\n\nclass Mine"),
         ("await channel.send(x)", "board['x'] = x"),
         ("x = await channel.receive(self.n)", "x = board.get('x', y)"),
         ('"n + 1"', '"1"')],
        "fail", "a party learns something other than by the channel",
    ),
    "on_self": (
        [("await channel.send(x)", "self.x = x.copy()"),
         ("x = await channel.receive(self.n)", "x = getattr(self, 'x', y)"),
         ('"n + 1"', '"1"')],
        "fail", LOCAL,
    ),
    "forgets_await": ([("        await channel.send(x)", "        channel.send(x)")], "fail", "without await"),
    "returns_nothing": ([("return disjoint", "return None")], "fail", "bob must know the answer, but returns None"),
    "no_bits": ([("channel.send(x)", "channel.send(x * 2)")], "fail", "which is not a bit"),
    "undeclared_coins": (
        [("(x & y).any()", "(x & y).any() and channel.public.random() < 1")], "fail", "uses channel.public"
    ),
    "random_answer": (
        [("class Mine", "import random\n\n\nclass Mine"), ("(x & y).any()", "(x & y).any() or random.random() < 0.1")],
        "fail", "",
    ),
    "talks_for_ever": (
        [("        await channel.send(x)", "        while True:\n            await channel.send(1)"),
         ("        x = await channel.receive(self.n)", "        while True:\n            await channel.receive(1)")],
        "fail", "still do not finish",
    ),
    "raises": ([("(x & y).any()", "(x & y).gone()")], "error", "(raises.py, line 18: disjoint = not (x & y).gone())"),
    "does_not_parse": ([("class Mine(Protocol):", "class Mine(Protocol)")], "error", "line 5"),
    "not_there": ([("class Mine(Protocol)", "class Mine")], "error", "defines no Protocol"),
    "loops_for_ever": ([("class Mine", "while True:\n    pass\n\n\nclass Mine")], "timeout", "after 25 seconds"),
    "eats_memory": ([("class Mine", "eaten = bytearray(2**33)\n\n\nclass Mine")], "error", "MemoryError"),
    "leaves": ([("class Mine", "import os\n\nos._exit(0)\n\n\nclass Mine")], "crash", "exit status 0 and no result"),
    "crashes": ([("class Mine", "import ctypes\n\nctypes.string_at(0)\n\n\nclass Mine")], "crash", "exit status -11"),
}  # fmt: skip


def submission(changes: list[tuple[str, str]]) -> str:
    text = RIGHT
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return text


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, dict[str, str]], str, int]:
    """The grades by file, as the CSV has them; the screen; the exit status."""
    folder = tmp_path_factory.mktemp("submissions")
    for name, (changes, _, _) in PLANTED.items():
        (folder / f"{name}.py").write_text(submission(changes), encoding="utf-8")
    (folder / "right.py").write_text(RIGHT, encoding="utf-8")
    (folder / "notes.txt").write_text("not a submission", encoding="utf-8")
    table = folder / "grades.csv"
    result = commsim(
        "validate", str(folder), "--max-bits", "n + 1", "--problem", "DISJ", "--timeout", "25", "--csv", str(table)
    )
    rows = {row["file"]: row for row in csv.DictReader(io.StringIO(table.read_text(encoding="utf-8")))}
    return rows, result.stdout, result.exit_code


def test_at_least_twenty_wrong_ones_are_planted() -> None:
    assert sum(grade == "fail" for _, grade, _ in PLANTED.values()) >= 20


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_submission_is_graded_right(name: str, graded: tuple[dict[str, dict[str, str]], str, int]) -> None:
    _, grade, said = PLANTED[name]
    row = graded[0][f"{name}.py"]
    assert row["grade"] == grade, row
    assert said in f"{row['claim']}: {row['detail']}"
    assert float(row["seconds"]) < 30


def test_the_right_one_passes(graded: tuple[dict[str, dict[str, str]], str, int]) -> None:
    rows, screen, status = graded
    assert rows["right.py"]["grade"] == "pass"
    assert len(rows) == len(PLANTED) + 1
    assert status == 1
    assert screen.splitlines()[-1].startswith(f"{len(rows)} files: ")
    assert "1 pass" in screen.splitlines()[-1]


def test_a_counterexample_can_be_run(graded: tuple[dict[str, dict[str, str]], str, int], tmp_path: Path) -> None:
    path = tmp_path / "first_three.py"
    path.write_text(submission(PLANTED["first_three"][0]), encoding="utf-8")
    options = graded[0]["first_three.py"]["counterexample"]
    assert options == "-n 4 --alice 0001 --bob 0001"
    assert commsim("run", str(path), *options.split()).exit_code == 1


def test_one_file_is_graded_as_text_and_as_json(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(RIGHT, encoding="utf-8")
    passed = commsim("validate", str(path), "--problem", "disjointness", "--max-bits", "n + 1")
    assert (passed.exit_code, passed.stdout.splitlines()[-1]) == (0, "grade: pass")
    failed = commsim("validate", str(path), "--max-bits", "n/2 + 1", "--json")
    assert failed.exit_code == 1
    record = json.loads(failed.stdout)
    assert (record["grade"], record["holds"]) == ("fail", False)
    # n = 1: 2 bits, 3/2 allowed
    assert record["checks"][-1]["claim"] == "it costs at most n/2 + 1 bits"
    assert "costs 2 bits, more than n/2 + 1 = 3/2" in record["checks"][-1]["detail"]
    assert record["checks"][-1]["counterexample"]["n"] == 1
    plain = json.loads(commsim("validate", str(path), "--json").stdout)
    assert "grade" not in plain


def test_a_folder_as_json_lines(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(RIGHT, encoding="utf-8")
    result = commsim("validate", str(tmp_path), "--max-bits", "n + 1", "--json")
    assert result.exit_code == 0
    (grade,) = [json.loads(line) for line in result.stdout.splitlines()]
    assert (grade["file"], grade["grade"], grade["counterexample"]) == ("mine.py", "pass", "")


def test_more_bits_at_large_sizes_only_are_found(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(RIGHT, encoding="utf-8")
    result = commsim("validate", str(path), "--max-bits", "min(n, 10) + 1")
    assert result.exit_code == 1
    assert "costs 17 bits, more than min(n, 10) + 1 = 11" in squeezed(result.stdout)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["."], "say what its files must be, by --max-bits or --problem"),
        ([".", "--max-bits", "n +"], "cannot read the formula 'n +'"),
        ([".", "--problem", "disjointnes"], "did you mean disjointness"),
        (["empty", "--problem", "disjointness"], "empty holds no .py files"),
        (["disjointness-trivial", "--csv", "x.csv"], "--csv is for a folder of submissions"),
        (["disjointness-to-qsa", "--max-bits", "n"], "--max-bits and --problem are for protocols"),
        (["disjointness-trivial", "--max-bits", "n plus"], "cannot read the formula 'n plus'"),
        (["disjointness-trivial", "--timeout", "0"], "'--timeout'"),
        (["mine.py", "--max-bits", "k + 1"], "the formula 'k + 1' uses k, but the sizes are n"),
    ],
)
def test_wrong_options(arguments: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(RIGHT, encoding="utf-8")
    (tmp_path / "empty").mkdir()
    result = commsim("validate", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    (line,) = result.stderr.splitlines()
    assert message in line
