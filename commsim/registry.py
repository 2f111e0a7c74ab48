"""Names to objects. Nothing is registered by hand.

Built-in protocols and reductions are found by scanning their two packages, a third party's by the entry-point groups
``commsim.protocols`` and ``commsim.reductions``, a user's own by the path of a file: ``FILE.py`` or ``FILE.py:Class``.
"""

import difflib
import importlib
import importlib.util
import inspect
import pkgutil
import sys
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from commsim.errors import InputError, own_line
from commsim.models.model import Model
from commsim.problem import Problem
from commsim.protocol import Protocol
from commsim.reduction import Reduction
from commsim.task import SequenceTask
from commsim.transcript import Transcript

FAMILIES = ("attention", "rnn", "mlp")
T = TypeVar("T")


@cache
def problems() -> dict[str, type[Problem]]:
    """Every problem of commsim, by name."""
    return _by_name(_submodules("commsim.problem"), Problem)


@cache
def tasks() -> dict[str, type[SequenceTask]]:
    """Every sequence task, by name."""
    return _by_name(_submodules("commsim.task"), SequenceTask)


@cache
def protocols() -> dict[str, type[Protocol]]:
    """Every built-in and installed third party's protocol, by name."""
    return _by_name(_modules("commsim.protocols"), Protocol)


@cache
def reductions() -> dict[str, type[Reduction]]:
    """Every built-in and installed third party's reduction, by name."""
    return _by_name(_modules("commsim.reductions"), Reduction)


@cache
def constructions() -> dict[str, type[Model]]:
    """Every constructed model, by name."""
    return _by_name(_submodules("commsim.models"), Model)


@cache
def models() -> dict[tuple[str, str], type[Model]]:
    """The standard model of each family (``attention``, ``rnn``, ``mlp``) for each task, by family and task name."""
    standard = {(cls.family, cls.solves.name): cls for cls in constructions().values() if cls.standard}
    return dict(sorted(standard.items()))


def construct(family: str, task: SequenceTask) -> Model:
    """The family's constructed model for a task.

    Raises:
        InputError: the family has none.
    """
    cls = models().get((family, task.name))
    if cls is None:
        raise InputError(f"there is no {family} model for {task.name}")
    return cls(task)


def find_problem(name: str) -> type[Problem]:
    """A problem by its name or its symbol (``disjointness``, ``DISJ``)."""
    by_symbol = {cls.symbol.lower(): cls for cls in problems().values()}
    return by_symbol.get(name.lower()) or _find("problem", name, problems())


def find_task(name: str) -> type[SequenceTask]:
    """A task by its name."""
    return _find("task", name, tasks())


def problem_of(run: Transcript) -> Problem:
    """The problem of a transcript, at its sizes.

    Raises:
        InputError: there is no such problem, or it has other sizes.
    """
    return at_sizes(find_problem(run.problem), run.n, run.sizes)


def at_sizes(make: Callable[..., T], n: int, sizes: Mapping[str, int]) -> T:
    """A problem, a protocol or a reduction at the size n and at further sizes of its own.

    Raises:
        InputError: it has no such size, or refuses the value.
    """
    parameters = inspect.signature(make).parameters.values()
    known = [size.name for size in parameters if size.name != "n" and isinstance(size.default, int)]
    for name in sizes:
        if name not in known:
            having = f"it has {' and '.join(known)}" if known else "it has none"
            raise InputError(f"there is no size {name} to set besides n: {having}")
    return make(n, **sizes)


def find_protocol(name: str) -> Callable[[int], Protocol]:
    """What makes a protocol of a given size: by its name, from a user's file, or induced: ``reduction/family``."""
    if is_path(name):
        loaded: type[Protocol] = _load(name, Protocol)
        return loaded
    reduction, slash, family = name.rpartition("/")
    if not slash:
        return _find("protocol", name, protocols())
    cls = find_reduction(reduction)
    if family not in FAMILIES:
        raise InputError(f"no model family is called {family!r}; {nearest(family, FAMILIES)}")

    def induced(n: int) -> Protocol:
        instance = cls(n)
        return instance.induce(construct(family, instance.shape().task))

    return induced


def find_reduction(name: str) -> type[Reduction]:
    """A reduction by its name, or from a user's file."""
    return _load(name, Reduction) if is_path(name) else _find("reduction", name, reductions())


def find_reduction_between(source: type[Problem], target: type[SequenceTask]) -> type[Reduction]:
    """The reduction from a problem to a task.

    Raises:
        InputError: there is none.
    """
    for cls in reductions().values():
        if cls.source is source and cls.target is target:
            return cls
    known = ", ".join(sorted(reductions()))
    raise InputError(f"there is no reduction from {source.name} to {target.name}; there are: {known}")


