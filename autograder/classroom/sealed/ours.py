"""The course's own code as plans, for a launcher of our own: solution, naive version, and a copy.

They come from the repository and take the way that a student's take, so that both are compiled alike.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from autograder.answer import reference
from autograder.answer.program import Program
from autograder.classroom.sealed import abi, compiling, plan
from autograder.classroom.sealed.compiling import Code, Kernel
from autograder.classroom.sealed.host_stage import Recorded, timed_plan
from autograder.classroom.sealed.plan import LaunchPlan
from autograder.contract import Exercise, Values

PROBES = "autograder.speed.probes"
COPY, THREADS, EACH = "copy_four", 256, 4  # the copy of the probes: threads of a block, elements of each
SOURCE, TARGET = "copy source", "copy target"
Record = Callable[..., Recorded]  # (exercise, program, values, is_ours): asks the jail what a host function does
Made = tuple[LaunchPlan, Values]  # a plan, and what to put into its buffers beside the arguments
_compiled: dict[tuple[str, tuple[Kernel, ...], str], list[Code]] = {}  # by program, kernels and architecture


def plans(exercise: Exercise, values: Values, n_bytes: int, architecture: str, record: Record) -> dict[str, Made]:
    """All that an answer is timed beside, by name. n_bytes: that the copy moves."""
    own = {
        "reference": reference_plan(exercise, values, architecture, record),
        "naive": naive_plan(exercise, values, architecture, record),
        "copy": copy_plan(n_bytes, architecture),
        "nothing": nothing_plan(),
    }
    return {name: one for name, one in own.items() if one is not None}


def reference_plan(exercise: Exercise, values: Values, architecture: str, record: Record) -> Made | None:
    """The solution on arguments of this geometry; None where there is no solution here."""
    program = reference.solution_program(exercise)
    if program is None:
        return None
    if exercise.kind == "host":
        recorded = record(exercise, program, values, is_ours=True)
        return timed_plan(recorded, exercise, values, architecture, "reference ", _codes)
    code = _code(program, exercise.function, plan.kinds_of(exercise, values), architecture)
    return plan.of_kernel(exercise, values, code), {}


def naive_plan(exercise: Exercise, values: Values, architecture: str, record: Record) -> Made | None:
    """The naive version, with a launch of its own where it has one; None where the exercise has no such version."""
    if not exercise.naive:
        return None
    module = _naive_module(exercise)
    if exercise.kind == "host" and exercise.naive_launch is None:
        program, function = _all_of(module, exercise.naive), replace(exercise, function=exercise.naive)
        recorded = record(function, program, values, is_ours=True)
        return timed_plan(recorded, function, values, architecture, "naive ", _codes)
    code = _code(_imported(module, exercise.naive), exercise.naive, plan.kinds_of(exercise, values), architecture)
    return plan.of_kernel(replace(exercise, launch=exercise.naive_launch or exercise.launch), values, code), {}


def copy_plan(n_bytes: int, architecture: str) -> Made:
    """A copy that moves n_bytes in all, half read and half written."""
    n = max(n_bytes // 8, 1)
    like = np.lib.stride_tricks.as_strided(np.zeros(1, np.uint32), (n,), (4,), writeable=False)
    kind = ("array", like.dtype.str, 1, "C")
    code = _code(_imported(PROBES, COPY), COPY, (kind, kind), architecture)
    words = [*abi.of_array(SOURCE, like), *abi.of_array(TARGET, like)]
    blocks = -(-n // (EACH * THREADS))
    launch = {"launch": 0, "grid": [blocks, 1, 1], "block": [THREADS, 1, 1], "shared": 0, "arguments": words}
    return LaunchPlan({SOURCE: 4 * n, TARGET: 4 * n}, (code,), (launch,)), {}


def nothing_plan() -> Made:
    """No launch at all: by how much the host's clock says more than the device's events."""
    return LaunchPlan({}, (), ()), {}


def _naive_module(exercise: Exercise) -> str:
    return f"autograder.exercises.u{exercise.unit}.naive"


def _imported(module: str, name: str) -> Program:
    return Program(f"from {module} import {name}\n", name)


def _all_of(module: str, name: str) -> Program:
    """A program with all names of a module, so that what a function launches has a name there."""
    return Program(f"import {module} as ours\nglobals().update({{**vars(ours), '__name__': __name__}})\n", name)


def _code(program: Program, name: str, kinds: Sequence, architecture: str) -> Code:
    (code,) = _codes(program, [(name, tuple(kinds))], architecture)
    return code


def _codes(program: Program, kernels: Sequence[Kernel], architecture: str) -> list[Code]:
    """What `compiling.compiled` gives, made once a worker: this code is the course's own, whoever is judged."""
    key = (program.fingerprint, tuple(kernels), architecture)
    if key not in _compiled:
        _compiled[key] = compiling.compiled(program, kernels, architecture)
    return _compiled[key]
