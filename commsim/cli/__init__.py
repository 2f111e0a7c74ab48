"""The command line, one file a command.

Exit codes: 0 the claim holds; 1 refuted, and the counterexample is printed; 2 usage or unreadable input; 3 undecided,
because only a sample was checked or the time was spent. Data goes to stdout, progress and notes to stderr.
"""

import os
import sys
from difflib import get_close_matches
from pathlib import Path
from traceback import extract_tb
from typing import Any

import click

from commsim import __version__
from commsim.cli.analyze import analyze
from commsim.cli.bounds import bounds
from commsim.cli.check import check
from commsim.cli.information import information
from commsim.cli.listing import list_items
from commsim.cli.new import new
from commsim.cli.reduce import reduce
from commsim.cli.run import run
from commsim.cli.show import show
from commsim.cli.validate import validate
from commsim.errors import CommsimError

#: the exit code of a program that a closed pipe ends: 128 + SIGPIPE
_CLOSED_PIPE = 141


class _Commands(click.Group):
    """A group that says what is wrong in one line, and guesses at misspelt commands."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        command = args[0]
        if not command.startswith("-") and command not in self.commands:
            near = get_close_matches(command, self.commands, n=1)
            guess = f"did you mean {near[0]}?" if near else f"there are: {', '.join(sorted(self.commands))}"
            raise click.UsageError(f"no command is called {command!r}; {guess}")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            try:
                return super().invoke(ctx)
            finally:
                sys.stdout.flush()
        except BrokenPipeError:
            # whoever read us has gone: nothing is left to flush when the interpreter ends
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            ctx.exit(_CLOSED_PIPE)

    def main(self, *args: Any, **extra: Any) -> Any:
        try:
            code = super().main(*args, **{**extra, "standalone_mode": False})
        except click.exceptions.NoArgsIsHelpError as error:
            error.show()
            sys.exit(2)
        except click.ClickException as error:
            _fail(error.format_message(), 2)
        except click.Abort:
            _fail("interrupted", 130)
        except CommsimError as error:
            _fail(str(error), error.exit_code)
        except OSError as error:
            _fail(f"cannot read or write {error.filename or 'the output'}: {error.strerror or error}", 2)
        except MemoryError:
            _fail("out of memory: choose a smaller size", 2)
        except Exception as error:
            place = extract_tb(error.__traceback__)[-1]
            where = f"{Path(place.filename).name}, line {place.lineno}"
            _fail(f"an error of commsim itself, please report it: {type(error).__name__}: {error} ({where})", 70)
        sys.exit(code if isinstance(code, int) else 0)


def _fail(message: str, code: int) -> None:
    click.echo(f"commsim: {' '.join(message.split())}", err=True)
    sys.exit(code)


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="commsim")
def main() -> None:
    """Run two-party protocols bit by bit, and reductions that turn models into protocols.

    \b
    Start with:
      commsim reduce disjointness --to qsa
      commsim list
      commsim run equality-public-coin -n 8

    Exit codes: 0 holds, 1 refuted, 2 usage or unreadable input, 3 undecided (only sampled, or
    out of time).

    Completion: eval "$(_COMMSIM_COMPLETE=bash_source commsim)", likewise for zsh and fish.
    """


for command in (reduce, list_items, show, run, analyze, bounds, check, information, validate, new):
    main.add_command(command)
