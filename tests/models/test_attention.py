"""Attention: softmax and merging against plain floats, what the constructions promise, and how they split."""

import math
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from listed_tokens import ListedTokens, check_split, match3_instances, qsa_instances, shapes

from commsim.arrays import Array, Floats, Integers
from commsim.errors import InputError
from commsim.models.attention import (
    Attention,
    RandomEmbeddingAttention,
    ResidueAveragingAttention,
    attend,
    log_sum_format,
    merge,
)
from commsim.precision import FixedPoint
from commsim.shape import Shape
from commsim.task import Match3, QSparseAveraging

NUMBERS = st.floats(-30, 30)


class TwoHeads(Attention):
    """Two heads on q-SA with d = 2: one scores by the first coordinate, one by both; both average all of z."""

    solves = QSparseAveraging
    heads = 2
    width = 2
    value_width = 2
    format = FixedPoint(9, 5)
    mean_format = FixedPoint(5, 3)
    log_format = FixedPoint(9, 3)

    def __init__(self, task: QSparseAveraging, causal: bool) -> None:
        super().__init__(task)
        self.causal = causal

    def query(self, token: Array) -> Floats:
        z = self.format.quantize(token["z"])
        return np.stack([z * [4, 0], z * [2, -3]], axis=-2)

    def keys(self, tokens: Array, positions: Integers) -> Floats:
        z = self.format.quantize(tokens["z"])
        return np.stack([z * [1, 0], self.format.quantize(z / np.array(positions)[:, None])], axis=-2)

    def values(self, tokens: Array, positions: Integers) -> Floats:
        z = self.format.quantize(tokens["z"])
        return np.stack([z, z[..., ::-1]], axis=-2)

    def read_out(self, averages: Floats, query: Floats) -> Floats:
        return averages.reshape(*averages.shape[:-2], 4)

    def by_hand(self, tokens: Array, reader: int) -> list[float]:
        """The output in plain floats."""
        count = reader if self.causal else len(tokens)
        z = [[round(32 * value) / 32 for value in token["z"].tolist()] for token in tokens[:count]]
        (a, b), output = z[reader - 1], []
        shares = [[round(32 * value / place) / 32 for value in row] for place, row in enumerate(z, start=1)]
        scores = [[4 * a * row[0] for row in z], [2 * a * row[0] - 3 * b * row[1] for row in shares]]
        for head, values in enumerate([z, [[row[1], row[0]] for row in z]]):
            _, average = softmax(scores[head], values)
            output += average
        return output


def softmax(scores: list[float], values: list[list[float]]) -> tuple[float, list[float]]:
    """The log-sum-exp and the weighted average, as one writes them down."""
    weights = [math.exp(score) for score in scores]
    total = math.fsum(weights)
    columns = zip(*values, strict=True)
    return math.log(total), [math.fsum(w * v for w, v in zip(weights, c, strict=True)) / total for c in columns]


# softmax and merging


@st.composite
def heads(draw: st.DrawFn) -> tuple[list[list[float]], list[list[list[float]]]]:
    """Scores of shape (H, T) and values of shape (T, H, v)."""
    tokens, count, width = draw(st.integers(1, 5)), draw(st.integers(1, 3)), draw(st.integers(1, 3))
    row = st.lists(NUMBERS, min_size=tokens, max_size=tokens)
    value = st.lists(st.lists(NUMBERS, min_size=width, max_size=width), min_size=count, max_size=count)
    scores = draw(st.lists(row, min_size=count, max_size=count))
    return scores, draw(st.lists(value, min_size=tokens, max_size=tokens))


@given(heads())
def test_softmax_against_plain_floats(given_heads: tuple[list[list[float]], list[list[list[float]]]]) -> None:
    scores, values = given_heads
    # keys of one number, and a query of 1, make any scores
    keys = np.array(scores).T[..., None]
    logs, averages = attend(np.ones((len(scores), 1)), keys, np.array(values))
    for head, row in enumerate(scores):
        log, average = softmax(row, [value[head] for value in values])
        assert logs[head] == pytest.approx(log, abs=1e-12)
        assert averages[head].tolist() == pytest.approx(average, abs=1e-12)


