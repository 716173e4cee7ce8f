"""The table of measured kernels, from benchmarks/results/: one section a device, the library from the same run."""

from __future__ import annotations

import json
from pathlib import Path

HEADING = "| kernel | GB/s | of a copy | library in the same run |\n|---|---|---|---|"
NOTHING = "No GPU's results are recorded yet: `make bench` measures, `benchmarks/results/` keeps."


def cells(row: dict) -> str:
    """One kernel's line; a kernel that could not be timed says why."""
    name = f"`{row['exercise']}`"
    if "error" in row:
        return f"| {name} | {row['error']} | | |"
    share = row["rate_gbs"] / row["copy_rate_gbs"]
    library = ""
    if row.get("library_us"):
        library = f"{row['library_us'] / row['time_us']:.2f}x the speed of {row['library']}"
    return f"| {name} | {row['rate_gbs']:,.0f} | {share:.0%} | {library} |"


def is_of_kernels(rows: object) -> bool:
    """Whether rows are times of the course's kernels: other files hold tables of a notebook, or a class's verdicts."""
    return isinstance(rows, list) and any("exercise" in row and "rate_gbs" in row for row in rows)


def results_table(root: Path) -> str:
    """Every recorded device with its rows, or a sentence where none is recorded."""
    parts = []
    for path in sorted((root / "benchmarks" / "results").glob("*.json")):
        document = json.loads(path.read_text())
        if document.get("device") and is_of_kernels(document.get("rows")):
            heading = f"{document['device']}, {document['date']}:"
            parts.append("\n".join([heading, "", HEADING, *map(cells, document["rows"])]))
    return "\n\n".join(parts) or NOTHING
