"""Wrong protocols and reductions: each is refuted, in the right claim, in words that help, at the smallest inputs."""

from types import ModuleType
from typing import Any

import mutants_protocols
import pytest
from mutants import Caught

from commsim.protocol import Protocol
from commsim.validate_protocol import validate_protocol
from commsim.validation import Check


def defined_in(module: ModuleType, base: type[Any]) -> list[type[Any]]:
    """The protocols or reductions of a module of mutants."""
    return [
        cls
        for cls in vars(module).values()
        if isinstance(cls, type) and issubclass(cls, base) and cls.__module__ == module.__name__
    ]


def mutants(classes: list[type[Any]]) -> list[type[Any]]:
    return [cls for cls in classes if hasattr(cls, "caught")]


def originals(classes: list[type[Any]]) -> list[type[Any]]:
    return [cls for cls in classes if not hasattr(cls, "caught")]


PROTOCOLS = defined_in(mutants_protocols, Protocol)


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


@pytest.mark.parametrize("mutant", mutants(PROTOCOLS))
def test_a_wrong_protocol_is_caught(mutant: Any) -> None:
    assert_caught(list(validate_protocol(mutant)), mutant.caught)


@pytest.mark.parametrize("original", originals(PROTOCOLS))
def test_the_right_protocol_passes(original: Any) -> None:
    checks = list(validate_protocol(original))
    assert len(checks) >= 6
    assert {check.status for check in checks} == {"holds"}
