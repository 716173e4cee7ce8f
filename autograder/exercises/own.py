"""Folders of exercises that are no part of the course: an instructor's own, anywhere outside the repository.

    FOLDER/u50_scale_rows/                             the same shape as a unit beside this file
    FOLDER/solutions/50_scale_rows/50_scale_rows.py    its notebook's source, and the solved notebook
    FOLDER/course/50_scale_rows/50_scale_rows.ipynb    what learners get

Their packages are found as if they lay here, so nothing else in the machine tells them from the course's.
"""

from __future__ import annotations

import os
import re
import traceback
from pathlib import Path

VARIABLE = "WARPBOOK_OWN"  # environment variable: the folders, separated as in PATH; child processes inherit it
UNIT_MODULE = re.compile(r"u\d\d_[a-z]\w*")
HERE = Path(__file__).resolve().parent


class OwnFolderError(ValueError):
    """A folder of exercises cannot be used; the message says what is the matter with which file, and what to do."""


def folders() -> tuple[Path, ...]:
    """The folders that are known in this process and in those that it starts, in the order of their naming."""
    return tuple(Path(name) for name in os.environ.get(VARIABLE, "").split(os.pathsep) if name)


def remember(folder: str | Path) -> Path:
    """Let this process and those that it starts know a folder. Returns: its absolute path. Raises: OwnFolderError."""
    path = Path(folder).expanduser().resolve()
    if not modules_in(path):
        what = "holds no unit, such as u50_scale_rows" if path.is_dir() else "is no folder"
        raise OwnFolderError(f"{path} {what}. `warpbook new-exercise {path} scale_rows` writes one.")
    names = dict.fromkeys([*map(str, folders()), str(path)])
    os.environ[VARIABLE] = os.pathsep.join(names)
    return path


def forget(folder: str | Path) -> None:
    """What `remember` did, undone."""
    others = [str(path) for path in folders() if path != Path(folder).expanduser().resolve()]
    os.environ[VARIABLE] = os.pathsep.join(others)


def modules_in(folder: Path) -> list[str]:
    """Names of the packages in a folder that are units, in order."""
    if not folder.is_dir():
        return []
    return sorted(path.parent.name for path in folder.glob("u*/__init__.py") if UNIT_MODULE.fullmatch(path.parent.name))


def home_of(unit: str) -> Path | None:
    """The folder of one's own that holds a unit, as in ``home_of("50_scale_rows")``; None for the course's."""
    return next((folder for folder in folders() if (folder / f"u{unit}" / "__init__.py").is_file()), None)


def package_of(unit: str) -> Path:
    """Where a unit's contracts, answers and hints lie."""
    return (home_of(unit) or HERE) / f"u{unit}"


def check(folder: Path, module: str, exercises: object, course: set[str]) -> None:
    """Raise OwnFolderError where a unit's EXERCISES cannot be used. course: the course's units, as "01_vector_add"."""
    from autograder.contract import Exercise

    where, unit = folder / module, module[1:]
    topic = unit[3:]
    if topic in {name[3:] for name in course}:
        raise OwnFolderError(f"{where}: the course has a unit {topic!r} already. Give the folder another name.")
    if not isinstance(exercises, tuple | list) or not exercises:
        raise OwnFolderError(f"{where}/__init__.py must define EXERCISES = with_hints(__file__, ONE, ANOTHER).")
    for one in exercises:
        if not isinstance(one, Exercise):
            raise OwnFolderError(f"{where}/__init__.py: EXERCISES holds {one!r}, which is no Exercise.")
        if one.unit != unit or one.id != f"{topic}.{one.function}":
            raise OwnFolderError(
                f"{where}: the exercise {one.id!r} of unit {one.unit!r} must have the id {topic}.{one.function} and "
                f"the unit {unit!r}, after the folder's name and its own function. Mend its contract."
            )


def not_loaded(folder: Path, module: str, error: BaseException) -> OwnFolderError:
    """What is said of a unit whose package cannot be imported: the error, and the line of the folder's own."""
    where = folder / module
    own = [frame for frame in traceback.extract_tb(error.__traceback__) if Path(frame.filename).is_relative_to(where)]
    place = f"{own[-1].filename}:{own[-1].lineno}" if own else str(where)
    if isinstance(error, SyntaxError) and error.filename:
        place = f"{error.filename}:{error.lineno}"
    said = error.msg if isinstance(error, SyntaxError) else str(error)
    return OwnFolderError(f"{place}: {type(error).__name__}: {said.rstrip('.')}. Mend it, then try again.")
