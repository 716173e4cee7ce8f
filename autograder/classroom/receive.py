"""Take a submission in: one regular notebook file of bounded size, hashed and parsed, or a reason why not."""

from __future__ import annotations

import hashlib
import json
import os
import stat
import unicodedata
import warnings
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from autograder.words import printable

MAX_BYTES = 10_000_000
MAX_CELLS = 2000
MAX_SOURCE_CHARACTERS = 1_000_000  # over all code cells
MAX_VALUES = 300_000  # of the JSON, outputs and metadata included; checking a notebook's form takes time for each
MAX_NAME = 100
CLEAR = "choose Edit, Clear Outputs of All Cells,"
TIMESTAMP = "timestamp.txt"
SIGNS = ". _ - @ = + ' , ( )"  # in names, beside letters, digits and spaces of any script
LETTERS = "LMN"  # Unicode's categories: letters, marks upon them as in Hindi, numbers


@dataclass(frozen=True)
class Received:
    """A submission as it was taken in. `refused` is "" or one sentence for the student; then `notebook_json` is {}."""

    student: str
    unit: str
    notebook: str  # file name without .ipynb
    path: Path
    sha256: str = ""
    received: str = ""  # UTC, ISO 8601; the judge's clock, never the student's timestamp.txt
    size_bytes: int = 0
    notebook_json: dict[str, Any] | None = None
    content: bytes = b""
    refused: str = ""
    handed_in: str = ""  # UTC, ISO 8601, by timestamp.txt, which whatever collects writes; "" where there is none
    trouble: str = ""  # what another tool will not take, for the instructor; it costs nothing here

    @property
    def key(self) -> str:
        """What progress, logs and reports call it: ``ada/01_vector_add/01_vector_add``."""
        return f"{self.student}/{self.unit}/{self.notebook}"


class Refusal(Exception):
    """This file is not taken in; the message is one sentence that a student can act on."""


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


def shown(name: str) -> str:
    """A name as text that can be printed and saved: what has no sign of its own, or is no character, is written out."""
    text = printable(name)
    return text if len(text) <= MAX_NAME else f"{text[: MAX_NAME - 9]}~{_sha256(text.encode())[:8]}"


def receive(root: Path, student: str, unit: str, filename: str) -> Received:
    """Read ``root/student/unit/filename`` once, without following links. Never raises for what a student can cause."""
    path = root / student / unit / filename
    known = {"student": shown(student), "unit": shown(unit), "notebook": shown(filename.removesuffix(".ipynb"))}
    known["path"] = path
    known["received"] = datetime.now(UTC).isoformat(timespec="seconds")
    known["handed_in"] = _handed_in(root, student, unit)
    content = b""
    try:
        for part in (student, unit, filename):
            _check_name(part)
        content = _read_regular(root, (student, unit, filename))
        document = parse(content)
    except Refusal as refusal:
        return Received(**known, sha256=_sha256(content), size_bytes=len(content), refused=str(refusal))
    return Received(**known, sha256=_sha256(content), size_bytes=len(content), notebook_json=document, content=content)


def _misnamed(root: Path, student: str, unit: str, name: str) -> Received:
    """A submission under another name: it is not guessed which notebook is meant."""
    refused = f"This folder holds {_short(shown(name))}, but no {unit}.ipynb. Give the notebook its own name again."
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return Received(shown(student), unit, unit, root / student / unit / name, received=now, refused=refused)


