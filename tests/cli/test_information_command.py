"""commsim information."""

import json
from pathlib import Path

import pytest
from calling import commsim, squeezed


def test_a_table_of_one() -> None:
    # n = 1: x is one bit; f = 1 for certain if x = {}, with probability 1/2 if x = {1}: half a bit on average
    result = commsim("information", "disjointness-trivial", "-n", "1")
    assert result.exit_code == 0
    assert result.stdout.splitlines()[0] == "disjointness-trivial  n = 1, on the uniform distribution; in bits"
    assert squeezed(result.stdout.splitlines()[-1]) == "1.5000 1.5000 1.5000 2.0000 2"


def test_over_several_sizes_as_json() -> None:
    arguments = ("information", "intersection-buzzer", "-n", "1", "--over", "k=2,4", "--input", "worst-on-0", "--json")
    rows = [json.loads(line) for line in commsim(*arguments).stdout.splitlines()]
    assert [row["k"] for row in rows] == [2, 4]
    assert [round(row["internal"], 4) for row in rows] == [0.657, 0.5256]
    assert rows[0]["protocol"] == "intersection-buzzer"


def test_a_range_and_a_product() -> None:
    result = commsim("information", "equality-one-way", "--over", "n=1:3", "--input", "product:1/4")
    # one-way: only x crosses, n h(1/4) bits
    values = [float(line.split()[1]) for line in result.stdout.splitlines()[2:]]
    assert values == pytest.approx([0.8113, 1.6226, 2.4338])


@pytest.mark.parametrize("source", ["hard", "worst", "worst-on-1"])
def test_named_distributions(source: str) -> None:
    result = commsim("information", "disjointness-bit-by-bit", "-n", "2", "--input", source)
    assert result.exit_code == 0
    assert f"on the {source} distribution" in result.stdout


def test_a_worst_distribution_that_is_not_quite_found_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("commsim.analysis.information.MOST_ITERATIONS", 2)
    result = commsim("information", "disjointness-trivial", "-n", "3", "--input", "worst")
    assert result.exit_code == 0
    (note,) = result.stderr.splitlines()
    assert note.startswith("commsim: no distribution has more than ")
    assert note.endswith(" less")


def test_a_distribution_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "weights.jsonl"
    path.write_text('{"alice": "00", "bob": "00", "weight": 1}\n{"alice": "11", "bob": "00", "weight": 1}\n')
    result = commsim("information", "disjointness-one-way", "-n", "2", "--input", str(path), "--json")
    found = json.loads(result.stdout)
    assert (found["internal"], found["external"], found["cost"]) == (1, 1, 2)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["disjointness-trivial", "-n", "12"], "choose a smaller n"),
        (["disjointness-trivial", "--input", "nofile"], "cannot read nofile: No such file"),
        (["disjointness-trivial", "--input", "product"], "say how likely a 1 is, such as product:1/4"),
        (["disjointness-trivial", "--input", "product:x"], "cannot read 'x': write a number such as 0.25 or 1/3"),
        (["disjointness-trivial", "--over", "k=2"], "there is no size k to set besides n: it has none"),
        (["disjointness-trivial", "--over", "3"], "write values of a size, such as k=2,4,8 or n=1:4"),
        (["disjointness-trivial", "--set", "k"], "cannot read 'k': write a size and a number, such as k=3"),
        (["gap-hamming-sketch", "-n", "3"], "cannot be enumerated"),
        (["disjointness-trvial"], "did you mean disjointness-trivial"),
    ],
)
def test_wrong_arguments(arguments: list[str], message: str) -> None:
    result = commsim("information", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    (line,) = result.stderr.splitlines()
    assert line.startswith("commsim: ") and message in line


def test_a_wrong_line_is_named() -> None:
    result = commsim("information", "equality-trivial", "-n", "1", "--input", "-", input='{"alice": "0"}\n')
    assert "line 1: each line must be an object like" in result.stderr


def test_no_support() -> None:
    result = commsim("information", "intersection-buzzer", "-n", "1", "--input", "worst-on-1")
    assert result.exit_code == 0  # only the pair (1, 1): nothing to learn
    assert "0.0000" in result.stdout
