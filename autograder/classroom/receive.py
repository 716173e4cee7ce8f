"""Take a submission in: one regular notebook file of bounded size, hashed and parsed, or a reason why not."""

from __future__ import annotations

import hashlib
import json
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

MAX_BYTES = 10_000_000
MAX_CELLS = 2000
MAX_SOURCE_CHARACTERS = 1_000_000  # over all code cells
NAME_CHARACTERS = set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-@=+")


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

    @property
    def key(self) -> str:
        """What progress, logs and reports call it: ``ada/01_vector_add/01_vector_add``."""
        return f"{self.student}/{self.unit}/{self.notebook}"


class Refusal(Exception):
    """This file is not taken in; the message is one sentence that a student can act on."""


def submissions(root: Path, unit: str = "") -> Iterator[Received]:
    """The notebook ``root/<student>/<unit>/<unit>.ipynb`` of every student and unit, taken in or refused, in order.

    Links are refused at every level; other files are ignored, but a folder with notebooks of other names only is
    refused with the name it should have. Yields nothing for an empty folder.
    """
    for student in _entries(root):
        for folder in _entries(student):
            if unit and folder.name != unit:
                continue
            names = [path.name for path in _entries(folder) if path.suffix == ".ipynb"]
            if f"{folder.name}.ipynb" in names:
                yield receive(root, student.name, folder.name, f"{folder.name}.ipynb")
            elif names:
                yield _misnamed(root, student.name, folder.name, names[0])


def receive(root: Path, student: str, unit: str, filename: str) -> Received:
    """Read ``root/student/unit/filename`` once, without following links. Never raises for what a student can cause."""
    path = root / student / unit / filename
    known = {"student": student, "unit": unit, "notebook": filename.removesuffix(".ipynb"), "path": path}
    known["received"] = datetime.now(UTC).isoformat(timespec="seconds")
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
    refused = f"This folder holds {_short(name)}, but no {unit}.ipynb. Give the notebook its own name again."
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return Received(student, unit, unit, root / student / unit / name, received=now, refused=refused)


def parse(content: bytes) -> dict[str, Any]:
    """A notebook's bytes as version 4 JSON with string sources. Raises Refusal with the reason."""
    try:
        document = json.loads(content.decode("utf-8"))
    except UnicodeDecodeError:
        raise Refusal("This file is not text in UTF-8; save the notebook in JupyterLab and hand it in again.") from None
    except (ValueError, RecursionError) as error:
        raise Refusal(f"This file is not a notebook: it is not JSON ({_short(error)}).") from None
    if not isinstance(document, dict) or not isinstance(document.get("cells"), list):
        raise Refusal("This file is JSON, but not a notebook of version 4: it has no list of cells.")
    if len(document["cells"]) > MAX_CELLS:
        raise Refusal(f"This notebook has {len(document['cells'])} cells; at most {MAX_CELLS} are taken in.")
    document = _validated(document)
    total = sum(len(cell["source"]) for cell in document["cells"])
    if total > MAX_SOURCE_CHARACTERS:
        raise Refusal(
            f"This notebook holds {total:,} characters of text; at most {MAX_SOURCE_CHARACTERS:,} are taken in."
        )
    return document


def _validated(document: dict[str, Any]) -> dict[str, Any]:
    import nbformat

    try:
        notebook = nbformat.reads(json.dumps(document), as_version=4)
        nbformat.validate(notebook)
    except Exception as error:  # nbformat raises whatever its inside trips over: AttributeError, KeyError, ...
        raise Refusal(f"This file is not a valid notebook ({_short(error)}).") from None
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
            f"{'/'.join(parts)} is not an ordinary file ({error.strerror}); links are not followed."
        ) from None
    finally:
        os.close(folder)
    with open(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise Refusal(f"{parts[-1]} is not an ordinary file; hand in the notebook itself.")
        content = file.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise Refusal(
            f"{parts[-1]} is larger than {MAX_BYTES // 1_000_000} MB; choose Edit, Clear Outputs of All Cells, save."
        )
    return content


def _check_name(name: str) -> None:
    """Names become paths, table cells and addresses, so they are plain."""
    if not name or name.startswith(".") or len(name) > 100:
        raise Refusal(f"The name {_short(name)!r} cannot be used for a folder of a submission.")
    odd = sorted(set(name) - NAME_CHARACTERS - {" "} - {c for c in name if c.isalpha()})
    if odd:
        raise Refusal(f"The name {_short(name)!r} holds {odd[0]!r}; use letters, digits and . _ - @ = +.")


def _entries(folder: Path) -> list[Path]:
    """What a real folder holds, by name, without hidden entries; [] for a link or a file."""
    if folder.is_symlink() or not folder.is_dir():
        return []
    return sorted(path for path in folder.iterdir() if not path.name.startswith("."))


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _short(text: object, length: int = 120) -> str:
    line = " ".join(str(text).split())
    return line if len(line) <= length else f"{line[: length - 1]}…"
