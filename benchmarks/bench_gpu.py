"""Time the course's solutions on this GPU and record them: ``python benchmarks/bench_gpu.py [UNIT ...]``.

Writes benchmarks/results/<device>.json (device, date, versions, one row per exercise). Needs a GPU; torch is timed
beside each kernel where it is installed. Rows of other units stay as they were, with the date of their own.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import time
from pathlib import Path
from typing import Any

from autograder.speed.bench import bench, timed_exercises, to_text

RESULTS = Path(__file__).parent / "results"
JOBS = 5  # exercises prepared at a time, where there are two cores for each


def main(units: list[str], folder: Path = RESULTS) -> int:
    """Time the exercises of the named units (all without names). Returns 1 where there is no GPU."""
    chosen = [exercise for exercise in timed_exercises() if not units or exercise.unit in units]
    began = time.monotonic()

    def progress(name: str) -> None:
        print(f"timed {name} after {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)

    document = bench(chosen, progress, jobs=max(1, min(JOBS, (os.cpu_count() or 1) // 2)))
    print(to_text(document))
    if document["device"] is None:
        return 1
    slug = re.sub(r"[^a-z0-9]+", "-", document["device"].lower()).strip("-")
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{slug}.json"
    if units and file.exists():
        document = joined(json.loads(file.read_text()), document)
    file.write_text(json.dumps(document, indent=2) + "\n")
    return 0


def joined(earlier: dict[str, Any], document: dict[str, Any]) -> dict[str, Any]:
    """The new rows among those that were measured earlier, in course order; an earlier one says when that was."""
    rows = {row["exercise"]: {"date": earlier["date"], **row} for row in earlier["rows"]}
    rows |= {row["exercise"]: row for row in document["rows"]}
    known = [exercise.id for exercise in timed_exercises() if exercise.id in rows]
    return {**document, "rows": [rows[each] for each in known]}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("units", nargs="*", metavar="UNIT", help="of these units only, as in 06_reductions")
    sys.exit(main(parser.parse_args().units))
