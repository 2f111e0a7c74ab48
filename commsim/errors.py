"""What can be wrong, in one line each: every error of commsim derives from :class:`CommsimError`."""

import linecache
import traceback
from pathlib import Path

_PACKAGE = str(Path(__file__).resolve().parent)


class CommsimError(Exception):
    """Something a user can put right. The message is one line: what was wrong, where, what would be right.

    Attributes:
        exit_code: of the command line, when the error ends it.
    """

    exit_code = 2


class InputError(CommsimError, ValueError):
    """An input, a size, a name or a file is not what was asked for."""


def own_line(error: BaseException) -> str:
    """An exception in one line: its type and message, and the user's own line that raised it, where there is one.

    That is the last line outside of commsim and of installed packages.
    """
    said = " ".join(str(error).split()) or "no message"
    described = f"{type(error).__name__}: {said}"
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        installed = "site-packages" in frame.filename or frame.filename.startswith((_PACKAGE, "<"))
        if not installed and frame.lineno and "importlib" not in frame.filename:
            code = linecache.getline(frame.filename, frame.lineno).strip()
            return f"{described} ({Path(frame.filename).name}, line {frame.lineno}: {code})"
    return described
