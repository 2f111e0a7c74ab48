"""commsim analyze, on transcripts that commsim run wrote and on some that were tampered with."""

import json
from typing import Any

from calling import commsim, shell, squeezed


def runs_of(*arguments: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in commsim("run", *arguments, "--json").stdout.splitlines()]


def analyze(runs: list[dict[str, Any]], *options: str) -> Any:
    return commsim("analyze", "-", *options, input="\n".join(json.dumps(run) for run in runs))


def test_the_numbers_of_all_pairs() -> None:
    # bit by bit at n = 2. Alice's set decides: {} costs 2 bits; {1}: 3, stopping after 2 if Bob has 1 too;
    # {2}: 3; {1, 2}: 2 if Bob has 1, else 4. Counted over Bob's four sets: 4 x 2, 2 x 2 + 2 x 3, 4 x 3, 2 x 2 + 2 x 4
    result = analyze(runs_of("disjointness-bit-by-bit", "-n", "2", "--all"), "--json")
    assert result.exit_code == 0
    summary = json.loads(result.stdout)
    assert summary["histogram"] == {"2": 8, "3": 6, "4": 2}
    assert (summary["runs"], summary["pairs"], summary["all_pairs"], summary["correct"]) == (16, 16, 16, 16)
    assert (summary["worst"], summary["declared"], summary["mean"], summary["rounds"]) == (4, 4, "21/8", 4)
    assert summary["worst_of"] == {"alice": 2, "bob": 2}
    assert (summary["lower_bound"], summary["contradiction"]) == (3, False)


def test_protocols_and_sizes_are_kept_apart() -> None:
    runs = runs_of("equality-trivial", "-n", "2", "--all") + runs_of("equality-trivial", "-n", "3", "--sample", "2")
    runs += runs_of("index-one-way", "-n", "3", "--sample", "4")
    summaries = [json.loads(line) for line in analyze(runs, "--json").stdout.splitlines()]
    assert [(summary["protocol"], summary["n"], summary["runs"]) for summary in summaries] == [
        ("equality-trivial", 2, 16),
        ("equality-trivial", 3, 2),
        ("index-one-way", 3, 4),
    ]
    screen = analyze(runs).stdout
    assert screen.count("\n\n") == 2
    assert "runs 2, on 2 of the 64 pairs of inputs" in squeezed(screen)


def test_the_pipe_of_the_help() -> None:
    result = shell("commsim run disjointness-trivial -n 4 --all --json | commsim analyze -")
    assert result.returncode == 0
    assert "bits worst 5 (declared 5), mean 5" in squeezed(result.stdout)


def test_a_contradiction_is_reported() -> None:
    # what is right on all pairs with one bit for each cannot be: n + 1 = 3 are needed
    runs = runs_of("disjointness-trivial", "-n", "2", "--all")
    for run in runs:
        run["messages"] = [{"sender": "bob", "bits": str(run["expected"])}]
    result = analyze(runs)
    assert result.exit_code == 1
    assert "CONTRADICTION: right on all pairs with 1 bit, below the lower bound n + 1 = 3" in squeezed(result.stdout)
    half = analyze(runs[:8])
    assert half.exit_code == 0
    assert "below the lower bound n + 1 = 3 (two-way, both know), on these inputs, which need" in squeezed(half.stdout)


def test_more_bits_than_declared_are_refuted() -> None:
    (run,) = runs_of("equality-trivial", "--alice", "10", "--bob", "10")
    run["declared"] = 2
    result = analyze([run])
    assert result.exit_code == 1
    assert "worst 3 MORE THAN the declared 2" in squeezed(result.stdout)


def test_a_tampered_transcript_is_named_by_its_line() -> None:
    first, second = runs_of("equality-trivial", "-n", "2", "--sample", "2")
    for change, said in (
        ({"expected": 1 - second["expected"]}, "it says f = "),
        ({"correct": False}, "it says correct = False of the output"),
        ({"sizes": {"k": 2}}, "there is no size k to set besides n: it has none"),
        ({"x": "102"}, "cannot read '102'"),
        ({"x": "1"}, "has length 1, but n = 2"),
        ({"problem": "equalty"}, "no problem is called 'equalty'; did you mean equality?"),
        ({"messages": [{"sender": "carol", "bits": "1"}]}, "sender"),
        ({"messages": [{"sender": "alice", "bits": "1x"}]}, "a message must be zeros and ones"),
        ({"format": "something else"}, "format"),
        ({"n": 0}, "n"),
    ):
        result = analyze([first, second | change])
        assert (result.exit_code, result.stdout) == (2, "")
        (line,) = result.stderr.splitlines()
        assert line.startswith("commsim: stdin, line 2: ") and said in line


def test_a_long_histogram_is_cut_short() -> None:
    # runs of 60 lengths
    (run,) = runs_of("equality-trivial", "--alice", "10", "--bob", "10")
    runs = [
        run | {"declared": None, "messages": [{"sender": "alice", "bits": "1" * length}]} for length in range(1, 61)
    ]
    result = analyze(runs)
    assert "36 more; --json has all" in squeezed(result.stdout)
    assert len(json.loads(analyze(runs, "--json").stdout)["histogram"]) == 60
