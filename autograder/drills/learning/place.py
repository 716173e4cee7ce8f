"""Where the drills keep what a learner knows."""

from __future__ import annotations

from pathlib import Path

from autograder.machine import data_folder


def file_of(learner: str | None = None) -> Path:
    """The learner's file."""
    return data_folder.file_of("drills", "sqlite3", learner)
