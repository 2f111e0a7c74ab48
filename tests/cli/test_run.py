"""commsim run, on runs worked out by hand."""

import json
from pathlib import Path

from calling import commsim, squeezed


def test_one_pair_as_a_conversation() -> None:
    # {1, 3, 4} and {2} are disjoint: Alice sends her four bits, Bob the answer
    result = commsim("run", "disjointness-trivial", "--alice", "1011", "--bob", "{2}")
    assert result.exit_code == 0
    assert result.stdout == (
        "disjointness-trivial  n = 4\n"
        "  alice      x = 1011\n"
        "  bob        y = 0100\n"
        "             alice -> bob  1011  (4 bits)\n"
        "             bob -> alice  1  (1 bit)\n"
        "  output     1, right; both know it\n"
        "  cost       5 bits, 2 rounds\n"
    )


def test_one_pair_as_json() -> None:
    result = commsim("run", "index-from-bob", "--alice", "0010", "--bob", "3", "--json")
    assert json.loads(result.stdout) == {
        "format": "commsim transcript 1",
        "protocol": "index-from-bob",
        "problem": "index",
        "n": 4,
        "x": "0010",
        "y": "3",
        "messages": [{"sender": "bob", "bits": "10"}, {"sender": "alice", "bits": "1"}],
        "output": 1,
        "output_of": "both",
        "expected": 1,
        "correct": True,
        "sizes": {},
        "declared": 3,
        "communication": "two-way",
        "coins": "none",
        "seed": None,
    }


def test_the_referee_hears_both() -> None:
    result = commsim("run", "equality-simultaneous", "-n", "4", "--alice", "1010", "--bob", "1010")
    screen = squeezed(result.stdout)
    assert "alice -> referee" in screen and "bob -> referee" in screen
    assert "output 1, right; referee knows it" in screen


def test_the_seed_decides_everything() -> None:
    arguments = ("run", "equality-public-coin", "-n", "40", "--sample", "5", "--json", "--seed")
    assert commsim(*arguments, "1").stdout == commsim(*arguments, "1").stdout
    assert commsim(*arguments, "1").stdout != commsim(*arguments, "2").stdout


def test_all_pairs_are_summed_up() -> None:
    # at n = 2 of the 16 pairs 4 have no element of Alice's: 2 bits each; the others say one or two bits more
    result = commsim("run", "disjointness-trivial", "-n", "2", "--all")
    assert result.exit_code == 0
    screen = squeezed(result.stdout)
    assert "runs 16, on all 16 pairs of inputs; all right" in screen
    assert "bits worst 3 (declared 3), mean 3; alice at most 2 bits, bob at most 1 bit" in screen
    assert "3 bits, exactly the lower bound n + 1 = 3 (two-way, both know)" in screen
    assert result.stderr == ""


def test_a_balanced_sample_has_both_answers_half_the_time() -> None:
    result = commsim("run", "equality-trivial", "-n", "30", "--sample", "10", "--json")
    runs = [json.loads(line) for line in result.stdout.splitlines()]
    assert sorted(run["expected"] for run in runs) == [0] * 5 + [1] * 5


def test_transcripts_are_written_to_a_file(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    result = commsim("run", "equality-trivial", "-n", "2", "--all", "--output", str(path))
    assert (result.exit_code, result.stdout) == (0, "")
    assert len(path.read_text(encoding="utf-8").splitlines()) == 16


def test_an_induced_protocol_runs_like_any_other() -> None:
    result = commsim("run", "disjointness-to-match3/rnn", "--alice", "101", "--bob", "001", "--json")
    run = json.loads(result.stdout)
    assert (run["expected"], run["output"], len(run["messages"][0]["bits"])) == (0, 0, 8)  # M = 8 residues


WRONG = '''from commsim.problem import Equality
from commsim.protocol import Protocol


class AlwaysEqual(Protocol):
    """Says that all strings are equal, for nothing."""

    name = "always-equal"
    problem = Equality
    cost = "0"

    async def alice(self, x, channel):
        return 1

    async def bob(self, y, channel):
        return 1


class Overspends(AlwaysEqual):
    """Declares no bits and sends one."""

    name = "overspends"

    async def alice(self, x, channel):
        await channel.send(1)
        return 1

    async def bob(self, y, channel):
        await channel.receive(1)
        return 1
'''


def test_a_wrong_answer_is_refuted(tmp_path: Path) -> None:
    path = tmp_path / "wrong.py"
    path.write_text(WRONG, encoding="utf-8")
    name = f"{path}:AlwaysEqual"
    one = commsim("run", name, "--alice", "10", "--bob", "11")
    assert one.exit_code == 1
    assert "output 1, WRONG: 0 is right" in squeezed(one.stdout)
    everything = commsim("run", name, "-n", "2", "--all")
    assert everything.exit_code == 1
    screen = squeezed(everything.stdout)
    assert "12 wrong" in screen
    assert "0 bits, below the lower bound n + 1 = 3 (two-way, both know), and wrong on some inputs" in screen
    assert commsim("run", name, "-n", "2", "--all", "--json").exit_code == 1
    assert commsim("run", name, "--alice", "11", "--bob", "11").exit_code == 0


def test_more_bits_than_declared_are_shown(tmp_path: Path) -> None:
    path = tmp_path / "wrong.py"
    path.write_text(WRONG, encoding="utf-8")
    result = commsim("run", f"{path}:Overspends", "-n", "1", "--all")
    assert "worst 1 MORE THAN the declared 0" in squeezed(result.stdout)
    assert result.exit_code == 1
