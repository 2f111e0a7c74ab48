"""The inputs of a party: their arrays in order, and every way of writing one."""

import itertools

import numpy as np
import pytest

from commsim.arrays import Array
from commsim.domain import BinaryNumbers, BitStrings, InputDomain, Positions, Subsets
from commsim.errors import InputError

DOMAINS: list[type[BitStrings] | type[Positions]] = [BitStrings, Subsets, BinaryNumbers, Positions]


def bits(text: str) -> list[bool]:
    return [character == "1" for character in text]


@pytest.mark.parametrize("domain", [BitStrings, Subsets, BinaryNumbers])
@pytest.mark.parametrize("n", [1, 2, 3, 4, 10])
def test_bit_strings_are_listed_in_lexicographic_order(domain: type[BitStrings], n: int) -> None:
    listed = domain(n).all()
    assert listed.dtype == bool
    assert listed.tolist() == [list(row) for row in itertools.product([False, True], repeat=n)]
    assert len(listed) == domain(n).size == 2**n


def test_positions_are_listed_from_one() -> None:
    listed = Positions(5).all()
    assert listed.dtype == np.int64
    assert listed.tolist() == [1, 2, 3, 4, 5]
    assert Positions(5).size == 5


@pytest.mark.parametrize(
    ("domain", "size"), [(BitStrings(25), "2^25"), (Positions(2**24 + 1), "2^24"), (Subsets(30000), "2^30000")]
)
def test_too_many_inputs_are_not_listed(domain: InputDomain, size: str) -> None:
    with pytest.raises(InputError) as caught:
        domain.all()
    assert str(caught.value) == f"{size} or more inputs are too many to list (at most 16777216): sample instead"


@pytest.mark.parametrize("domain", DOMAINS)
@pytest.mark.parametrize("n", [1, 2, 5])
def test_every_input_is_written_as_text_that_is_read_back(domain: type[BitStrings] | type[Positions], n: int) -> None:
    inputs = domain(n)
    texts = [inputs.format(value) for value in inputs.all()]
    assert len(set(texts)) == inputs.size
    for value, text in zip(inputs.all(), texts, strict=True):
        read = inputs.parse(text)
        assert read.dtype == inputs.all().dtype
        assert read.shape == inputs.all().shape[1:]
        assert np.array_equal(read, value)


@pytest.mark.parametrize("domain", DOMAINS)
def test_samples_are_uniform(domain: type[BitStrings] | type[Positions]) -> None:
    inputs = domain(2)
    drawn = inputs.sample(np.random.default_rng(1), 4000)
    assert drawn.shape == (4000, *inputs.all().shape[1:])
    assert drawn.dtype == inputs.all().dtype
    counts = [sum(np.array_equal(value, one) for one in drawn) for value in inputs.all()]
    assert sum(counts) == 4000
    # five standard deviations of a binomial are at most 5 * sqrt(4000) / 2 < 160
    assert all(abs(count - 4000 / inputs.size) < 160 for count in counts)


@pytest.mark.parametrize(
    ("domain", "written", "read"),
    [
        (BitStrings(4), "0110", "0110"),
        (BitStrings(4), "  1000\n", "1000"),
        (Subsets(4), "0110", "0110"),
        (Subsets(4), "{}", "0000"),
        (Subsets(4), "{2,3}", "0110"),
        (Subsets(4), " { 4 , 1 } ", "1001"),
        (Subsets(4), "{1 4}", "1001"),
        (Subsets(4), "{2,2}", "0100"),
        (Subsets(4), [3, 1], "1010"),
        (Subsets(4), [], "0000"),
        (Subsets(12), "{12}", "000000000001"),
        (BinaryNumbers(4), "0110", "0110"),
        (BinaryNumbers(4), "9", "1001"),
        (BinaryNumbers(4), " 12 ", "1100"),
        (BinaryNumbers(4), "0xb", "1011"),
        (BinaryNumbers(4), "0XB", "1011"),
        (BinaryNumbers(4), "0b11", "0011"),
        (BinaryNumbers(4), 11, "1011"),
        (BinaryNumbers(4), 0, "0000"),
        (BinaryNumbers(4), 1, "0001"),
        (BinaryNumbers(2), "10", "10"),  # two digits and n = 2: the bits of two, not ten
        (BinaryNumbers(10), "0000001010", "0000001010"),
    ],
)
def test_ways_to_write_bits(domain: InputDomain, written: object, read: str) -> None:
    assert domain.parse(written).tolist() == bits(read)


def test_numbers_of_twenty_thousand_bits_are_read() -> None:
    number = 2**20000 - 3
    for written in (hex(number), number):
        assert BinaryNumbers(20000).parse(written).tolist() == [True] * 19998 + [False, True]


def test_a_number_too_long_to_print_is_refused_by_its_length() -> None:
    with pytest.raises(InputError, match=r"^a number of 20001 bits is not a number from 0 to 2\^3 - 1$"):
        BinaryNumbers(3).parse(2**20000)


@pytest.mark.parametrize(("written", "read"), [("3", 3), (" 1 ", 1), ("05", 5), (5, 5)])
def test_ways_to_write_a_position(written: object, read: int) -> None:
    position = Positions(5).parse(written)
    assert position.shape == ()
    assert int(position) == read


