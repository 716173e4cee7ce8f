"""The table of units in README.md, written between markers from the contracts.

python -m tools.unit_table            write it
python -m tools.unit_table --check    change nothing; exit 1 where it is out of date
"""

from __future__ import annotations

import sys
from pathlib import Path

from tools.units import ROOT, Unit, exercises_of, units_of

BEGIN = "<!-- units: begin (make course writes this) -->"
END = "<!-- units: end -->"
HEADING = "| unit | what it is about | exercises | points |\n|---|---|---|---|"


def row(unit: Unit, exercises: tuple) -> str:
    """One unit's line: a link to the released notebook, its rungs, and what they are worth."""
    link = f"[{unit.id}](course/{unit.id}/{unit.id}.ipynb)"
    if not exercises:
        return f"| {link} | {unit.title} | ungraded | |"
    rungs = ", ".join(f"`{exercise.function}`" for exercise in exercises)
    right = sum(exercise.points for exercise in exercises)
    fast = sum(exercise.speed.points for exercise in exercises if exercise.speed)
    points = f"{right:g} + {fast:g} for speed" if fast else f"{right:g}"
    return f"| {link} | {unit.title} | {rungs} | {points} |"


def table(root: Path, contracts=exercises_of) -> str:
    """The whole table, in course order."""
    rows = [row(unit, contracts(unit.id)) for unit in units_of(root / "solutions")]
    return "\n".join([HEADING, *rows])


def with_table(page: str, content: str) -> str:
    """The page with `content` between its markers. Raises: ValueError where a marker is missing."""
    if page.count(BEGIN) != 1 or page.count(END) != 1:
        raise ValueError(f"README.md needs the lines {BEGIN!r} and {END!r} once each, around the table.")
    before, _, rest = page.partition(BEGIN)
    return f"{before}{BEGIN}\n{content}\n{END}{rest.partition(END)[2]}"


def main() -> None:
    """Write the table, or check it."""
    readme = ROOT / "README.md"
    page = readme.read_text()
    fresh = with_table(page, table(ROOT))
    if "--check" not in sys.argv:
        readme.write_text(fresh)
    elif page != fresh:
        sys.exit("README.md: the table of units is out of date. Run `make course` and commit what it writes.")


if __name__ == "__main__":
    main()
