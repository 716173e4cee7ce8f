"""What the compiler in use makes of the course's kernels, without a GPU: typed and lowered for sm_90.

WARPBOOK_CUDA=numba-cuda-mlir python -m benchmarks.front_end            print what it refuses, and what it gets wrong
WARPBOOK_CUDA=numba-cuda-mlir python -m benchmarks.front_end --keep     and keep it, for docs/compilers.md
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable

import numpy as np

from autograder import exercises
from autograder.answer.reference import solution_program
from autograder.contract import Exercise
from autograder.lint.compile_errors import explain
from autograder.lint.compiler import lower, unavailable_reason
from autograder.lint.machine_code.successor.faults import wrong_results
from autograder.lint.signature import signature_of
from autograder.lint.source import python_function
from benchmarks.record import record
from simt.compilers import package

ARCHITECTURE = "sm_90"


def kernels() -> list[Exercise]:
    """The exercises whose answer is a kernel."""
    return [exercise for exercise in exercises.all_exercises() if exercise.kind == "kernel"]


def found(chosen: Iterable[Exercise]) -> dict[str, dict[str, str]]:
    """{"refused": exercise -> why, "wrong": exercise -> the fault}, of the course's solutions."""
    refused, wrong = {}, {}
    for exercise in chosen:
        case = max((case for case in exercise.cases if case.trace), key=lambda case: max(case.sizes.values()))
        signature = signature_of(exercise.make(case.sizes, case.values, np.random.default_rng(0)))
        kernel = solution_program(exercise).load()[1]
        try:
            lowered = lower(kernel, signature, ARCHITECTURE)
        except Exception as error:  # numba raises its own classes and, from inside, any of Python's
            refused[exercise.id] = explain(error, python_function(kernel), signature).kind
            continue
        for finding in wrong_results(lowered.typed):
            wrong[exercise.id] = finding.kind
    return {"refused": refused, "wrong": wrong}


def main(arguments: list[str] | None = None) -> None:
    """Print what was found as JSON, last; keep it where that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("exercises", nargs="*", help="by id; default: all whose answer is a kernel")
    parser.add_argument("--keep", action="store_true", help="in benchmarks/results/front_end.json")
    given = parser.parse_args(arguments)
    if reason := unavailable_reason():
        sys.exit(reason)
    document = found([exercises.find(name) for name in given.exercises] or kernels())
    if given.keep:
        print(record("front_end", {"compiler": package(), **document}))
    print(json.dumps(document))


if __name__ == "__main__":
    main()
