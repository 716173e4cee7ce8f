"""Take a submission in: one regular notebook file of bounded size, hashed and parsed, or a reason why not."""

from __future__ import annotations

import hashlib
import json
import os
import stat
import unicodedata
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from autograder.machine.work_log.entries import read
from autograder.machine.work_log.summed import Effort, efforts
from autograder.words import printable

MAX_BYTES = 10_000_000
MAX_CELLS = 2000
MAX_SOURCE_CHARACTERS = 1_000_000  # over all code cells
MAX_DEPTH = 200  # lists and dictionaries of a notebook within each other
MAX_VALUES = 300_000  # of the JSON, outputs and metadata included; checking a notebook's form takes time for each
MAX_NAME = 100
MINOR_WITH_IDS = 5  # of the notebook format: from there on cells have ids, and before it must not have any
AGAIN = "open your notebook in JupyterLab, save it and hand in that file"
LESS = "start from the released notebook, copy your answers into it and hand in that"
CLEAR = "choose Edit, Clear Outputs of All Cells,"
TIMESTAMP = "timestamp.txt"
WORK_LOG, MOST_OF_A_LOG = "work_log.jsonl", 1_000_000  # bytes
SIGNS = ". _ - @ = + ' , ( )"  # in names, beside letters, digits and spaces of any script
NOTHING_TO_SEE = frozenset("\u115f\u1160\u3164\uffa0")  # letters of Hangul that are drawn as nothing
MOST_MARKS = 4  # upon one letter: accents, and the vowels of many scripts
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
    work_log: tuple[Effort, ...] = ()  # what `warpbook log --to` wrote, if it was handed in; whoever wrote it since

    @property
    def key(self) -> str:
        """What progress, logs and reports call it: ``ada/01_vector_add/01_vector_add``."""
        return f"{self.student}/{self.unit}/{self.notebook}"


class Refusal(Exception):
    """This file is not taken in; the message is one sentence that a student can act on."""


def shown(name: str) -> str:
    """A name as text that can be printed and saved: what has no sign of its own, or is no character, is written out."""
    text = printable("".join(_visible(name)))
    return text if len(text) <= MAX_NAME else f"{text[: MAX_NAME - 9]}~{_sha256(text.encode())[:8]}"


def _visible(name: str) -> Iterator[str]:
    """The signs of a name; those that show nothing, or would be drawn over the lines above, written out."""
    marks = 0
    for sign in name:
        marks = marks + 1 if unicodedata.category(sign)[0] == "M" else 0
        is_plain = sign not in NOTHING_TO_SEE and marks <= MOST_MARKS
        yield sign if is_plain else sign.encode("ascii", "backslashreplace").decode()


def receive(root: Path, student: str, unit: str, filename: str) -> Received:
    """Read ``root/student/unit/filename`` once, without following links. Never raises for what a student can cause."""
    path = root / student / unit / filename
    known = {"student": shown(student), "unit": shown(unit), "notebook": shown(filename.removesuffix(".ipynb"))}
    known["path"] = path
    known["received"] = datetime.now(UTC).isoformat(timespec="seconds")
    known["handed_in"] = _handed_in(root, student, unit)
    known["work_log"] = _work_log(root, student, unit)
    content = b""
    try:
        for part in (student, unit, filename):
            _check_name(part)
        content = read_regular(root, (student, unit, filename))
        document = parse(content)
    except Refusal as refusal:
        return Received(**known, sha256=_sha256(content), size_bytes=len(content), refused=str(refusal))
    return Received(**known, sha256=_sha256(content), size_bytes=len(content), notebook_json=document, content=content)