def find_item(name: str) -> type[Protocol] | type[Reduction]:
    """A protocol or a reduction by its name, or from a user's file."""
    if is_path(name):
        loaded: type[Protocol] | type[Reduction] = _load(name, Protocol, Reduction)
        return loaded
    both: dict[str, type[Protocol] | type[Reduction]] = {**protocols(), **reductions()}
    return _find("protocol or reduction", name, both)


#: an error message lists at most so many names
_MOST_NAMES = 15


def is_path(name: str) -> bool:
    """Whether a name is a user's file: ``FILE.py`` or ``FILE.py:Class``."""
    return name.endswith(".py") or ".py:" in name


def nearest(name: str, names: Iterable[str], otherwise: str = "commsim list shows what there is") -> str:
    """What to say after an unknown name: the nearest ones, or all if they are few, or something else."""
    names = sorted(names)
    near = difflib.get_close_matches(name.lower(), names, n=2, cutoff=0.5)
    near = near or [known for known in names if name and name.lower() in known][:3]
    if near:
        return f"did you mean {' or '.join(near)}?"
    if len(names) > _MOST_NAMES:
        return otherwise
    return f"there are: {', '.join(names)}"


def _find(kind: str, name: str, known: dict[str, T]) -> T:
    if name in known:
        return known[name]
    raise InputError(f"no {kind} is called {name!r}; {nearest(name, known)}")


def _by_name(modules: Iterable[ModuleType], base: type[T]) -> dict[str, type[T]]:
    found: dict[str, type[T]] = {}
    for module in modules:
        for cls in _classes(module, base):
            name = str(getattr(cls, "name", cls.__name__))
            if name in found:
                raise InputError(
                    f"two classes are called {name!r}: {found[name].__module__}.{found[name].__name__}"
                    f" and {cls.__module__}.{cls.__name__}"
                )
            found[name] = cls
    return dict(sorted(found.items()))


def _classes(module: ModuleType, *bases: type[Any]) -> list[Any]:
    """The concrete classes that a module itself defines."""
    return [
        cls
        for cls in vars(module).values()
        if inspect.isclass(cls)
        and issubclass(cls, bases)
        and cls.__module__ == module.__name__
        and not inspect.isabstract(cls)
        and not cls.__name__.startswith("_")
    ]


def _submodules(package: str) -> list[ModuleType]:
    path = importlib.import_module(package).__path__
    return [importlib.import_module(f"{package}.{info.name}") for info in pkgutil.iter_modules(path)]


def _modules(group: str) -> list[ModuleType]:
    """The modules of a built-in package, and those that entry points of the same name add."""
    modules = _submodules(group)
    for entry in entry_points(group=group):
        try:
            modules.append(importlib.import_module(entry.module))
        except Exception as error:
            raise InputError(f"the plug-in {entry.name} = {entry.value} does not load: {own_line(error)}") from error
    return modules


def _load(reference: str, *bases: type[Any]) -> Any:
    """A class from a user's file."""
    path, _, wanted = reference.partition(".py:") if ".py:" in reference else (reference[:-3], "", "")
    file = Path(f"{path}.py")
    kinds = " or ".join(base.__name__ for base in bases)
    module = _module_of(file)
    classes = _classes(module, *bases)
    if not classes:
        raise InputError(f"{file} defines no {kinds}: {_what_is_missing(module, *bases)}")
    if wanted:
        for cls in classes:
            if cls.__name__ == wanted:
                return cls
        names = [cls.__name__ for cls in classes]
        hint = nearest(wanted, names, otherwise=f"there are: {', '.join(names)}")
        raise InputError(f"{file} defines no {kinds} {wanted!r}; {hint}")
    if len(classes) > 1:
        several = ", ".join(cls.__name__ for cls in classes)
        raise InputError(f"{file} defines several: {several}; say which, as {file}:{classes[0].__name__}")
    return classes[0]


def _what_is_missing(module: ModuleType, *bases: type[Any]) -> str:
    for cls in vars(module).values():
        if inspect.isabstract(cls) and issubclass(cls, bases) and cls.__module__ == module.__name__:
            return f"{cls.__name__} lacks {' and '.join(sorted(cls.__abstractmethods__))}"
    return "it must hold a subclass with all its methods"


def _module_of(file: Path) -> ModuleType:
    if not file.is_file():
        raise InputError(f"cannot read {file}: no such file")
    name = f"commsim_user_{file.stem}"
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise InputError(f"cannot import {file}: it is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    if (folder := str(file.resolve().parent)) not in sys.path:
        sys.path.append(folder)  # for modules beside the file; last, so that they hide nothing
    try:
        spec.loader.exec_module(module)
    except SyntaxError as error:
        raise InputError(f"{file}, line {error.lineno}: {error.msg}") from error
    except (Exception, SystemExit) as error:
        raise InputError(own_line(error)) from error
    return module
