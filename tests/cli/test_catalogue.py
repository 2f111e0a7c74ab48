"""commsim list and commsim show."""

import json
from pathlib import Path

import pytest
from calling import commsim, squeezed

from commsim import registry

KINDS = ("problems", "tasks", "protocols", "reductions")
NAMES = [name for kind in KINDS for name in getattr(registry, kind)()]


def test_everything_is_listed() -> None:
    listed = json.loads(commsim("list", "--json").stdout)
    for kind in KINDS:
        assert [row["name"] for row in listed[kind]] == sorted(getattr(registry, kind)())
    assert {(row["family"], row["task"]) for row in listed["models"]} == set(registry.models())
    screen = commsim("list").stdout
    assert all(f"  {name} " in screen for name in NAMES)
    assert [line for line in screen.splitlines() if not line.startswith(" ") and line] == [*KINDS, "models"]


def test_kinds_can_be_chosen() -> None:
    assert json.loads(commsim("list", "tasks", "models", "--json").stdout).keys() == {"tasks", "models"}
    assert commsim("list", "tasks").stdout.splitlines()[0] == "tasks"


@pytest.mark.parametrize("name", NAMES)
def test_each_one_is_shown_with_its_source(name: str) -> None:
    result = commsim("show", name)
    assert result.exit_code == 0
    record = json.loads(commsim("show", name, "--json").stdout)
    assert record["name"] == name
    assert record["definition"][0].endswith(".")
    assert record["facts"].get("from") or all(bound["reference"] for bound in record["bounds"])
    assert "Args:" not in result.stdout and ":class:" not in result.stdout


def test_a_problem_in_full() -> None:
    screen = squeezed(commsim("show", "disjointness").stdout)
    assert screen.startswith("disjointness (problem) DISJ_n(x, y) = 1 iff the subsets x and y")
    assert "alice at n = 4: 4 bits such as 1010, or a set such as {1,3}" in screen
    assert "reductions disjointness-to-match3, disjointness-to-qsa" in screen
    assert "= n + 1 two-way, both know Kushilevitz and Nisan, Communication Complexity, 1997, Section 1.3" in screen


def test_a_problem_by_its_symbol() -> None:
    assert commsim("show", "DISJ").stdout == commsim("show", "disjointness").stdout


def test_a_reduction_in_full() -> None:
    record = json.loads(commsim("show", "disjointness-to-qsa", "--json").stdout)
    facts = record["facts"]
    assert (facts["N"], facts["q"], facts["d"], facts["gap"]) == ("2*n + 1", "n", "1", "2/n")
    assert "Theorem 4" in facts["from"]


def test_a_task_in_full() -> None:
    screen = squeezed(commsim("show", "qsa").stdout)
    assert "q how many positions each token looks at, 1 to N" in screen
    assert "models attention, mlp, rnn" in screen


def test_a_protocol_of_ones_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    commsim("new", "protocol", "my-own")
    screen = squeezed(commsim("show", "my_own.py").stdout)
    assert screen.startswith("my-own (protocol) Alice sends her whole set; Bob answers")
    assert "cost n + 1 bits in the worst case; both parties know the answer" in screen
