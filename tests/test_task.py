"""The sequence tasks: cases by hand, plain brute force against the fast path, and refusals that name the token."""

import json
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from commsim.arrays import Array
from commsim.errors import InputError
from commsim.task import Match2, Match3, QSparseAveraging, SequenceTask, TokenError


def qsa_tokens(task: QSparseAveraging, z: Any, y: Any) -> Array:
    tokens = np.zeros(task.length, task.dtype)
    tokens["z"] = np.array(z, dtype=float).reshape(task.length, task.parameters["d"])
    tokens["y"] = y
    return tokens


@st.composite
def qsa_instances(draw: st.DrawFn) -> tuple[QSparseAveraging, Array]:
    """Any floats that are in the unit ball beyond doubt, 1e-300 and 0.1 among them."""
    length, d = draw(st.integers(1, 6)), draw(st.integers(1, 3))
    q = draw(st.integers(1, length))
    coordinates = st.floats(-0.5, 0.5) | st.sampled_from([1.0, -1.0] if d == 1 else [0.25])
    z = draw(st.lists(coordinates, min_size=length * d, max_size=length * d))
    sets = st.sets(st.integers(1, length), min_size=q, max_size=q).map(sorted)
    y = draw(st.lists(sets, min_size=length, max_size=length))
    task = QSparseAveraging(length, q, d)
    return task, qsa_tokens(task, z, y)


@st.composite
def match_instances(draw: st.DrawFn) -> tuple[int, int, list[int]]:
    """N, M and tokens; small and large moduli, small numbers and their opposites so that matches are common."""
    modulus = draw(st.integers(1, 12) | st.integers(13, 2**61) | st.just(2**61))
    near = st.integers(1, min(6, modulus))
    token = near | near.map(lambda x: modulus - x + 1) | st.integers(1, modulus)
    tokens = draw(st.lists(token, min_size=1, max_size=8))
    return len(tokens), modulus, tokens


def match2_by_hand(tokens: list[int], modulus: int) -> list[bool]:
    return [any((x + y) % modulus == 0 for y in tokens) for x in tokens]


def match3_by_hand(tokens: list[int], modulus: int) -> list[bool]:
    return [any((x + y + z) % modulus == 0 for y in tokens for z in tokens) for x in tokens]


# q-sparse averaging


def test_averages_by_hand() -> None:
    task = QSparseAveraging(4, 3)
    tokens = qsa_tokens(task, [1, -1, 0.5, -1], [[1, 2, 3], [1, 2, 4], [2, 3, 4], [1, 3, 4]])
    outputs = task.evaluate(tokens)
    assert outputs.shape == (4, 1)
    assert outputs[:, 0].tolist() == [Fraction(1, 6), Fraction(-1, 3), Fraction(-1, 2), Fraction(1, 6)]


def test_averages_are_exact_where_floats_are_not() -> None:
    # 0.1 + 0.2 is not the float 0.3, and 2^-1074 vanishes beside 1 in any float
    task = QSparseAveraging(4, 2)
    tokens = qsa_tokens(task, [0.1, 0.2, 1.0, 2.0**-1074], [[1, 2], [3, 4], [1, 2], [1, 2]])
    outputs = task.evaluate(tokens, [1, 2])
    assert outputs[0, 0] == (Fraction(0.1) + Fraction(0.2)) / 2
    assert outputs[1, 0] == Fraction(1, 2) + Fraction(1, 2**1075)


def test_averages_of_vectors_at_chosen_positions_of_a_batch() -> None:
    task = QSparseAveraging(2, 1, 2)
    tokens = np.zeros((3, 2), task.dtype)
    tokens["y"] = [[[2], [1]], [[1], [2]], [[2], [2]]]
    tokens["z"] = [[[0, 1], [0.5, 0]], [[0, -1], [0.5, 0]], [[0, 1], [0.25, 0.75]]]
    assert task.evaluate(tokens, [2]).tolist() == [[[0, 1]], [[0.5, 0]], [[0.25, 0.75]]]
    assert task.evaluate(tokens, [2, 1])[2].tolist() == [[0.25, 0.75], [0.25, 0.75]]
    assert task.evaluate(tokens[0], [2]).tolist() == [[0, 1]]


