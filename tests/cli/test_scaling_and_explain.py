"""commsim run --scaling and --explain."""

import json
from pathlib import Path

import pytest
from calling import commsim, squeezed


def test_the_table_and_the_fit() -> None:
    result = commsim("run", "equality-trivial", "--scaling", "8:12", "--sample", "4")
    assert result.exit_code == 0
    lines = [squeezed(line) for line in result.stdout.splitlines()]
    assert lines[:3] == ["equality-trivial bits over n", "n mean worst declared known bound wrong", "8 9.0 9 9 9 0/4"]
    assert lines[-1] == "fit of the mean: 1 + 1 * (n), off by 0.0% (rms)"


def test_another_size_doubling_as_json() -> None:
    arguments = ("run", "pointer-jumping-rounds", "-n", "4", "--scaling", "k=2^0:2^4", "--sample", "4", "--json")
    found = json.loads(commsim(*arguments).stdout)
    assert [point["value"] for point in found["points"]] == [1, 2, 4, 8, 16]
    assert [point["worst"] for point in found["points"]] == [2, 4, 8, 16, 32]
    assert (found["growth"], round(found["slope"], 6)) == ("n", 2)
    assert squeezed(commsim(*arguments[:-1]).stdout).endswith("* (n), n = k, off by 0.0% (rms)")


@pytest.mark.parametrize("kind", ["png", "svg", "pdf"])
def test_a_figure(kind: str, tmp_path: Path) -> None:
    path = tmp_path / f"figure.{kind}"
    result = commsim("run", "equality-trivial", "--scaling", "2^2:2^9", "--sample", "2", "--plot", str(path))
    assert result.exit_code == 0
    begins = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}
    assert path.read_bytes().startswith(begins[kind])
    if kind == "svg":
        assert "known lower bound" in path.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--scaling", "8:9"], "write three sizes or more, such as 8:20, 2^8:2^20 or k=1:64"),
        (["--scaling", "a:b"], "cannot read 'a:b'"),
        (["--scaling", "0:9"], "cannot read '0:9'"),
        (["--scaling", "2:9", "-n", "4"], "leave out -n"),
        (["--scaling", "2:9", "--all"], "goes with -n, --set, --sample, --seed, --plot and --json only"),
        (["--scaling", "2:9", "--plot", "figure.gif"], "name the file .png, .svg or .pdf"),
        (["--scaling", "2^22:2^26", "--sample", "1"], "equality takes n up to 2^24 = 16777216, not n = 33554432"),
        (["--scaling", "k=2:9"], "there is no size k to set besides n"),
        (["--plot", "figure.png"], "--plot draws what --scaling measures"),
        (["--explain", "--all"], "--explain is about one run"),
        (["--set", "k=2"], "there is no size k to set besides n: it has none"),
    ],
)
def test_wrong_options(options: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = commsim("run", "equality-trivial", *options)
    assert (result.exit_code, result.stdout) == (2, "")
    (line,) = result.stderr.splitlines()
    assert message in line
    assert list(tmp_path.iterdir()) == []


def test_a_run_in_words() -> None:
    # x = {1}, y = {2} of {1, 2}: after Alice's 10 only her input is left, beside four of Bob's, of which two meet it
    result = commsim("run", "disjointness-trivial", "--alice", "10", "--bob", "01", "--explain")
    words = squeezed(result.stdout)
    assert "Alice holds one of 4 inputs, Bob one of 4. f is 0 on 7, 1 on 9 of 16 pairs." in words
    assert "1. Alice sends 10. 1 of Alice's inputs would have said all this" in words
    assert "has 1 x 4 inputs. f is 0 on 2, 1 on 2 of 4 pairs." in words
    assert "2. Bob sends 1. 2 of Bob's inputs would have said all this" in words
    assert "has 1 x 2 inputs. On all 2 pairs f = 1. So both can answer 1, which is right." in words


def test_the_record_of_an_explanation() -> None:
    result = commsim("run", "karchmer-wigderson-by-formula", "-n", "3", "--explain", "--json")
    found = json.loads(result.stdout)
    assert found["start"] == {"alice": 4, "bob": 4, "values": None}
    assert len(found["steps"]) == len(found["run"]["messages"])


def test_too_many_inputs_to_count() -> None:
    result = commsim("run", "equality-trivial", "-n", "40", "--explain")
    assert result.exit_code == 0
    assert "There are too many inputs to count" in result.stdout


def test_a_referee_is_named() -> None:
    result = commsim("run", "equality-simultaneous", "-n", "2", "--explain")
    assert "So the referee can answer" in squeezed(result.stdout)


def test_further_sizes_are_set() -> None:
    result = commsim("run", "hamming-distance-trivial", "--alice", "1100", "--bob", "0010", "--set", "k=3", "--json")
    run = json.loads(result.stdout)
    assert (run["sizes"], run["expected"], run["output"]) == ({"k": 3}, 1, 1)
    again = commsim("analyze", "-", input=result.stdout)
    assert again.exit_code == 0
