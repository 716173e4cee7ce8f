"""What `warpbook start` writes into a folder: released notebooks, and beside them what it needs to write them again.

`.warpbook/released/` keeps the notebooks as they were given, so that the next version can tell an untouched notebook
from a learner's, and carry answers over. A learner's file is replaced only after a copy of it lies beside it.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from autograder.machine.course_home import released
from autograder.machine.start.merge import Notebook, carried_over, text
from simt.source.counts import count_text

GIVEN = Path(".warpbook") / "released"
TUTOR = "AGENTS.md"  # the name that coding assistants look for
NEW, SAME, NEWER, MERGED, KEPT = "new", "same", "newer", "merged", "kept"


class StartError(Exception):
    """The course cannot be written; the message says where, why and what to do."""


@dataclass(frozen=True)
class Written:
    """What became of one unit. state: one of the above; copy: of the learner's own file, where theirs was renewed."""

    unit: str
    state: str
    copy: Path | None = None
    why: str = ""


def write_course(folder: Path) -> list[Written]:
    """Write or renew every unit below `folder`. Raises StartError, before anything is written."""
    source = released()
    folders = sorted(path.parent for path in source.glob("*/*.ipynb") if path.stem == path.parent.name)
    if not folders:
        raise StartError(f"No notebooks lie in {source}. Install Warpbook again, or run `make course` in a clone.")
    if folder.exists() and not folder.is_dir():
        raise StartError(f"{folder} is a file. Name a folder, which need not exist yet.")
    if folder.resolve() == source.resolve():
        raise StartError(f"{folder} holds the released notebooks themselves. Name another folder for your copy.")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _replace(folder / TUTOR, Path(__file__).with_name("tutor.md").read_bytes())
        return [_write_unit(unit, folder) for unit in folders]
    except OSError as error:
        what = f"{error.filename or folder} cannot be written: {error.strerror}"
        raise StartError(f"{what}. Name another folder.") from error


def _write_unit(unit: Path, folder: Path) -> Written:
    name = f"{unit.name}/{unit.name}.ipynb"
    newer = (unit / f"{unit.name}.ipynb").read_bytes()
    theirs, given = folder / name, folder / GIVEN / name
    if not theirs.exists():
        state = Written(unit.name, NEW)
        _replace(theirs, newer)
    else:
        state = _renew(unit.name, theirs, given, newer)
    if state.state != KEPT:
        _replace(given, newer)
    return state


def _renew(unit: str, path: Path, given: Path, newer: bytes) -> Written:
    """Bring a notebook that is there to `newer`, and keep what the learner wrote in it."""
    if given.exists() and given.read_bytes() == newer:
        return Written(unit, SAME)
    theirs, base = _notebook(path.read_bytes()), _notebook(given.read_bytes() if given.exists() else b"")
    if theirs is None or base is None:
        if path.read_bytes() == newer:
            return Written(unit, SAME)
        why = "it is no notebook that can be read" if theirs is None else "it was not written by `warpbook start`"
        return Written(unit, KEPT, why=why)
    if [text(cell) for cell in theirs["cells"]] == [text(cell) for cell in base["cells"]]:
        _replace(path, newer)
        return Written(unit, NEWER)
    copy = _copied(path)
    merged = carried_over(base, theirs, json.loads(newer))
    _replace(path, (json.dumps(merged, indent=1, ensure_ascii=False) + "\n").encode())
    return Written(unit, MERGED, copy)


def _notebook(data: bytes) -> Notebook | None:
    """The notebook that these bytes are, or None."""
    try:
        found = json.loads(data)
    except ValueError:
        return None
    cells = found.get("cells") if isinstance(found, dict) else None
    is_one = isinstance(cells, list) and all(isinstance(cell, dict) and "cell_type" in cell for cell in cells)
    return found if is_one else None


def _copied(path: Path) -> Path:
    """Copy a learner's file to a free name beside it, which is returned."""
    mark = hashlib.sha256(path.read_bytes()).hexdigest()[:6]
    copy = path.with_name(f"{path.stem}.before-{mark}.ipynb")
    shutil.copy2(path, copy)
    return copy


def _replace(path: Path, data: bytes) -> None:
    """Write a file whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    half = path.with_name(f".{path.name}.half")
    half.write_bytes(data)
    os.replace(half, path)


def lines(written: list[Written]) -> Iterator[str]:
    """What a learner reads of it: a line for each kind of what happened, none for what stayed the same."""
    names = {state: [each.unit for each in written if each.state == state] for state in (NEW, NEWER, MERGED)}
    if names[NEW]:
        yield f"wrote {_some(names[NEW])}"
    if names[NEWER]:
        yield f"renewed {_some(names[NEWER])}: you had not changed anything there"
    for each in written:
        if each.state == MERGED:
            yield f"renewed {each.unit}, your answers carried over; your old notebook is {each.copy.name}"
        elif each.state == KEPT:
            yield f"left {each.unit} as it is: {each.why}. Move it away to get the released one"


def _some(units: list[str]) -> str:
    """Units by name, neighbours as their first and last: "03_memory_access, 18_engine_kernels to 21_..., 5 units"."""
    runs: list[list[str]] = []
    for unit in units:
        follows = runs and int(unit[:2]) == int(runs[-1][-1][:2]) + 1
        runs[-1].append(unit) if follows else runs.append([unit])
    told = ", ".join(run[0] if len(run) == 1 else f"{run[0]} to {run[-1]}" for run in runs)
    return told if len(units) == 1 else f"{told}, {count_text(len(units), 'unit')}"
