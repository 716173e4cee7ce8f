"""The table of docs/many-gpus.md from the results of bench_class: python -m benchmarks.class_page [--check]"""

from __future__ import annotations

import argparse
import json
from typing import Any

from benchmarks.record import RESULTS
from benchmarks.tables import ROOT, write

PAGE = ROOT / "docs" / "many-gpus.md"
HEAD = ["| GPUs | workers per GPU | answers per second | 200 submissions, minutes | how |", "|---|---|---|---|---|"]


def rows(measured: dict[str, Any], simulated: dict[str, Any]) -> list[str]:
    """A row for each number of GPUs that was measured, and one for each that only was simulated."""
    each, per_submission = measured["workers_a_gpu"], measured["answers_a_submission"]
    rates = {n: (rate, "measured") for n, rate in measured["answers_a_second"].items()}
    for n, rate in simulated["answers_a_second"].items():
        rates.setdefault(n, (rate, "simulated from the times of those answers"))
    return HEAD + [
        f"| {n} | {each} | {rate:.3g} | {200 * per_submission / rate / 60:.0f} | {how} |"
        for n, (rate, how) in sorted(rates.items(), key=lambda row: int(row[0]))
    ]


def newest(pattern: str) -> dict[str, Any]:
    """The results of the most GPUs."""
    found = max(RESULTS.glob(pattern), key=lambda path: int("".join(filter(str.isdigit, path.stem))))
    return json.loads(found.read_text())


def main() -> None:
    """Write the table; with --check, exit 1 where the page has another."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true")
    table = rows(newest("class-on-*-gpus.json"), newest("class-simulated-*-gpus.json"))
    write(PAGE, {"throughput": table}, "benchmarks/results/class-*.json", parser.parse_args().check)


if __name__ == "__main__":
    main()
