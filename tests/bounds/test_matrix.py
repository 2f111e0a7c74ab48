"""Communication matrices: packed bits against the function, entry by entry, and matrices in files."""

import contextlib
import io
import random
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from commsim.arrays import Integers
from commsim.errors import InputError
from commsim.matrix import MOST_VALUES, CommunicationMatrix
from commsim.matrix_file import read_matrix
from commsim.problem import (
    Disjointness,
    Equality,
    GapHamming,
    GreaterThan,
    HammingDistance,
    InnerProduct,
    Problem,
)
from commsim.registry import problems

matrices = arrays(np.int64, array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=9), elements=st.integers(-1, 2))


@given(matrices)
def test_entries_come_back(entries: Integers) -> None:
    matrix = CommunicationMatrix.from_array(entries)
    assert (matrix.entries() == entries).all()
    assert matrix.values == tuple(np.unique(entries).tolist())
    for value in range(-2, 4):
        assert (matrix.bits(value) == (entries == value)).all()


@given(matrices)
def test_lines_are_integers_whose_bits_are_entries(entries: Integers) -> None:
    matrix = CommunicationMatrix.from_array(entries)
    rows, columns = matrix.lines()
    for number, value in enumerate(matrix.values):
        for row in range(entries.shape[0]):
            for column in range(entries.shape[1]):
                is_set = entries[row, column] == value
                assert rows[number][row] >> column & 1 == columns[number][column] >> row & 1 == is_set


@given(matrices)
def test_repeated_lines_are_dropped_and_found_again(entries: Integers) -> None:
    distinct = CommunicationMatrix.from_array(entries).distinct
    small = distinct.matrix.entries()
    assert (small == entries[np.ix_(distinct.rows, distinct.columns)]).all()
    assert (small[np.ix_(distinct.row_classes, distinct.column_classes)] == entries).all()
    for lines in (small, small.T):
        assert len({tuple(line) for line in lines.tolist()}) == len(lines)


def small_functions() -> list[Problem]:
    """Every function at the sizes up to 3 that it has, if there are at most 2^16 pairs of inputs."""
    found = []
    for problem in problems().values():
        for n in (1, 2, 3):
            with contextlib.suppress(InputError):  # it has no such size
                found.append(problem(n))
    return [instance for instance in found if instance.kind == "function" and instance.pairs <= 2**16]


def test_there_are_functions_of_several_kinds() -> None:
    assert {"disjointness", "equality", "index", "hamming-distance"} <= {each.name for each in small_functions()}


@pytest.mark.parametrize("instance", small_functions(), ids=lambda instance: f"{instance.name} {instance.n}")
def test_the_matrix_of_a_problem(instance: Problem) -> None:
    x, y = instance.alice_inputs.all(), instance.bob_inputs.all()
    entries = np.array([[int(instance.evaluate(one[None], other[None])[0]) for other in y] for one in x])
    assert (CommunicationMatrix.of(instance).entries() == entries).all()


@pytest.mark.parametrize("problem", [Disjointness, Equality, GreaterThan, InnerProduct])
@pytest.mark.parametrize("n", [4, 7])
def test_doubling_gives_what_evaluation_gives(problem: type[Problem], n: int) -> None:
    instance = problem(n)
    x, y = instance.alice_inputs.all(), instance.bob_inputs.all()
    expected = np.asarray(instance.evaluate(x[:, None], y[None])).astype(np.int64)
    assert (CommunicationMatrix.of(instance).entries() == expected).all()


def test_disjointness_is_packed_where_it_cannot_be_held() -> None:
    matrix = CommunicationMatrix.of(Disjointness(14))
    assert matrix.shape == (2**14, 2**14)
    assert int(np.bitwise_count(matrix.layer(1)).sum()) == 3**14  # each place is in x, in y, or in neither
    with pytest.raises(InputError, match="too large"):
        matrix.entries()


def test_what_has_no_matrix() -> None:
    with pytest.raises(InputError, match="only a function"):
        CommunicationMatrix.of(GapHamming(4))
    with pytest.raises(InputError, match="choose a smaller n"):
        CommunicationMatrix.of(HammingDistance(40))
    with pytest.raises(InputError, match=f"more than {MOST_VALUES} values"):
        CommunicationMatrix.from_array(np.arange(100).reshape(10, 10))
    with pytest.raises(InputError, match="at least one row"):
        CommunicationMatrix.from_array(np.zeros((0, 3)))


