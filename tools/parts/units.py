"""Where the units are, and their titles. A unit exists when its source does."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Unit:
    """One unit of the course. id: "01_vector_add"; source: its percent-format file."""

    id: str
    source: Path

    @property
    def title(self) -> str:
        """The first heading of the source, as in "Vector add"."""
        found = re.search(r"^# # +(.+?) *$", self.source.read_text(), flags=re.MULTILINE)
        if not found:
            raise ValueError(f"{self.source} has no title. Start its first markdown cell with '# # Title'.")
        return found.group(1)

    @property
    def link(self) -> str:
        """How a neighbouring notebook links here; the same in solutions/ and in course/."""
        return f"../{self.id}/{self.id}.ipynb"


def units_of(solutions: Path) -> list[Unit]:
    """The units below a solutions directory, in course order."""
    found = [Unit(path.name, path / f"{path.name}.py") for path in sorted(solutions.glob("[0-9][0-9]_*"))]
    return [unit for unit in found if unit.source.exists()]
