"""python -m tests.zoo measure|racecheck|page: measure on a GPU, write golden files, and the page that quotes them."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tests.zoo import measure, racecheck


def main(arguments: list[str]) -> int:
    """Returns 1, with the reason on stderr, where a tool is missing or failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.zoo", description=__doc__)
    parser.add_argument("what", choices=("measure", "racecheck", "page"))
    parser.add_argument("--out", type=Path, help="of measure: a folder; of racecheck: a file (default: tests/golden)")
    parser.add_argument(
        "--only", default="", help="entries whose name holds this text; measure keeps the others as they were"
    )
    chosen = parser.parse_args(arguments)
    try:
        if chosen.what == "measure":
            written = measure.write(chosen.out or measure.GOLDEN, chosen.only)
        elif chosen.what == "page":
            from tests.zoo import page

            written = [page.write()]
        else:
            written = [racecheck.write(chosen.out or racecheck.GOLDEN, chosen.only)]
    except measure.MeasuringError as error:
        print(error, file=sys.stderr)
        return 1
    for path in written:
        print(f"wrote {path}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
