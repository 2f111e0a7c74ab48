"""Runs the code blocks of a Markdown page, top to bottom, and says where the page is wrong.

- A ``python`` block is executed; one that begins with ``>>>`` is compared with its output, ``...`` matching anything.
  The blocks of one page share their names.
- A ``console`` block is a session of one shell: after each line ``$ command`` comes what it prints, stdout and stderr
  together. A line that ends in a backslash goes on. A command that fails is followed by ``$ echo $?``.
- Any other block is text. With ``:caption: FILE`` on a ``{code-block}`` that is not a console, it is saved under that
  name instead of being run, for the blocks below.

All of it happens in a folder of the page's own, in which ``commsim`` is the one of this checkout.
"""

import contextlib
import doctest
import os
import re
import subprocess
import sys
import traceback
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sybil import Document, Region
from sybil.evaluators.doctest import DocTest, DocTestRunner, OutputChecker
from sybil.parsers.markdown.lexers import FencedCodeBlockLexer
from sybil.parsers.myst.lexers import DirectiveLexer

ROOT = Path(__file__).resolve().parent.parent

#: Spellings that look as if the block were run, and so would hide that it is not.
MISSPELT = {
    "py": "python",
    "python3": "python",
    "pycon": "python",
    "bash": "console",
    "shell": "console",
    "shell-session": "console",
}
CONSOLE_FLAGS = doctest.ELLIPSIS | doctest.DONT_ACCEPT_TRUE_FOR_1 | doctest.DONT_ACCEPT_BLANKLINE


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, its text, the page's line on which that text begins, its caption if it has one."""

    language: str
    source: str
    line: int
    caption: str | None = None


@dataclass(frozen=True)
class Command:
    """A command of a console block, the page's line it is on, and the output that the page shows."""

    text: str
    line: int
    output: str


def parse_blocks(text: str) -> list[Block]:
    """The fenced blocks of a page in order; a block that another one quotes is only text."""
    document = Document(text, "page")
    regions = [
        *FencedCodeBlockLexer(r"[^\s{][^\n]*", mapping={"language": "arguments", "source": "source"})(document),
        *DirectiveLexer("code-block|sourcecode|code")(document),
    ]
    blocks = []
    end = 0
    for region in sorted(regions, key=lambda region: region.start):
        if region.start >= end:
            blocks.append(_block(region, text))
            end = region.end
    return blocks


def _block(region: Region, text: str) -> Block:
    source = region.lexemes["source"]
    line = 1 + text.count("\n", 0, region.start + source.offset)
    caption = region.lexemes.get("options", {}).get("caption")
    return Block(region.lexemes["arguments"].strip(), str(source), line, caption)


def run_page(page: Path, folder: Path) -> list[str]:
    """Run the page in the empty ``folder``; what is wrong with it, block by block, each with page, line and reason."""
    runner = _PageRunner(page, folder)
    with runner.in_its_folder():
        return [failure for block in parse_blocks(page.read_text(encoding="utf-8")) for failure in runner.run(block)]


