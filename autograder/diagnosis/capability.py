"""Exercises whose instructions not every GPU has: where they can run, and what is compiled elsewhere."""

from __future__ import annotations

from collections.abc import Sequence

from autograder import backend
from autograder.contract import Exercise

GPUS = {(8, 0): "an A100 or newer", (9, 0): "an H100 or an H200"}  # compute capability -> who has it
AND_NEWER = {(8, 0)}  # of which newer GPUs have the instructions, too


def gpu_runs(exercise: Exercise) -> bool:
    """Whether this machine has a GPU that has the instructions of an exercise."""
    return backend.gpu_available() and (exercise.capability is None or _has(_here(), exercise.capability))


def architectures_of(exercise: Exercise, usual: Sequence[str] | None = None) -> list[str] | None:
    """What to compile an exercise for, as in ["sm_90"]: `usual`, as far as these have its instructions; None for what
    is compiled for anyway."""
    if exercise.capability is None:
        return None if usual is None else list(usual)
    if exercise.capability not in AND_NEWER:
        return ["sm_{}{}".format(*exercise.capability)]
    if usual is None and gpu_runs(exercise):
        return None
    from autograder.lint import WITHOUT_GPU
    from autograder.lint.compiler import compute_capability

    return [one for one in usual or WITHOUT_GPU if compute_capability(one) >= exercise.capability]


def note_of(exercise: Exercise) -> tuple[str, ...]:
    """What a learner is told whose GPU lacks the instructions; () where there is nothing to tell."""
    if exercise.capability is None or not backend.gpu_available() or gpu_runs(exercise):
        return ()
    needs, has = (".".join(map(str, one)) for one in (exercise.capability, _here()))
    return (
        f"{exercise.function} needs a GPU of compute capability {needs}, {GPUS[exercise.capability]}; this one has "
        f"{has}. So it was interpreted and compiled for {needs}, not run: what is right here is right there.",
    )


def _has(capability: tuple[int, int], needs: tuple[int, int]) -> bool:
    """Whether a GPU of a compute capability has the instructions of another one."""
    return capability == needs or (needs in AND_NEWER and capability > needs)


def _here() -> tuple[int, int]:
    from autograder.lint.compiler import compute_capability, gpu_architecture

    return compute_capability(gpu_architecture())
