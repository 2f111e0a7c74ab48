"""`commsim bounds` and `commsim check`."""

import json
from pathlib import Path
from typing import Any

import pytest
from calling import commsim, shell, squeezed


def bounds(*arguments: str, input: str | None = None) -> dict[str, Any]:
    result = commsim("bounds", *arguments, "--json", input=input)
    assert result.exit_code == 0, result.output
    record: dict[str, Any] = json.loads(result.stdout)
    return record


def quantity(record: dict[str, Any], name: str) -> Any:
    (found,) = [each for each in record["quantities"] if each["quantity"] == name]
    return found


def test_the_table_by_eye() -> None:
    result = commsim("bounds", "equality", "-n", "2")
    assert result.exit_code == 0
    text = squeezed(result.stdout)
    assert "equality, n = 2 4 x 4 (all distinct), values 0, 1" in text
    assert "D 3 3 " in text
    assert "D(A->B) 2 2 " in text
    assert "N^1 2 2 " in text
    assert "proved by the certificate" in text
    assert [line for line in result.stdout.splitlines() if len(line) > 80 or line != line.rstrip()] == []


def test_json() -> None:
    record = bounds("-", input="110\n110\n001\n")
    assert record["format"] == "commsim bounds 1"
    assert record["matrix"] == {
        "name": "stdin",
        "rows": 3,
        "columns": 3,
        "distinct_rows": 2,
        "distinct_columns": 2,
        "values": [0, 1],
    }
    known = quantity(record, "deterministic")
    assert known["symbol"] == "D"
    assert known["convention"] == "bits; both know the output"
    assert known["exact"]
    assert known["lower"]["value"] == known["upper"]["value"] == "2"
    assert known["lower"]["certified"]
    assert not known["lower"]["heuristic"]
    assert record["undecided"] is False


def test_a_known_theorem_comes_with_its_reference() -> None:
    known = quantity(bounds("disjointness", "-n", "3", "--method", "known"), "deterministic")
    assert known["lower"]["value"] == "4"
    assert "Kushilevitz" in known["lower"]["reference"]


def test_from_the_matrix_to_the_checked_certificate(tmp_path: Path) -> None:
    (tmp_path / "matrix.txt").write_text("01100\n10010\n11111\n00011\n", encoding="utf-8")
    made = shell("commsim bounds matrix.txt --certificate out.json --tree found.py", tmp_path)
    assert made.returncode == 0
    assert "wrote out.json" in made.stderr
    checked = shell("commsim check out.json --matrix matrix.txt", tmp_path)
    assert checked.returncode == 0
    assert "holds  deterministic >= 3" in checked.stdout
    assert shell("commsim check - --matrix matrix.txt < out.json", tmp_path).returncode == 0
    validated = shell("commsim validate found.py", tmp_path)
    assert validated.returncode == 0
    assert "FoundProtocol" not in validated.stderr
    other = shell("tr 01 10 < matrix.txt | commsim check out.json --matrix -", tmp_path)
    assert other.returncode == 1
    assert other.stdout.startswith("REFUSED  it is about another matrix")
    forged = shell('sed \'s/"value": "3"/"value": "4"/\' out.json > forged.json', tmp_path)
    assert forged.returncode == 0
    refused = shell("commsim check forged.json --matrix matrix.txt --json", tmp_path)
    assert refused.returncode == 1
    assert json.loads(refused.stdout)["holds"] is False


def test_a_certificate_of_a_problem(tmp_path: Path) -> None:
    path = str(tmp_path / "out.json")
    assert commsim("bounds", "greater-than", "-n", "3", "--certificate", path).exit_code == 0
    checked = commsim("check", path, "--problem", "greater-than", "-n", "3", "--json")
    assert checked.exit_code == 0
    assert "deterministic >= 4" in json.loads(checked.stdout)["claims"]
    assert commsim("check", path, "--problem", "greater-than", "-n", "2").exit_code == 1