def test_softmax_of_large_scores() -> None:
    # e^5000 is no float; here the first two weigh the same and the third nothing
    keys = np.array([5000.0, 5000.0, -5000.0]).reshape(3, 1, 1)
    values = np.array([0.25, 0.5, 1.0]).reshape(3, 1, 1)
    with np.errstate(over="raise", invalid="raise", divide="raise"):
        log, average = attend(np.ones((1, 1)), keys, values)
    assert log[0] == pytest.approx(5000 + math.log(2), abs=1e-9)
    assert average[0, 0] == 0.375


def test_softmax_of_one_token() -> None:
    query, key, value = np.array([[2.0, -1.0]]), np.array([[[3.0, 4.0]]]), np.array([[[0.1, 0.7]]])
    log, average = attend(query, key, value)
    assert log.tolist() == [2.0]
    assert average.tolist() == [[0.1, 0.7]]


def test_a_batch_has_the_bits_of_its_inputs_in_any_memory_layout() -> None:
    generator = np.random.default_rng(1)
    for _ in range(60):
        batch, tokens, count, width = (int(generator.integers(1, most)) for most in (9, 30, 4, 40))
        query = np.asfortranarray(generator.standard_normal((batch, count, width)))
        keys = generator.standard_normal((tokens, count, width))
        values = np.asfortranarray(generator.standard_normal((batch, tokens, count, 2)))
        logs, averages = attend(query, keys, values)
        for row in range(batch):
            log, average = attend(query[row].copy(), keys, values[row].copy())
            assert logs[row].tolist() == log.tolist()
            assert averages[row].tolist() == average.tolist()


@given(heads(), heads())
def test_merging_two_parts_is_softmax_of_all(
    one: tuple[list[list[float]], list[list[list[float]]]], two: tuple[list[list[float]], list[list[list[float]]]]
) -> None:
    # heads of one kind only: the first, with values of one number
    scores = [one[0][0], two[0][0]]
    values = [[[row[0][0]] for row in part[1]] for part in (one, two)]
    parts = [
        attend(np.ones((1, 1)), np.array(row).reshape(-1, 1, 1), np.array(part).reshape(-1, 1, 1))
        for row, part in zip(scores, values, strict=True)
    ]
    _, expected = softmax(scores[0] + scores[1], values[0] + values[1])
    assert merge(*parts)[0].tolist() == pytest.approx(expected, abs=1e-12)
    assert merge(*reversed(parts))[0].tolist() == pytest.approx(expected, abs=1e-12)


@given(st.lists(st.tuples(NUMBERS, NUMBERS), min_size=3, max_size=3))
def test_merging_is_associative_to_rounding(parts: list[tuple[float, float]]) -> None:
    one, two, three = ((np.array([log]), np.array([[mean]])) for log, mean in parts)
    left = merge((np.logaddexp(one[0], two[0]), merge(one, two)), three)
    right = merge(one, (np.logaddexp(two[0], three[0]), merge(two, three)))
    assert left == pytest.approx(right, abs=1e-12)


def test_merging_with_a_part_that_weighs_nothing() -> None:
    heavy, light = (np.array([1e6]), np.array([[0.3]])), (np.array([-1e6]), np.array([[0.9]]))
    with np.errstate(all="raise"):
        assert merge(heavy, light).tolist() == [[0.3]]
        assert merge(light, heavy).tolist() == [[0.3]]


# the format of the log-sum-exp


@pytest.mark.parametrize(
    ("score_bound", "length", "fraction_bits", "bits"),
    [
        (0, 1, 3, 1 + 1 + 3),  # L is 0
        (0, 20, 0, 1 + 2 + 0),  # up to ln 20 = 3.0, and with 1 for rounding: 2^2
        (6.5, 5, 4, 1 + 4 + 4),  # up to 6.5 + 1.6 + 1 = 9.1: 2^4
    ],
)
def test_bits_of_a_log_sum(score_bound: float, length: int, fraction_bits: int, bits: int) -> None:
    assert log_sum_format(score_bound, length, fraction_bits) == FixedPoint(bits, fraction_bits)


@given(st.floats(0, 1e4), st.integers(1, 10**9), st.integers(0, 20))
def test_a_log_sum_fits_its_format(score_bound: float, length: int, fraction_bits: int) -> None:
    extremes = np.array([-score_bound, score_bound + math.log(length)])
    held = log_sum_format(score_bound, length, fraction_bits).quantize(extremes)
    assert np.abs(held - extremes).max() <= 2.0 ** -(fraction_bits + 1)