def parse(content: bytes) -> dict[str, Any]:
    """A notebook's bytes as version 4 JSON with string sources. Raises Refusal with the reason."""
    try:
        document = json.loads(content.decode("utf-8-sig"))  # some editors of Windows put a mark in front
    except UnicodeDecodeError:
        raise Refusal("This file is not text in UTF-8; save the notebook in JupyterLab and hand it in again.") from None
    except (ValueError, RecursionError) as error:
        raise Refusal(f"This file is not a notebook: it is not JSON ({_short(error)}).") from None
    try:
        json.dumps(document, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise Refusal("This notebook holds half a character, which is no text; save it in JupyterLab again.") from None
    if not isinstance(document, dict) or not isinstance(document.get("cells"), list):
        raise Refusal("This file is JSON, but not a notebook of version 4: it has no list of cells.")
    if len(document["cells"]) > MAX_CELLS:
        raise Refusal(f"This notebook has {len(document['cells'])} cells; at most {MAX_CELLS} are taken in.")
    if _more_values(document, MAX_VALUES):
        raise Refusal(f"This notebook holds more than {MAX_VALUES:,} values; {CLEAR} and save.")
    document = _validated(document)
    total = sum(len(cell["source"]) for cell in document["cells"])
    if total > MAX_SOURCE_CHARACTERS:
        raise Refusal(
            f"This notebook holds {total:,} characters of text; at most {MAX_SOURCE_CHARACTERS:,} are taken in."
        )
    return document


def _more_values(document: Any, limit: int) -> bool:
    """Whether a document holds more than so many lists, dictionaries and values."""
    seen, pending = 0, [document]
    while pending and seen <= limit:
        value = pending.pop()
        seen += 1
        if isinstance(value, dict | list):
            pending.extend(value.values() if isinstance(value, dict) else value)
    return seen > limit


def _validated(document: dict[str, Any]) -> dict[str, Any]:
    from autograder.classroom.reading.quick_nbformat import nbformat

    for key, wanted in (("nbformat", (4,)), ("nbformat_minor", range(100))):
        if type(document.get(key)) is not int or document[key] not in wanted:
            raise Refusal(f"This file is not a notebook of version 4: its {key} is {_short(document.get(key), 20)}.")
    try:
        with warnings.catch_warnings():  # of missing cell ids and the like, which would reach the instructor's terminal
            warnings.simplefilter("ignore")
            notebook = nbformat.reads(json.dumps(document), as_version=4)
            nbformat.validate(notebook)
    except Exception as error:  # nbformat raises whatever its inside trips over: AttributeError, KeyError, ...
        raise Refusal(f"This file is not a valid notebook ({_short(error) or type(error).__name__}).") from None
    return notebook


def _read_regular(root: Path, parts: tuple[str, ...]) -> bytes:
    """The bytes of a regular file below root, opened folder by folder so that no link is followed on the way."""
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC
    folder = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for part in parts[:-1]:
            inner = os.open(part, flags | os.O_DIRECTORY, dir_fd=folder)
            os.close(folder)
            folder = inner
        # O_NONBLOCK: opening a named pipe must not wait for somebody to write into it.
        descriptor = os.open(parts[-1], flags | os.O_NONBLOCK, dir_fd=folder)
    except OSError as error:
        raise Refusal(
            f"{shown('/'.join(parts))} is not an ordinary file ({error.strerror}); links are not followed."
        ) from None
    finally:
        os.close(folder)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):  # before `open`, which refuses a folder in words of its own
        os.close(descriptor)
        raise Refusal(f"{shown(parts[-1])} is not an ordinary file; hand in the notebook itself.")
    with open(descriptor, "rb") as file:
        content = file.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise Refusal(f"{shown(parts[-1])} is larger than {MAX_BYTES // 1_000_000} MB; {CLEAR} and save.")
    return content


def _handed_in(root: Path, student: str, unit: str) -> str:
    """When a notebook was handed in, as nbgrader's timestamp.txt says it; "" where that says nothing of use."""
    try:
        words = _read_regular(root, (student, unit, TIMESTAMP))[:100].decode().strip()
        when = datetime.fromisoformat(words.removesuffix(" UTC"))
        when = when.replace(tzinfo=UTC) if when.tzinfo is None else when.astimezone(UTC)
    except (Refusal, ValueError, OverflowError):  # of a year that UTC does not have
        return ""
    return when.isoformat(timespec="seconds")


def _check_name(name: str) -> None:
    """Names become paths, table cells and addresses, so they are plain."""
    if not name or name.startswith(".") or len(name) > MAX_NAME or name != name.strip():
        raise Refusal(f"The name {shown(name)!r} cannot be used for a folder of a submission.")
    odd = sorted(sign for sign in set(name) - set(SIGNS) if unicodedata.category(sign)[0] not in LETTERS)
    if odd:
        says = f"The name {_short(shown(name))!r} holds {shown(odd[0])!r}; use letters, digits, spaces and {SIGNS}"
        raise Refusal(says)


def _entries(folder: Path) -> list[Path]:
    """What a folder holds, without hidden entries."""
    return [path for path in folder.iterdir() if not path.name.startswith(".")]


def _no_folder(path: Path) -> str:
    """Why a path is not looked into; "" for a real folder."""
    if path.is_symlink():
        return "This is a link, and links are not followed."
    return "" if path.is_dir() else "This is no folder."


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _short(text: object, length: int = 120) -> str:
    line = " ".join(str(text).split())
    return line if len(line) <= length else f"{line[: length - 1]}…"