class _PageRunner:
    def __init__(self, page: Path, folder: Path) -> None:
        self.page = page
        self.folder = folder / "page"
        self.folder.mkdir()
        self.environment = _environment(folder / "bin")
        self.names: dict[str, Any] = {"__name__": "__main__"}

    @contextlib.contextmanager
    def in_its_folder(self) -> Iterator[None]:
        """Work in the page's folder and import from it; forget afterwards what was imported there."""
        sys.path.insert(0, str(self.folder))
        try:
            with contextlib.chdir(self.folder):
                yield
        finally:
            sys.path.remove(str(self.folder))
            for name, module in list(sys.modules.items()):
                if (getattr(module, "__file__", None) or "").startswith(f"{self.folder}{os.sep}"):
                    del sys.modules[name]

    def run(self, block: Block) -> Iterator[str]:
        if block.language in MISSPELT:
            yield self.failure(block.line, f"a {block.language} block is not run: call it {MISSPELT[block.language]}")
        elif block.language == "console":
            yield from self.run_console(block)
        elif block.caption is not None:
            yield from self.save(block, block.caption)
        elif block.language == "python" and block.source.lstrip().startswith(">>>"):
            yield from self.run_doctest(block)
        elif block.language == "python":
            yield from self.run_python(block)

    def failure(self, line: int, reason: str) -> str:
        return f"{self.page}:{line}: {reason.rstrip()}"

    def save(self, block: Block, caption: str) -> Iterator[str]:
        if re.fullmatch(r"[\w-]+\.\w+", caption):
            (self.folder / caption).write_text(block.source, encoding="utf-8")
        else:
            yield self.failure(block.line, f"the caption is the name of the file to save, but {caption!r} is not one")

    def run_python(self, block: Block) -> Iterator[str]:
        padding = "\n" * (block.line - 1)  # so that a traceback shows the page's own line numbers
        try:
            exec(compile(padding + block.source, str(self.page), "exec"), self.names)
        except (Exception, SystemExit) as error:
            here = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(self.page)]
            line = here[0].lineno if here else getattr(error, "lineno", None)
            yield self.failure(line or block.line, "expected to run, got:\n" + traceback.format_exc())

    def run_doctest(self, block: Block) -> Iterator[str]:
        line = block.line
        for part in doctest.DocTestParser().parse(block.source):
            if isinstance(part, doctest.Example):
                test = DocTest([part], self.names, str(self.page), None, 0, None)
                complaints: list[str] = []
                DocTestRunner(doctest.ELLIPSIS).run(test, out=complaints.append, clear_globs=False)
                if complaints:
                    yield self.failure(block.line + part.lineno, f">>> {part.source}{''.join(complaints)}")
                line = block.line + part.lineno + part.source.count("\n") + part.want.count("\n")
            elif part.strip():
                line += part[: len(part) - len(part.lstrip())].count("\n")
                yield self.failure(line, f"neither a prompt nor an output, so nothing would run it:\n{part.strip()}")

    def run_console(self, block: Block) -> Iterator[str]:
        commands, stray = _parse_console(block)
        if stray or not commands:
            yield self.failure(block.line, "a console block begins with a line '$ command'")
        results, last_words = self.run_shell([command.text for command in commands])
        if len(results) < len(commands):
            command = commands[len(results)]
            reason = "never ran to its end: the shell stopped before"
            yield self.failure(command.line, f"$ {command.text}\n{reason}\n{last_words}")
        for index, (output, status) in enumerate(results):
            command = commands[index]
            yield from self.compare(command, output)
            declared = index + 1 < len(commands) and "$?" in commands[index + 1].text
            if status != 0 and not declared:
                reason = f"expected exit status 0, got {status}; if that is meant, go on with '$ echo $?'"
                yield self.failure(command.line, f"$ {command.text}\n{reason}\n{output}")

    def compare(self, command: Command, output: str) -> Iterator[str]:
        want, got = (_without_trailing_blanks(text) for text in (command.output, output))
        checker = OutputChecker()
        if not checker.check_output(want, got, CONSOLE_FLAGS):
            difference = checker.output_difference(doctest.Example(command.text, want), got, CONSOLE_FLAGS)
            yield self.failure(command.line, f"$ {command.text}\n{difference}")

    def run_shell(self, commands: list[str]) -> tuple[list[tuple[str, int]], str]:
        """Run the commands in one shell: the output and exit status of each that ended, and what was printed after."""
        mark = uuid.uuid4().hex
        after_each = f"_done() {{ local status=$?; echo '{mark}' $status; return $status; }}\n"
        script = after_each + "".join(f"{command}\n_done\n" for command in commands)
        shell = subprocess.run(
            ["bash", "-c", script],
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        *ended, last_words = re.split(f"{mark} ([0-9]+)\n", shell.stdout.decode("utf-8", "replace"))
        results = [(output, int(status)) for output, status in zip(ended[::2], ended[1::2], strict=True)]
        return results, last_words


def _parse_console(block: Block) -> tuple[list[Command], bool]:
    """The commands of a console block, and whether it has text before the first."""
    commands: list[Command] = []
    stray = False
    lines = enumerate(block.source.split("\n"), block.line)
    for number, line in lines:
        if line.startswith("$ "):
            text = line.removeprefix("$ ")
            while text.endswith("\\"):
                text += "\n" + next(lines, (number, ""))[1]
            commands.append(Command(text, number, ""))
        elif commands:
            last = commands[-1]
            commands[-1] = Command(last.text, last.line, f"{last.output}{line}\n")
        else:
            stray = stray or bool(line.strip())
    return commands, stray


def _without_trailing_blanks(text: str) -> str:
    stripped = text.rstrip()
    return stripped + "\n" if stripped else ""


def _environment(programs: Path) -> dict[str, str]:
    """The environment of a console block, with ``commsim`` written into the folder ``programs``."""
    programs.mkdir()
    commsim = programs / "commsim"
    commsim.write_text(f'#!/bin/sh\nexec "{sys.executable}" -P -m commsim "$@"\n', encoding="utf-8")
    commsim.chmod(0o755)
    inherited = {name: value for name, value in os.environ.items() if name not in ("FORCE_COLOR", "CLICOLOR_FORCE")}
    return inherited | {
        "PATH": os.pathsep.join([str(programs), str(Path(sys.executable).parent), os.environ.get("PATH", "")]),
        "PYTHONPATH": str(ROOT),
        "PYTHONUNBUFFERED": "1",  # keeps stdout and stderr in the order in which they were written
        "PYTHONUTF8": "1",
        "COLUMNS": "80",
        "NO_COLOR": "1",
        "TERM": "dumb",
    }
