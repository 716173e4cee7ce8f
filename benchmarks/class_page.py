"""The table of docs/many-gpus.md from the results of bench_class: python -m benchmarks.class_page [--check]"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable
from typing import Any

from benchmarks.record import RESULTS
from benchmarks.tables import ROOT, write

PAGE = ROOT / "docs" / "many-gpus.md"
HEAD = ["| GPUs | workers per GPU | answers per second | 200 submissions, minutes | how |", "|---|---|---|---|---|"]


def rows(measured: Iterable[dict[str, Any]], simulated: dict[str, Any]) -> list[str]:
    """A row for each number of workers and GPUs that was measured, and one for those that only were simulated."""
    lines = [
        row(n, each["workers_a_gpu"], rate, each["answers_a_submission"], "measured")
        for each in sorted(measured, key=lambda each: each["workers_a_gpu"])
        for n, rate in each["answers_a_second"].items()
    ]
    n, rate = max(simulated["answers_a_second"].items(), key=lambda pair: int(pair[0]))
    per_submission = simulated["answers"] / simulated["submissions"]
    how = "simulated: each GPU in a machine of its own"
    return [*HEAD, *lines, row(n, simulated["workers_a_gpu"], rate, per_submission, how)]


def row(n: str, each: int, rate: float, per_submission: float, how: str) -> str:
    """GPUs, workers of each, answers a second, minutes for a class."""
    return f"| {n} | {each} | {rate:.3g} | {200 * per_submission / rate / 60:.0f} | {how} |"


def table() -> list[str]:
    """What the results say."""
    measured, simulated = (
        [json.loads(path.read_text()) for path in RESULTS.glob(f"class-{what}-*.json")] for what in ("on", "simulated")
    )
    return rows(measured, simulated[-1])


def main() -> None:
    """Write the table; with --check, exit 1 where the page has another."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true")
    write(PAGE, {"throughput": table()}, "benchmarks/results/class-*.json", parser.parse_args().check)


if __name__ == "__main__":
    main()
