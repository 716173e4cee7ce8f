"""What the course saw, kept for the drills: failed and passed checks, hints, missed predictions.

Nothing is written where the drills are not installed, and nothing here ever disturbs a notebook.
"""

from __future__ import annotations

import contextlib
import importlib.util
import sqlite3

from autograder.contract import Exercise

WHAT = ("failed", "passed", "hint", "missed")
ONLY_OF_THE_DRILLS = "fsrs"  # a package that nothing else needs


def note(exercise: Exercise, what: str) -> None:
    """Remember that this happened at an exercise, for the topics that it names."""
    assert what in WHAT
    if importlib.util.find_spec(ONLY_OF_THE_DRILLS) is None or not exercise.topics:
        return
    from autograder.drills.learning.place import file_of
    from autograder.drills.learning.store import Notice, Store, StoreError, now

    with contextlib.suppress(OSError, sqlite3.Error, StoreError, ImportError), Store(file_of()) as store:
        store.add_notice(Notice(now(), exercise.id, exercise.unit, tuple(exercise.topics), what))


def note_outcome(exercise: Exercise, status: str) -> None:
    """Remember how a check ended; a stub that was left alone says nothing about its learner."""
    if status == "Passed":
        note(exercise, "passed")
    elif status in ("Wrong", "Crashed", "TimedOut"):
        note(exercise, "failed")