# q-sparse averaging by random embedding


def scores_of(model: RandomEmbeddingAttention, members: tuple[int, ...]) -> Floats:
    """Of all N tokens, for a reader with this set."""
    token = np.zeros((), dtype=model.task.dtype)
    token["y"] = members
    keys = model.keys(np.zeros(model.task.length, model.task.dtype), np.arange(1, model.task.length + 1))
    scores: Floats = keys[:, 0] @ model.query(token)[0]
    return scores


def margin(scores: Floats, members: tuple[int, ...], scale: float) -> float:
    """How much lower than on the set the highest score off it is, as a share of alpha."""
    on = np.array(members) - 1
    return float(scores[on].min() - np.delete(scores, on).max()) / scale


def worst_error(model: RandomEmbeddingAttention, scores: Floats, members: tuple[int, ...]) -> float:
    """The largest error over all z in [-1, 1] (d = 1): the sum of |weight - its share|, and z rounded to the format."""
    assert isinstance(model.format, FixedPoint)
    weights = np.exp(scores - scores.max())
    weights /= weights.sum()
    weights[np.array(members) - 1] -= 1 / len(members)
    return float(np.abs(weights).sum()) + model.format.resolution / 2


def random_sets(length: int, q: int, count: int) -> list[tuple[int, ...]]:
    generator = np.random.default_rng(5)
    return [tuple(sorted(int(j) + 1 for j in generator.choice(length, q, replace=False))) for _ in range(count)]


def test_sizes_by_hand() -> None:
    model = RandomEmbeddingAttention(QSparseAveraging(5, 2))
    # 12 q log2 N = 24 * 2.32193 = 55.7; q (2m + 4 sqrt(d) + 1) = 2 * (112 + 5) = 234, so f = 8
    assert model.width == 56
    assert model.format == FixedPoint(10, 8)
    # epsilon = 1/(4q) = 1/8: alpha = 2 ln(2 * 3 / (2/8)) = 2 ln 24
    assert model.scale == pytest.approx(6.356108, abs=1e-6)
    # L is at most 2 alpha + ln 5 = 14.3 in absolute value, and with 1 for rounding below 2^4
    assert model.sizes == {"H": 1, "m": 56, "v": 1, "p": 10, "b_mean": 10, "b_log": 1 + 4 + 8}


def test_keys_are_signs_and_depend_on_the_seed_and_the_sizes_alone() -> None:
    task = QSparseAveraging(7, 3)
    one, same, other = (RandomEmbeddingAttention(task, seed=seed) for seed in (0, 0, 1))
    assert set(np.unique(one.embedding)) == {-1.0, 1.0}
    assert (one.embedding == same.embedding).all()
    assert (one.embedding != other.embedding).any()


@pytest.mark.parametrize(("length", "q"), [(5, 2), (9, 4), (12, 3), (33, 16), (64, 4)])
def test_scores_on_the_set_are_alpha_to_rounding(length: int, q: int) -> None:
    model = RandomEmbeddingAttention(QSparseAveraging(length, q))
    assert isinstance(model.format, FixedPoint)
    for members in random_sets(length, q, 20):
        on = scores_of(model, members)[np.array(members) - 1]
        assert np.abs(on - model.scale).max() <= model.width * model.format.resolution / 2 + 1e-9


@pytest.mark.parametrize(("length", "q"), [(9, 4), (17, 8), (40, 3), (64, 16), (65, 32), (200, 5), (201, 100)])
def test_where_the_margin_holds_the_worst_z_is_within_the_promise(length: int, q: int) -> None:
    model = RandomEmbeddingAttention(QSparseAveraging(length, q))
    holds = 0
    for members in random_sets(length, q, 25):
        scores = scores_of(model, members)
        if margin(scores, members, model.scale) >= 0.5:
            holds += 1
            assert worst_error(model, scores, members) <= 1 / (2 * q)
    assert holds >= 23


@pytest.mark.parametrize(("length", "q", "seed"), [(9, 2, 0), (9, 2, 1), (10, 3, 0), (10, 7, 2)])
def test_how_often_the_margin_holds_on_all_sets(length: int, q: int, seed: int) -> None:
    model = RandomEmbeddingAttention(QSparseAveraging(length, q), seed=seed)
    sets = list(combinations(range(1, length + 1), q))
    scores = {members: scores_of(model, members) for members in sets}
    good = [members for members in sets if margin(scores[members], members, model.scale) >= 0.5]
    assert len(good) >= 0.9 * len(sets)
    assert max(worst_error(model, scores[members], members) for members in good) <= 1 / (2 * q)


