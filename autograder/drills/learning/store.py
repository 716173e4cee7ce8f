"""One learner's reviews, schedules, sessions and what the course noticed, in one SQLite file.

An answer, the card's new schedule and the session's new place are written in one transaction: an interrupted session
loses nothing that was answered.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
import threading
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

VERSION = 1
BUSY_S = 10
TABLES = """
CREATE TABLE IF NOT EXISTS card (
    id TEXT PRIMARY KEY, topic TEXT NOT NULL, memory TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS review (
    number INTEGER PRIMARY KEY, at TEXT NOT NULL, card TEXT NOT NULL, topic TEXT NOT NULL, kind TEXT NOT NULL,
    score REAL NOT NULL, rating INTEGER NOT NULL, seconds REAL NOT NULL, seed INTEGER NOT NULL, answer TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS session (
    number INTEGER PRIMARY KEY, kind TEXT NOT NULL, began TEXT NOT NULL, state TEXT NOT NULL, ended TEXT
);
CREATE TABLE IF NOT EXISTS notice (
    number INTEGER PRIMARY KEY, at TEXT NOT NULL, exercise TEXT NOT NULL, unit TEXT NOT NULL, topics TEXT NOT NULL,
    what TEXT NOT NULL
);
"""


class StoreError(Exception):
    """A learner's file that cannot be used; the message says which and what to do."""


@dataclass(frozen=True)
class Review:
    """One answer. rating: 1 (again) to 4 (easy), as FSRS counts; answer: what was typed."""

    at: datetime
    card: str
    topic: str
    kind: str
    score: float
    rating: int
    seconds: float
    seed: int
    answer: str


@dataclass(frozen=True)
class Notice:
    """Something the course saw: a failed or a passed check, a hint, a missed prediction."""

    at: datetime
    exercise: str
    unit: str
    topics: tuple[str, ...]
    what: str  # "failed", "passed", "hint" or "missed"


def now() -> datetime:
    """In UTC, as FSRS wants it."""
    return datetime.now(UTC)


class Store:
    """An open file. Use as a context manager, or `close` it."""

    def __init__(self, path: Path | str):
        self.path = Path(path)
        self._alone = threading.RLock()
        if str(path) != ":memory:":
            try:
                self.path.parent.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise StoreError(
                    f"{self.path.parent} cannot be made ({error.strerror}). WARPBOOK_DATA names another folder."
                ) from error
        try:
            # JupyterLab hears widgets in a thread of its own, which need not be the one that opened the file.
            self._db = sqlite3.connect(path, timeout=BUSY_S, isolation_level=None, check_same_thread=False)
            version = self._db.execute("PRAGMA user_version").fetchone()[0]
        except sqlite3.DatabaseError as error:
            raise StoreError(f"{path} is not a file of drills ({error}). Move it away to start a new one.") from error
        if version > VERSION:
            raise StoreError(f"{path} was written by a newer Warpbook (format {version}). Update this one.")
        self._db.executescript(f"PRAGMA journal_mode = WAL; {TABLES} PRAGMA user_version = {VERSION};")

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_exception) -> None:
        self.close()

    def close(self) -> None:
        """Leave the file; nothing is pending."""
        self._db.close()

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        """All of what is written inside, or none of it."""
        with self._alone:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")

    def memories(self) -> dict[str, str]:
        """What is known about each card that was ever answered: FSRS's card as JSON, by card id."""
        return dict(self._db.execute("SELECT id, memory FROM card"))

    def keep_memory(self, card: str, topic: str, memory: str) -> None:
        """Store a card's new schedule."""
        self._db.execute("INSERT OR REPLACE INTO card VALUES (?, ?, ?)", (card, topic, memory))

    def add_review(self, review: Review) -> None:
        """Append to the history."""
        values = {**asdict(review), "at": review.at.isoformat()}
        self._db.execute(
            "INSERT INTO review (at, card, topic, kind, score, rating, seconds, seed, answer)"
            " VALUES (:at, :card, :topic, :kind, :score, :rating, :seconds, :seed, :answer)",
            values,
        )

    def reviews(self) -> list[Review]:
        """The history, oldest first."""
        rows = self._db.execute(
            "SELECT at, card, topic, kind, score, rating, seconds, seed, answer FROM review ORDER BY number"
        )
        return [Review(datetime.fromisoformat(row[0]), *row[1:]) for row in rows]

    def open_session(self, kind: str, state: dict[str, Any], at: datetime) -> int:
        """Begin a session, which ends those of its kind that were left open; returns its number."""
        with self.transaction():
            self._db.execute("UPDATE session SET ended = ? WHERE kind = ? AND ended IS NULL", (at.isoformat(), kind))
            cursor = self._db.execute(
                "INSERT INTO session (kind, began, state) VALUES (?, ?, ?)", (kind, at.isoformat(), json.dumps(state))
            )
            return cursor.lastrowid

    def session_state(self, number: int) -> dict[str, Any] | None:
        """Where a session is by the file, whoever wrote that; None where the file has no such session."""
        row = self._db.execute("SELECT state FROM session WHERE number = ?", (number,)).fetchone()
        return json.loads(row[0]) if row else None

    def save_session(self, number: int, state: dict[str, Any], ended: bool = False) -> None:
        """Keep where a session is."""
        self._db.execute(
            "UPDATE session SET state = ?, ended = ? WHERE number = ?",
            (json.dumps(state), now().isoformat() if ended else None, number),
        )

    def unfinished(self, kind: str) -> tuple[int, datetime, dict[str, Any]] | None:
        """The latest session of this kind that has not ended: its number, when it began, its state."""
        row = self._db.execute(
            "SELECT number, began, state FROM session WHERE kind = ? AND ended IS NULL ORDER BY number DESC LIMIT 1",
            (kind,),
        ).fetchone()
        return (row[0], datetime.fromisoformat(row[1]), json.loads(row[2])) if row else None

    def ended(self, kind: str) -> list[tuple[int, datetime, dict[str, Any]]]:
        """The sessions of this kind that have ended, oldest first: number, when it began, state."""
        rows = self._db.execute(
            "SELECT number, began, state FROM session WHERE kind = ? AND ended IS NOT NULL ORDER BY number", (kind,)
        )
        return [(number, datetime.fromisoformat(began), json.loads(state)) for number, began, state in rows]

    def add_notice(self, notice: Notice) -> None:
        """Keep what the course saw."""
        values = (notice.at.isoformat(), notice.exercise, notice.unit, json.dumps(notice.topics), notice.what)
        self._db.execute("INSERT INTO notice (at, exercise, unit, topics, what) VALUES (?, ?, ?, ?, ?)", values)

    def notices(self) -> list[Notice]:
        """What the course saw, oldest first."""
        rows = self._db.execute("SELECT at, exercise, unit, topics, what FROM notice ORDER BY number")
        return [Notice(datetime.fromisoformat(at), e, u, tuple(json.loads(topics)), w) for at, e, u, topics, w in rows]
