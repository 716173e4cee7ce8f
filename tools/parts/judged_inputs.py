"""What a verdict on an answer of a unit follows from, as one hash: the judge, the interpreter, the unit's files."""

from __future__ import annotations

import hashlib
import platform
import re
from collections.abc import Iterable
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from autograder.exercises import own
from tools.parts.units import ROOT

JUDGES = ("autograder", "simt", "tools/matrices", "tools/check_exercises.py", "tools/check_remedies.py")
NO_PART = ("autograder/classroom/", "autograder/drills/", "autograder/exercises/u")  # of what judges every unit
PACKAGES = ("numpy", "numba-cuda")  # whose answers a verdict may depend on
KINDS = (".py", ".md", ".json", ".yaml")
A_UNIT = re.compile(r"\bu(\d\d_[a-z0-9_]+)")


@cache
def inputs_of(unit: str) -> str:
    """The hash of everything that judges a unit's answers. unit: as in 06_reductions."""
    found = hashlib.sha256(of_the_judge().encode())
    for name in sorted(built_on(unit)):
        found.update(_of_files(_files_of(name)).encode())
    return found.hexdigest()


@cache
def of_the_judge() -> str:
    """The hash of what judges every unit: its text, Python, and the packages below it."""
    paths = [path for judge in JUDGES for path in _texts_in(ROOT / judge)]
    shared = [path for path in paths if not path.relative_to(ROOT).as_posix().startswith(NO_PART)]
    below = (f"{name} {_version_of(name)}" for name in PACKAGES)
    return " ".join((_of_files(shared), platform.python_version(), *below))


@cache
def built_on(unit: str) -> frozenset[str]:
    """A unit, and those that modules of its folder name, and so on back."""
    found, left = {unit}, [unit]
    while left:
        named = {name for path in _files_of(left.pop()) for name in A_UNIT.findall(path.read_text(encoding="utf-8"))}
        new = {name for name in named - found if _folder_of(name).is_dir()}
        found |= new
        left += new
    return frozenset(found)


def _folder_of(unit: str) -> Path:
    return ROOT / "autograder" / "exercises" / f"u{unit}"


def _files_of(unit: str) -> list[Path]:
    """The folder of a unit's exercises and the source of its notebook; those of one's own lie elsewhere."""
    home = own.home_of(unit)
    folder = own.package_of(unit) if home else _folder_of(unit)
    source = (home or ROOT) / "solutions" / unit / f"{unit}.py"
    return [path for path in (*_texts_in(folder), source) if path.is_file()]


def _texts_in(place: Path) -> list[Path]:
    if place.is_file():
        return [place]
    return sorted(path for path in place.rglob("*") if path.suffix in KINDS and "__pycache__" not in path.parts)


def _of_files(paths: Iterable[Path]) -> str:
    found = hashlib.sha256()
    for path in paths:
        found.update(f"{path.name}\0".encode() + path.read_bytes())
    return found.hexdigest()


def _version_of(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "none"
