"""commsim validate and commsim new: what they print and how they exit. The mutants have a test of their own."""

import json
from pathlib import Path

import pytest
from calling import commsim, squeezed


def test_a_right_protocol_holds() -> None:
    result = commsim("validate", "disjointness-trivial")
    assert result.exit_code == 0
    screen = squeezed(result.stdout)
    assert "holds the answer is right verified on all pairs, n = 1..8" in screen
    assert "holds the worst case is the declared cost metered n + 1, n = 1..6" in screen
    assert screen.endswith("disjointness-trivial: every claim holds (seed 0)")


def test_json_lists_every_check() -> None:
    record = json.loads(commsim("validate", "disjointness-to-match3", "--json", "--seed", "3").stdout)
    assert (record["name"], record["seed"], record["holds"]) == ("disjointness-to-match3", 3, True)
    assert {check["status"] for check in record["checks"]} == {"holds"}
    assert "decode(T(tokens)) = f" in {check["claim"] for check in record["checks"]}


@pytest.mark.parametrize(("kind", "name", "file"), [
    ("protocol", "my-disjointness", "my_disjointness.py"),
    ("reduction", "My Reduction.py", "my_reduction.py"),
])  # fmt: skip
def test_what_new_writes_is_accepted(
    kind: str, name: str, file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = commsim("new", kind, name)
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == f"wrote {file}; now: commsim validate {file}\n"
    validated = commsim("validate", file)
    assert validated.exit_code == 0
    assert f"{file.removesuffix('.py').replace('_', '-')}: every claim holds" in validated.stdout
    again = commsim("new", kind, name)
    assert (again.exit_code, f"{file} exists" in again.stderr) == (2, True)
    assert commsim("new", kind, name, "--force").exit_code == 0


def test_a_wrong_protocol_is_refuted_with_the_smallest_counterexample(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    commsim("new", "protocol", "wrong")
    path = tmp_path / "wrong.py"
    text = path.read_text(encoding="utf-8")
    assert text.count("not (x & y).any()") == 1
    path.write_text(text.replace("not (x & y).any()", "not (x & y)[:2].any()"), encoding="utf-8")
    result = commsim("validate", "wrong.py")
    assert result.exit_code == 1
    # the first two elements are looked at: wrong first where the third is common
    assert squeezed(result.stdout).endswith(
        "wrong is refuted: the answer is right counterexample: -n 3 --alice 001 --bob 001"
    )
    record = json.loads(commsim("validate", "wrong.py", "--json").stdout)
    assert record["holds"] is False
    assert record["checks"][-1]["counterexample"] == {"n": 3, "x": "001", "y": "001"}
    again = commsim("run", "wrong.py", "-n", "3", "--alice", "001", "--bob", "001")
    assert again.exit_code == 1
    assert "WRONG: 0 is right" in squeezed(again.stdout)


def test_a_refuted_size_has_no_inputs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    commsim("new", "reduction", "wrong")
    path = tmp_path / "wrong.py"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('"M": "7*n"', '"M": "7*n + 1"'), encoding="utf-8")
    result = commsim("validate", "wrong.py")
    assert result.exit_code == 1
    assert result.stdout.splitlines()[-2:] == ["wrong is refuted: the sizes are as declared", "counterexample: -n 1"]


GUESS = '''from commsim.problem import Equality
from commsim.protocol import Protocol


class Guess(Protocol):
    """Calls different strings equal with probability 1/4, exactly what it declares."""

    name = "guess"
    problem = Equality
    cost = "n + 1"
    coins = "public"
    error = "1/4"

    async def alice(self, x, channel):
        await channel.send(x)
        return await channel.receive_bit()

    async def bob(self, y, channel):
        x = await channel.receive(self.n)
        same = (x == y).all() or channel.public.random() < 1 / 4
        await channel.send(same)
        return same
'''


def test_a_sample_that_straddles_the_claim_is_undecided(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # random() has no range to enumerate, and no sample tells 1/4 from a little more than 1/4
    monkeypatch.chdir(tmp_path)
    (tmp_path / "guess.py").write_text(GUESS, encoding="utf-8")
    result = commsim("validate", "guess.py")
    assert result.exit_code == 3
    screen = squeezed(result.stdout)
    assert "undecided the error is as declared" in screen
    assert screen.endswith("guess: undecided, a sample cannot tell (seed 0)")
    (tmp_path / "guess.py").write_text(GUESS.replace('"1/4"', '"1/8"'), encoding="utf-8")
    refuted = commsim("validate", "guess.py")
    assert refuted.exit_code == 1
    assert "guess is refuted: the error is as declared" in squeezed(refuted.stdout)


def test_a_file_of_two_protocols_wants_a_class(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    commsim("new", "protocol", "first")
    both = (tmp_path / "first.py").read_text(encoding="utf-8")
    (tmp_path / "two.py").write_text(both + both.replace("class First", "class Second").replace('"first"', '"second"'))
    result = commsim("validate", "two.py")
    assert result.exit_code == 2
    assert "two.py defines several: First, Second; say which, as two.py:First" in result.stderr
    assert commsim("validate", "two.py:Second").exit_code == 0
