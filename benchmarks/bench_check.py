"""How long a learner waits for a verdict without a GPU: ``python -m benchmarks.bench_check [UNIT ...]``.

Checks every solution and every catalogued answer of the course in one warm process, in the interpreter, and prints the
slowest ones and the distribution; then the first verdict of a fresh process. The promises are a 95th percentile of at
most 2 s and a first verdict within 60 s. Without unit names benchmarks/results/check-without-gpu.json is written.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

os.environ["CUDA_VISIBLE_DEVICES"] = ""  # before anything imports CUDA: the promise is about machines without a GPU

import numpy as np

from autograder import exercises
from autograder.answer.program import Program
from autograder.contract import Exercise
from autograder.exercises.catalogue import answers_for
from autograder.judge import check
from autograder.machine.scratch import ScratchFolder
from benchmarks.record import record
from tools.check_exercises import solution_of

PROMISE_S = 2.0
FIRST_PROMISE_S = 60.0
SLOWEST_SHOWN = 10


def submissions(units: list[str]) -> list[tuple[Exercise, str, Program]]:
    """Every solution and answer of the named units (all without names) that ends by itself."""
    chosen = [exercise for unit in units or exercises.units() for exercise in exercises.of_unit(unit)]
    found = [(exercise, "solution", solution_of(exercise)) for exercise in chosen]
    return found + [
        (exercise, answer.name, answer.program)
        for exercise in chosen
        for answer in answers_for(exercise)
        if answer.outcome != "TimedOut"
    ]


def seconds_of(exercise: Exercise, program: Program) -> float:
    """Wall-clock seconds of one check."""
    began = time.perf_counter()
    check(exercise, program, device="simt", isolate=False)
    return time.perf_counter() - began


def first_verdict_s() -> float:
    """Seconds from the start of a fresh process to its verdict on unit 01's vector_add."""
    exercise = exercises.find("vector_add.vector_add")
    with ScratchFolder("bench") as folder:
        answer = Path(folder) / "answer.py"
        program = solution_of(exercise)
        answer.write_text("\n\n".join([*(piece.source for piece in program.setup), program.source]))
        command = [sys.executable, "-m", "autograder.cli", "check", exercise.id, str(answer), "--device", "simt"]
        began = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        return time.perf_counter() - began


def main(argv: Sequence[str] | None = None) -> int:
    """Print the distribution. Returns 1 where a promise is broken, 2 when nothing was checked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("units", nargs="*", metavar="UNIT", help="of these units only; nothing is kept then")
    units = parser.parse_args(argv).units
    chosen = submissions(units)
    if not chosen:
        print("No exercise matches, so nothing was timed.", file=sys.stderr)
        return 2
    seconds_of(chosen[0][0], chosen[0][2])  # the first compilation loads the compiler
    timed = sorted(
        ((seconds_of(exercise, program), exercise.id, name) for exercise, name, program in chosen), reverse=True
    )
    for seconds, identifier, name in timed[:SLOWEST_SHOWN]:
        print(f"{seconds:6.2f} s  {identifier}  {name}")
    median, p95, longest = np.percentile([row[0] for row in timed], [50, 95, 100])
    print(f"{len(timed)} checks: median {median:.2f} s, 95th percentile {p95:.2f} s, longest {longest:.2f} s")
    first = first_verdict_s()
    print(f"first verdict of a fresh process: {first:.2f} s")
    if not units:
        figures = {
            "checks": len(timed),
            "median_s": median,
            "p95_s": p95,
            "longest_s": longest,
            "first_verdict_s": first,
        }
        slowest = [
            {"exercise": identifier, "answer": name, "seconds": s} for s, identifier, name in timed[:SLOWEST_SHOWN]
        ]
        record("check-without-gpu", {**figures, "slowest": slowest})
    return 1 if p95 > PROMISE_S or first > FIRST_PROMISE_S else 0


if __name__ == "__main__":
    sys.exit(main())