@pytest.mark.parametrize(
    ("domain", "written", "message"),
    [
        (BitStrings(3), "012", "cannot read '012': write 3 bits such as 101"),
        (BitStrings(3), "", "cannot read '': write 3 bits such as 101"),
        (BitStrings(3), "0 1", "cannot read '0 1': write 3 bits such as 101"),
        (BitStrings(3), "{1}", "cannot read '{1}': write 3 bits such as 101"),
        (BitStrings(3), 101, "cannot read 101: write 3 bits such as 101"),
        (BitStrings(3), None, "cannot read None: write 3 bits such as 101"),
        (BitStrings(3), [1, 0, 1], "cannot read [1, 0, 1]: write 3 bits such as 101"),
        (BitStrings(3), "01", "'01' has length 2, but n = 3: write 3 bits such as 101"),
        (BitStrings(1), "01", "'01' has length 2, but n = 1: write 0 or 1"),
        (BitStrings(17), "01", "'01' has length 2, but n = 17: write a string of 17 bits"),
        (BitStrings(3), "x" * 99, f"cannot read '{'x' * 35}...: write 3 bits such as 101"),
        (Subsets(3), "{0}", "0 is not an element of {1, ..., 3}"),
        (Subsets(3), "{4}", "4 is not an element of {1, ..., 3}"),
        (Subsets(3), f"{{{'9' * 5000}}}", f"'{'9' * 35}... is not an element of {{1, ..., 3}}"),
        (Subsets(3), "{a}", "cannot read '{a}': write 3 bits such as 101, or a set such as {1,3}"),
        (Subsets(3), "{1", "cannot read '{1': write 3 bits such as 101, or a set such as {1,3}"),
        (Subsets(3), "{-1}", "cannot read '{-1}': write 3 bits such as 101, or a set such as {1,3}"),
        (Subsets(2), "", "cannot read '': write 2 bits such as 10, or a set such as {1}"),
        (Subsets(3), [True], "True is not an element of {1, ..., 3}"),
        (Subsets(3), ["1"], "'1' is not an element of {1, ..., 3}"),
        (Subsets(3), [1.0], "1.0 is not an element of {1, ..., 3}"),
        (Subsets(3), [-1], "-1 is not an element of {1, ..., 3}"),
        (Subsets(3), 3, "cannot read 3: write 3 bits such as 101, or a set such as {1,3}"),
        (BinaryNumbers(3), "8", "8 is not a number from 0 to 2^3 - 1"),
        (BinaryNumbers(3), -1, "-1 is not a number from 0 to 2^3 - 1"),
        (BinaryNumbers(3), "0x8", "8 is not a number from 0 to 2^3 - 1"),
        (BinaryNumbers(3), "0x1" + "0" * 5000, "a number of 20001 bits is not a number from 0 to 2^3 - 1"),
        (
            BinaryNumbers(3),
            "9" * 5000,
            f"cannot read '{'9' * 35}...: write so long a number in hexadecimal, like 0x1f",
        ),
        (
            BinaryNumbers(4),
            "11",  # eleven, or the bits of three? neither is guessed
            "'11' has length 2, but n = 4: write 4 bits such as 1010, or a number with a digit above 1, or like 0x1f",
        ),
        (
            BinaryNumbers(3),
            "-3",
            "cannot read '-3': write 3 bits such as 101, or a number with a digit above 1, or like 0x1f",
        ),
        (
            BinaryNumbers(3),
            True,
            "cannot read True: write 3 bits such as 101, or a number with a digit above 1, or like 0x1f",
        ),
        (Positions(3), "0", "cannot read 0: write a position from 1 to 3"),
        (Positions(3), "4", "cannot read 4: write a position from 1 to 3"),
        (Positions(3), 4, "cannot read 4: write a position from 1 to 3"),
        (Positions(3), "-1", "cannot read '-1': write a position from 1 to 3"),
        (Positions(3), "1.0", "cannot read '1.0': write a position from 1 to 3"),
        (Positions(3), 1.0, "cannot read 1.0: write a position from 1 to 3"),
        (Positions(3), True, "cannot read True: write a position from 1 to 3"),
        (Positions(3), "9" * 5000, f"cannot read '{'9' * 35}...: write a position from 1 to 3"),
    ],
)
def test_refusals_say_what_would_be_right(domain: InputDomain, written: object, message: str) -> None:
    with pytest.raises(InputError) as caught:
        domain.parse(written)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("domain", "value", "simpler"),
    [
        (BitStrings(4), "1011", ["0011", "1001", "1010"]),
        (Subsets(2), "00", []),
        (BinaryNumbers(2), "10", ["00"]),
        (Positions(4), "4", ["3"]),
        (Positions(4), "1", []),
    ],
)
def test_one_step_simpler(domain: InputDomain, value: str, simpler: list[str]) -> None:
    given: Array = domain.parse(value)
    assert [domain.format(one) for one in domain.simpler(given)] == simpler
    assert domain.format(given) == value  # what was given is left as it was
