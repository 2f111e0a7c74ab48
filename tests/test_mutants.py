"""Wrong protocols and reductions: each is refuted, in the right claim, in words that help, at the smallest inputs."""

from dataclasses import replace
from types import ModuleType
from typing import Any

import mutants_protocols
import mutants_reductions
import numpy as np
import pytest
from mutants import Caught

from commsim.arrays import Array, Bits, Floats
from commsim.channel import Channel
from commsim.errors import InputError
from commsim.faults import ProgramError
from commsim.models.feedforward import ResidueCountingNetwork
from commsim.models.model import Split
from commsim.protocol import Protocol
from commsim.reduction import Reduction
from commsim.shape import Shape
from commsim.validate_protocol import validate_protocol
from commsim.validate_reduction import validate_reduction
from commsim.validation import Check


def defined_in(module: ModuleType, base: type[Any]) -> list[type[Any]]:
    """The protocols or reductions of a module of mutants."""
    classes = [cls for cls in vars(module).values() if isinstance(cls, type) and issubclass(cls, base)]
    return [cls for cls in classes if cls.__module__ == module.__name__]


def mutants(module: ModuleType, base: type[Any]) -> list[type[Any]]:
    return [cls for cls in defined_in(module, base) if hasattr(cls, "caught")]


def originals(module: ModuleType, base: type[Any]) -> list[type[Any]]:
    return [cls for cls in defined_in(module, base) if not hasattr(cls, "caught")]


def assert_caught(checks: list[Check], caught: Caught) -> None:
    *before, last = checks
    assert all(check.status in ("holds", "skipped") for check in before)
    assert last.status == "refuted", f"not caught: {last}"
    assert last.claim == caught.claim
    for words in caught.says:
        assert words in last.detail
    assert "\n" not in last.detail
    found = last.counterexample
    if caught.n is None:
        assert found is None
        return
    assert found is not None
    assert found.n == caught.n
    assert caught.x is None or found.x == caught.x
    assert caught.y is None or found.y == caught.y


@pytest.mark.parametrize("mutant", mutants(mutants_protocols, Protocol))
def test_a_wrong_protocol_is_caught(mutant: Any) -> None:
    assert_caught(list(validate_protocol(mutant)), mutant.caught)


@pytest.mark.parametrize("mutant", mutants(mutants_reductions, Reduction))
def test_a_wrong_reduction_is_caught(mutant: Any) -> None:
    assert_caught(list(validate_reduction(mutant)), mutant.caught)


@pytest.mark.parametrize("original", originals(mutants_protocols, Protocol))
def test_the_right_protocol_passes(original: type[Protocol]) -> None:
    checks = list(validate_protocol(original))
    assert len(checks) >= 6
    assert {check.status for check in checks} == {"holds"}


@pytest.mark.parametrize("original", originals(mutants_reductions, Reduction))
def test_the_right_reduction_passes(original: type[Reduction]) -> None:
    checks = list(validate_reduction(original))
    assert len(checks) == 11
    assert {check.status for check in checks} == {"holds"}


def test_every_mutant_changes_one_of_the_right_ones() -> None:
    for module, base in ((mutants_protocols, Protocol), (mutants_reductions, Reduction)):
        assert {mutant.__base__ for mutant in mutants(module, base)} <= set(originals(module, base))


# models that are wrong, under a reduction that is right


class WrongCost(ResidueCountingNetwork):
    """It claims that one number more crosses than does."""

    def split(self, shape: Shape) -> Split:
        return replace(super().split(shape), cost="(w + 1)*p")


class OverlooksResidue2(ResidueCountingNetwork):
    """It never counts residue 2, which is Alice's first element."""

    def first_layer(self, tokens: Array, positions: Any) -> Floats:
        units = super().first_layer(tokens, positions)
        units[..., 2] = 0
        return units


def mlp_check(monkeypatch: pytest.MonkeyPatch, model: Any) -> Check:
    monkeypatch.setattr("commsim.validate_reduction.FAMILIES", ("mlp",))
    monkeypatch.setattr("commsim.validate_reduction.construct", lambda family, task: model(task))
    return list(validate_reduction(mutants_reductions.ToMatch3))[-1]


def test_a_model_whose_symbolic_cost_is_not_metered_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """At n = 1: 2 M = 14 units of 2 bits, since 3 tokens are counted."""
    check = mlp_check(monkeypatch, WrongCost)
    assert check.claim == "the mlp protocol is right, at its symbolic cost"
    assert check.status == "refuted"
    assert "at n = 1 the metered worst case is 28 bits, but (w + 1)*p = 30" in check.detail


def test_a_model_that_is_wrong_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    check = mlp_check(monkeypatch, OverlooksResidue2)
    assert check.status == "refuted"
    assert "at n = 1, on x = 1, y = 1 the output is 1, but f = 0" in check.detail
    assert check.counterexample is not None
    assert (check.counterexample.x, check.counterexample.y) == ("1", "1")


# programs that raise an exception of their own: an error, not a counterexample


class RaisesOnOneInput(mutants_protocols.SendAll):
    async def bob(self, y: Bits, channel: Channel) -> Any:
        if y.all():
            raise KeyError("no such set")
        return await super().bob(y, channel)


