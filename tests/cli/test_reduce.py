"""commsim reduce, on instances worked out by hand."""

import json
import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from calling import ROOT, commsim, squeezed
from click.testing import Result

from commsim.report.reduction import Instance, ModelReport, ReductionReport, SkippedModel
from commsim.task import Match3, QSparseAveraging


def reduce(*arguments: str, input: str | None = None) -> Result:
    return commsim("reduce", *arguments, input=input)


def report_of(*arguments: str) -> ReductionReport:
    result = reduce(*arguments, "--json")
    assert result.stderr == ""
    return msgspec.json.decode(result.stdout, type=ReductionReport)


def test_the_screen_for_one_common_element_of_three() -> None:
    # x = {1, 3}, y = {3}: Alice looks at places 2, 3, 6; Bob has +1 at place 6; the output is (1 - 1 - 1)/3 = -1/3
    result = reduce("disjointness", "--to", "qsa", "--alice", "101", "--bob", "{3}")
    assert result.exit_code == 0
    screen = squeezed(result.stdout)
    for fact in (
        "disjointness, n = 3 -> qsa, N = 7, q = 3, d = 1",
        "alice x = 101 bob y = 001 f(x, y) 0",
        "1-5 bob z = -1, y = {1, 2, 3}",
        "6 bob z = 1, y = {1, 2, 3}",
        "7 alice z = -1, y = {2, 3, 6} <- reader",
        "output -1/3 at token 7, exactly decoded 0, as it must",
        "bob -> alice, 24 bits: the state after its tokens answer 0, right; alice knows it",  # 6 z of 4 bits
        "metered 24 bits; S = 24",
        "24 bits, above the lower bound n = 3 (one-way from bob)",
        "mlp w = 7, p = 5 sent alice -> bob, 35 bits",
        "w*p >= n, so w >= n/p",
        "verified: right on all 64 pairs of inputs",
        "seed 0",
    ):
        assert fact in screen
    assert all(len(line) <= 80 for line in result.stdout.splitlines())


def test_the_record_has_the_same_facts() -> None:
    report = report_of("disjointness", "--to", "qsa", "--alice", "101", "--bob", "001")
    instance = report.instance
    assert (instance.n, instance.sizes, instance.reader) == (3, {"N": 7, "q": 3, "d": 1}, 7)
    assert (instance.x, instance.y, instance.f, instance.output, instance.decoded) == ("101", "001", 0, ["-1/3"], 0)
    assert [token.owner for token in instance.tokens] == ["bob"] * 6 + ["alice"]
    assert instance.tokens[6].token == {"z": [-1.0], "y": [2, 3, 6]}
    attention, rnn, mlp = report.models
    assert isinstance(attention, ModelReport) and isinstance(rnn, ModelReport) and isinstance(mlp, ModelReport)
    sizes = attention.sizes
    assert attention.cost_value == sizes["H"] * sizes["p"] * (2 * sizes["m"] + sizes["v"]) == attention.transcript.bits
    assert (rnn.transcript.messages[0].sender, rnn.cost, rnn.implied, rnn.lower_bound) == ("bob", "S", "S >= n", 3)
    assert (mlp.sizes, mlp.cost_value) == ({"w": 7, "p": 5}, 35)
    for model in (attention, rnn, mlp):
        assert (model.evidence.kind, model.evidence.pairs, model.evidence.wrong) == ("verified", 64, 0)
        assert model.evidence.worst_bits == model.cost_value


def test_one_family_of_a_match3_reduction() -> None:
    report = report_of("disjointness", "--to", "match3", "--model", "rnn", "-n", "10")
    (model,) = report.models
    assert isinstance(model, ModelReport)
    assert report.instance.sizes == {"N": 21, "M": 22}
    assert (model.family, model.cost_value, model.lower_bound) == ("rnn", 22, 10)
    assert model.evidence.pairs == 4**10


def test_padding_adds_public_constants() -> None:
    report = report_of("disjointness", "--to", "match3", "-n", "2", "-N", "9", "--model", "mlp")
    assert [token.owner for token in report.instance.tokens] == ["alice"] * 2 + ["bob"] * 2 + ["public"] * 5
    assert report.instance.reader == 9


