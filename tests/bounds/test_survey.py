"""The survey: its bounds exclude nothing that is true, its chain is held, and what did not fit is said."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from brute import depth_by_definition, matrix_of, oracle, planted
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from commsim.arrays import Integers
from commsim.bounds.bound import METHODS, Bound, Contradiction, Survey
from commsim.bounds.survey import survey
from commsim.given import matrix_problem, tree_protocol
from commsim.matrix import CommunicationMatrix
from commsim.problem import Disjointness, KnownBound
from commsim.registry import problems
from commsim.verify import verify

matrices = arrays(np.int64, array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=4), elements=st.integers(0, 2))


def surveyed(entries: Integers, **options: Any) -> Survey:
    return survey(CommunicationMatrix.from_array(entries), **options)


@settings(max_examples=40)
@given(matrices)
def test_d_is_found_with_certificates_for_both_sides(entries: Integers) -> None:
    found = surveyed(entries).quantities["deterministic"]
    assert found.exact
    assert found.lower is not None
    assert found.lower.value == depth_by_definition(entries)
    if found.lower.value:
        assert found.lower.evidence is not None
    assert found.upper is not None
    assert found.upper.evidence is not None


@pytest.mark.parametrize(
    "case", oracle("small_functions")["functions"], ids=lambda case: f"{case['function']} {case['n']}"
)
def test_the_oracles_in_one_survey(case: dict[str, Any]) -> None:
    found = surveyed(matrix_of(case["function"], case["n"]))

    def exact(quantity: str) -> Any:
        known = found.quantities[quantity]
        assert known.exact
        assert known.lower is not None
        return known.lower.value

    assert exact("deterministic") == case["D_both_know"]
    assert exact("one-way from alice") == case["one_way_bob_outputs"]
    assert exact("rank of 1") == case["rank_01"]
    for z in (0, 1):
        assert exact(f"fooling set of {z}") == case[f"max_fooling_set_{z}"]
        assert exact(f"cover of {z}") == case[f"min_cover_{z}"]
        assert exact(f"nondeterministic of {z}") == (case[f"min_cover_{z}"] - 1).bit_length()
    assert exact("discrepancy") == Fraction(case["uniform_discrepancy"])


@pytest.mark.parametrize("case", oracle("functions_n4")["functions"], ids=lambda case: case["function"])
def test_d_of_the_oracle_at_n_4(case: dict[str, Any]) -> None:
    found = surveyed(matrix_of(case["function"], 4), methods=("rank", "search")).quantities["deterministic"]
    assert found.exact
    assert found.lower is not None
    assert found.lower.value == case["D_both_know"]


@pytest.mark.parametrize("name", ["disjointness", "equality", "inner-product", "greater-than"])
def test_n_plus_1_bits_are_proved(name: str) -> None:
    for n in (6, 8):
        problem = problems()[name](n)
        found = survey(CommunicationMatrix.of(problem), problem, ("rank", "search")).quantities["deterministic"]
        assert found.exact
        assert found.lower is not None
        assert found.lower.value == n + 1
        assert found.lower.evidence is not None


@pytest.mark.parametrize(
    "problem", [kind for kind in problems().values() if kind.kind == "function"], ids=lambda kind: kind.name
)
def test_no_theorem_that_is_quoted_is_contradicted(problem: Any) -> None:
    instance = problem(2)
    found = survey(CommunicationMatrix.of(instance), instance, time_limit=20)
    assert found.quantities["deterministic"].exact  # and if a theorem were below or above, it would have been raised


def test_a_wrong_theorem_is_a_contradiction() -> None:
    class TooCheap(Disjointness):
        bounds = (KnownBound("two-way", "both", "<=", "n - 1", "nobody"),)

    with pytest.raises(Contradiction, match=r"deterministic is at least 4 by ranks.* but at most 2 by theorem"):
        survey(CommunicationMatrix.of(TooCheap(3)), TooCheap(3))


@pytest.mark.parametrize(
    ("smaller", "larger"),
    [
        ("fooling set of 1", "cover of 1"),
        ("cover of 1", "partition of 1"),
        ("rank of 1", "partition of 1"),
        ("nondeterministic of 0", "deterministic"),
        ("randomized", "deterministic"),
    ],
)
def test_the_chain(smaller: str, larger: str) -> None:
    found = Survey((2, 2), (2, 2), (0, 1))
    found.add(Bound(smaller, ">=", 5, "by mistake"))
    found.add(Bound(larger, "<=", 5, "by a proof"))
    found.check_chain()
    found.add(Bound(larger, "<=", 4, "by mistake"))
    with pytest.raises(Contradiction, match=f"{smaller} is at least 5, but {larger} at most 4"):
        found.check_chain()


def test_no_time_at_all() -> None:
    found = surveyed(matrix_of("EQ", 3), time_limit=0)
    assert found.out_of_time == set(METHODS) - {"known"}
    assert found.quantities == {}


def test_what_is_found_before_the_time_is_spent_is_kept() -> None:
    found = surveyed(planted(64, 64, 7, 5), methods=("rank", "search"), time_limit=5)
    assert found.out_of_time == {"search"}
    known = found.quantities["deterministic"]
    assert known.lower is not None
    assert known.upper is not None
    assert 6 <= known.lower.value <= 7 <= known.upper.value


def test_what_does_not_fit_is_said() -> None:
    found = surveyed(np.array([[0, 1], [1, 2]]))
    assert found.left_out == {
        "discrepancy": "it is of 0/1 matrices, and f has other values",
        "gamma2": "it is of 0/1 matrices, and f has other values",
    }


@pytest.mark.parametrize("methods", [("search",), ("one-way", "search"), METHODS[:3] + METHODS[-1:]])
def test_a_large_matrix_of_few_kinds_of_lines(methods: tuple[str, ...]) -> None:
    # AND, each line 1,100 times: too large to write the trivial protocol out
    found = surveyed(np.tile([[0, 0], [0, 1]], (1100, 1100)), methods=methods)
    assert found.distinct == (2, 2)
    assert found.quantities["deterministic"].exact
    assert found.lower("deterministic") == 2


def test_a_theorem_does_not_keep_the_search_from_finding_a_protocol() -> None:
    problem = Disjointness(3)
    found = survey(CommunicationMatrix.of(problem), problem, ("known", "search")).quantities["deterministic"]
    protocol = found.best("<=", certified=True)
    assert protocol is not None
    assert protocol.value == 4


def test_a_method_alone() -> None:
    found = surveyed(matrix_of("EQ", 2), methods=("discrepancy",))
    assert set(found.quantities) == {"discrepancy", "randomized"}


@settings(max_examples=30)
@given(matrices)
def test_the_tree_found_is_a_protocol_that_is_right_and_costs_d(entries: Integers) -> None:
    found = surveyed(entries, methods=("rank", "search")).quantities["deterministic"].upper
    assert found is not None
    assert found.evidence is not None
    protocol = tree_protocol(entries.tolist(), found.evidence["tree"])
    size = max(1, (max(entries.shape) - 1).bit_length())
    verified = verify(protocol(size))  # its cost is the number of bits that crossed
    assert verified.wrong == 0
    assert verified.cost == found.value


def test_a_given_matrix_is_a_problem_of_one_size() -> None:
    problem = matrix_problem([[0, 1, 2], [3, 4, 5]])(2)
    assert problem.pairs == 6
    assert CommunicationMatrix.of(problem).entries().tolist() == [[0, 1, 2], [3, 4, 5]]
