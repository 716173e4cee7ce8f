"""The table of measured kernels, from benchmarks/results/: one section a device, the library from the same run."""

from __future__ import annotations

import json
from collections.abc import Collection
from pathlib import Path

from autograder import exercises
from autograder.contract import Rate

HEADING = "| kernel | rate | of a copy | library in the same run |\n|---|---|---|---|"
CONVINCING = (
    "vector_add.vector_add_unrolled",
    "shared_memory.transpose_fast",
    "reductions.device_sum",
    "scan.scan_lookback",
    "scan.radix_sort",
    "atomics.histogram_copies",
    "matmul.matmul_ring",
    "matmul.matmul_warpgroup",
    "irregular.spmv_warps",
)
NOTHING = "No GPU's results are recorded yet: `make bench` measures, `benchmarks/results/` keeps."


def cells(row: dict) -> str:
    """One kernel's line; a kernel that could not be timed says why."""
    name = f"`{row['exercise']}`"
    if "error" in row:
        return f"| {name} | {row['error']} | | |"
    rate = rate_of(row["exercise"])
    shown = f"{row['rate_gbs']:,.0f} GB/s | {row['rate_gbs'] / row['copy_rate_gbs']:.0%}"
    if rate is not None:  # its bytes are few: a share of what a copy moves would say nothing
        shown = f"{rate.work(row['sizes']) / row['time_us'] * 1e6:,.1f} {rate.unit} | "
    library = ""
    if row.get("library_us"):
        library = f"{row['library_us'] / row['time_us']:.2f}x the speed of {row['library']}"
    return f"| {name} | {shown} | {library} |"


def rate_of(exercise: str) -> Rate | None:
    """What the exercise's speed is told in where bytes do not bound it."""
    try:
        speed = exercises.find(exercise).speed
    except exercises.UnknownExerciseError:  # in the tests' own tables
        return None
    return speed.rate if speed else None


def is_of_kernels(rows: object) -> bool:
    """Whether rows are times of the course's kernels: other files hold tables of a notebook, or a class's verdicts."""
    return isinstance(rows, list) and any("exercise" in row and "rate_gbs" in row for row in rows)


def few_results(root: Path) -> str:
    """The same table with a kernel or two of each kind."""
    return results_table(root, CONVINCING)


def results_table(root: Path, chosen: Collection[str] = ()) -> str:
    """Every recorded device with its rows, or a sentence where none is recorded. chosen: these exercises alone."""
    parts = []
    for path in sorted((root / "benchmarks" / "results").glob("*.json")):
        document = json.loads(path.read_text())
        if document.get("device") and is_of_kernels(document.get("rows")):
            heading = f"{document['device']}, {document['date']}:"
            rows = [row for row in document["rows"] if not chosen or row.get("exercise") in chosen]
            parts.append("\n".join([heading, "", HEADING, *map(cells, rows)]))
    return "\n\n".join(parts) or NOTHING