@given(qsa_instances())
def test_averages_agree_with_fractions(instance: tuple[QSparseAveraging, Array]) -> None:
    task, tokens = instance
    task.check(tokens)
    z = [[Fraction(value) for value in row] for row in tokens["z"].tolist()]
    expected = [
        [sum(z[position - 1][c] for position in y) / len(y) for c in range(task.parameters["d"])]
        for y in tokens["y"].tolist()
    ]
    assert task.evaluate(tokens).tolist() == expected


def test_disjointness_of_two_pairs() -> None:
    # q = 2, a = 11 so y_5 = {2, 4}, b = 01: they meet in one of two places, hence 2 * 1/2 - 1 = 0
    task = QSparseAveraging(5, 2)
    tokens = qsa_tokens(task, [-1, -1, -1, 1, -1], [[1, 2], [1, 2], [1, 2], [1, 2], [2, 4]])
    assert task.evaluate(tokens, [5]).tolist() == [[0]]


# Match2 and Match3


def test_match2_by_hand() -> None:
    # modulo 6: 1 + 5 and 3 + 3 and 6 + 6; nothing goes with 2
    assert Match2(5, 6).evaluate(np.array([1, 5, 3, 2, 6])).tolist() == [True, True, True, False, True]


def test_match3_by_hand() -> None:
    # modulo 7: 1 + 1 + 5; 6 would need a pair that sums to 1, and the pairs of 1, 5, 6 sum to 2, 6, 0, 3, 4, 5
    assert Match3(3, 7).evaluate(np.array([1, 5, 6])).tolist() == [True, True, False]


def test_one_token_may_be_used_thrice() -> None:
    assert Match3(1, 9).evaluate(np.array([3])).tolist() == [True]
    assert Match3(1, 9).evaluate(np.array([2])).tolist() == [False]
    assert Match2(1, 4).evaluate(np.array([2])).tolist() == [True]


def test_modulus_itself_counts_as_zero() -> None:
    for task in (Match2(2, 2**61), Match3(2, 2**61)):
        assert task.evaluate(np.array([2**61, 1])).tolist() == [True, False]


def test_disjointness_to_match3_by_hand() -> None:
    # n = 2, M = 6: (1; 5, 2; 6, 3) says that both sets are full, (1; 5, 1; 1, 3) that they are {1} and {2}
    task = Match3(5, 6)
    assert task.evaluate(np.array([[1, 5, 2, 6, 3], [1, 5, 1, 1, 3]]), [1]).tolist() == [[True], [False]]


@given(match_instances())
def test_matches_agree_with_loops(instance: tuple[int, int, list[int]]) -> None:
    length, modulus, tokens = instance
    array = np.array(tokens)
    assert Match2(length, modulus).evaluate(array).tolist() == match2_by_hand(tokens, modulus)
    assert Match3(length, modulus).evaluate(array).tolist() == match3_by_hand(tokens, modulus)


@pytest.mark.parametrize("modulus", [1, 5, 40, 2**40, 2**61])
@pytest.mark.parametrize(("task_class", "by_hand"), [(Match2, match2_by_hand), (Match3, match3_by_hand)])
def test_every_instance_of_a_batch_is_its_own(task_class: Any, by_hand: Any, modulus: int) -> None:
    generator = np.random.default_rng(7)
    low = generator.integers(1, min(modulus, 30) + 1, (200, 6))
    batch = np.where(generator.random((200, 6)) < 0.5, low, modulus + 1 - low)
    outputs = task_class(6, modulus).evaluate(batch.reshape(20, 10, 6), [6, 1])
    assert outputs.shape == (20, 10, 2)
    expected = [by_hand(row, modulus) for row in batch.tolist()]
    assert outputs.reshape(200, 2).tolist() == [[row[5], row[0]] for row in expected]


@pytest.mark.parametrize("modulus", [700, 90_000])
def test_match3_longer_than_one_chunk(modulus: int) -> None:
    # 300 positions times 300 tokens exceed what is looked up at once
    tokens = np.random.default_rng(3).integers(1, modulus + 1, 300)
    sums = {(x + y) % modulus for x in tokens.tolist() for y in tokens.tolist()}
    expected = [-x % modulus in sums for x in tokens.tolist()]
    assert Match3(300, modulus).evaluate(tokens).tolist() == expected


