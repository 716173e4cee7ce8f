"""The generated parts of README.md, written between markers.

python -m tools.readme            write them
python -m tools.readme --check    change nothing; exit 1 where one is out of date
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tools.parts.results_table import results_table
from tools.parts.sample_verdict import sample_verdict
from tools.parts.unit_table import unit_table
from tools.parts.units import ROOT

PARTS = {"verdict": sample_verdict, "units": unit_table, "results": results_table}


def between_markers(page: str, name: str, content: str) -> str:
    """The page with `content` between the markers of a part. Raises: ValueError where a marker is missing."""
    begin, end = f"<!-- {name}: begin (make course writes this) -->", f"<!-- {name}: end -->"
    if page.count(begin) != 1 or page.count(end) != 1:
        raise ValueError(f"README.md needs the lines {begin!r} and {end!r} once each.")
    before, _, rest = page.partition(begin)
    return f"{before}{begin}\n{content}\n{end}{rest.partition(end)[2]}"


def fresh_readme(root: Path) -> str:
    """README.md with every generated part up to date."""
    page = (root / "README.md").read_text()
    for name, make in PARTS.items():
        page = between_markers(page, name, make(root))
    return page


def main(arguments: list[str] | None = None) -> int:
    """Write the generated parts, or check them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="change nothing; fail where a part is out of date")
    check = parser.parse_args(arguments).check
    readme, fresh = ROOT / "README.md", fresh_readme(ROOT)
    if not check:
        readme.write_text(fresh)
    elif readme.read_text() != fresh:
        sys.exit("README.md: a table is out of date. Run `make course` and commit what it writes.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
