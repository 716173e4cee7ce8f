"""The generated parts of README.md and docs/speed.md, written between markers.

python -m tools.readme            write them
python -m tools.readme --check    change nothing; exit 1 where one is out of date
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tools.parts.results_table import few_results, results_table
from tools.parts.sample_verdict import sample_verdict
from tools.parts.unit_table import unit_table
from tools.parts.units import ROOT

PARTS = {  # page -> its generated parts
    "README.md": {"verdict": sample_verdict, "units": unit_table, "results": few_results},
    "docs/speed.md": {"results": results_table},
}


def between_markers(page: str, name: str, content: str) -> str:
    """The page with `content` between the markers of a part. Raises: ValueError where a marker is missing."""
    begin, end = f"<!-- {name}: begin (make course writes this) -->", f"<!-- {name}: end -->"
    if page.count(begin) != 1 or page.count(end) != 1:
        raise ValueError(f"The page needs the lines {begin!r} and {end!r} once each.")
    before, _, rest = page.partition(begin)
    return f"{before}{begin}\n{content}\n{end}{rest.partition(end)[2]}"


def fresh(root: Path, name: str) -> str:
    """A page with every generated part up to date. name: a key of PARTS."""
    page = (root / name).read_text(encoding="utf-8")
    for part, make in PARTS[name].items():
        page = between_markers(page, part, make(root))
    return page


def main(arguments: list[str] | None = None) -> int:
    """Write the generated parts, or check them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="change nothing; fail where a part is out of date")
    check = parser.parse_args(arguments).check
    for name in PARTS:
        page, current = ROOT / name, fresh(ROOT, name)
        if not check:
            page.write_text(current, encoding="utf-8")
        elif page.read_text(encoding="utf-8") != current:
            sys.exit(f"{name}: a table is out of date. Run `make course` and commit what it writes.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
