"""A folder of submissions: each graded in a process of its own, so that none can stop the others."""

import csv
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import click

import commsim
from commsim.cli.common import GRADES, HOLDS, REFUTED, progress, written_whole
from commsim.errors import InputError

#: what one submission may print, in bytes
_MOST_PRINTED = 2**24


@dataclass(frozen=True)
class Exercise:
    """What a submission must be: for a problem, with at most so many bits; each None if it does not matter."""

    problem: str | None
    most_bits: str | None
    seed: int

    def options(self) -> list[str]:
        """As on the command line."""
        options = ["--seed", str(self.seed)]
        options += ["--problem", self.problem] if self.problem is not None else []
        return options + (["--max-bits", self.most_bits] if self.most_bits is not None else [])


@dataclass(frozen=True)
class Grade:
    """How one submission fared.

    Attributes:
        file: its name.
        grade: ``pass``, ``fail``, ``undecided``; ``error`` if it cannot be run or raises, ``timeout``, or ``crash``.
        claim: the one that is refuted.
        detail: what is wrong.
        counterexample: options for ``commsim run`` that show it.
        seconds: how long it took.
    """

    file: str
    grade: str
    claim: str = ""
    detail: str = ""
    counterexample: str = ""
    seconds: float = 0.0


def grade_folder(
    folder: Path, exercise: Exercise, timeout: int, memory: int, csv_path: str | None, as_json: bool
) -> int:
    """Grade all .py files of a folder, print a table (or JSON Lines), and write it as CSV if asked to."""
    if exercise.problem is None and exercise.most_bits is None:
        raise InputError(f"{folder} is a folder: say what its files must be, by --max-bits or --problem")
    _check(exercise)
    files = sorted(path for path in folder.glob("*.py") if not path.name.startswith("_"))
    if not files:
        raise InputError(f"{folder} holds no .py files")
    with progress("grading", len(files)) as advance, ThreadPoolExecutor(os.cpu_count()) as pool:
        grades = []
        for grade in pool.map(lambda file: grade_file(file, exercise, timeout, memory), files):
            grades.append(grade)
            advance(1)
    if csv_path is not None:
        with written_whole(csv_path) as file:
            writer = csv.DictWriter(file, fieldnames=list(asdict(grades[0])), lineterminator="\n")
            writer.writeheader()
            writer.writerows(asdict(grade) for grade in grades)
    if as_json:
        for grade in grades:
            click.echo(json.dumps(asdict(grade)))
    else:
        from commsim.report.text import console, print_grades

        print_grades([asdict(grade) for grade in grades], console())
    return HOLDS if all(grade.grade == "pass" for grade in grades) else REFUTED


def grade_file(file: Path, exercise: Exercise, timeout: int, memory: int) -> Grade:
    """Validate one file in a process of its own.

    Args:
        file: the submission.
        exercise: what it must be.
        timeout: in seconds.
        memory: in MiB of address space.
    """
    command = [sys.executable, "-P", "-m", "commsim", "validate", str(file.resolve()), "--json", *exercise.options()]
    root = str(Path(commsim.__file__).parent.parent)
    environment = {**os.environ, "PYTHONPATH": root, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    start = time.monotonic()
    with tempfile.TemporaryFile() as stdout, tempfile.TemporaryFile() as stderr:
        with subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=stderr,
            env=environment,
            start_new_session=True,
            preexec_fn=lambda: _limit(timeout, memory),
        ) as process:
            try:
                process.wait(timeout)
                in_time = True
            except subprocess.TimeoutExpired:
                in_time = False
            finally:
                _kill_group(process.pid)
        stdout.seek(0)
        stderr.seek(0)
        grade = _read(file.name, process.returncode if in_time else None, stdout.read(), stderr.read(), timeout)
    return Grade(**{**asdict(grade), "seconds": round(time.monotonic() - start, 2)})


def _check(exercise: Exercise) -> None:
    """Refuse what no submission could be graded by, before any is."""
    from commsim.formula import parse
    from commsim.registry import find_problem

    if exercise.problem is not None:
        find_problem(exercise.problem)
    if exercise.most_bits is not None:
        parse(exercise.most_bits)


def _limit(timeout: int, memory: int) -> None:
    """In the new process: what it may use at most."""
    import resource  # not everywhere; without it there is no grading of folders

    resource.setrlimit(resource.RLIMIT_AS, (memory * 2**20, memory * 2**20))
    resource.setrlimit(resource.RLIMIT_CPU, (timeout + 1, timeout + 1))
    resource.setrlimit(resource.RLIMIT_FSIZE, (_MOST_PRINTED, _MOST_PRINTED))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _kill_group(process: int) -> None:
    """End whatever a submission has started."""
    with suppress(ProcessLookupError):
        os.killpg(process, signal.SIGKILL)


def _read(file: str, status: int | None, stdout: bytes, stderr: bytes, timeout: int) -> Grade:
    """The grade, from how a process ended and what it printed."""
    if status is None:
        return Grade(file, "timeout", detail=f"it was stopped after {timeout} seconds")
    said = " ".join(stderr.decode("utf-8", "replace").strip().splitlines()[-1:]).removeprefix("commsim: ")
    if status == 2:
        return Grade(file, "error", detail=said)
    try:
        record: dict[str, Any] = json.loads(stdout.decode("utf-8", "replace").splitlines()[-1])
        grade, last = record["grade"], record["checks"][-1]
        if status not in GRADES or grade != GRADES[status]:
            raise ValueError("the exit status does not fit")
    except (ValueError, LookupError, TypeError):
        return Grade(file, "crash", detail=said or f"it ended with exit status {status} and no result")
    if grade == "undecided":
        last = next(check for check in record["checks"] if check["status"] == "undecided")
    if grade == "pass":
        return Grade(file, "pass")
    found = last["counterexample"] or {}
    options = {"-n": found.get("n"), "--alice": found.get("x"), "--bob": found.get("y")}
    shown = " ".join(f"{option} {value}" for option, value in options.items() if value is not None)
    return Grade(file, grade, last["claim"], last["detail"], shown)
