"""Start a new unit: its source and its folder of contracts, from which everything else is built.

    python -m tools.new_unit 03_memory_access "See sectors" --exercise count_sectors

What it writes is whole: it builds, and `make check-exercises` proves it. Replace it piece by piece.
"""

from __future__ import annotations

import argparse
import re
import string
import sys
from pathlib import Path

from tools.parts.units import ROOT

TEMPLATES = ROOT / "tools" / "templates"  # string.Template, one file for each that is written


def files_for(unit: str, title: str, function: str) -> dict[str, str]:
    """The files of a new unit, by path below the repository's root."""
    number, topic = unit.split("_", 1)
    words = {"unit": unit, "number": number, "topic": topic, "title": title, "title_lower": title.lower()}
    words |= {"function": function, "function_upper": function.upper()}
    places = {"source.py": f"solutions/{unit}/{unit}.py"}
    for path in (TEMPLATES / "unit").rglob("*.txt"):
        name = path.relative_to(TEMPLATES).with_suffix("").as_posix()
        below = name.removeprefix("unit/").replace("exercise.py", f"{function}.py")
        places[name] = f"autograder/exercises/u{unit}/{below}"
    return {
        place: string.Template((TEMPLATES / f"{name}.txt").read_text(encoding="utf-8")).substitute(words)
        for name, place in places.items()
    }


def create(root: Path, unit: str, title: str, function: str) -> list[Path]:
    """Write the files of a new unit. Returns: their paths.

    Raises: ValueError for a name of another form; FileExistsError rather than touch a unit that exists.
    """
    if not re.fullmatch(r"\d\d_[a-z][a-z0-9_]*", unit):
        raise ValueError(f"{unit!r} is no unit's name. Use two digits and a topic, as in 03_memory_access.")
    if not re.fullmatch(r"[a-z][a-z0-9_]*", function):
        raise ValueError(f"{function!r} is no function's name. Use lower case, as in count_sectors.")
    contents = {root / name: text for name, text in files_for(unit, title, function).items()}
    taken = [str(path) for path in contents if path.exists()]
    if taken:
        raise FileExistsError(f"{', '.join(taken)} exists already. Choose another unit, or edit it.")
    for path, text in contents.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return list(contents)


def main(arguments: list[str] | None = None) -> int:
    """Create the unit and say what comes next."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("unit", help="as in 03_memory_access")
    parser.add_argument("title", help="as in 'Memory access'")
    parser.add_argument("--exercise", default="copy", help="the first exercise's function")
    options = parser.parse_args(arguments)
    try:
        written = create(ROOT, options.unit, options.title, options.exercise)
    except (ValueError, FileExistsError) as problem:
        sys.exit(str(problem))
    print("\n".join(str(path.relative_to(ROOT)) for path in written))
    print("Write the contract, then the source; then: make course check-exercises. CONTRIBUTING.md says how.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