@given(qsa_instances(), st.integers(0, 3))
def test_random_embedding_solves_its_task(instance: tuple[QSparseAveraging, Array], seed: int) -> None:
    task, (tokens,) = instance
    model = RandomEmbeddingAttention(task, seed=seed)
    for reader in range(1, task.length + 1):
        members = tuple(tokens["y"][reader - 1].tolist())
        whole = len(members) == task.length
        if whole or margin(scores_of(model, members), members, model.scale) >= 0.5:
            difference = [
                Fraction(float(got)) - exact
                for got, exact in zip(model.output(tokens, reader), task.evaluate(tokens, [reader])[0], strict=True)
            ]
            assert 4 * len(members) ** 2 * sum(part**2 for part in difference) <= 1


def test_with_q_equal_to_N_all_tokens_are_averaged() -> None:
    for length in (1, 2, 5):
        task = QSparseAveraging(length, length)
        tokens = np.zeros(length, dtype=task.dtype)
        tokens["y"] = np.arange(1, length + 1)
        tokens["z"][-1] = 1
        model = RandomEmbeddingAttention(task)
        assert model.scale == 0
        assert model.output(tokens, 1).tolist() == [pytest.approx(1 / length, abs=1e-15)]


@pytest.mark.parametrize("length", range(2, 8))
def test_no_score_of_a_split_exceeds_what_the_log_format_allows(length: int) -> None:
    for q in range(1, length):
        model = RandomEmbeddingAttention(QSparseAveraging(length, q))
        for members in combinations(range(1, length + 1), q):
            assert np.abs(scores_of(model, members)).max() <= 2 * model.scale


def test_a_width_and_bits_of_ones_own() -> None:
    model = RandomEmbeddingAttention(QSparseAveraging(9, 2), width=70, bits=7)
    assert model.embedding.shape == (9, 70)
    assert model.format == FixedPoint(7, 5)
    assert RandomEmbeddingAttention(QSparseAveraging(9, 2), bits=1).format == FixedPoint(1, 0)


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        ({"width": 0}, "the width m must be at least 1, not 0"),
        ({"width": -3}, "the width m must be at least 1, not -3"),
        ({"bits": 0}, r"fixed point may have 1\.\.53 bits, not 0"),
        ({"bits": 54}, r"fixed point may have 1\.\.53 bits, not 54"),
        (
            {"width": 2**25},
            "have m = 33554432 numbers each, 301989888 in all, more than 67108864: choose a smaller size",
        ),
    ],
)
def test_impossible_sizes_are_refused(sizes: dict[str, int], message: str) -> None:
    with pytest.raises(InputError, match=message):
        RandomEmbeddingAttention(QSparseAveraging(9, 2), **sizes)


def test_a_layer_too_narrow_for_its_sets_still_has_a_query() -> None:
    # three vectors in the plane are dependent; (0, -alpha) gives each of these the score alpha, and -alpha = -2 ln 16
    # becomes the least number of the format
    task = QSparseAveraging(5, 3)
    tokens = np.zeros(5, dtype=task.dtype)
    tokens["y"] = [1, 2, 3]
    layer = RandomEmbeddingAttention(task, width=2)
    layer.embedding[:3] = [[-1, -1], [-1, -1], [1, -1]]
    assert layer.query(tokens[0]).tolist() == [[0, -2]]


def test_a_query_too_large_for_its_format_becomes_the_nearest() -> None:
    # with m = 1 the query is +-alpha itself, 2 ln 24 = 6.4, in a format below 2
    task = QSparseAveraging(4, 1)
    tokens = np.zeros(4, dtype=task.dtype)
    tokens["y"] = 1
    layer = RandomEmbeddingAttention(task, width=1)
    sign = layer.embedding[0, 0]
    assert layer.query(tokens[0]).tolist() == [[layer.format.maximum if sign > 0 else layer.format.minimum]]


# Match3 by averaging residues


