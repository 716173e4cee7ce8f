"""What unit 15 promises to count: lanes at work, and the busiest thread beside the average one."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

import simt
from autograder import exercises
from autograder.contract import Case
from autograder.diagnosis.budget import RATIOS
from autograder.running.buffers import make_values

NOT_WRITTEN = "not written yet"


def counted(identifier: str, kernel: Callable) -> tuple[float, float] | None:
    """Lanes at work, of 32, and accesses of the busiest thread over those of an average one, where predictions are.

    None where the kernel wrote nothing: a stub ends its threads.
    """
    exercise = exercises.find(identifier)
    values = make_values(exercise, Case(exercise.predict_case or exercise.cases[0].sizes))
    assert exercise.launch is not None
    trace = simt.trace(kernel, *exercise.launch(values), *values.values())
    if not any(np.any(values[output.name]) for output in exercise.outputs):
        return None
    return RATIOS["lanes_at_work"](trace.counters, 0), trace.balance.busiest / max(trace.balance.mean, 1)


def balance(kernels: Mapping[str, Callable]) -> list[tuple[str, str, str]]:
    """A row for each kernel, by its exercise's id; one that is not written yet says so."""
    rows = []
    for identifier, kernel in kernels.items():
        name = exercises.find(identifier).function
        found = counted(identifier, kernel)
        rows.append((name, f"{found[0]:.1f}", f"{found[1]:.1f}") if found else (name, NOT_WRITTEN, ""))
    return rows