@pytest.mark.parametrize("task", [Match2(3, 5), Match3(3, 5), QSparseAveraging(3, 2, 4)])
def test_empty_batches_and_no_positions(task: SequenceTask) -> None:
    output = (4,) if task.name == "qsa" else ()
    assert task.evaluate(np.zeros((0, 3), task.dtype)).shape == (0, 3, *output)
    assert task.evaluate(np.ones((2, 3), task.dtype), []).shape == (2, 0, *output)
    task.check(np.zeros((0, 3), task.dtype))
    task.check(np.zeros((0,), task.dtype), [])


# the domain


@pytest.mark.parametrize("task", [Match2(4, 6), Match3(4, 6)])
def test_match_tokens_outside_the_range(task: SequenceTask) -> None:
    task.check(np.array([1, 6, 3, 3]))
    for tokens, position, holds in (
        ([1, 2, 0, 9], 3, "x = 0"),
        ([1, 2, 3, 7], 4, "x = 7"),
        ([-1, 0, 3, 7], 1, "x = -1"),
    ):
        with pytest.raises(TokenError, match=rf"token {position} holds {holds}: must lie in 1\.\.6") as caught:
            task.check(np.array(tokens))
        assert caught.value.position == position


def test_tokens_of_one_party_keep_their_positions() -> None:
    task = Match3(9, 6)
    task.check(np.array([1, 2]), [2, 8])
    with pytest.raises(TokenError, match="token 8 holds x = 7") as caught:
        task.check(np.array([1, 7]), [2, 8])
    assert caught.value.position == 8


def test_first_offender_of_a_batch() -> None:
    with pytest.raises(TokenError, match="token 3 of instance 2 in the batch holds x = 0") as caught:
        Match2(3, 5).check(np.array([[1, 2, 3], [1, 2, 0], [0, 0, 0]]))
    assert caught.value.position == 3


@pytest.mark.parametrize(
    ("y", "fault"),
    [
        ([2, 2], "y = {2, 2}: y repeats 2, must be a set of 2 different positions"),
        ([3, 1], "y = {3, 1}: y must be in increasing order, but 1 follows 3"),
        ([0, 2], r"y = {0, 2}: position 0 in y does not exist, must lie in 1\.\.5"),
        ([1, 6], r"y = {1, 6}: position 6 in y does not exist, must lie in 1\.\.5"),
    ],
)
def test_sets_that_are_none(y: list[int], fault: str) -> None:
    task = QSparseAveraging(5, 2)
    tokens = qsa_tokens(task, [0] * 5, [[1, 5]] * 5)
    task.check(tokens)
    tokens["y"][3] = y
    with pytest.raises(TokenError, match=f"token 4 holds z = 0, {fault}") as caught:
        task.check(tokens)
    assert caught.value.position == 4


@pytest.mark.parametrize(
    ("z", "inside"),
    [
        ([1.0], True),
        ([-1.0], True),
        ([np.nextafter(1.0, 2.0)], False),
        ([np.nextafter(1.0, 0.0)], True),
        ([np.nan], False),
        ([-np.inf], False),
        ([0.0, -1.0], True),
        # the float 0.6 is less than 3/5 by 2.2e-17 and the float 0.8 more than 4/5 by 4.4e-17: 1 + 4.4e-17 in all
        ([0.6, 0.8], False),
        ([0.6, np.nextafter(0.8, 0.0)], True),
        ([np.nextafter(0.6, 0.0), 0.8], True),
        ([-0.8, 0.6], False),
        ([1.0, 2.0**-1074], False),
        ([np.nextafter(1.0, 0.0), 2.0**-27], True),  # (1 - 2^-53)^2 + 2^-54 = 1 - 2^-52 + 2^-106 + 2^-54
        ([np.nextafter(1.0, 0.0), 2.0**-26], False),  # the same with 2^-52: 1 + 2^-106
        ([0.5, 0.5, 0.5, 0.5], True),
        ([0.5, 0.5, 0.5, np.nextafter(0.5, 1.0)], False),
        ([1e200, 0.0], False),
        ([np.nan, 0.0], False),
        ([2.0**-540, 0.0], True),
    ],
)
def test_the_unit_ball_is_closed_and_exact(z: list[float], inside: bool) -> None:
    task = QSparseAveraging(3, 1, len(z))
    tokens = qsa_tokens(task, [[0.0] * len(z), z, [0.0] * len(z)], 1)
    if inside:
        task.check(tokens)
    else:
        with pytest.raises(TokenError, match=r"token 2 holds .*: z must lie in the closed unit ball") as caught:
            task.check(tokens)
        assert caught.value.position == 2


