"""The ways in which the course looks at code, each turned into the sentences a learner would read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

import simt
from autograder.contract import Exercise
from autograder.judge import check
from autograder.lint import lint, signature_of
from simt.host_order.watch import watch
from tests.pitfalls.catalogue import Experiment, Said


def launched(call: str, experiment: Experiment) -> Experiment:
    """The same experiment, quoted with the launch that matters."""
    return replace(experiment, launch=call)


def linted(kernel: Callable, *values: Any) -> Experiment:
    """Compile the kernel for these arguments."""

    def run() -> list[Said]:
        report = lint(kernel, signature_of(values))
        parts = [report.error] if report.error else report.findings
        return [Said(part.kind, part.says, part.remedy) for part in parts]

    return Experiment(kernel, run, values=values)


def traced(kernel: Callable, grid, block, *values: Any, dynamic_shared_bytes: int = 0) -> Experiment:
    """Run the kernel in the interpreter under every analysis, on copies of these arguments."""

    def run() -> list[Said]:
        copies = [np.copy(value) if isinstance(value, np.ndarray) else value for value in values]
        trace = simt.trace(kernel, grid, block, *copies, dynamic_shared_bytes=dynamic_shared_bytes)
        return [Said(one.kind, one.message, one.remedy) for one in (*trace.findings, *trace.notes)]

    return Experiment(kernel, run)


def watched(pipeline: Callable[[], object]) -> Experiment:
    """Run host code while its order is watched: its copies, launches, waits, and what it does to pinned memory."""

    def run() -> list[Said]:
        with watch() as order:
            pipeline()
        return [Said(one.kind, one.message, one.remedy) for one in order.findings]

    return Experiment(pipeline, run)


def judged(exercise: Exercise, answer: Callable) -> Experiment:
    """Judge the answer as the course does, in this process and without a GPU."""

    def run() -> list[Said]:
        outcome = check(exercise, answer, device="simt", isolate=False)
        causes = [Said(cause.misconception, cause.says, cause.remedy) for cause in outcome.causes]
        return causes or [Said(outcome.status, f"{outcome.headline} {outcome.observed}".strip())]

    return Experiment(answer, run)


def computes(kernel: Callable, grid, block, values: tuple, expected: np.ndarray) -> Experiment:
    """Run the kernel in the interpreter; say when its last argument does not end as expected, or a trace objects."""

    def run() -> list[Said]:
        copies = [np.copy(value) for value in values]
        simt.launch(kernel, grid, block, *copies)
        wrong = [] if np.array_equal(expected, copies[-1]) else [Said("wrong_result", f"computed {copies[-1]}")]
        return wrong + traced(kernel, grid, block, *values).run()

    return Experiment(kernel, run)
