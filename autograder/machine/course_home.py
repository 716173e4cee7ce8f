"""Where the course's files are: beside the packages in a clone, in a folder of their own where a wheel brought them."""

from __future__ import annotations

from pathlib import Path

PACKAGES = Path(__file__).resolve().parents[2]
SHIPPED = PACKAGES / "warpbook_course"  # made by setup.py; beside the packages, as a jail sees them and not solutions


def course_home() -> Path:
    """The folder that holds course/, solutions/ and benchmarks/results/, whichever of them are there."""
    return SHIPPED if SHIPPED.is_dir() else PACKAGES


def released() -> Path:
    """The folder of the notebooks as learners get them, one folder per unit. It need not exist."""
    return course_home() / "course"
