"""One case of an exercise, traced, for tests of what the course says about counters."""

from __future__ import annotations

from autograder.answer.program import Program
from autograder.contract import Case, Exercise, Sizes
from autograder.running import buffers, run_simt
from simt.tracing import Trace, Tracer

SECONDS = 20.0


def trace_case(exercise: Exercise, program: Program, sizes: Sizes) -> Trace:
    """The trace of everything that an answer launches on the case of these sizes."""
    case = next((case for case in exercise.cases if case.sizes == sizes), Case(sizes))
    values = buffers.fresh(exercise, buffers.make_values(exercise, case), 0)
    tracer = Tracer()
    run_simt.run_with(tracer, exercise, program.load()[1], values, seed=0, seconds=SECONDS)
    return tracer.result()
