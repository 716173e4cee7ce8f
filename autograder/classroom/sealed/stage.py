"""The GPU's stage of judging a class's kernel: compiled, hashed, then carried out on values that nobody knew before.

This process has the values, the expected results and the comparison. The launcher has the GPU, and the jail the text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from autograder import verdict
from autograder.answer.program import Program
from autograder.classroom.jail.interpreter import LOOK_AT_COMPILER, Named
from autograder.classroom.messages.conversation import JailError
from autograder.classroom.sealed import carried, compiling, gpu_jail, launching, plan
from autograder.classroom.sealed.compiling import Code, NotCompiled
from autograder.classroom.sealed.fixed import NOT_FIXED, Fixed, NotFixedBefore
from autograder.classroom.sealed.launching import Launcher, LauncherError
from autograder.classroom.sealed.plan import NotPossible
from autograder.classroom.sealed.ptx.text import PtxRefused
from autograder.classroom.sealed.serving import Seat
from autograder.contract import Exercise, Values
from autograder.outcome import Outcome
from autograder.running.compiled import Compiled, smallest_values
from autograder.running.examine import Examination
from autograder.running.job import Job
from autograder.running.runs import Run
from autograder.running.trial import try_cases
from autograder.speed import canary

FACTS = "sealed"  # of an outcome: where `record` stands
REFUSED = "Its machine code is not carried out: {why}. A kernel of this course needs nothing of the kind."
LOOK = "Read the answer. If it is an honest one, please report it, so that the gate learns the word."
NOT_BACK = "The GPU did not come back within {seconds:g} s after an answer had been stopped on it."
RESTART = "Look at the GPU (nvidia-smi), then grade again with --resume."
LATE = "it was not made for {architecture} and written down before its values were drawn"
NO_CODE = "There is no machine code of it: {why}. That says nothing about the answer."
OURS = "The process that launches gave no result, twice ({error}). That says nothing about the answer."


class CUDAError(RuntimeError):
    """What the driver reported, as a run's error; `exceptions` knows such a class by its name."""


@dataclass
class Sealed:
    """The stage for one answer. record: what the ledger has of it, which is there once the code is known; fixed: its
    code, and drawn: a seed from after that was written down, where there is a ledger; seat: of the answer's launcher.

    By now the interpreter has found nothing wrong, and the same compiler has compiled it in the same kind of jail. So
    whatever fails here without being the answer's deed for sure is for review.
    """

    command: launching.Command = gpu_jail.command
    mode: str | None = None
    record: dict[str, str] = field(default_factory=dict)
    fixed: Fixed | None = None
    drawn: str = ""
    seat: Seat = field(default_factory=Seat)

    def told(self, outcome: Outcome) -> Outcome:
        """An outcome with what the ledger keeps of this stage."""
        return replace(outcome, facts={**outcome.facts, FACTS: self.record}) if self.record else outcome

    def codes(self, program: Program, kernels: Sequence[compiling.Kernel], architecture: str) -> list[Code]:
        """The code that was fixed; where nothing had to be, it is made now. Raises as `compiled`; NotFixedBefore."""
        if self.fixed is not None and self.fixed.architecture == architecture:
            return list(self.fixed.codes)
        made = compiling.compiled(program, kernels, architecture) if kernels else []
        if self.fixed is not None or self.drawn == NOT_FIXED:
            raise NotFixedBefore(LATE.format(architecture=architecture))
        return made

    def known(self, digest: str, launcher: Launcher) -> str:
        """Note the digest of what the launcher is given. Returns: what the values are bound to."""
        self.record = {"machine code": digest, "launcher": launcher.mode}
        return f"{digest}|{self.drawn}" if self.drawn else digest

    def run_on_gpu(self, job: Job) -> Examination | Outcome:
        """What `examine.run_on_gpu` finds, for a kernel in a jail's PTX. What no answer causes is tried once more."""
        exercise, program, seconds = job.exercise, job.program, job.deadline_s("gpu")
        try:
            try:
                return self._examined(job)
            except LauncherError as error:
                if error.kind not in launching.OURS:
                    raise
                return self._examined(job)
        except PtxRefused as error:
            return verdict.not_checkable(exercise, program, REFUSED.format(why=error), LOOK)
        except NotCompiled as error:
            return verdict.crashed(exercise, program, "not_compiled", f"It does not compile for this GPU: {error}")
        except (compiling.CompilerFailed, JailError, NotFixedBefore) as error:
            return verdict.not_checkable(exercise, program, NO_CODE.format(why=error), LOOK_AT_COMPILER)
        except LauncherError as error:
            if error.kind != "timed_out":
                return verdict.not_checkable(exercise, program, OURS.format(error=error), RESTART)
            canary.ask_for_one("a launcher")
            if launching.back_after_s(command=self.command, mode=self.mode) is None:
                return verdict.not_checkable(exercise, program, NOT_BACK.format(seconds=launching.BACK_S), RESTART)
            return verdict.timed_out(exercise, program, seconds)
        except NotPossible as error:
            return verdict.not_checkable(exercise, program, f"This GPU cannot run the exercise. {error}", "")

    def _examined(self, job: Job) -> Examination:
        with self.seat.lent(self.mode, self.command) as launcher:
            kinds = plan.kinds_of(job.exercise, smallest_values(job.exercise))
            (code,) = self.codes(job.program, [(job.exercise.function, kinds)], launcher.architecture)
            answer = _OnDevice(launcher, code, job.deadline_s("gpu"))
            bound = replace(job, bound_to=self.known(compiling.digest([code]), launcher))
            trial = try_cases(bound, Named(job.program), answer.run, "cuda", job.deadline_s("gpu"))
            return Examination(Compiled(), trial)


@dataclass
class _OnDevice:
    """One answer's machine code in a launcher. seconds: that all its launches may take together. What this process
    does between them, such as drawing inputs, does not count: it takes longer where others are at work beside it.
    """

    launcher: Launcher
    code: Code
    seconds: float

    def run(self, exercise: Exercise, _function: Callable, values: Values, **_options: Any) -> Run:
        """One run, as `run_cuda.run` gives it. Raises LauncherError where there is no result."""
        result = Run(after=values)
        arrays = [name for name, value in values.items() if isinstance(value, np.ndarray)]
        try:
            bench = carried.Bench(self.launcher, {"answer": plan.of_kernel(exercise, values, self.code)})
            bench.put(0, values)
            sample = bench.once("answer", back=arrays, seconds=self.seconds)
            self.seconds = max(self.seconds - 1e-6 * sample.wall_us, 0.0)
        except LauncherError as error:
            if error.kind != "device":
                raise
            result.error = CUDAError(error.name)
            return result
        result.after = {**values, **{name: np.array(sample.arrays[name]) for name in arrays}}
        result.damage = list(sample.damaged)
        result.outputs = {argument.name: result.after[argument.name] for argument in exercise.outputs}
        return result
