"""Names to objects: built-ins, guesses, clashes, plug-ins by entry points, and a user's own files."""

import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from commsim import registry
from commsim.errors import InputError
from commsim.models.attention import RandomEmbeddingAttention
from commsim.problem import Disjointness, Equality, GreaterThan, Index, InnerProduct, Intersection, Problem
from commsim.protocol import Protocol
from commsim.protocols.disjointness import DisjointnessTrivial
from commsim.reduction import InducedProtocol
from commsim.reductions.disjointness_match3 import DisjointnessToMatch3
from commsim.reductions.index_qsa import IndexToQSA
from commsim.task import Match2, Match3, QSparseAveraging

PROTOCOL = '''
from commsim.problem import Equality
from commsim.protocol import Protocol


class {name}(Protocol):
    """Alice sends everything."""

    name = "{kebab}"
    problem = Equality
    cost = "n"
    output = "bob"

    async def alice(self, x, channel):
        await channel.send(x)

    async def bob(self, y, channel):
        return (y == await channel.receive(self.n)).all()
'''


# names


def test_the_problems_and_tasks_of_the_kernel() -> None:
    problems = {Disjointness, Equality, GreaterThan, Index, InnerProduct, Intersection}
    assert set(registry.problems().values()) >= problems
    assert registry.tasks() == {"match2": Match2, "match3": Match3, "qsa": QSparseAveraging}


def test_every_problem_has_a_symbol_of_its_own() -> None:
    symbols = [problem.symbol for problem in registry.problems().values()]
    assert len(set(symbols)) == len(symbols)


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("disjointness", Disjointness),
        ("DISJ", Disjointness),
        ("disj", Disjointness),
        ("Gt", GreaterThan),
        ("IP", InnerProduct),
    ],
)
def test_a_problem_has_a_name_and_a_symbol(name: str, problem: type[Problem]) -> None:
    assert registry.find_problem(name) is problem


def test_found_by_name() -> None:
    assert registry.find_task("match3") is Match3
    assert registry.find_protocol("disjointness-trivial") is DisjointnessTrivial
    assert registry.find_reduction("disjointness-to-match3") is DisjointnessToMatch3
    assert registry.find_item("disjointness-trivial") is DisjointnessTrivial
    assert registry.find_item("index-to-qsa") is IndexToQSA
    assert registry.find_reduction_between(Index, QSparseAveraging) is IndexToQSA


def test_the_problem_of_a_transcript() -> None:
    run = registry.find_protocol("index-from-bob")(5).run(np.zeros(5, dtype=bool), np.array(2))
    problem = registry.problem_of(run)
    assert (problem.name, problem.n) == ("index", 5)


def test_a_size_that_is_not_there() -> None:
    with pytest.raises(InputError, match=r"^there is no size k to set besides n: it has none$"):
        registry.at_sizes(Index, 5, {"k": 2})
    with pytest.raises(InputError, match=r"^there is no size m to set besides n: it has k$"):
        registry.at_sizes(registry.find_protocol("equality-public-coin"), 5, {"m": 2})
    with pytest.raises(InputError, match=r"^there is no size graph to set besides n: it has none$"):
        registry.at_sizes(registry.find_protocol("clique-independent-set-halving"), 5, {"graph": 7})
    assert registry.at_sizes(registry.find_protocol("equality-public-coin"), 5, {"k": 7}).parameters == {"n": 5, "k": 7}


def test_a_protocol_that_a_reduction_induces() -> None:
    protocol = registry.find_protocol("index-to-qsa/attention")(3)
    assert isinstance(protocol, InducedProtocol)
    assert (protocol.name, protocol.n, type(protocol.model)) == ("index-to-qsa/attention", 3, RandomEmbeddingAttention)


def test_no_class_that_is_abstract_or_private_or_only_imported() -> None:
    assert "_match" not in {cls.__name__.lower() for cls in registry.tasks().values()}
    assert Protocol not in registry.protocols().values()
    assert all(cls.__module__.startswith("commsim.protocols.") for cls in registry.protocols().values())


# guesses


@pytest.mark.parametrize(
    ("find", "name", "message"),
    [
        (registry.find_problem, "disjunctness", "no problem is called 'disjunctness'; did you mean disjointness"),
        (registry.find_problem, "Dijointness", "no problem is called 'Dijointness'; did you mean disjointness"),
        (registry.find_task, "match4", "no task is called 'match4'; did you mean match3 or match2?"),
        (registry.find_task, "zz", "no task is called 'zz'; there are: match2, match3, qsa"),
        (registry.find_reduction, "index-qsa", "did you mean index-to-qsa"),
        (registry.find_reduction, "match3", "did you mean disjointness-to-match3 or intersection-to-match3?"),
        (
            registry.find_protocol,
            "disjointness_trivial",
            "no protocol is called 'disjointness_trivial'; did you mean disj",
        ),
        (registry.find_protocol, "index-to-qsa/attn", "no model family is called 'attn'; did you mean attention?"),
        (
            registry.find_protocol,
            "index-to-qas/mlp",
            "no reduction is called 'index-to-qas'; did you mean index-to-qsa",
        ),
        (
            registry.find_item,
            "equality-trival",
            "no protocol or reduction is called 'equality-trival'; did you mean equality-tri",
        ),
    ],
)
def test_an_unknown_name_gets_a_guess(find: object, name: str, message: str) -> None:
    assert callable(find)
    with pytest.raises(InputError) as raised:
        find(name)
    assert message in str(raised.value)


def test_no_reduction_between() -> None:
    with pytest.raises(InputError, match=r"there is no reduction from equality to match2; there are: .*index-to-qsa"):
        registry.find_reduction_between(Equality, Match2)