def parse(content: bytes) -> dict[str, Any]:
    """A notebook's bytes as version 4 JSON with string sources. Raises Refusal with the reason."""
    if not content.strip():
        raise Refusal(f"This file is empty; {AGAIN}.")
    try:
        document = json.loads(content.decode("utf-8-sig"))  # some editors of Windows put a mark in front
    except UnicodeDecodeError:
        raise Refusal(f"This file is not text in UTF-8; {AGAIN}.") from None
    except (ValueError, RecursionError) as error:
        raise Refusal(f"This file is not a notebook: it is not JSON ({short(error)}); {AGAIN}.") from None
    if why := _too_much(document):
        raise Refusal(f"This notebook holds more than {why}.")
    try:
        json.dumps(document, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise Refusal(f"This notebook holds half a character, which is no text; {AGAIN}.") from None
    if not isinstance(document, dict) or not isinstance(document.get("cells"), list):
        raise Refusal(f"This file is JSON, but not a notebook of version 4: it has no list of cells; {AGAIN}.")
    if len(document["cells"]) > MAX_CELLS:
        raise Refusal(f"This notebook has {len(document['cells'])} cells, where {MAX_CELLS} may be; {LESS}.")
    document = _validated(document)
    total = sum(len(cell["source"]) for cell in document["cells"])
    if total > MAX_SOURCE_CHARACTERS:
        raise Refusal(
            f"This notebook holds {total:,} characters of text, where {MAX_SOURCE_CHARACTERS:,} may be; {LESS}."
        )
    return document


def _too_much(document: Any) -> str:
    """What a document holds more of than may be, and what to do about it; "" where it holds too much of nothing."""
    seen, pending = 0, [(document, 1)]
    while pending and seen <= MAX_VALUES:
        value, depth = pending.pop()
        seen += 1
        if isinstance(value, dict | list):
            if depth > MAX_DEPTH:  # how deep Python itself reads and writes depends on its version
                return f"{MAX_DEPTH} lists and dictionaries within each other; {LESS}"
            pending.extend((one, depth + 1) for one in (value.values() if isinstance(value, dict) else value))
    return f"{MAX_VALUES:,} values; {CLEAR} and save" if seen > MAX_VALUES else ""


def _validated(document: dict[str, Any]) -> dict[str, Any]:
    from autograder.answer.quick_nbformat import nbformat

    for key, wanted in (("nbformat", (4,)), ("nbformat_minor", range(100))):
        if type(document.get(key)) is not int or document[key] not in wanted:
            says = f"This file is not a notebook of version 4: its {key} is {short(document.get(key), 20)}; {AGAIN}."
            raise Refusal(says)
    if document["nbformat_minor"] < MINOR_WITH_IDS:  # what a tool wrote that changed one of the two
        for cell in document["cells"]:
            if isinstance(cell, dict):
                cell.pop("id", None)
    try:
        with warnings.catch_warnings():  # of missing cell ids and the like, which would reach the instructor's terminal
            warnings.simplefilter("ignore")
            notebook = nbformat.reads(json.dumps(document), as_version=4)
            nbformat.validate(notebook)
    except Exception as error:  # nbformat raises whatever its inside trips over: AttributeError, KeyError, ...
        why = short(error) or type(error).__name__
        raise Refusal(f"This file is not a valid notebook ({why}); {AGAIN}.") from None
    return notebook


def read_regular(root: Path, parts: tuple[str, ...]) -> bytes:
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
            f"{shown('/'.join(parts))} is not an ordinary file ({error.strerror}), and links are not followed; "
            "hand in the notebook itself."
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
        words = read_regular(root, (student, unit, TIMESTAMP))[:100].decode().strip()
        when = datetime.fromisoformat(words.removesuffix(" UTC"))
        when = when.replace(tzinfo=UTC) if when.tzinfo is None else when.astimezone(UTC)
    except (Refusal, ValueError, OverflowError):  # of a year that UTC does not have
        return ""
    return when.isoformat(timespec="seconds")


def _work_log(root: Path, student: str, unit: str) -> tuple[Effort, ...]:
    """The work log that lies beside a notebook, by exercise; nothing where there is none, or none that can be read."""
    try:
        content = read_regular(root, (student, unit, WORK_LOG))
    except Refusal:
        return ()
    return tuple(efforts(read(content[:MOST_OF_A_LOG])[0]))


def _odd_forms(name: str) -> Iterator[tuple[str, bool]]:
    """What may be wrong with a name as a whole, and whether it is."""
    yield "is empty", not name
    yield "begins with a dot, as hidden folders do", name.startswith(".")
    yield f"has {len(name)} characters, where {MAX_NAME} may be", len(name) > MAX_NAME
    yield "begins or ends with a space, which nobody sees", name != name.strip()


def _check_name(name: str) -> None:
    """Names become paths, table cells and addresses, so they are plain."""
    if why := next((why for why, holds in _odd_forms(name) if holds), ""):
        raise Refusal(f"The name {short(shown(name))!r} {why}; give the folder another one.")
    odd = sorted(sign for sign in set(name) - set(SIGNS) if unicodedata.category(sign)[0] not in LETTERS)
    odd += sorted(NOTHING_TO_SEE & set(name))
    if "M" * (MOST_MARKS + 1) in "".join(unicodedata.category(sign)[0] for sign in name):
        says = f"A letter of the name {short(shown(name))!r} bears more than {MOST_MARKS} marks; leave them out."
        raise Refusal(says)
    if odd:
        says = f"The name {short(shown(name))!r} holds {shown(odd[0])!r}; use letters, digits, spaces and {SIGNS}"
        raise Refusal(says)


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def short(text: object, length: int = 120) -> str:
    line = " ".join(str(text).split())
    return line if len(line) <= length else f"{line[: length - 1]}…"
