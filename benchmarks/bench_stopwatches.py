"""What units 00 and 01 time, as tables for readers without a GPU: ``python -m benchmarks.bench_stopwatches [--check]``.

The figures are those of the solved notebooks, which `make record UNITS="00_start_here 01_vector_add"` runs on a GPU;
nothing is timed here. Writes benchmarks/results/stopwatches.json, with the date of the older of the two recordings.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tools.parts.units import ROOT

SOLUTIONS, RESULTS = ROOT / "solutions", ROOT / "benchmarks" / "results" / "stopwatches.json"
UNITS = ("00_start_here", "01_vector_add")
TIMED = re.compile(r"(?P<what>\S.*?) {2,}(?P<us>[\d,.]+) us(?: +(?P<rate>[\d,]+) GB/s)?")  # a line of stopwatch.report
WIDE = 20  # characters of a column in the table of unit 00, after the first
FIRST = 12


class NotRecordedError(ValueError):
    """A solved notebook whose last recording had no GPU, or lacks one of the tables."""


def tables(folder: Path = SOLUTIONS) -> dict[str, Any]:
    """The document: device, date, and a table for each cell that times. Raises: NotRecordedError."""
    notebooks = {unit: json.loads((folder / unit / f"{unit}.ipynb").read_text()) for unit in UNITS}
    notes = {unit: notebook["metadata"].get("warpbook", {}) for unit, notebook in notebooks.items()}
    devices = {note.get("device", "no GPU") for note in notes.values()}
    lines = {unit: [*printed(notebook)] for unit, notebook in notebooks.items()}
    ways = [line for line in lines[UNITS[0]] if line.rstrip().endswith("fastest") or "us  " in line]
    timed = [match for line in lines[UNITS[1]] if (match := TIMED.fullmatch(line.strip()))]
    launches = [[one["what"], f"{one['us']} us"] for one in timed if "elements" not in one["what"]]
    sizes = [[one["what"], f"{one['us']} us", f"{one['rate']} GB/s"] for one in timed if "elements" in one["what"]]
    measured = launches and sizes and ways and not any("not measured" in row for row in ways)
    if len(devices) != 1 or not measured:
        raise NotRecordedError(f"{', '.join(UNITS)}: record both on one GPU first, with make record.")
    head, *rows = map(cut, ways)
    return {
        "device": devices.pop(),
        "date": min(note["date"] for note in notes.values()),
        "parts": {
            "ways": {"columns": head, "rows": rows},
            "launches": {"columns": ["one addition of 16,777,216 elements", "time"], "rows": launches},
            "sizes": {"columns": ["one addition, between two events", "time", "rate"], "rows": sizes},
        },
    }


def printed(notebook: dict[str, Any]) -> Iterator[str]:
    """The lines that the cells of a notebook printed."""
    for cell in notebook["cells"]:
        for output in cell.get("outputs", ()):
            yield from "".join(output.get("text", "")).splitlines()


def cut(line: str) -> list[str]:
    """A row of the table of unit 00, by its columns."""
    ends = [0, FIRST, *range(FIRST + WIDE, FIRST + 5 * WIDE, WIDE), len(line)]
    return [line[begin:end].strip() for begin, end in zip(ends, ends[1:], strict=False)]


def main(argv: list[str] | None = None) -> int:
    """Write the file; with --check, return 1 where it holds something else."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing")
    wanted = parser.parse_args(argv)
    text = json.dumps(tables(), indent=2, ensure_ascii=False) + "\n"
    if not wanted.check:
        RESULTS.write_text(text)
        return 0
    if RESULTS.read_text() == text:
        return 0
    print(
        f"{RESULTS.name} has other figures than the notebooks: python -m benchmarks.bench_stopwatches", file=sys.stderr
    )
    return 1


if __name__ == "__main__":
    sys.exit(main())
