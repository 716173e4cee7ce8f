"""Another project on the package index is called autograder, too, and its package has the same name as ours.

One file is in both: `autograder/__init__.py`. Whichever project was installed last has it; the other one loses its own.
"""

from __future__ import annotations

import importlib.metadata
import warnings
from pathlib import Path

from autograder.machine.check import BROKEN, LIMITED, OK, Check

HOME = Path(__file__).resolve().parents[1]
THEIRS = "testcase_utils"  # a folder that only the other project has
BACK = "python -m pip install --force-reinstall --no-deps warpbook"
APART = "keep the two in environments of their own: python -m venv"


def is_here() -> bool:
    """Whether the other project's files lie among ours."""
    return (HOME / THEIRS).is_dir()


def check() -> Check:
    """Who has the file that both projects bring."""
    if not _ours():
        return Check("autograder", BROKEN, f"{_project()} took Warpbook's place: notebooks cannot import it", BACK)
    if is_here():
        says = f"{_project()} is installed here, too: Warpbook works, the other does not"
        return Check("autograder", LIMITED, says, APART)
    return Check("autograder", OK, "the name is Warpbook's alone here")


def _ours() -> bool:
    """Whether the file that both bring is Warpbook's. It is gone where the other project was installed and removed."""
    shared = HOME / "__init__.py"
    return shared.is_file() and "HOMES" in shared.read_text(encoding="utf-8")


def _project() -> str:
    try:
        return f"autograder {importlib.metadata.version('autograder')}"
    except importlib.metadata.PackageNotFoundError:
        return "the project autograder"


def warn() -> None:
    """Say once what `check` would find, where a notebook imports us and the other project is here, too."""
    if is_here():
        found = check()
        warnings.warn(f"{found.says}. To mend it, {found.mend}", stacklevel=3)