def test_a_sample_is_undecided_and_has_its_interval() -> None:
    result = reduce("index", "--to", "qsa", "-n", "30", "--model", "rnn", "--sample", "20", "--seed", "7", "--json")
    assert result.exit_code == 3
    report = msgspec.json.decode(result.stdout, type=ReductionReport)
    (model,) = report.models
    assert isinstance(model, ModelReport)
    assert report.seed == 7
    assert (model.evidence.kind, model.evidence.pairs, model.evidence.wrong) == ("sampled", 20, 0)
    assert model.evidence.error_interval == pytest.approx((0, 1 - 0.025 ** (1 / 20)))
    text = squeezed(reduce("index", "--to", "qsa", "-n", "30", "--model", "rnn", "--sample", "20").stdout)
    assert "sampled: right on 20 balanced pairs; error on such at most 0.1684" in text


def test_too_many_pairs_are_sampled() -> None:
    report = report_of("index", "--to", "qsa", "-n", "40", "--model", "mlp")
    (model,) = report.models
    assert isinstance(model, ModelReport)
    assert (model.evidence.kind, model.evidence.pairs) == ("sampled", 200)


def test_the_other_polarity() -> None:
    report = report_of("INT", "--to", "qsa", "--alice", "101", "--bob", "001", "--model", "rnn")
    assert (report.instance.f, report.instance.decoded, report.instance.output) == (1, 1, ["-1/3"])


def test_the_same_seed_gives_the_same_instance() -> None:
    arguments = ("disjointness-to-qsa", "-n", "20", "--model", "rnn", "--sample", "3", "--seed")
    assert reduce(*arguments, "5").stdout == reduce(*arguments, "5").stdout
    assert report_of(*arguments, "5").instance.x != report_of(*arguments, "6").instance.x


def test_the_target_instance_is_written_and_can_be_evaluated(tmp_path: Path) -> None:
    path = tmp_path / "instance.json"
    assert reduce("disjointness", "--to", "qsa", "--alice", "101", "--bob", "001", "--output", str(path)).exit_code == 0
    instance = msgspec.json.decode(path.read_bytes(), type=Instance)
    task = QSparseAveraging(**instance.sizes)
    tokens = task.from_json([token.token for token in instance.tokens])
    assert task.evaluate(tokens, [instance.reader])[0, 0] == Fraction(-1, 3)
    assert [path.name for path in tmp_path.iterdir()] == ["instance.json"]


def test_a_match3_instance_is_written_and_can_be_evaluated(tmp_path: Path) -> None:
    path = tmp_path / "instance.json"
    assert (
        reduce("disjointness", "--to", "match3", "--alice", "101", "--bob", "001", "--output", str(path)).exit_code == 0
    )
    instance = msgspec.json.decode(path.read_bytes(), type=Instance)
    task = Match3(**instance.sizes)
    tokens = task.from_json([token.token for token in instance.tokens])
    assert np.array_equal(task.evaluate(tokens, [instance.reader]), [True])


LINES = '{"alice": "101", "bob": [3]}\n\n{"alice": "{2}", "bob": "101"}\n'


