"""Start a new unit: its source and its folder of contracts, from which everything else is built.

    python -m tools.new_unit 03_memory_access "See sectors" --exercise count_sectors

What it writes is whole: it builds, and `make check-exercises` proves it. Replace it piece by piece.
"""

from __future__ import annotations

import argparse
import builtins
import keyword
import re
import string
import subprocess
import sys
from pathlib import Path

from tools.parts.units import ROOT

TEMPLATES = ROOT / "tools" / "templates"  # string.Template, one file for each that is written
TAKEN = frozenset("cuda np float32 exercise q right wrong style src dst i".split())  # by what the templates write
OF_THE_COURSE = "autograder/exercises/"  # where a unit's package lies below a root


def files_for(unit: str, title: str, function: str, packages: str = OF_THE_COURSE, where: str = "") -> dict[str, str]:
    """The files of a new unit, by path below a root.

    packages: where units' packages lie there; where: what a notebook says after an exercise's id to find its folder.
    """
    number, topic = unit.split("_", 1)
    words = {"unit": unit, "number": number, "topic": topic, "title": title, "title_lower": title.lower()}
    words |= {"function": function, "function_upper": function.upper(), "where": where}
    places = {"source.py": f"solutions/{unit}/{unit}.py"}
    for path in (TEMPLATES / "unit").rglob("*.txt"):
        name = path.relative_to(TEMPLATES).with_suffix("").as_posix()
        below = name.removeprefix("unit/").replace("exercise.py", f"{function}.py")
        places[name] = f"{packages}u{unit}/{below}"
    return {
        place: string.Template((TEMPLATES / f"{name}.txt").read_text(encoding="utf-8")).substitute(words)
        for name, place in places.items()
    }


def create(
    root: Path, unit: str, title: str, function: str, packages: str = OF_THE_COURSE, where: str = ""
) -> list[Path]:
    """Write the files of a new unit, all but the record of its work. Returns: their paths. See `files_for`.

    Raises: ValueError for a name of another form; FileExistsError rather than touch a unit that exists.
    """
    if not re.fullmatch(r"[a-z][a-z0-9_]*", function):
        raise ValueError(f"{function!r} is no function's name. Use lower case, as in count_sectors.")
    if keyword.iskeyword(function) or function in TAKEN or hasattr(builtins, function):
        raise ValueError(f"{function!r} means something else in a cell. Choose another name, as in my_{function}.")
    if not re.fullmatch(r"\d\d_[a-z][a-z0-9_]*", unit):
        raise ValueError(f"{unit!r} is no unit's name. Use two digits and a topic, as in 03_memory_access.")
    contents = {root / name: text for name, text in files_for(unit, title, function, packages, where).items()}
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
    record = [sys.executable, "-m", "tools.record_work", "--unit", options.unit]  # afresh, to see the new package
    if subprocess.run(record, cwd=ROOT).returncode:
        return 1
    print("\n".join(str(path.relative_to(ROOT)) for path in written))
    print("Write the contract, then the source; then: make course check-exercises. CONTRIBUTING.md says how.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