def test_when_the_time_is_spent_the_status_is_3() -> None:
    result = commsim("bounds", "equality", "-n", "3", "--time-limit", "0")
    assert result.exit_code == 3
    assert "left out search: the time was spent" in squeezed(result.stdout)
    assert json.loads(commsim("bounds", "equality", "--time-limit", "0", "--json").stdout)["undecided"] is True


REFUSALS = {
    "bounds disjointnes": "did you mean disjointness or sparse-disjointness?",
    "bounds nowhere.txt": "cannot read nowhere.txt: No such file or directory",
    "bounds ragged.txt": "ragged.txt, line 2: it has 3 entries, but line 1 has 2",
    "bounds good.txt -n 3": "good.txt is read as a matrix, which has a size of its own",
    "bounds gap-hamming -n 4": "only a function has a matrix",
    "bounds disjointness -n 40": "choose a smaller n",
    "bounds disjointness -n 16 --certificate out.json": "too large for this: at most 2^26 entries",
    "bounds good.txt --method rank --tree found.py": "--tree needs the method search",
    "bounds good.txt --time-limit nan": "nan is no number of seconds",
    "bounds good.txt --certificate -": "give --certificate a name",
    "check - --matrix -": "only one of the certificate and the matrix can come from stdin",
    "check out.json --matrix good.txt -n 3": "leave out -n and --set",
    "bounds good.txt --tree found.txt": "a name that ends in .py",
    "bounds good.txt --method magic": "'magic' is not one of",
    "bounds good.txt --certificate nowhere/out.json": "nowhere",
    "check out.json": "--matrix FILE, or --problem NAME -n N",
    "check out.json --matrix good.txt --problem equality": "--matrix FILE, or --problem NAME -n N",
    "check nowhere.json --matrix good.txt": "cannot read nowhere.json: No such file or directory",
    "check good.txt --matrix nowhere.txt": "cannot read nowhere.txt",
    "check ragged.txt --matrix good.txt": "ragged.txt is not JSON",
}


@pytest.mark.parametrize("line", REFUSALS)
def test_bad_input_is_one_line(line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "good.txt").write_text("01\n10\n", encoding="utf-8")
    (tmp_path / "ragged.txt").write_text("01\n101\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    result = commsim(*line.split())
    assert result.exit_code == 2, result.output
    assert REFUSALS[line] in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert not (tmp_path / "out.json").exists()
    assert not (tmp_path / "found.py").exists()


def test_a_file_that_is_named_like_a_problem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "equality").write_text("01\n10\n", encoding="utf-8")
    assert bounds("equality", "-n", "2", "--method", "one-way")["matrix"]["name"] == "equality, n = 2"
    assert bounds("./equality", "--method", "one-way")["matrix"]["rows"] == 2
    assert commsim("bounds", "equality", "-n", "3", "--certificate", "out.json").exit_code == 0
    assert commsim("check", "out.json", "--problem", "equality", "-n", "3").exit_code == 0


def test_theorems_alone_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "matrix.txt").write_text("01\n10\n", encoding="utf-8")
    result = commsim("bounds", str(tmp_path / "matrix.txt"), "--method", "known")
    assert "left out known: a matrix from a file has no theorems" in squeezed(result.stdout)


def test_a_matrix_that_is_json_but_no_certificate(tmp_path: Path) -> None:
    (tmp_path / "matrix.txt").write_text("01\n10\n", encoding="utf-8")
    for text in ("[]", "{}", "1", '{"format": "commsim certificate 2"}', "[" * 100 + "]" * 100):
        (tmp_path / "certificate.json").write_text(text, encoding="utf-8")
        result = commsim("check", str(tmp_path / "certificate.json"), "--matrix", str(tmp_path / "matrix.txt"))
        assert result.exit_code == 1
        assert result.stdout.startswith("REFUSED  ")
        assert len(result.stdout.splitlines()) == 1
