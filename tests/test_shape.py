"""Who owns which token."""

import pytest

from commsim.errors import InputError
from commsim.shape import Shape, other
from commsim.task import Match3

TASK = Match3(6, 7)


def test_positions_and_reader() -> None:
    shape = Shape(TASK, ("public", "alice", "bob", "bob", "public", "alice"), reader=6)
    assert shape.positions("alice").tolist() == [2, 6]
    assert shape.positions("bob").tolist() == [3, 4]
    assert shape.positions("public").tolist() == [1, 5]
    assert shape.reader_owner == "alice"
    assert Shape(TASK, shape.owners, reader=5).reader_owner == "public"


def test_an_owner_may_have_no_tokens() -> None:
    shape = Shape(TASK, ("bob",) * 6, reader=1)
    assert shape.positions("alice").tolist() == []
    assert shape.positions("alice").dtype.kind == "i"


@pytest.mark.parametrize(
    ("owners", "hand_overs"),
    [
        ("AAABBB", ["alice", "bob"]),
        ("PBPPBP", ["bob"]),
        ("APABPA", ["alice", "bob", "alice"]),
        ("BABABA", ["bob", "alice", "bob", "alice", "bob", "alice"]),
    ],
)
def test_hand_overs(owners: str, hand_overs: list[str]) -> None:
    names = {"A": "alice", "B": "bob", "P": "public"}
    assert Shape(TASK, tuple(names[owner] for owner in owners), reader=1).hand_overs == hand_overs


@pytest.mark.parametrize(
    ("owners", "reader", "message"),
    [
        (("alice",) * 5, 1, "5 owners for the 6 tokens of match3"),
        (
            ("alice", "bob", "carol", "bob", "carol", "bob"),
            1,
            "token 3 belongs to 'carol': an owner must be alice, bob or",
        ),
        (("public",) * 6, 1, "all tokens are public: at least one must belong to alice or bob"),
        (("alice",) * 6, 0, "the reader is token 0, but the positions are 1 to 6"),
        (("alice",) * 6, 7, "the reader is token 7, but the positions are 1 to 6"),
    ],
)
def test_what_is_no_shape_is_refused(owners: tuple[str, ...], reader: int, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Shape(TASK, owners, reader)


def test_the_other_party() -> None:
    assert other("alice") == "bob"
    assert other("bob") == "alice"
