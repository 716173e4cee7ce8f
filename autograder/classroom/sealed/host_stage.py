"""A recorded host function on the GPU: its plan gone through here, its launches carried out in the launcher.

The plan is data, the kernels are machine code from a jail, and host arrays stay in this process. Where a plan copies a
result back, its launches so far are carried out, and memory on the device stays as they left it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from autograder.answer.program import Program
from autograder.classroom.jail.interpreter import Named
from autograder.classroom.jail.plan_values import PlanError, key_of
from autograder.classroom.jail.replay import Replay
from autograder.classroom.sealed import compiling
from autograder.classroom.sealed.carried import Bench
from autograder.classroom.sealed.compiling import Code
from autograder.classroom.sealed.fixed import plans_as_text
from autograder.classroom.sealed.launching import Launcher, LauncherError
from autograder.classroom.sealed.plan import LaunchPlan, NotPossible
from autograder.classroom.sealed.remote import Kernel, Remote, RemoteKernel
from autograder.classroom.sealed.stage import CUDAError, Sealed
from autograder.contract import Exercise, Values
from autograder.running import buffers
from autograder.running.compiled import Compiled
from autograder.running.examine import Examination
from autograder.running.job import Job
from autograder.running.runs import Run, returned_outputs
from autograder.running.trial import try_cases

DEPENDS = "What it launches depends on what it copies back while it runs, so it cannot be timed by a recorded plan."


@dataclass(frozen=True)
class Recorded:
    """What a host function asks for. plans: by the key of its arguments; data: places of those that count by value;
    names: of its arguments, in order; kernels: the program that defines those it launches.
    """

    plans: Mapping[str, dict[str, Any]]
    names: Sequence[str]
    kernels: Program
    data: Sequence[int] = ()

    def plan_for(self, values: Values) -> dict[str, Any]:
        """Raises PlanError where none was recorded for such arguments."""
        arguments = [values[name] for name in self.names]
        found = self.plans.get(key_of(arguments)) or self.plans.get(key_of(arguments, self.data))
        if found is None:
            raise PlanError("No plan was recorded for arguments of this geometry.")
        return found

    def holds_for(self, values: Values) -> bool:
        """Whether there is a plan for such arguments."""
        return key_of([values[name] for name in self.names]) in self.plans

    def carried_out(self, exercise: Exercise, values: Values, found: dict[str, Any], remote: Remote) -> Any:
        """What the function returns by a plan, its launches made on `remote`. Raises what the function raised."""
        on_device = exercise.arrays == "device"
        inputs = {
            name: remote.given(name, values[name]) if on_device and _is_array(values[name]) else values[name]
            for name in self.names
        }
        launched = {step["kernel"] for step in found["steps"] if step["do"] == "launch"}
        return Replay(inputs, {name: RemoteKernel(remote, name) for name in launched}, "", remote).run(found)


@dataclass
class SealedPlans(Sealed):
    """The GPU's stage for one host function. values: of all its cases, from which its plans were recorded; plans: one a
    case, for the digest.
    """

    recorded: Recorded | None = None
    values: Sequence[Values] = ()
    plans: list[dict[str, Any]] | None = None

    def _examined(self, job: Job) -> Examination:
        assert self.recorded is not None
        kernels = kernels_of(self.recorded, job.exercise, self.values)
        with self.seat.lent(self.mode, self.command) as launcher:
            codes = self.codes(self.recorded.kernels, kernels, launcher.architecture)
            digest = compiling.digest(codes, plans_as_text(self.plans))
            bound = self._bound(job, self.known(digest, launcher))
            answer = _OnDevice(launcher, self.recorded, kernels, codes, job.deadline_s("gpu"))
            trial = try_cases(bound, Named(job.program), answer.run, "cuda", job.deadline_s("gpu"))
            return Examination(Compiled(), trial)

    def _bound(self, job: Job, bound_to: str) -> Job:
        """The job with values that are drawn for this code and these plans, where the plans hold for such values, too:
        a plan knows the numbers that its function was given, and some numbers are drawn like arrays.
        """
        assert self.recorded is not None
        bound = replace(job, bound_to=bound_to)
        drawn = (buffers.make_values(job.exercise, case, bound.values_secret) for case in job.cases)
        return bound if not self.recorded.data and all(map(self.recorded.holds_for, drawn)) else job


def kernels_of(recorded: Recorded, exercise: Exercise, many: Iterable[Values]) -> list[Kernel]:
    """What the plans launch, each kernel once for each set of types, in the order of first use."""
    kernels: list[Kernel] = []
    for values in many:
        kernels += [one for one in _dry(recorded, exercise, values).kernels if one not in kernels]
    return kernels


def timed_plan(
    recorded: Recorded,
    exercise: Exercise,
    values: Values,
    architecture: str,
    prefix: str = "",
    compiled: Callable[[Program, Sequence[Kernel], str], Sequence[Code]] = compiling.compiled,
) -> tuple[LaunchPlan, Values]:
    """The launches and copies of a host function on arguments of this geometry, and what to put beside the arguments.

    prefix: of the names of its buffers, beside other plans; compiled: what makes its machine code.
    Raises: NotPossible where they cannot be known beforehand; what `compiling.compiled` raises.
    """
    remote = _dry(recorded, exercise, values, prefix)
    if remote.looked:
        raise NotPossible(DEPENDS)
    codes = compiled(recorded.kernels, remote.kernels, architecture) if remote.kernels else []
    return LaunchPlan(remote.buffers, codes, remote.operations), remote.uploads


def _dry(recorded: Recorded, exercise: Exercise, values: Values, prefix: str = "") -> Remote:
    """A device on which the plan was gone through, and nothing carried out."""
    remote = Remote(prefix=prefix)
    with contextlib.suppress(Exception):  # what it raises now it raises when it is carried out, where that is told
        found = recorded.plan_for(values)
        if exercise.arrays != "device":  # a plan may write into arrays of the host
            values = {name: np.array(v) if _is_array(v) else v for name, v in values.items()}
        recorded.carried_out(exercise, values, found, remote)
    return remote


@dataclass
class _OnDevice:
    """One host function's machine code in a launcher. seconds: that all its launches may take together."""

    launcher: Launcher
    recorded: Recorded
    kernels: list[Kernel]
    codes: Sequence[Code]
    seconds: float

    def run(self, exercise: Exercise, _function: Callable, values: Values, **_options: Any) -> Run:
        """One run, as `run_cuda.run` gives it. Raises: LauncherError or NotPossible where there is no result, and
        whatever a mistake of ours raises: a plan that its function ended with an error was recorded with it.
        """
        result = Run(after=values)
        plan = self.recorded.plan_for(values)
        try:
            shape = _dry(self.recorded, exercise, values)
            call = _Call(Bench(self.launcher, {"layout": LaunchPlan(shape.buffers, (), ())}), self.codes, self)
            on_device = [name for name in shape.buffers if name in values]
            call.bench.put(0, {name: values[name] for name in on_device})
            remote = Remote(call.fetch, kernels=list(self.kernels))
            returned = self.recorded.carried_out(exercise, values, plan, remote)
            contents = call.carry_out(remote, on_device)
        except LauncherError as error:
            if error.kind != "device":
                raise
            result.error = CUDAError(error.name)
            return result
        except Exception as error:  # what the function raised when it was recorded
            if not plan["error"] or isinstance(error, NotPossible):
                raise
            result.error = error
            return result
        after = {name: contents[name].view(values[name].dtype).reshape(values[name].shape) for name in on_device}
        result.after = {**values, **after}
        result.damage = [name for name in dict.fromkeys(call.damaged) if name in values] or call.damaged[:1]
        try:
            self._outputs(exercise, returned, result)
        except Exception as error:  # it returned something else than it should
            result.error = error
        return result

    @staticmethod
    def _outputs(exercise: Exercise, returned: Any, result: Run) -> None:
        if exercise.arrays == "host":
            result.outputs = returned_outputs(exercise, returned)
        names = [a.name for a in exercise.outputs if a.role == "inout" or exercise.arrays != "host"]
        result.outputs.update({name: result.after[name] for name in names})


