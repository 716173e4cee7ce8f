"""Processor time of a check without a GPU: ``python -m benchmarks.bench_check [UNIT|EXERCISE ...] [--wrong]``.

Each exercise gets a process of its own, which loads the judge, checks one small exercise (the first check of a
session), then the solution of this exercise twice: as it comes, and as one that is compiled already. With --wrong, its
wrong answers follow, each once. Processor seconds with those of children, so that other work on the machine hardly
counts; how fast it was meanwhile is told by `LOOP` additions in Python. Prints a table, slowest first. Without names
and with --wrong, benchmarks/results/check-without-gpu.json is written; --keep FILE keeps what any run measured.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

os.environ["CUDA_VISIBLE_DEVICES"] = ""  # before anything imports CUDA: the promise is about machines without a GPU

import numpy as np

from benchmarks.record import record

LONGEST_S, MEDIAN_S, FIRST_S = 3.0, 0.5, 1.0  # what is promised of a check
WRONG_TO_RIGHT = 2.0  # how much longer a wrong answer may take than the longest right one
LOOP = 10_000_000
SHOWN = 30
SMALL = "vector_add.vector_add"


def used_s() -> float:
    """Processor seconds of this process and its children so far."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def loop_s() -> float:
    """Processor seconds of `LOOP` additions: how fast this machine is just now."""
    began, i = time.process_time(), 0
    while i < LOOP:
        i += 1
    return time.process_time() - began


def measure(identifier: str, wrong: bool) -> dict[str, Any]:
    """Processor seconds of one exercise, in this process, which has to be fresh."""
    from autograder import exercises
    from autograder.exercises.catalogue import answers_for
    from autograder.judge import check
    from tools.check_exercises import solution_of

    def seconds(of: str, program) -> float:
        began = used_s()
        check(exercises.find(of), program, device="simt", isolate=False)
        return used_s() - began

    exercise, small = exercises.find(identifier), solution_of(exercises.find(SMALL))
    solution = solution_of(exercise)
    found: dict[str, Any] = {"exercise": identifier, "start_s": used_s(), "first_s": seconds(SMALL, small)}
    found |= {"right_s": seconds(identifier, solution), "again_s": seconds(identifier, solution), "wrong": {}}
    for answer in answers_for(exercise) if wrong else ():
        if answer.misconception:
            found["wrong"][answer.name] = seconds(identifier, answer.program)
    return found


def in_a_process(identifier: str, wrong: bool) -> dict[str, Any]:
    """The same in a process of its own. Raises: CalledProcessError."""
    command = [sys.executable, "-m", "benchmarks.bench_check", "--one", identifier, *(["--wrong"] if wrong else [])]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[1])
    return json.loads(done.stdout.splitlines()[-1])


def of_names(names: list[str]) -> list[str]:
    """The exercises of these units, or with these names; all without names."""
    from autograder import exercises

    every = [exercise for unit in exercises.units() for exercise in exercises.of_unit(unit)]
    return [one.id for one in every if not names or {one.id, one.id.split(".")[1], one.unit} & {*names}]


def summary(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """What the promises are about: medians, longest ones, how many are too long."""
    right = [row["right_s"] for row in rows]
    wrong = [seconds for row in rows for seconds in row["wrong"].values()]
    shares = [max(row["wrong"].values()) / row["right_s"] for row in rows if row["wrong"]]
    return {
        "exercises": len(rows),
        "median_s": float(np.median(right)),
        "p95_s": float(np.percentile(right, 95)),
        "longest_s": max(right),
        "too_long": sum(seconds > LONGEST_S for seconds in right),
        "again_median_s": float(np.median([row["again_s"] for row in rows])),
        "first_median_s": float(np.median([row["first_s"] for row in rows])),
        "start_median_s": float(np.median([row["start_s"] for row in rows])),
        "wrong": len(wrong),
        "wrong_median_s": float(np.median(wrong)) if wrong else 0.0,
        "wrong_longest_s": max(wrong, default=0.0),
        "wrong_too_long": sum(seconds > LONGEST_S * WRONG_TO_RIGHT for seconds in wrong),
        "longest_share_of_right": max(shares, default=0.0),
    }


def shown(row: dict[str, Any]) -> str:
    """A line of the table."""
    name, slowest = max(row["wrong"].items(), key=lambda item: item[1], default=("", 0.0))
    last = f"{slowest:8.2f}  {name}" if name else ""
    return f"{row['right_s']:7.2f} {row['again_s']:7.2f}  {row['exercise']:42}{last}"


def main(argv: Sequence[str] | None = None) -> int:
    """Print the table. Returns 1 where a promise is broken, 2 when nothing was checked."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="UNIT|EXERCISE", help="of these only")
    parser.add_argument("--wrong", action="store_true", help="the wrong answers of the catalogue as well")
    parser.add_argument("--keep", metavar="FILE", help="keep what was measured, as JSON")
    parser.add_argument("--one", metavar="EXERCISE", help=argparse.SUPPRESS)
    options = parser.parse_args(argv)
    if options.one:
        print(json.dumps(measure(options.one, options.wrong)))
        return 0
    chosen = of_names(options.names)
    if not chosen:
        print("No exercise matches, so nothing was timed.", file=sys.stderr)
        return 2
    loops, rows = [loop_s()], []
    for identifier in chosen:
        rows.append(in_a_process(identifier, options.wrong))
        loops.append(loop_s())
    rows.sort(key=lambda row: -row["right_s"])
    found = {"loop_s": float(np.median(loops)), **summary(rows)}
    print("  right   again  processor seconds" + (" " * 31 + "wrong, at most" if options.wrong else ""))
    print("\n".join(map(shown, rows[:SHOWN])))
    print("\n".join(f"{name}: {value:.2f}" if value % 1 else f"{name}: {value:.0f}" for name, value in found.items()))
    if options.keep:
        Path(options.keep).write_text(json.dumps({**found, "rows": rows}, indent=1))
    if options.wrong and not options.names:
        record("check-without-gpu", {**found, "rows": rows})
    broken = found["median_s"] > MEDIAN_S or found["longest_s"] > LONGEST_S or found["first_median_s"] > FIRST_S
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
