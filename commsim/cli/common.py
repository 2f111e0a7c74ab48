"""What several commands share: options, names that complete, files, progress."""

import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import click

from commsim.errors import InputError

if TYPE_CHECKING:
    from commsim.arrays import Array
    from commsim.domain import InputDomain
    from commsim.problem import Problem

HOLDS, REFUTED, UNDECIDED = 0, 1, 3
GRADES = {HOLDS: "pass", REFUTED: "fail", UNDECIDED: "undecided"}
F = TypeVar("F", bound=Callable[..., Any])


class Name(click.ParamType[str]):
    """A name out of one or several kinds of the registry, completed by the shell."""

    name = "name"

    def __init__(self, *kinds: str) -> None:
        self.kinds = kinds

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list["click.shell_completion.CompletionItem"]:
        """Names that begin as typed; files, once a path is begun."""
        from click.shell_completion import CompletionItem

        from commsim import registry

        names = sorted({name for kind in self.kinds for name in getattr(registry, kind)()})
        found = [CompletionItem(name) for name in names if name.startswith(incomplete)]
        return found or [CompletionItem(incomplete, type="file")]


json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
seed_option = click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Of all randomness."
)
size_option = click.option("-n", type=click.IntRange(min=1), help="The size of the problem.")


def _read_sizes(ctx: click.Context, param: click.Parameter, texts: tuple[str, ...]) -> dict[str, int]:
    sizes: dict[str, int] = {}
    for text in texts:
        name, _, value = text.partition("=")
        if not name.isidentifier() or not value.isdecimal():
            raise click.BadParameter(f"cannot read {text!r}: write a size and a number, such as k=3")
        sizes[name] = int(value)
    return sizes


sizes_option = click.option(
    "--set", "sizes", metavar="NAME=VALUE", multiple=True, callback=_read_sizes, help="A further size, such as k=3."
)
inputs_options: list[Callable[[F], F]] = [
    click.option("--alice", metavar="X", help="Alice's input: bits such as 10110, a set {1,3}, a number."),
    click.option("--bob", metavar="Y", help="Bob's input, likewise."),
]


def with_inputs(command: F) -> F:
    """Add --alice and --bob."""
    for option in reversed(inputs_options):
        command = option(command)
    return command


def size_of(n: int | None, texts: list[str | None], default: int) -> int:
    """The size: as given, else the length of the first input that is a bit string, else a default.

    Raises:
        InputError: inputs are given that do not tell the size.
    """
    if n is not None:
        return n
    given = [text for text in texts if text is not None]
    for text in given:
        if text and not text.strip("01"):
            return len(text)
    if given:
        raise InputError(f"the size is not clear from {given[0]!r}: give it as -n")
    return default


def choose_inputs(problem: "Problem", alice: str | None, bob: str | None, seed: int) -> tuple["Array", "Array"]:
    """The inputs given; what is missing is drawn from the seed.

    Raises:
        InputError: an input cannot be read; the message says whose.
    """
    import numpy as np

    # the second of the balanced pairs is a hard one: nearly the other answer
    xs, ys = problem.balanced_pairs(np.random.default_rng(seed), 2)
    x = np.asarray(xs[1]) if alice is None else parse_input("alice", problem.alice_inputs, alice)
    y = np.asarray(ys[1]) if bob is None else parse_input("bob", problem.bob_inputs, bob)
    return x, y


def parse_input(party: str, domain: "InputDomain", text: object) -> "Array":
    """One party's input.

    Raises:
        InputError: it cannot be read; the message says whose.
    """
    try:
        return domain.parse(text)
    except InputError as error:
        raise InputError(f"{party}'s input: {error}") from error


def shown_path(path: str) -> str:
    """A file as messages name it."""
    return "stdin" if path == "-" else path


def read_lines(path: str) -> Iterator[tuple[int, str]]:
    """The lines of a file, or of stdin for ``-``, that are not blank, numbered from 1.

    Raises:
        InputError: the file cannot be read.
    """
    try:
        with click.open_file(path, encoding="utf-8") as file:
            for number, line in enumerate(file, start=1):
                if line.strip():
                    yield number, line
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot read {shown_path(path)}: {_reason(error)}") from error


@contextmanager
def written_whole(path: str, mode: Literal["w", "wb"] = "w") -> Iterator[Any]:
    """A file, of text unless the mode is ``wb``, that appears under its name only when it is complete.

    Raises:
        InputError: it cannot be written.
    """
    if not path:
        raise InputError("the name of the file to write is empty")
    target = Path(path)
    try:
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    except OSError as error:
        raise InputError(f"cannot write {path}: {_reason(error)}") from error
    try:
        with os.fdopen(handle, mode, encoding="utf-8" if mode == "w" else None) as file:
            yield file
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, target)
    except OSError as error:
        raise InputError(f"cannot write {path}: {_reason(error)}") from error
    finally:
        Path(temporary).unlink(missing_ok=True)


@contextmanager
def progress(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """A progress bar on stderr, if that is a terminal; yields a function that is told how much more is done."""
    if not sys.stderr.isatty():
        yield lambda more: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda more: bar.advance(task, more)


@contextmanager
def status(doing: str) -> Iterator[Callable[[str], None]]:
    """What is going on, on stderr, if that is a terminal; yields a function that is told what comes next."""
    if not sys.stderr.isatty():
        yield lambda doing: None
        return
    from rich.console import Console

    with Console(stderr=True).status(doing) as shown:
        yield lambda doing: shown.update(doing)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _reason(error: OSError | UnicodeDecodeError) -> str:
    return "it is not UTF-8 text" if isinstance(error, UnicodeDecodeError) else (error.strerror or str(error))
