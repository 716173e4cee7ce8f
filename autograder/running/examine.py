"""One stage of judging, wherever it runs: in the notebook's process, in the child, or in a test.

`interpret` compiles the kernels for real and runs the cases in the interpreter; `run_on_gpu` runs them on the GPU.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import Any

from autograder import plain_data
from autograder.lint.compiler import unavailable_reason
from autograder.machine.one_blas_thread import one_blas_thread
from autograder.machine.reading_beside import beside
from autograder.outcome import CaseResult
from autograder.running import now
from autograder.running.compiled import (
    ENDLESS,
    Compiled,
    compile_kernel,
    compile_launches,
    read_host,
    read_kernel,
    whole_arrays,
)
from autograder.running.job import Job
from autograder.running.trial import try_cases
from autograder.running.trial_result import Trial

COMPILER = "what the compiler makes of it"  # what is waited for when all cases have run


@dataclass
class Examination:
    """What one stage found. compiled is empty on the GPU: the interpreter's stage compiled already."""

    compiled: Compiled
    trial: Trial

    def to_json(self) -> dict[str, Any]:
        """A JSON-ready document; launches stay behind, since they are code."""
        return plain_data.to_json(replace(self, trial=replace(self.trial, launches=[])))

    @classmethod
    def from_json(cls, document: dict[str, Any]) -> Examination:
        """The examination that `to_json` wrote. Raises TypeError for anything else."""
        return plain_data.from_json(cls, document)


def read_first(job: Job) -> Examination | None:
    """What the source tells so plainly that no case need run; None where it tells nothing."""
    causes = whole_arrays(job.exercise, job.program)
    not_run = [CaseResult(case.name, "simt", "not_run") for case in job.cases]
    return Examination(Compiled(causes), Trial("simt", not_run)) if causes else None


def interpret(job: Job, function: Callable) -> Examination:
    """Compile and interpret: a kernel side by side, a host function's kernels after it has launched them."""
    from autograder.running import run_simt

    exercise = job.exercise

    def interpreted() -> Trial:
        return try_cases(job, function, run_simt.run, "simt", job.deadline_s("interpret"))

    if (repeated := read_first(job)) is not None:
        return repeated
    if exercise.kind != "kernel":
        trial = interpreted()
        if _is_decided(trial):
            return Examination(read_host(function), trial)
        now.says(COMPILER)
        return Examination(compile_launches(exercise, trial.launches, function), trial)
    if unavailable_reason():  # nothing takes long, and a browser has no threads
        return Examination(compile_kernel(exercise, function), interpreted())
    compiled = beside(lambda: compile_kernel(exercise, function))
    trial = interpreted()
    if _is_decided(trial):
        return Examination(read_kernel(function), trial)
    if not compiled.done():
        now.says(COMPILER)
    return Examination(compiled.result(), trial)


def _is_decided(trial: Trial) -> bool:
    """Whether a loop was seen that never ends: that is told at once, whatever the compiler would say of the rest.

    Always without the compiler, so that a verdict does not depend on which of the two is faster.
    """
    return trial.ended == "timed_out" and any(cause.kind == ENDLESS for cause in trial.causes)


def run_on_gpu(job: Job, function: Callable) -> Examination:
    """Run every case on the GPU, outputs poisoned and every buffer between guard bands."""
    from autograder.running import run_cuda

    return Examination(Compiled(), try_cases(job, function, run_cuda.run, "cuda", job.deadline_s("gpu")))


def run_stage(stage: str, job: Job) -> Examination:
    """Run a stage, "interpret" or "gpu"."""
    with job.function() as function, one_blas_thread() if stage == "interpret" else nullcontext():
        return {"interpret": interpret, "gpu": run_on_gpu}[stage](job, function)
