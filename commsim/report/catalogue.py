"""What there is, and one thing in full, as records."""

import inspect
import re

import msgspec

from commsim import registry
from commsim.errors import InputError
from commsim.problem import KnownBound, Problem
from commsim.protocol import Protocol
from commsim.reduction import Reduction
from commsim.task import SequenceTask

Item = type[Problem] | type[SequenceTask] | type[Protocol] | type[Reduction]
_OUTPUT = {
    "both": "both parties know the answer",
    "alice": "only Alice knows the answer",
    "bob": "only Bob knows the answer",
    "referee": "the referee knows the answer",
}


class Description(msgspec.Struct, kw_only=True):
    """One thing in full.

    Attributes:
        kind: ``problem``, ``task``, ``protocol`` or ``reduction``.
        name: as on the command line.
        definition: the paragraphs of its docstring, without the arguments.
        facts: what it declares, by name.
        bounds: of a problem.
        related: names of what goes with it, by kind.
    """

    kind: str
    name: str
    definition: list[str]
    facts: dict[str, str]
    bounds: list[KnownBound] = []
    related: dict[str, list[str]] = {}


def catalogue() -> dict[str, list[dict[str, str]]]:
    """Everything registered, by kind, each with a one-line summary."""
    return {
        "problems": [
            {"name": name, "symbol": cls.symbol, "summary": summary(cls)} for name, cls in registry.problems().items()
        ],
        "tasks": [{"name": name, "summary": summary(cls)} for name, cls in registry.tasks().items()],
        "protocols": [
            {"name": name, "problem": cls.problem.name, "cost": cls.cost, "coins": cls.coins, "summary": summary(cls)}
            for name, cls in registry.protocols().items()
        ],
        "reductions": [
            {"name": name, "source": cls.source.name, "target": cls.target.name, "summary": summary(cls)}
            for name, cls in registry.reductions().items()
        ],
        "models": [
            {"family": family, "task": task, "summary": summary(cls)}
            for (family, task), cls in sorted(registry.models().items())
        ],
    }


def describe(name: str) -> Description:
    """A problem, a task, a protocol or a reduction by its name, or a user's protocol or reduction by its file.

    Raises:
        InputError: there is no such thing.
    """
    if registry.is_path(name):
        return _describe(registry.find_item(name))
    known: dict[str, Item] = {
        **registry.problems(),
        **registry.tasks(),
        **registry.protocols(),
        **registry.reductions(),
    }
    if name not in known:
        known.update({cls.symbol: cls for cls in registry.problems().values()})
    if name not in known:
        raise InputError(f"nothing is called {name!r}; {registry.nearest(name, known)}")
    return _describe(known[name])


def summary(cls: type) -> str:
    """The first sentence of a docstring, or its first line."""
    return paragraphs(cls)[0]


def paragraphs(cls: type) -> list[str]:
    """The paragraphs of a docstring, each in one line, without its arguments and the markup of its references."""
    text, _, _ = (inspect.getdoc(cls) or "(no description)").partition("\n\nArgs:\n")
    text = re.sub(r":\w+:`([^`]+)`", r"\1", text)
    return [" ".join(paragraph.split()) for paragraph in text.split("\n\n")]


def _describe(cls: Item) -> Description:
    if issubclass(cls, Problem):
        return _describe_problem(cls)
    if issubclass(cls, SequenceTask):
        reductions = [name for name, reduction in registry.reductions().items() if reduction.target is cls]
        models = [family for family, task in registry.models() if task == cls.name]
        return Description(
            kind="task",
            name=cls.name,
            definition=paragraphs(cls),
            facts={"title": cls.title, **cls.sizes, "from": cls.source},
            related={"reductions": reductions, "models": models},
        )
    if issubclass(cls, Reduction):
        facts = {"source": cls.source.name, "target": cls.target.name, **cls.sizes, "gap": cls.gap, "from": cls.origin}
        return Description(kind="reduction", name=cls.name, definition=paragraphs(cls), facts=facts)
    facts = {
        "problem": cls.problem.name,
        "cost": f"{cls.cost} bits in the worst case; {_OUTPUT[cls.output]}",
        "coins": cls.coins,
        "error": "0" if cls.coins == "none" else f"at most {cls.error}; {cls.error_kind()}",
        "communication": cls.communication,
        "from": cls.source,
    }
    return Description(kind="protocol", name=cls.name, definition=paragraphs(cls), facts=facts)


def _describe_problem(cls: type[Problem]) -> Description:
    at_four = cls(4)
    return Description(
        kind="problem",
        name=cls.name,
        definition=paragraphs(cls),
        facts={
            "symbol": f"{cls.symbol}_n",
            "alice": f"at n = 4: {at_four.alice_inputs.reads}",
            "bob": f"at n = 4: {at_four.bob_inputs.reads}",
        },
        bounds=list(cls.bounds),
        related={
            "protocols": [name for name, protocol in registry.protocols().items() if protocol.problem is cls],
            "reductions": [name for name, reduction in registry.reductions().items() if reduction.source is cls],
        },
    )