def test_no_model_of_a_family() -> None:
    with pytest.raises(InputError, match="there is no rnn model for match2"):
        registry.construct("rnn", Match2(3, 5))


# plug-ins


@pytest.fixture
def fresh() -> Iterator[None]:
    """What is registered is remembered: forget it before and after."""
    registry.protocols.cache_clear()
    yield
    registry.protocols.cache_clear()


def plug_in(monkeypatch: pytest.MonkeyPatch, module: str, source: str | None) -> None:
    """An installed package that names a module as an entry point for protocols; it exists if it has a source."""
    if source is not None:
        defined = ModuleType(module)
        exec(source, vars(defined))
        monkeypatch.setitem(sys.modules, module, defined)

    def entry_points(group: str) -> list[EntryPoint]:
        return [EntryPoint("extra", module, group)] if group == "commsim.protocols" else []

    monkeypatch.setattr(registry, "entry_points", entry_points)


def test_a_plug_in_is_found_beside_the_built_ins(fresh: None, monkeypatch: pytest.MonkeyPatch) -> None:
    built_in = set(registry.protocols())
    registry.protocols.cache_clear()
    plug_in(monkeypatch, "their_protocols", PROTOCOL.format(name="Theirs", kebab="equality-theirs"))
    assert set(registry.protocols()) == built_in | {"equality-theirs"}
    found = registry.find_protocol("equality-theirs")
    assert getattr(found, "__module__", None) == "their_protocols"


def test_a_plug_in_must_not_take_a_name_that_is_taken(fresh: None, monkeypatch: pytest.MonkeyPatch) -> None:
    plug_in(monkeypatch, "their_protocols", PROTOCOL.format(name="Mine", kebab="equality-trivial"))
    with pytest.raises(InputError) as raised:
        registry.protocols()
    assert str(raised.value) == (
        "two classes are called 'equality-trivial': commsim.protocols.equality.EqualityTrivial and their_protocols.Mine"
    )


def test_a_plug_in_that_is_gone(fresh: None, monkeypatch: pytest.MonkeyPatch) -> None:
    plug_in(monkeypatch, "no_such_module", None)
    with pytest.raises(InputError, match="the plug-in extra = no_such_module does not load: ModuleNotFoundError"):
        registry.protocols()


# a user's own file


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "mine.py"


def test_the_only_class_of_a_file_and_one_by_name(file: Path) -> None:
    file.write_text(PROTOCOL.format(name="First", kebab="first"))
    assert registry.find_item(str(file)).name == "first"
    file.write_text(PROTOCOL.format(name="First", kebab="first") + PROTOCOL.format(name="Second", kebab="second"))
    assert registry.find_item(f"{file}:Second").name == "second"
    assert registry.find_protocol(f"{file}:First")(4).function.n == 4


def test_a_file_imports_the_module_beside_it(file: Path) -> None:
    (file.parent / "beside_mine_alone.py").write_text("COST = '2*n'\n", encoding="utf-8")
    file.write_text(
        "import random\n"
        "from beside_mine_alone import COST\n"
        "from commsim.problem import Equality\n"
        "from commsim.protocol import Protocol\n\n\n"
        "class Mine(Protocol):\n"
        "    name, problem, cost = 'mine', Equality, COST\n\n"
        "    async def alice(self, x, channel): return random\n\n"
        "    async def bob(self, y, channel): return random\n",
        encoding="utf-8",
    )
    (file.parent / "random.py").write_text("raise RuntimeError\n", encoding="utf-8")
    assert registry.find_protocol(str(file))(3).declared_cost == 6


def test_a_file_is_known_by_its_path() -> None:
    assert registry.is_path("mine.py")
    assert registry.is_path("mine.py:Class")
    assert not registry.is_path("disjointness-trivial")
    assert not registry.is_path("index-to-qsa/rnn")


TWO = PROTOCOL.format(name="First", kebab="first") + PROTOCOL.format(name="Second", kebab="second")


@pytest.mark.parametrize(
    ("source", "reference", "message"),
    [
        (None, "", "cannot read {file}: no such file"),
        ("x = (", "", "{file}, line 1: '(' was never closed"),
        ("x = 1\n", "", "{file} defines no Protocol or Reduction: it must hold a subclass with all its methods"),
        ("x = 1\n", ":First", "{file} defines no Protocol or Reduction: it must hold a subclass with all its methods"),
        ("x = 1\ny = x / 0\n", "", "ZeroDivisionError: division by zero (mine.py, line 2: y = x / 0)"),
        ("import nowhere\n", "", "ModuleNotFoundError: No module named 'nowhere' (mine.py, line 1: import nowhere)"),
        (TWO, "", "{file} defines several: First, Second; say which, as {file}:First"),
        (TWO, ":Secnd", "{file} defines no Protocol or Reduction 'Secnd'; did you mean Second?"),
        (TWO, ":Protocol", "{file} defines no Protocol or Reduction 'Protocol'; there are: First, Second"),
        (
            PROTOCOL.format(name="Half", kebab="half").partition("    async def bob")[0],
            "",
            "{file} defines no Protocol or Reduction: Half lacks bob",
        ),
    ],
)
def test_what_is_wrong_with_a_file_is_said_in_one_line(
    file: Path, source: str | None, reference: str, message: str
) -> None:
    if source is not None:
        file.write_text(source)
    with pytest.raises(InputError) as raised:
        registry.find_item(f"{file}{reference}")
    assert str(raised.value) == message.format(file=file)


def test_a_protocol_is_no_reduction(file: Path) -> None:
    file.write_text(PROTOCOL.format(name="First", kebab="first"))
    with pytest.raises(InputError, match="defines no Reduction: it must hold a subclass"):
        registry.find_reduction(str(file))