@dataclass
class _Call:
    """One call under way: its plan is carried out in parts, as often as it looks at what came of it."""

    bench: Bench
    codes: Sequence[Code]
    on: _OnDevice
    parts: int = 0
    damaged: list[str] = field(default_factory=list)

    def fetch(self, remote: Remote, name: str) -> np.ndarray:
        return self.carry_out(remote, [name])[name]

    def carry_out(self, remote: Remote, back: Sequence[str]) -> dict[str, np.ndarray]:
        """Carry out what is pending; the buffers `back` as bytes of their own."""
        operations, uploads = remote.operations, remote.uploads
        remote.operations, remote.uploads = [], {}
        self.bench.load("part", LaunchPlan(self.bench.buffers, self.codes, operations))
        self.bench.put(0, uploads)
        like = {name: np.empty(self.bench.buffers[name], np.uint8) for name in back}
        goes_on = list(uploads) if self.parts else None
        self.parts += 1
        sample = self.bench.once("part", back=back, like=like, seconds=self.on.seconds, goes_on=goes_on)
        self.on.seconds = max(self.on.seconds - 1e-6 * sample.wall_us, 0.0)
        self.damaged += sample.damaged
        return {name: np.array(sample.arrays[name]) for name in back}


def _is_array(value: Any) -> bool:
    return isinstance(value, np.ndarray)