@given(match3_instances(count=2))
def test_residue_averaging_solves_match3_at_every_position(instance: tuple[Match3, Array]) -> None:
    task, sequences = instance
    model = ResidueAveragingAttention(task)
    for reader in range(1, task.length + 1):
        assert model.output(sequences, reader).tolist() == task.evaluate(sequences, [reader])[:, 0].tolist()


def test_residue_averaging_is_attention_by_its_keys_and_values() -> None:
    task = Match3(5, 4)
    tokens, positions = np.array([1, 4, 2, 2, 2]), np.arange(1, 6)
    model = ResidueAveragingAttention(task)
    log, average = attend(model.query(tokens[0]), model.keys(tokens, positions), model.values(tokens, positions))
    assert average.tolist() == [pytest.approx([0.2, 0.2, 0.6, 0])]
    counted = model.see(tokens, positions)
    assert counted[0] == pytest.approx(log)
    assert counted[1] == pytest.approx(average)


@pytest.mark.parametrize("modulus", [1, 2, 3, 1000])
def test_residue_averaging_holds_any_residue(modulus: int) -> None:
    task = Match3(2, modulus)
    tokens = np.array([modulus, max(1, modulus - 1)])
    for reader in (1, 2):
        assert ResidueAveragingAttention(task).output(tokens, reader) == task.evaluate(tokens, [reader])[0]


# how they split


@settings(max_examples=60)
@given(st.data(), qsa_instances(most=5, count=2))
def test_split_random_embedding_agrees_with_the_whole(
    data: st.DataObject, instance: tuple[QSparseAveraging, Array]
) -> None:
    task, sequences = instance
    shape = data.draw(shapes(task))
    model = RandomEmbeddingAttention(task)
    _check_by_owner(model, shape, sequences)


@settings(max_examples=60)
@given(st.data(), match3_instances(count=2))
def test_split_residue_averaging_agrees_with_the_whole(data: st.DataObject, instance: tuple[Match3, Array]) -> None:
    task, sequences = instance
    _check_by_owner(ResidueAveragingAttention(task), data.draw(shapes(task)), sequences, exact=True)


@settings(max_examples=60)
@given(st.data(), st.integers(1, 5), st.booleans())
def test_split_of_two_heads_agrees_with_the_whole(data: st.DataObject, length: int, causal: bool) -> None:
    task = QSparseAveraging(length, 1, 2)
    coordinates = st.lists(st.floats(-0.7, 0.7), min_size=4 * length, max_size=4 * length)
    sequences = np.zeros((2, length), dtype=task.dtype)
    sequences["z"] = np.reshape(data.draw(coordinates), (2, length, 2))
    sequences["y"] = 1
    model = TwoHeads(task, causal)
    shape = data.draw(shapes(task))
    assert model.output(sequences[0], shape.reader).tolist() == pytest.approx(
        model.by_hand(sequences[0], shape.reader), abs=1e-12
    )
    _check_by_owner(model, shape, sequences)


def _check_by_owner(model: Attention, shape: Shape, sequences: Array, exact: bool = False) -> None:
    """To rounding if the reader has an owner, else within 0.75 / 2^f; refused where Alice shows the reader nothing."""
    if shape.reader_owner != "public":
        return check_split(model, shape, sequences, 0 if exact else 1e-12)
    alices = shape.positions("alice")
    if not (alices <= (shape.reader if model.causal else len(shape.owners))).any():
        with pytest.raises(InputError, match="the reader is public and sees none of Alice's tokens"):
            ListedTokens(shape, sequences).induce(model)
        return None
    assert isinstance(model.mean_format, FixedPoint)
    return check_split(model, shape, sequences, 0 if exact else 0.75 * model.mean_format.resolution + 1e-12)


def test_rounding_of_split_keys_comes_near_its_bound() -> None:
    # Alice's average 11/16 and her L = ln 3 (against ln 2 of Bob) both lie between two multiples of 1/8
    task = QSparseAveraging(5, 1, 2)
    sequences = np.zeros((1, 5), dtype=task.dtype)
    sequences["y"] = 1
    sequences["z"][0] = [[0, 0.6875], [0, 0.6875], [0, 0.6875], [0, -0.6875], [0, 0]]
    shape = Shape(task, ("alice", "alice", "alice", "bob", "public"), reader=5)
    reduction = ListedTokens(shape, sequences)
    model = TwoHeads(task, causal=False)
    reduction.induce(model).run(np.array(1), np.array(1))
    # the reader's query is 0, so all five tokens weigh the same: (3 * 11 - 11) / 80
    assert model.output(sequences[0], 5)[1] == pytest.approx(0.275)
    # sent are 0.75 (a tie, to even) or 0.625, and 1.125 for ln 3 = 1.0986
    weight = 1 / (1 + math.exp(math.log(2) - 1.125))
    assert reduction.outputs[-1][1] == pytest.approx(weight * 0.75 + (1 - weight) * -0.34375)