class UsesIfOnABatch(mutants_protocols.SendAllInBatches):
    async def bob(self, y: Bits, channel: Channel) -> Any:
        x = await channel.receive(self.n)
        answer = not (x & y).any() if y.ndim == 1 else not bool((x & y).any(axis=-1))
        await channel.send(answer)
        return answer


class ChangesItsInput(mutants_protocols.SendAll):
    async def alice(self, x: Bits, channel: Channel) -> Any:
        x[0] = True
        return await super().alice(x, channel)


@pytest.mark.parametrize(
    ("protocol", "says"),
    [
        (
            RaisesOnOneInput,
            "bob's program raised KeyError: 'no such set' (test_mutants.py, line {line}: raise KeyError"
            '("no such set")); at n = 1, x = 0, y = 1',
        ),
        (UsesIfOnABatch, "bob's program, on a batch of 2 inputs, raised ValueError: The truth value of an array"),
        (ChangesItsInput, "read-only (test_mutants.py, line {line}: x[0] = True); at n = 1, x = 0, y = 0"),
    ],
)
def test_a_program_that_raises_is_shown_with_its_line(protocol: type[Protocol], says: str) -> None:
    with pytest.raises(ProgramError) as raised:
        list(validate_protocol(protocol))
    assert raised.value.__cause__ is not None
    line = _last_line_here(raised.value.__cause__)
    assert says.format(line=line) in str(raised.value)


class EncoderRaises(mutants_reductions.ToMatch3):
    def bob(self, y: Bits) -> Array:
        return np.array([{0: 7, 1: 4}[int(bit) * self.n] for bit in y])


class EncoderChangesItsInput(mutants_reductions.ToMatch3):
    def alice(self, x: Bits) -> Array:
        x ^= True
        return super().alice(x)


class DecoderRaises(mutants_reductions.ToMatch3):
    def decode(self, output: Array) -> Any:
        return output[1] == 0


class ShapeRaises(mutants_reductions.ToMatch3):
    def shape(self) -> Shape:
        raise NotImplementedError


@pytest.mark.parametrize(
    ("reduction", "says"),
    [
        (EncoderRaises, "EncoderRaises.bob raised KeyError: 2 (test_mutants.py, line"),
        (EncoderChangesItsInput, "read-only (test_mutants.py, line {line}: x ^= True)"),
        (DecoderRaises, "DecoderRaises.decode raised"),
        (DecoderRaises, "(test_mutants.py, line {line}: return output[1] == 0)"),
        (ShapeRaises, "ShapeRaises.shape raised NotImplementedError: no message (test_mutants.py, line {line}: raise"),
    ],
)
def test_an_encoder_that_raises_is_shown_with_its_line(reduction: type[Reduction], says: str) -> None:
    with pytest.raises(InputError) as raised:
        list(validate_reduction(reduction))
    assert raised.value.__cause__ is not None
    assert says.format(line=_last_line_here(raised.value.__cause__)) in str(raised.value)


def _last_line_here(error: BaseException) -> int:
    """The line of this file that an exception was raised at."""
    line, frame = 0, error.__traceback__
    while frame is not None:
        if frame.tb_frame.f_code.co_filename == __file__:
            line = frame.tb_lineno
        frame = frame.tb_next
    return line


# sizes that cannot be made


class NoSmallSize(mutants_protocols.SendAll):
    def __init__(self, n: int) -> None:
        if n < 12:
            raise InputError(f"it needs n at least 12, not n = {n}")
        super().__init__(n)


class OnlySmallSizes(mutants_protocols.SendAll):
    def __init__(self, n: int) -> None:
        if n not in (5, 6):
            raise InputError(f"it needs n = 5 or 6, not n = {n}")
        super().__init__(n)


class RaisesWhenMade(mutants_protocols.SendAll):
    def __init__(self, n: int) -> None:
        super().__init__(n)
        self.half = self.m // 2  # type: ignore[attr-defined]


def test_a_protocol_that_nothing_can_be_verified_of_is_refuted() -> None:
    (check,) = validate_protocol(NoSmallSize)
    assert check.status == "refuted"
    assert check.detail == (
        "there is no size from n = 1 to 8 at which all pairs can be checked: it needs n at least 12, not n = 1"
    )


def test_a_protocol_of_a_few_sizes_is_checked_at_these_and_not_said_to_hold_at_others() -> None:
    checks = list(validate_protocol(OnlySmallSizes))
    by_claim = {check.claim: check for check in checks}
    assert by_claim["each party uses only its input, its messages and its coins"].detail.endswith("n = 5")
    large = by_claim.pop("the same at large sizes")
    assert (large.status, large.detail) == ("skipped", "it cannot be made at n = 16 or 64")
    assert {check.status for check in by_claim.values()} == {"holds"}


def test_a_protocol_that_raises_when_made_is_shown_with_its_line() -> None:
    words = r"at n = 1 its __init__ raised AttributeError.*\(test_mutants.py, line \d+: self.half"
    with pytest.raises(InputError, match=words):
        list(validate_protocol(RaisesWhenMade))
