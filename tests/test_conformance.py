"""Every registered protocol and reduction, held to what it declares. A new one is picked up without being named."""

import re

import numpy as np
import pytest

from commsim import registry
from commsim.protocol import Protocol
from commsim.reduction import Reduction
from commsim.validate_protocol import validate_protocol
from commsim.validate_reduction import validate_reduction
from commsim.validation import LARGE_SIZES, accepts

Item = type[Protocol] | type[Reduction]
ITEMS: dict[str, Item] = {**registry.protocols(), **registry.reductions()}
#: the only claim that a sample may leave open
SAMPLED = "the error is as declared"


@pytest.fixture(params=ITEMS)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def item(name: str) -> Item:
    return ITEMS[name]


def is_reduction(item: Item) -> bool:
    return issubclass(item, Reduction)


def test_all_it_claims_holds(item: Item) -> None:
    checks = list(validate_reduction(item) if issubclass(item, Reduction) else validate_protocol(item))
    families = [check for check in checks if "at its symbolic cost" in check.claim]
    for check in checks:
        allowed = {"holds"}
        if check.claim == SAMPLED:
            allowed.add("undecided")
        if check.claim == "the same at large sizes" and not any(accepts(item, n) for n in LARGE_SIZES):
            allowed.add("skipped")
        if check in families:
            allowed.add("skipped")
        assert check.status in allowed, f"{check.claim}: {check.status}, {check.detail}"
    assert bool(families) == is_reduction(item)
    assert not families or any(check.status == "holds" for check in families), "no model family can be split this way"


def test_its_name_is_its_key_in_kebab_case(name: str, item: Item) -> None:
    assert item.name == name
    assert re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name)


def test_its_docstring_begins_with_a_sentence(item: Item) -> None:
    docstring = vars(item).get("__doc__")  # its own, not its base class's
    assert docstring, "no docstring"
    assert docstring.splitlines()[0].endswith(".")


def test_it_says_where_it_is_from(item: Item) -> None:
    assert (item.origin if issubclass(item, Reduction) else item.source).strip()


def test_it_lies_in_the_file_of_its_problem(name: str, item: Item) -> None:
    """Files of one problem for protocols; a file a reduction, called source_target, with any twin made from it."""
    file = item.__module__.rpartition(".")[2]
    if issubclass(item, Reduction):
        assert name == f"{item.source.name}-to-{item.target.name}"
        original = [cls for cls in item.__mro__ if cls.__module__ == item.__module__][-1]
        assert issubclass(original, Reduction)
        assert file == f"{original.source.name}_{original.target.name}".replace("-", "_")
    else:
        assert name.startswith(item.problem.name)
        assert file.startswith(item.problem.name.replace("-", "_"))


def test_its_samples_hold_both_answers(item: Item) -> None:
    """What is sampled at large sizes is half empty if nearly all answers are the same, as for uniform pairs of sets."""
    problem = (item.source if issubclass(item, Reduction) else item.problem)(16)
    x, y = problem.balanced_pairs(np.random.default_rng(0), 400)
    answers, counts = np.unique(problem.evaluate(x, y), return_counts=True)
    assert len(answers) > 1
    assert counts.max() <= 320, f"{counts.max()} of 400 answers are {answers[counts.argmax()]}"


@pytest.mark.parametrize(("base", "found"), [(Protocol, registry.protocols()), (Reduction, registry.reductions())])
def test_no_class_is_passed_over_in_silence(base: type, found: dict[str, type]) -> None:
    """A class that lacks a method is abstract, and so not registered: unless its name says so, that is an oversight."""
    modules = {cls.__module__ for cls in found.values()}
    public = {cls for cls in _descendants(base) if cls.__module__ in modules and not cls.__name__.startswith("_")}
    assert public == set(found.values())


def _descendants(cls: type) -> set[type]:
    children: set[type] = set(cls.__subclasses__())
    return children.union(*(_descendants(child) for child in children))
