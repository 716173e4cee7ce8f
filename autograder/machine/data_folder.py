"""Where a learner's files lie: the user's data folder, one file a learner, on this machine and nowhere else."""

from __future__ import annotations

import os
import re
from pathlib import Path

FOLDER_VARIABLE = "WARPBOOK_DATA"  # another folder than the user's own
LEARNER_VARIABLE = "WARPBOOK_LEARNER"  # another learner at the same machine
DEFAULT_LEARNER = "me"


def folder() -> Path:
    """The folder, which may not be there yet."""
    named = os.environ.get(FOLDER_VARIABLE)
    if named:
        return Path(named)
    import platformdirs

    return Path(platformdirs.user_data_dir("warpbook", appauthor=False))


def file_of(what: str, ending: str, learner: str | None = None) -> Path:
    """A learner's file. A name becomes a file name: letters, digits, `-`, `_` and `.` stay.

    what, ending: "drills" and "sqlite3" give drills-me.sqlite3.
    """
    name = learner or os.environ.get(LEARNER_VARIABLE) or DEFAULT_LEARNER
    return folder() / f"{what}-{re.sub(r'[^A-Za-z0-9._-]', '_', name)}.{ending}"
