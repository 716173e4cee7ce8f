"""What a folder of submissions holds: the notebooks to take in, and what is left alone, with the reason."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from autograder.classroom.receive import Received, receive, short, shown


@dataclass(frozen=True)
class HandedIn:
    """A notebook that somebody handed in, by the names of its folders. misnamed: it is not called as its unit is."""

    root: Path
    student: str
    unit: str
    filename: str
    misnamed: bool = False

    @property
    def path(self) -> Path:
        return self.root / self.student / self.unit / self.filename

    def unread(self) -> Received:
        """As far as it is known without opening it."""
        now = datetime.now(UTC).isoformat(timespec="seconds")
        return Received(shown(self.student), shown(self.unit), shown(self.unit), self.path, received=now)

    def taken_in(self) -> Received:
        """Read it. Never raises for what a student can cause."""
        if self.misnamed:
            return _misnamed(self.root, self.student, self.unit, self.filename)
        return receive(self.root, self.student, self.unit, self.filename)


HIDDEN = "A folder whose name begins with a dot is not looked into."
BESIDE = "It lies beside {name}, which is the one that is graded."


@dataclass(frozen=True)
class Inbox:
    """What a folder of submissions holds: notebooks, and what was left alone, with the reason, by its path."""

    handed_in: tuple[HandedIn, ...]
    left_alone: dict[str, str]


def look_into(root: Path, units: Collection[str], only: str = "") -> Inbox:
    """Find ``root/<student>/<unit>/<unit>.ipynb`` of every student and unit, in order. Nothing is opened.

    units: those there are; only: the one that is asked for. A link or a file where a folder belongs is left alone, and
    so is a folder of another name; a folder with notebooks of other names only is misnamed.
    """
    looked = _Looked(frozenset(units))
    for student in sorted(root.iterdir()):
        looked.into(student, partial(looked.student, student, only))
    return Inbox(tuple(looked.found), looked.left)


class _Looked:
    def __init__(self, units: frozenset[str]):
        self.units, self.found, self.left = units, list[HandedIn](), dict[str, str]()

    def into(self, folder: Path, look: Callable[[], None], place: str = "") -> None:
        """Look, and note where that is not possible: a folder out of an archive may forbid to be read."""
        try:
            look()
        except OSError as error:
            self.left[place or shown(folder.name)] = f"It cannot be read ({error.strerror})."

    def student(self, student: Path, only: str) -> None:
        """Add the units of one entry of the folder of submissions."""
        if student.name.startswith("."):
            if student.is_dir() and any(path.name in self.units for path in student.iterdir()):
                self.left[shown(student.name)] = HIDDEN
        elif why := _no_folder(student):
            self.left[shown(student.name)] = why
        else:
            for folder in sorted(_entries(student)):
                place = f"{shown(student.name)}/{shown(folder.name)}"
                if not only or folder.name == only:
                    self.into(folder, partial(self.unit, folder, place), place)

    def unit(self, folder: Path, place: str) -> None:
        """Add the notebook of one unit."""
        if why := _no_folder(folder):
            self.left[place] = why
        elif folder.name not in self.units:
            self.left[place] = "There is no unit of this name with graded exercises."
        elif names := sorted(path.name for path in _entries(folder) if path.suffix == ".ipynb"):
            own, student = f"{folder.name}.ipynb", folder.parent
            name = own if own in names else names[0]
            self.found.append(HandedIn(student.parent, student.name, folder.name, name, misnamed=name != own))
            others = names if name == own else []
            self.left |= {f"{place}/{shown(other)}": BESIDE.format(name=own) for other in others if other != own}
        else:
            self.left[place] = "It holds no notebook."


def _misnamed(root: Path, student: str, unit: str, name: str) -> Received:
    """A submission under another name: it is not guessed which notebook is meant."""
    refused = f"This folder holds {short(shown(name))}, but no {unit}.ipynb. Give the notebook its own name again."
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return Received(shown(student), unit, unit, root / student / unit / name, received=now, refused=refused)


def _entries(folder: Path) -> list[Path]:
    """What a folder holds, without hidden entries."""
    return [path for path in folder.iterdir() if not path.name.startswith(".")]


def _no_folder(path: Path) -> str:
    """Why a path is not looked into; "" for a real folder."""
    if path.is_symlink():
        return "This is a link, and links are not followed."
    return "" if path.is_dir() else "This is no folder."