def results(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_instances_in_results_out() -> None:
    result = reduce("disjointness", "--to", "qsa", "--input", "-", input=LINES)
    assert result.exit_code == 0
    first, second = results(result.stdout)
    assert (first["line"], first["instance"]["output"], first["instance"]["decoded"]) == (1, ["-1/3"], 0)
    assert (second["line"], second["instance"]["output"], second["instance"]["decoded"]) == (3, ["-1"], 1)
    assert first["runs"].keys() == {"attention", "rnn", "mlp"}
    assert [run["output"] for run in second["runs"].values()] == [1, 1, 1]
    assert len(second["runs"]["mlp"]["messages"][0]["bits"]) == 35


def test_results_to_a_file_are_whole_or_absent(tmp_path: Path) -> None:
    source, target = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    arguments = ("disjointness", "--to", "match3", "--model", "rnn", "--input", str(source), "--output", str(target))
    source.write_text(LINES, encoding="utf-8")
    result = reduce(*arguments)
    assert (result.exit_code, result.stdout) == (0, "")
    whole = target.read_text(encoding="utf-8")
    assert [record["line"] for record in results(whole)] == [1, 3]
    source.write_text(LINES + '{"alice": "10"}\n', encoding="utf-8")
    result = reduce(*arguments)
    assert result.exit_code == 2
    assert "in.jsonl, line 4: each line must be an object with alice and bob" in result.stderr
    assert target.read_text(encoding="utf-8") == whole
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.jsonl", "out.jsonl"]


def test_a_line_is_answered_before_the_next_is_read() -> None:
    command = [
        sys.executable,
        "-m",
        "commsim",
        "reduce",
        "disjointness",
        "--to",
        "match3",
        "--model",
        "rnn",
        "--input",
        "-",
    ]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, text=True
    ) as process:
        assert process.stdin is not None and process.stdout is not None
        for number, f in ((1, 0), (2, 0)):
            process.stdin.write('{"alice": "11", "bob": "10"}\n')
            process.stdin.flush()
            record = json.loads(process.stdout.readline())
            assert (record["line"], record["instance"]["f"]) == (number, f)
        process.stdin.close()
        assert process.wait(timeout=60) == 0


WRONG = '''
from commsim.reduction import Reduction
from commsim.registry import reductions

class Wrong(reductions()["disjointness-to-match3"]):
    """Decodes the wrong way round when n = 2."""

    name = "wrong"

    def decode(self, output):
        return (output == 0) ^ (self.n == 2)

class Backwards(reductions()["disjointness-to-match3"]):
    """The reader stands first."""

    name = "backwards"

    def shape(self):
        from dataclasses import replace

        return replace(super().shape(), reader=1)
'''


@pytest.fixture
def own_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "own.py"
    path.write_text(WRONG, encoding="utf-8")
    return path


def test_a_wrong_reduction_of_ones_own_is_refuted(own_file: Path) -> None:
    result = reduce("own.py:Wrong", "--alice", "10", "--bob", "10", "--model", "rnn")
    assert result.exit_code == 1
    text = squeezed(result.stdout)
    assert "decoded 1, WRONG" in text
    assert "REFUTED: wrong on 16 of 16 pairs, such as x = 00, y = 00" in text
    assert "answer 1, WRONG; bob knows it" in text
    assert reduce("own.py:Wrong", "--alice", "100", "--bob", "100", "--model", "rnn").exit_code == 0


def test_a_wrong_sample_is_refuted_too(own_file: Path) -> None:
    result = reduce("own.py:Wrong", "-n", "2", "--model", "rnn", "--sample", "5")
    assert result.exit_code == 1
    assert "REFUTED: wrong on 5 of 5 pairs" in squeezed(result.stdout)


def test_wrong_results_of_a_stream_are_refuted(own_file: Path) -> None:
    result = reduce("own.py:Wrong", "--model", "rnn", "--input", "-", input='{"alice": "10", "bob": "10"}\n')
    assert result.exit_code == 1


def test_a_family_that_does_not_apply_is_said_and_left_out(own_file: Path) -> None:
    report = report_of("own.py:Backwards", "-n", "2", "--model", "rnn")
    (model,) = report.models
    assert isinstance(model, SkippedModel)
    assert model.skipped == "this recurrent network answers at the last token, 5, not at token 1"
    result = reduce("own.py:Backwards", "-n", "2", "--model", "rnn")
    assert "rnn: not here: this recurrent network answers at the last token" in squeezed(result.stdout)
    streamed = reduce("own.py:Backwards", "--model", "rnn", "--input", "-", input='{"alice": "10", "bob": "10"}\n')
    assert results(streamed.stdout)[0]["runs"] == {}


def test_a_long_instance_is_cut_short() -> None:
    result = reduce("disjointness", "--to", "match3", "-n", "60", "--model", "rnn", "--sample", "2")
    text = squeezed(result.stdout)
    assert "more; --json or --output FILE has all" in text
    assert "(60 characters)" not in text
    assert "(70 characters)" in squeezed(
        reduce("disjointness", "--to", "match3", "-n", "70", "--model", "rnn", "--sample", "2").stdout
    )
