"""Compile every kernel of the course for real, solutions and naive versions, for a T4, an A100 and an H100.

    python -m tools.compile_kernels

Prints registers, spills and shared memory; exits 1 where a kernel does not compile. Needs numba-cuda, no GPU.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator

import numpy as np

from autograder.answer.reference import solution_program
from autograder.contract import Exercise
from autograder.diagnosis.capability import architectures_of
from autograder.exercises import all_exercises, naive_of
from autograder.lint import WITHOUT_GPU, LintReport, lint, signature_of


def kernels_of(exercise: Exercise) -> Iterator[tuple[str, Callable]]:
    """The solution and the naive version of an exercise whose answer is a kernel, each with its name."""
    program = solution_program(exercise)
    if program is None:
        raise FileNotFoundError(f"{exercise.id} has no solved notebook. Run `make course` first.")
    yield exercise.function, program.load()[1]
    if exercise.naive:
        yield f"{exercise.function} (naive)", naive_of(exercise)


def compile_one(exercise: Exercise, kernel: Callable) -> LintReport:
    """Compile one kernel for the arguments of the exercise's largest traced case."""
    case = max((case for case in exercise.cases if case.trace), key=lambda case: max(case.sizes.values()))
    values = exercise.make(case.sizes, case.values, np.random.default_rng(0))
    return lint(kernel, signature_of(values), architectures=architectures_of(exercise, WITHOUT_GPU))


def line_for(name: str, report: LintReport) -> str:
    """What one kernel costs on each architecture, or why it does not compile."""
    if report.error:
        return f"{name:38} DOES NOT COMPILE: {report.error.says}"
    facts = report.facts.values()
    registers = "/".join(str(fact.registers) for fact in facts)
    spilled = max((fact.spill_store_bytes + fact.spill_load_bytes for fact in facts), default=0)
    shared = max((fact.shared_bytes for fact in facts), default=0)
    return f"{name:38} {registers:>12} registers   {spilled:4} B spilled   {shared:6} B shared"


def main(arguments: list[str] | None = None) -> int:
    """Compile them all; exit 1 where one fails, or where nothing was compiled."""
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args(arguments)
    failed, compiled = [], 0
    print(f"registers on {', '.join(WITHOUT_GPU)}")
    for exercise in all_exercises():
        if exercise.kind != "kernel":
            continue
        for name, kernel in kernels_of(exercise):
            report = compile_one(exercise, kernel)
            if not report.available:
                sys.exit(report.reason)
            print(line_for(f"{exercise.id.split('.')[0]}.{name}", report), flush=True)
            compiled += 1
            failed += [exercise.id] if report.error else []
    if failed or not compiled:
        sys.exit(f"{len(failed)} of {compiled} kernels do not compile: {', '.join(failed) or 'there are none'}")
    print(f"{compiled} kernels compile")
    return 0


if __name__ == "__main__":
    sys.exit(main())
