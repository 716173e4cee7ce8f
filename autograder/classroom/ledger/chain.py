"""An append-only file of records in which each carries the hash of the one before, so that a change shows.

SQLite writes each record whole or not at all: after a SIGKILL or on a full disk, everything written before is there.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

START = "0" * 64  # what the first record follows from
TABLE = """
CREATE TABLE IF NOT EXISTS records (
  n INTEGER PRIMARY KEY, kind TEXT NOT NULL, body TEXT NOT NULL, previous TEXT NOT NULL, hash TEXT NOT NULL UNIQUE
) STRICT;
CREATE TRIGGER IF NOT EXISTS never_changed BEFORE UPDATE ON records BEGIN SELECT RAISE(ABORT, 'append only'); END;
CREATE TRIGGER IF NOT EXISTS never_removed BEFORE DELETE ON records BEGIN SELECT RAISE(ABORT, 'append only'); END;
"""


class LedgerError(RuntimeError):
    """The ledger cannot be read or written; the message says why and what to do."""


@dataclass(frozen=True)
class Record:
    """One thing that happened. n: its place, from 1; hash: of this record and, through `previous`, of all before it."""

    n: int
    kind: str
    body: dict[str, Any]
    previous: str
    hash: str


class Chain:
    """The records of one file, verified when it is opened. Use as a context."""

    def __init__(self, path: Path, read_only: bool = False):
        """Open or make it. read_only: it must be there, and is not changed. Raises LedgerError."""
        self.path = path
        if read_only and not path.is_file():
            raise LedgerError(f"There is no ledger at {path}. `warpbook grade` writes it beside verdicts/.")
        try:
            self._file = sqlite3.connect(f"{path.resolve().as_uri()}{'?mode=ro' if read_only else ''}", uri=True)
            self._file.execute("PRAGMA synchronous = FULL")
            if not read_only:
                self._file.executescript(TABLE)
            self._last, self._hash = 0, START
            for record in self.records():
                self._follow(record)
        except sqlite3.Error as error:
            mend = "Take it from a backup, or move it and verdicts/ away and grade anew."
            raise LedgerError(f"{path} cannot be opened ({error}). {mend}") from error

    def __enter__(self) -> Chain:
        return self

    def __exit__(self, *_error) -> None:
        self._file.close()

    def append(self, kind: str, body: dict[str, Any]) -> Record:
        """Write one record; when this returns, it is on the disk. Raises LedgerError, and then nothing was written."""
        text = json.dumps(body, allow_nan=False)  # in the order of the keys, which pages show
        digest = _digest(self._last + 1, kind, text, self._hash)
        record = Record(self._last + 1, kind, body, self._hash, digest)
        try:
            self._insert((record.n, kind, text, record.previous, digest))
        except sqlite3.Error as error:
            mend = "Make room; what was judged is kept, and --resume goes on with it."
            raise LedgerError(f"{self.path} cannot be written ({error}). {mend}") from error
        self._last, self._hash = record.n, digest
        return record

    def _insert(self, row: tuple[int, str, str, str, str]) -> None:
        with self._file:
            self._file.execute("INSERT INTO records VALUES (?, ?, ?, ?, ?)", row)

    def records(self) -> Iterator[Record]:
        """All of them, oldest first, each verified against its own hash. Raises LedgerError."""
        for row in self._file.execute("SELECT * FROM records ORDER BY n"):
            yield self._verified(row)

    def record(self, n: int) -> Record:
        """One of them by its place. Raises LedgerError."""
        try:
            row = self._file.execute("SELECT * FROM records WHERE n = ?", (n,)).fetchone()
        except sqlite3.Error as error:
            raise LedgerError(f"{self.path} cannot be read ({error}). Take it from a backup.") from error
        if row is None:
            raise LedgerError(f"{self.path} has no record {n}.")
        return self._verified(row)

    def _verified(self, row: tuple) -> Record:
        """A row as the record that was appended. Raises LedgerError where it is none."""
        n, *texts = row
        if not all(isinstance(text, str) for text in texts) or texts[-1] != _digest(n, *texts[:-1]):
            raise self._changed(n)
        kind, text, previous, digest = texts
        try:
            return Record(n, kind, json.loads(text), previous, digest)
        except (ValueError, RecursionError):
            raise self._changed(n) from None

    def _follow(self, record: Record) -> None:
        if record.n != self._last + 1 or record.previous != self._hash:
            raise self._changed(record.n)
        self._last, self._hash = record.n, record.hash

    def _changed(self, n: int) -> LedgerError:
        return LedgerError(
            f"Record {n} of {self.path} does not follow from the one before, so the file was changed after it was "
            "written. Take it from a backup, or move it and verdicts/ away and grade anew."
        )


def _digest(n: int, kind: str, text: str, previous: str) -> str:
    return hashlib.sha256("\0".join((str(n), kind, text, previous)).encode()).hexdigest()
