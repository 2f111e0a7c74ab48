"""The checker: it accepts what was found, refuses every change and every forgery, and knows nothing of the searches."""

import ast
import json
from collections.abc import Iterator
from copy import deepcopy
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from brute import ORACLES, matrix_of, planted
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

import commsim.certificate as checker
from commsim.bounds.survey import certificate_record, survey
from commsim.certificate import Refused, certificate, check
from commsim.matrix import CommunicationMatrix

SCHEMA = json.loads((ORACLES.parents[1] / "docs/reference/certificate.schema.json").read_text(encoding="utf-8"))
MATRICES = {
    "disjointness": matrix_of("DISJ", 2),
    "greater-than": matrix_of("GT (x > y)", 3),
    "planted": planted(8, 9, 3, 4),
    "three values": planted(7, 6, 3, 1, values=3),
    "constant": np.full((2, 3), 7),
    "cover by weights": matrix_of("EQ", 3),
    "randomized by weights": matrix_of("IP", 4)[1:11, 1:11],
    "needs a search": planted(9, 9, 4, 245),
}


@cache
def record_of(name: str) -> Any:
    """A certificate, as it comes out of a file."""
    entries = MATRICES[name]
    found = survey(CommunicationMatrix.from_array(entries))
    return json.loads(json.dumps(certificate_record(found, entries.tolist())))


@pytest.fixture(scope="module", params=MATRICES)
def certified(request: pytest.FixtureRequest) -> tuple[Any, list[list[int]]]:
    return record_of(request.param), MATRICES[request.param].tolist()


def test_what_was_found_is_accepted(certified: tuple[Any, list[list[int]]]) -> None:
    record, matrix = certified
    claims = check(record, matrix)
    assert len(claims) == len(record["claims"]) > 0
    assert any(claim.startswith("deterministic <= ") for claim in claims)


def test_each_kind_of_evidence_occurs() -> None:
    assert {evidence["kind"] for record in map(record_of, MATRICES) for evidence in record["evidence"]} == set(
        checker._KINDS
    )
    nodes = [node for evidence in record_of("needs a search")["evidence"] for node in evidence.get("nodes", [])]
    assert any(split["circuits"] for node in nodes for split in node["splits"])


