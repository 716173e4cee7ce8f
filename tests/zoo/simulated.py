"""The same entries in the interpreter: the counters, and what was found."""

from __future__ import annotations

import warnings

import numpy as np

import simt
from autograder.running import run_simt
from simt.tracing import Trace, Tracer
from tests.zoo.course import CourseEntry
from tests.zoo.entry import Entry


def trace_of(entry: Entry) -> Trace:
    """Everything simt has to say about one entry of the zoo."""
    return simt.trace(
        entry.kernel, entry.grid, entry.block, *entry.arguments(), dynamic_shared_bytes=entry.dynamic_shared_bytes
    )


def trace_of_course(entry: CourseEntry) -> Trace:
    """The same for a function of the course, run as the judge does. Raises what the function raised."""
    tracer = Tracer()
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        ran = run_simt.run_with(tracer, entry.contract, entry.function(), entry.values(), seed=0, seconds=60.0)
    if ran.error is not None:
        raise ran.error
    return tracer.result()


def lines_found(trace: Trace) -> frozenset[int]:
    """Every line that a race is reported on."""
    return frozenset(line for finding in trace.findings if finding.kind == "race" for line in finding.lines)