TEXTS = {
    "digits": "011\n100\n",
    "blanks": "0 1 1\n1 0 0\n",
    "commas": "0,1,1\n1, 0 ,0\n",
    "comments and empty lines": "# two rows\n\n011\n\n100\n",
    "Windows": "\ufeff011\r\n100\r\n",
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_one_matrix_in_several_forms(text: str, tmp_path: Path) -> None:
    path = tmp_path / "matrix.txt"
    path.write_bytes(text.encode("utf-8"))
    assert read_matrix(str(path)).entries().tolist() == [[0, 1, 1], [1, 0, 0]]


@pytest.mark.parametrize("dtype", [bool, np.int8, np.uint64, np.float32])
def test_a_matrix_of_numpy(dtype: Any, tmp_path: Path) -> None:
    path = tmp_path / "matrix.npy"
    np.save(path, np.array([[0, 1, 1], [1, 0, 0]], dtype=dtype))
    assert read_matrix(str(path)).entries().tolist() == [[0, 1, 1], [1, 0, 0]]


def test_integers_of_several_digits(tmp_path: Path) -> None:
    path = tmp_path / "matrix.csv"
    path.write_text("10,-3\n+7,0\n", encoding="utf-8")
    assert read_matrix(str(path)).entries().tolist() == [[10, -3], [7, 0]]


BAD = {
    "empty": (b"", "holds no matrix"),
    "ragged": (b"01\n011\n", "line 2: it has 3 entries, but line 1 has 2"),
    "a letter": (b"01\n0a\n", "line 2, entry 1: '0a' is no integer"),
    "a fraction": (b"0 1\n0 0.5\n", "line 2, entry 2: '0.5' is no integer"),
    "a missing entry": (b"0,1\n0,\n", "line 2, entry 2: '' is no integer"),
    "no text": (b"\xff\xfe0", "neither UTF-8 text nor a .npy file"),
    "a broken .npy": (b"\x93NUMPY\x01\x00 and no more", "not a .npy file of numbers"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_cannot_be_read(name: str, tmp_path: Path) -> None:
    content, reason = BAD[name]
    path = tmp_path / "matrix.txt"
    path.write_bytes(content)
    with pytest.raises(InputError, match=f"matrix.txt.*{reason}"):
        read_matrix(str(path))


def test_arrays_that_are_no_matrix(tmp_path: Path) -> None:
    for array, reason in (
        (np.array([[0.5]]), "not integers"),
        (np.array([[np.nan]]), "not integers"),
        (np.array([["0"]]), "not integers"),
        (np.zeros(3), "not the shape"),
        (np.array([[2**60]]), "larger than 2\\^53"),
        (np.array([[{}]], dtype=object), "not a .npy file of numbers"),
    ):
        np.save(tmp_path / "matrix.npy", array, allow_pickle=True)
        with pytest.raises(InputError, match=reason):
            read_matrix(str(tmp_path / "matrix.npy"))


def test_no_such_file() -> None:
    with pytest.raises(InputError, match=r"cannot read nowhere\.txt: No such file"):
        read_matrix("nowhere.txt")


def test_any_bytes_are_read_or_refused(tmp_path: Path) -> None:
    path = tmp_path / "matrix.npy"
    np.save(path, np.array([[0, 1], [1, 0]]))
    whole = path.read_bytes()
    generator = random.Random(0)
    refused = 0
    for _ in range(300):
        broken = bytearray(whole[: generator.randrange(len(whole) + 1)])
        for _ in range(3):
            if broken:
                broken[generator.randrange(len(broken))] = generator.randrange(256)
        path.write_bytes(bytes(broken))
        try:
            assert read_matrix(str(path)).shape[0] >= 1
        except InputError as error:
            refused += 1
            assert len(str(error).splitlines()) == 1
    assert refused > 200


def test_stdin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"01\n10\n")))
    assert read_matrix("-").entries().tolist() == [[0, 1], [1, 0]]
