"""python -m tests.zoo measure|merge|racecheck|page: measure on a GPU, write golden files, and the page with them."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tests.zoo import measure, racecheck


def main(arguments: list[str]) -> int:
    """Returns 1, with the reason on stderr, where a tool is missing or failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.zoo", description=__doc__)
    parser.add_argument("what", choices=("measure", "merge", "racecheck", "page"))
    parser.add_argument("--out", type=Path, help="of measure: a folder; of racecheck: a file (default: tests/golden)")
    parser.add_argument("--from", dest="source", type=Path, help="of merge: the folder that measure wrote elsewhere")
    parser.add_argument(
        "--only", default="", help="entries whose name holds one of these texts, as in scan.,warps.; the others stay"
    )
    parser.add_argument("--missing", action="store_true", help="of measure: of those, what the golden file lacks")
    parser.add_argument("--check", action="store_true", help="of page: write nothing; exit 1 where it is not current")
    chosen = parser.parse_args(arguments)
    if chosen.check:
        return page_check()
    try:
        if chosen.what == "measure":
            written = measure.write(
                chosen.out or measure.GOLDEN, missing(chosen.only) if chosen.missing else chosen.only
            )
        elif chosen.what == "merge":
            written = measure.merge(chosen.source)
        elif chosen.what == "page":
            from tests.zoo import page  # golden files of a first measurement need not exist yet

            written = [page.write()]
        else:
            written = [racecheck.write(chosen.out or racecheck.GOLDEN, chosen.only)]
    except measure.MeasuringError as error:
        print(error, file=sys.stderr)
        return 1
    for path in written:
        print(f"wrote {path}")
    return 0


def missing(only: str) -> str:
    """The kernels of the course that were never measured and whose name holds one of the texts of `only`."""
    from tests.zoo import compare, on_gpu

    return ",".join(sorted(name for name in compare.not_measured() if on_gpu.chosen(name, only))) or "none"


def page_check() -> int:
    """Returns 1 where the page's tables are not what the golden files say."""
    from tests.zoo import page

    text = page.PAGE.read_text()
    return int(page.written(text) != text)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