def test_it_has_the_published_form(certified: tuple[Any, list[list[int]]]) -> None:
    record, _ = certified
    Draft202012Validator.check_schema(SCHEMA)
    Draft202012Validator(SCHEMA).validate(record)


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths to everything in a record."""
    if path:
        yield path
    below = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in below:
        yield from places(inner, (*path, key))


def changes(value: Any) -> list[Any]:
    """Other values of a field."""
    if isinstance(value, bool) or value is None:
        return [7, "x"]
    if isinstance(value, int):
        return [value + 1, value - 1, -value - 2, str(value), value + 0.5, None, 2**70]
    if isinstance(value, str):
        return [value + "0", "", 0]
    if isinstance(value, list):
        return [[], value[1:], [*value, *value], 0] if value else [[0], 0]
    return [{}, {**value, "more": 0}, dict(list(value.items())[1:])]


def changed(record: Any, path: tuple[Any, ...], to: Any) -> Any:
    copy = deepcopy(record)
    inner = copy
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = to
    return copy


@given(st.data())
def test_any_single_change_is_refused(certified: tuple[Any, list[list[int]]], data: st.DataObject) -> None:
    record, matrix = certified
    path = data.draw(st.sampled_from(list(places(record))))
    value = record
    for key in path:
        value = value[key]
    to = data.draw(st.sampled_from([other for other in changes(value) if other != value]))
    with pytest.raises(Refused):
        check(changed(record, path, to), matrix)


def test_any_other_claim_is_refused_even_if_signed_anew(certified: tuple[Any, list[list[int]]]) -> None:
    record, matrix = certified
    for claim in record["claims"]:
        evidence = [record["evidence"][claim["evidence"]]]
        alone = {**claim, "evidence": 0}
        assert len(check(certificate(matrix, [alone], evidence), matrix)) == 1
        for field in claim:
            for to in changes(alone[field]):
                with pytest.raises(Refused):
                    check(certificate(matrix, [{**alone, field: to}], evidence), matrix)


@given(st.data())
def test_changed_evidence_signed_anew_never_proves_something_else(
    certified: tuple[Any, list[list[int]]], data: st.DataObject
) -> None:
    # a changed fooling set, say, may still be one; then what it proves is no more than what was proved before
    record, matrix = certified
    number = data.draw(st.integers(0, len(record["evidence"]) - 1))
    path = data.draw(st.sampled_from(list(places(record["evidence"][number]))))
    value = record["evidence"][number]
    for key in path:
        value = value[key]
    to = data.draw(st.sampled_from(changes(value)))
    evidence = changed(record["evidence"][number], path, to)
    try:
        proven = checker._proven(evidence, matrix)
    except (Refused, *JUNK):
        return
    best = {(claim["quantity"], claim["relation"]): Fraction(claim["value"]) for claim in record["claims"]}
    for (quantity, relation), bound in proven.items():
        opposite = best.get((quantity, "<=" if relation == ">=" else ">="))
        if opposite is not None:
            assert bound <= opposite if relation == ">=" else bound >= opposite


JUNK = (KeyError, TypeError, ValueError, IndexError, AttributeError, ArithmeticError)


def test_it_is_about_one_matrix(certified: tuple[Any, list[list[int]]]) -> None:
    record, matrix = certified
    for row in range(len(matrix)):
        other = deepcopy(matrix)
        other[row][0] ^= 1
        with pytest.raises(Refused, match="another matrix"):
            check(record, other)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
)


@given(json_values)
def test_anything_else_is_refused(record: Any) -> None:
    with pytest.raises(Refused):
        check(record, [[0, 1]])


@given(
    st.sampled_from(sorted(checker._KINDS)),
    st.dictionaries(st.sampled_from(["z", "pairs", "minors", "rows", "columns"]), json_values),
)
def test_so_is_evidence_that_is_none(kind: str, fields: dict[str, Any]) -> None:
    matrix = [[0, 1], [1, 1]]
    claims = [{"quantity": "deterministic", "relation": ">=", "value": "3", "evidence": 0}]
    with pytest.raises(Refused):
        check(certificate(matrix, claims, [{"kind": kind, **fields}]), matrix)


def refutation(*nodes: dict[str, Any]) -> dict[str, Any]:
    return {"kind": "refutation", "nodes": list(nodes)}


def node(rows: list[int], columns: list[int], depth: Any, *splits: Any) -> dict[str, Any]:
    return {"rows": rows, "columns": columns, "depth": depth, "splits": list(splits)}


def split(of: str, case: Any, circuits: Any = ()) -> dict[str, Any]:
    return {"of": of, "circuits": list(circuits), "case": case}


def semidefinite(q: int, shift: int) -> dict[str, Any]:
    lines = {"rows": [0], "columns": [0]}
    return {"kind": "semidefinite", **lines, "q": [[q]], "a": [1], "b": [1], "factor": [[0], [0]], "shift": shift}


ONE_LINE = {"line": 0, "first": None, "second": None}
AND = [[0, 0], [0, 1]]
LEAST = -(2**63)

FORGERIES = {
    "a value that only looks like one": ({"kind": "rectangles", "z": "0", "rectangles": []}, "'0' is not a value"),
    "a value that does not occur": ({"kind": "rectangles", "z": 7, "rectangles": []}, "7 is not a value"),
    "a value that is a bool": ({"kind": "fooling set", "z": True, "pairs": []}, "True is not a value"),
    "a value that writes lines": ({"kind": "fooling set", "z": "1 >= 0\nholds", "pairs": []}, "is not a value"),
    "weights of a value that is none": (
        {"kind": "rectangle weights", "z": 1.0, "rows": [1], "columns": [1], "weights": [[1]], "scale": 1},
        "1.0 is not a value",
    ),
    "a minor of a value that is none": (
        {"kind": "minors", "minors": [{"z": "1", "prime": 3, "rows": [], "columns": []}]},
        "'1' is not a value",
    ),
    "a leaf that is no integer": ({"kind": "protocol tree", "tree": {"value": False}}, "a leaf says False"),
    "a fooling set of entries in one rectangle": (
        {"kind": "fooling set", "z": 0, "pairs": [[0, 0], [0, 1]]},
        "fit into one rectangle",
    ),
    "one entry twice": ({"kind": "fooling set", "z": 1, "pairs": [[1, 1], [1, 1]]}, "fit into one rectangle"),
    "an entry of another value": ({"kind": "fooling set", "z": 1, "pairs": [[0, 1]]}, "is 0, not 1"),
    "an entry outside": ({"kind": "fooling set", "z": 1, "pairs": [[-1, -1]]}, "there is no row -1"),
    "a singular minor": (
        {"kind": "minors", "minors": [{"z": 1, "prime": 3, "rows": [0, 1], "columns": [0, 1]}]},
        "0 modulo 3",
    ),
    "a modulus that is no prime": (
        {"kind": "minors", "minors": [{"z": 1, "prime": 4, "rows": [1], "columns": [1]}]},
        "not a prime",
    ),
    "one value twice": (
        {"kind": "minors", "minors": 2 * [{"z": 1, "prime": 3, "rows": [1], "columns": [1]}]},
        "two minors for the value 1",
    ),
    "rectangles that miss an entry": (
        {"kind": "rectangles", "z": 0, "rectangles": [{"rows": [0], "columns": [0, 1]}]},
        r"no rectangle holds \(1, 0\)",
    ),
    "a rectangle of two values": (
        {"kind": "rectangles", "z": 0, "rectangles": [{"rows": [0, 1], "columns": [0, 1]}]},
        r"holds \(1, 1\), where f is 1",
    ),
    "a leaf of two values": ({"kind": "protocol tree", "tree": {"value": 0}}, r"a leaf says 0 at \(1, 1\)"),
    "a party that tells the other's line": (
        {
            "kind": "protocol tree",
            "tree": {"owner": "alice", "zero": [5], "children": [{"value": 0}, {"value": 0}]},
        },
        "not among those that get to the node",
    ),
    "equal lines in two classes": (
        {"kind": "line classes", "of": "rows", "classes": [0, 0]},
        "line 1 differs from another of its class",
    ),
    "two values that are one": ({"kind": "two values", "first": [0, 0], "second": [0, 1]}, "the same"),
    "a constant submatrix needs no split": (
        refutation(node([0], [0], 5, split("rows", ONE_LINE), split("columns", ONE_LINE))),
        "f is constant there",
    ),
    "a depth that is no integer": (refutation(node([0, 1], [0, 1], 1.5)), "a depth is an integer"),
    "splits that are left out": (refutation(node([0, 1], [0, 1], 2)), "must go through the splits"),
    "a branch that ends too soon": (
        refutation(node([0, 1], [0, 1], 2, split("rows", None), split("columns", None))),
        "the ranks leave enough leaves",
    ),
    "a branch that refers to itself": (
        refutation(node([0, 1], [0, 1], 2, split("rows", 0), split("columns", 0))),
        "published form",
    ),
    "a circuit of independent lines": (
        refutation(node([0, 1], [0, 1], 2, split("rows", None, [[0, [0, 1]]]), split("columns", None))),
        "not minimally dependent",
    ),
    "weights that are too heavy": (
        {
            "kind": "monochromatic weights",
            "z": 0,
            "rows": [0, 1],
            "columns": [0, 1],
            "weights": [[1, 1], [1, 0]],
            "scale": 1,
        },
        "weighs more than the scale",
    ),
    "a weight on another value": (
        {
            "kind": "monochromatic weights",
            "z": 0,
            "rows": [0, 1],
            "columns": [0, 1],
            "weights": [[0, 1], [1, 1]],
            "scale": 2,
        },
        "0 where f is not 0",
    ),
    "a rectangle that is too heavy": (
        {"kind": "rectangle weights", "z": 1, "rows": [1], "columns": [1], "weights": [[9]], "scale": 8},
        "weighs more than the scale",
    ),
    "weights whose sums overflow": (
        {"kind": "rectangle weights", "z": 1, "rows": [1], "columns": [1], "weights": [[LEAST]], "scale": 1},
        "too large to add",
    ),
    "an indefinite block": (
        {
            "kind": "semidefinite",
            "rows": [0],
            "columns": [0],
            "q": [[5]],
            "a": [1],
            "b": [1],
            "factor": [[0], [0]],
            "shift": 0,
        },
        "not diagonally dominant",
    ),
    "numbers that overflow": (
        {
            "kind": "semidefinite",
            "rows": [0],
            "columns": [0],
            "q": [[LEAST]],
            "a": [1],
            "b": [1],
            "factor": [[0], [0]],
            "shift": 1,
        },
        "larger than 2\\^26",
    ),
    "a factorization that overflows": (
        {"kind": "factorization", "x": [[LEAST], [0]], "y": [[1], [1]], "shift": 0},
        "larger than 2\\^26",
    ),
    "a line twice": ({"kind": "unbalanced rectangle", "rows": [0, 0], "columns": [0]}, "named twice"),
    "a kind that is none": ({"kind": "authority"}, "no evidence is of the kind 'authority'"),
    "a field too many": ({"kind": "two values", "first": [0, 0], "second": [1, 1], "why": "so"}, "unexpected keyword"),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_forgeries(name: str) -> None:
    evidence, reason = FORGERIES[name]
    claims = [{"quantity": "deterministic", "relation": ">=", "value": "3", "evidence": 0}]
    with pytest.raises(Refused, match=reason):
        check(certificate(AND, claims, [evidence]), AND)


def test_a_refutation_by_hand() -> None:
    # AND has 3 leaves at least, so no protocol of one bit; for two bits no refutation can be accepted: D = 2
    claims = [{"quantity": "deterministic", "relation": ">=", "value": "2", "evidence": 0}]
    assert check(certificate(AND, claims, [refutation(node([0, 1], [0, 1], 1))]), AND) == ["deterministic >= 2"]


def test_nothing_claimed() -> None:
    with pytest.raises(Refused, match="claims nothing"):
        check(certificate(AND, [], []), AND)


def test_gamma_2_is_of_zeros_and_ones_everywhere() -> None:
    evidence = {**semidefinite(-1, 0), "rows": [0], "columns": [0]}
    claims = [{"quantity": "gamma_2", "relation": ">=", "value": "1", "evidence": 0}]
    with pytest.raises(Refused, match="zeros and ones"):
        check(certificate([[0, 1, 2]], claims, [evidence]), [[0, 1, 2]])
    assert check(certificate([[0, 1]], claims, [evidence]), [[0, 1]]) == ["gamma_2 >= 1"]


def test_entries_too_large_to_be_told_apart_in_floating_point() -> None:
    matrix = [[2**63, -1], [-1, 2**63 + 1]]
    claims = [{"quantity": "deterministic", "relation": ">=", "value": "1", "evidence": 0}]
    evidence = [{"kind": "two values", "first": [0, 0], "second": [1, 0]}]
    with pytest.raises(Refused, match="63 bits"):
        check(certificate(matrix, claims, evidence), matrix)


def test_a_refusal_is_one_short_line_of_ascii() -> None:
    claims = [{"quantity": "\ud800\n\x1b[2J" * 100, "relation": ">=", "value": "1", "evidence": 0}]
    evidence = [{"kind": "two values", "first": [0, 0], "second": [1, 1]}]
    with pytest.raises(Refused) as refused:
        check(certificate(AND, claims, evidence), AND)
    assert str(refused.value).isascii()
    assert str(refused.value).isprintable()
    assert len(str(refused.value)) < 200


def test_evidence_that_belongs_to_no_claim() -> None:
    claims = [{"quantity": "deterministic", "relation": ">=", "value": "1", "evidence": 0}]
    both = [{"kind": "two values", "first": [0, 0], "second": [1, 1]}] * 2
    with pytest.raises(Refused, match="each evidence belongs to a claim"):
        check(certificate(AND, claims, both), AND)


def test_the_checker_imports_nothing_of_the_searches() -> None:
    tree = ast.parse(Path(checker.__file__).read_text(encoding="utf-8"))
    imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    imported |= {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert imported == {"hashlib", "json", "math", "numpy", "collections.abc", "fractions", "typing"}
