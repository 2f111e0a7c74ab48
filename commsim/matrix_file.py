"""Reading a matrix that a user has: 0/1 text, numbers with blanks or commas, or numpy's .npy."""

import io
import re
import sys
from pathlib import Path

import numpy as np

from commsim.arrays import Array
from commsim.errors import InputError
from commsim.matrix import MOST_DENSE, CommunicationMatrix

#: a file of more bytes than this is not read
_MOST_BYTES = 2**29
READS = "lines of 0 and 1, of integers with blanks or commas between them, or a .npy file"


def read_matrix(path: str) -> CommunicationMatrix:
    """The matrix in a file, or on stdin for ``-``.

    Raises:
        InputError: it cannot be read; the message says where.
    """
    shown = "stdin" if path == "-" else path
    try:
        if path != "-" and Path(path).stat().st_size > _MOST_BYTES:
            raise InputError(f"{path} has more than 2^29 bytes: too large")
        content = sys.stdin.buffer.read(_MOST_BYTES + 1) if path == "-" else Path(path).read_bytes()
    except OSError as error:
        raise InputError(f"cannot read {shown}: {error.strerror or error}") from error
    try:
        entries = _from_npy(content) if content.startswith(b"\x93NUMPY") else _from_text(content)
        if entries.ndim == 2 and entries.size > MOST_DENSE:
            raise InputError(f"it has {entries.size} entries, and at most {MOST_DENSE} are read")
        return CommunicationMatrix.from_array(entries)
    except InputError as error:
        raise InputError(f"{shown}: {error}" if not str(error).startswith("line ") else f"{shown}, {error}") from error


def _from_npy(content: bytes) -> Array:
    try:
        entries: Array = np.load(io.BytesIO(content), allow_pickle=False)
    except Exception as error:  # of a damaged file numpy raises whatever its parsers do
        raise InputError(f"not a .npy file of numbers ({' '.join(str(error).split())})") from error
    if entries.dtype.kind not in "biuf" or not np.isfinite(entries).all() or (entries != np.rint(entries)).any():
        raise InputError("the entries are not integers")
    if np.abs(entries.astype(np.float64)).max(initial=0) > 2**53:
        raise InputError("an entry is larger than 2^53")
    return entries.astype(np.int64)


def _from_text(content: bytes) -> Array:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"neither UTF-8 text nor a .npy file: write {READS}") from error
    rows: list[Array] = []
    first = 0
    for number, line in enumerate(text.splitlines(), start=1):
        stripped = line.strip()
        if not stripped or stripped.startswith("#"):
            continue
        row = _row(stripped, number)
        if rows and len(row) != len(rows[0]):
            raise InputError(f"line {number}: it has {len(row)} entries, but line {first} has {len(rows[0])}")
        first = first or number
        rows.append(row)
    if not rows:
        raise InputError(f"it holds no matrix: write {READS}")
    return np.array(rows)


def _row(line: str, number: int) -> Array:
    if not line.strip("01"):
        return np.frombuffer(line.encode("ascii"), dtype=np.uint8).astype(np.int64) - ord("0")
    words = [word.strip() for word in line.split(",")] if "," in line else line.split()
    for place, word in enumerate(words, start=1):
        if not re.fullmatch(r"[+-]?\d{1,15}", word):
            raise InputError(f"line {number}, entry {place}: {word[:40]!r} is no integer; write {READS}")
    return np.array([int(word) for word in words])