@given(st.lists(st.floats(-1, 1), min_size=2, max_size=5), st.integers(-2, 2))
def test_the_unit_ball_near_the_sphere(direction: list[float], ulps: int) -> None:
    vector = np.array(direction)
    norm = float(np.linalg.norm(vector))
    if norm < 1e-3:
        return
    vector = vector / norm * (1 + ulps * 2.0**-53)
    task = QSparseAveraging(1, 1, len(vector))
    tokens = qsa_tokens(task, [vector], 1)
    try:
        task.check(tokens)
        accepted = True
    except TokenError:
        accepted = False
    assert accepted == (sum(Fraction(value) ** 2 for value in vector.tolist()) <= 1)


@pytest.mark.parametrize(
    ("tokens", "message"),
    [
        (np.array([1.0, 2.0]), r"tokens of Match2\(N=2, M=5\) must be an array of dtype int64, not float64"),
        ([1, 2], "not list"),
        (np.array([1, 2, 3]), r"the last axis must hold 2 tokens; the array has shape \(3,\)"),
        (np.array(1), r"has shape \(\)"),
    ],
)
def test_arrays_of_the_wrong_kind(tokens: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Match2(2, 5).check(tokens)
    with pytest.raises(InputError, match=message):
        Match2(2, 5).evaluate(tokens)


@pytest.mark.parametrize("task", [Match2(2, 5), QSparseAveraging(2, 1)])
def test_positions_that_do_not_exist(task: SequenceTask) -> None:
    tokens = np.ones(2, task.dtype)
    for positions in ([0], [1, 3], [-1]):
        with pytest.raises(InputError, match=rf"position {positions[-1]} does not exist: must lie in 1\.\.2"):
            task.evaluate(tokens, positions)
    with pytest.raises(InputError, match="must be a list of integers"):
        task.evaluate(tokens, [1.5])  # type: ignore[list-item]


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: QSparseAveraging(3, 4), r"q must be in 1\.\.3, not 4"),
        (lambda: QSparseAveraging(3, 0), r"q must be in 1\.\.3, not 0"),
        (lambda: QSparseAveraging(0, 1), "N must be at least 1, not 0"),
        (lambda: QSparseAveraging(3, 1, 0), "d must be at least 1, not 0"),
        (lambda: Match2(0, 5), "N must be at least 1, not 0"),
        (lambda: Match3(2, 0), r"M must be in 1\.\.2305843009213693952, not 0"),
        (lambda: Match3(2, 2**61 + 1), "not 2305843009213693953"),
    ],
)
def test_sizes_out_of_range(build: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        build()


# text and JSON


def test_tokens_in_words() -> None:
    pair = QSparseAveraging(6, 3)
    tokens = qsa_tokens(pair, [-1, 0.5, 0.1, 1, 0, 1e-30], [[2, 3, 6]] * 6)
    assert [pair.describe_token(token).split(",")[0] for token in tokens] == [
        "z = -1", "z = 0.5", "z = 0.1", "z = 1", "z = 0", "z = 1e-30",
    ]  # fmt: skip
    assert pair.describe_token(tokens[0]) == "z = -1, y = {2, 3, 6}"
    plane = QSparseAveraging(2, 1, 2)
    assert plane.describe_token(qsa_tokens(plane, [0, 0.25, 0, 0], 2)[0]) == "z = (0, 0.25), y = {2}"
    assert Match3(2, 9).describe_token(np.int64(5)) == "x = 5"


def test_names_and_parameters() -> None:
    task = QSparseAveraging(17, 8)
    assert (task.name, task.length, task.parameters) == ("qsa", 17, {"N": 17, "q": 8, "d": 1})
    assert repr(task) == "QSparseAveraging(N=17, q=8, d=1)"
    assert (Match2.name, Match3.name, Match3(4, 9).parameters) == ("match2", "match3", {"N": 4, "M": 9})


@given(qsa_instances())
def test_qsa_survives_json(instance: tuple[QSparseAveraging, Array]) -> None:
    task, tokens = instance
    assert task.from_json(json.loads(json.dumps(task.to_json(tokens)))).tobytes() == tokens.tobytes()


@given(match_instances())
def test_match_survives_json(instance: tuple[int, int, list[int]]) -> None:
    length, modulus, tokens = instance
    task = Match3(length, modulus)
    assert task.to_json(np.array(tokens)) == tokens
    assert task.from_json(json.loads(json.dumps(tokens))).tolist() == tokens


def test_qsa_json_by_hand() -> None:
    task = QSparseAveraging(2, 1, 2)
    data = [{"z": [0.5, -0.5], "y": [2]}, {"z": [0, 1], "y": [1]}]
    tokens = task.from_json(data)
    assert tokens["z"].tolist() == [[0.5, -0.5], [0.0, 1.0]]
    assert tokens["y"].tolist() == [[2], [1]]
    assert task.to_json(tokens) == data


def test_a_batch_is_not_one_sequence() -> None:
    with pytest.raises(InputError, match=r"not a batch of shape \(3,\)"):
        Match2(2, 5).to_json(np.ones((3, 2), dtype=np.int64))


@pytest.mark.parametrize(
    ("item", "message"),
    [
        ("5", "token 2 must be an integer in 1..6, not '5'"),
        (True, "token 2 must be an integer in 1..6, not True"),
        (2.0, "token 2 must be an integer in 1..6, not 2.0"),
        (10**30, "token 2 must be an integer in 1..6, not 1000"),
        (7, "token 2 holds x = 7"),
    ],
)
def test_malformed_match_json(item: Any, message: str) -> None:
    with pytest.raises(TokenError, match=message) as caught:
        Match3(3, 6).from_json([1, item, "also wrong"] if item != 7 else [1, item, 3])
    assert caught.value.position == 2


@pytest.mark.parametrize(
    ("item", "message"),
    [
        (7, "must be an object with z and y, not 7"),
        ({"z": [0.0]}, "must be an object with z and y"),
        ({"z": [0.0], "y": [1, 2], "i": 3}, "must be an object with z and y"),
        ({"z": 0.0, "y": [1, 2]}, r"must have as z a list of 1 floats, not 0\.0"),
        ({"z": [0.0, 0.0], "y": [1, 2]}, "must have as z a list of 1 floats"),
        ({"z": ["0"], "y": [1, 2]}, "must have as z a list of 1 floats"),
        ({"z": [10**400], "y": [1, 2]}, "must have as z a list of 1 floats"),
        ({"z": [0.0], "y": [1]}, r"must have as y a list of 2 integers, not \[1\]"),
        ({"z": [0.0], "y": [1, 2.0]}, "must have as y a list of 2 integers"),
        ({"z": [0.0], "y": [1, 10**30]}, "must have as y a list of 2 integers"),
        ({"z": [0.0], "y": [2, 2]}, "y repeats 2"),
        ({"z": [float("nan")], "y": [1, 2]}, "z must lie in the closed unit ball"),
    ],
)
def test_malformed_qsa_json(item: Any, message: str) -> None:
    good = {"z": [0.0], "y": [1, 2]}
    with pytest.raises(TokenError, match=f"token 2 .*{message}") as caught:
        QSparseAveraging(3, 2).from_json([good, item, good])
    assert caught.value.position == 2


def test_json_of_the_wrong_length() -> None:
    with pytest.raises(InputError, match="the tokens must be a list of 3, not a list of 2"):
        Match2(3, 5).from_json([1, 2])
    with pytest.raises(InputError, match="the tokens must be a list of 3, not dict"):
        Match2(3, 5).from_json({})  # type: ignore[arg-type]
