"""python -m tests.zoo measure|merge|racecheck|memcheck|page: measure on a GPU, write golden files and their page."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from tests.zoo import course, measure, on_gpu, racecheck


def main(arguments: list[str]) -> int:
    """Returns 1, with the reason on stderr, where a tool is missing or failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.zoo", description=__doc__)
    parser.add_argument("what", choices=("measure", "merge", "racecheck", "memcheck", "page"))
    parser.add_argument("--out", type=Path, help="of measure: a folder; of the checks: a file (default: tests/golden)")
    parser.add_argument("--from", dest="source", type=Path, help="of merge: the folder that was written elsewhere")
    parser.add_argument(
        "--only", default="", help="entries whose name holds one of these texts, as in scan.,warps.; the others stay"
    )
    parser.add_argument("--missing", action="store_true", help="of those, what the golden file lacks")
    parser.add_argument("--jobs", type=int, default=1, help="of the checks: processes side by side")
    parser.add_argument("--check", action="store_true", help="of page: write nothing; exit 1 where it is not current")
    chosen = parser.parse_args(arguments)
    if chosen.check:
        return page_check()
    try:
        written = done(chosen)
    except measure.MeasuringError as error:
        print(error, file=sys.stderr)
        return 1
    for path in written:
        print(f"wrote {path}")
    return 0


def done(chosen: argparse.Namespace) -> list[Path]:
    """Do what was asked for; returns the paths that were written. Raises MeasuringError."""
    if chosen.what == "measure":
        only = missing(chosen.only) if chosen.missing else chosen.only
        return measure.write(chosen.out or measure.GOLDEN, only)
    if chosen.what == "merge":
        return merged(chosen.source)
    if chosen.what == "page":
        from tests.zoo import page  # golden files of a first measurement need not exist yet

        return [page.write()]
    golden, write = CHECKS[chosen.what]
    only = not_checked(golden, chosen.only) if chosen.missing else chosen.only
    return [write(chosen.out or golden, only, chosen.jobs)]


CHECKS = {
    "racecheck": (racecheck.GOLDEN, racecheck.write),
    "memcheck": (racecheck.MEMORY, racecheck.write_memory),
}


def merged(folder: Path) -> list[Path]:
    """Put what lies in a folder, written elsewhere, into the golden files."""
    written = measure.merge(folder) if (folder / "course.json").exists() else []
    here = [golden for golden, _ in CHECKS.values() if (folder / golden.name).exists()]
    return [*written, *(racecheck.merge(folder / golden.name, golden) for golden in here)]


def missing(only: str) -> str:
    """The kernels of the course that were never measured and whose name holds one of the texts of `only`."""
    from tests.zoo import compare

    return ",".join(sorted(name for name in compare.not_measured() if on_gpu.chosen(name, only))) or "none"


def not_checked(golden: Path, only: str) -> str:
    """The kernels of the course that a golden file of a check lacks and whose name holds one of the texts of `only`."""
    known = set(json.loads(golden.read_text())["checked"]["course"]) if golden.exists() else set()
    names = {entry.name for entry in course.entries()} - known
    return ",".join(sorted(name for name in names if on_gpu.chosen(name, only))) or "none"


def page_check() -> int:
    """Returns 1 where the page's tables are not what the golden files say."""
    from tests.zoo import page

    text = page.PAGE.read_text()
    return int(page.written(text) != text)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