def test_cost_by_hand_when_a_party_owns_the_reader() -> None:
    task = QSparseAveraging(5, 2)
    model = RandomEmbeddingAttention(task)
    for owners, tokens, cost in [
        # p = 10: the reader's query and key, 56 numbers each, and its value
        (("bob",) * 4 + ("alice",), "H*p*(2*m + v)", 10 * (2 * 56 + 1)),
        (("alice", "bob", "alice", "public", "alice"), "H*p*(4*m + 3*v)", 10 * (4 * 56 + 3)),
    ]:
        for mirrored in (owners, tuple({"alice": "bob", "bob": "alice"}.get(owner, owner) for owner in owners)):
            shape = Shape(task, mirrored, reader=5)
            split = model.split(shape)
            assert split.cost == tokens
            assert split.communication == "one-way"
            assert split.finisher == ("bob" if mirrored[4] == "alice" else "alice")
            sequences = np.zeros((1, 5), dtype=task.dtype)
            sequences["y"] = [1, 2]
            run = ListedTokens(shape, sequences).induce(model).run(np.array(1), np.array(1))
            assert [(message.sender, len(message.bits)) for message in run.messages] == [(mirrored[4], cost)]


def test_what_crosses_in_words() -> None:
    task = QSparseAveraging(3, 1, 2)
    model = TwoHeads(task, causal=True)
    of_one = model.split(Shape(task, ("public", "alice", "alice"), reader=2))
    assert of_one.carries == ("alice: the reader's query, and keys and values of its token 2",)
    of_two = model.split(Shape(task, ("bob", "bob", "bob"), reader=2))
    assert of_two.carries == ("bob: the reader's query, and keys and values of its 2 tokens",)
    of_keys = model.split(Shape(task, ("alice", "public", "bob"), reader=2))
    assert of_keys.carries == ("alice: the average of her values and their log-sum-exp, for each head",)


def test_cost_by_hand_when_the_reader_is_public() -> None:
    # two heads, each two numbers of 5 bits and a log-sum-exp of 9
    task = QSparseAveraging(3, 1, 2)
    shape = Shape(task, ("alice", "bob", "public"), reader=3)
    model = TwoHeads(task, causal=False)
    sequences = np.zeros((1, 3), dtype=task.dtype)
    sequences["y"] = 1
    protocol = ListedTokens(shape, sequences).induce(model)
    assert protocol.cost == "H*(v*b_mean + b_log)"
    assert protocol.parameters == {
        "n": 1,
        "N": 3,
        "q": 1,
        "d": 2,
        "H": 2,
        "m": 2,
        "v": 2,
        "p": 9,
        "b_mean": 5,
        "b_log": 9,
    }
    run = protocol.run(np.array(1), np.array(1))
    # her one token has z = 0 and so score 0: average 0 and L = 0, four numbers and two
    assert [(message.sender, message.bits) for message in run.messages] == [("alice", "0" * 38)]


def test_a_causal_reader_is_shown_nothing_after_itself() -> None:
    task = QSparseAveraging(3, 1, 2)
    sequences = np.zeros((1, 3), dtype=task.dtype)
    sequences["y"] = 1
    shape = Shape(task, ("bob", "public", "alice"), reader=2)
    with pytest.raises(InputError, match="sees none of Alice's tokens, so there is nothing to split"):
        ListedTokens(shape, sequences).induce(TwoHeads(task, causal=True))
    assert ListedTokens(shape, sequences).induce(TwoHeads(task, causal=False)).declared_cost == 38


@pytest.mark.parametrize("reader", [0, 4, -1])
def test_there_is_no_output_beyond_the_tokens(reader: int) -> None:
    model = ResidueAveragingAttention(Match3(3, 4))
    with pytest.raises(InputError, match=f"the reader is token {reader}, but the positions are 1 to 3"):
        model.output(np.array([1, 2, 3]), reader)
