"""The child process that times: reads one JSON job from stdin, prints one JSON line. A crash or a hang ends here."""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
import traceback
from collections.abc import Callable, Iterable, Mapping
from functools import partial

import numpy as np

from autograder import exercises, plain_data
from autograder.answer.program import Program
from autograder.contract import Exercise, Values
from autograder.diagnosis.budget import compulsory_bytes
from autograder.speed import contenders, libraries
from autograder.speed.decision import enough_rounds
from autograder.speed.gpu_lock import alone_on_the_gpu
from autograder.speed.least_times import sizes_on
from autograder.speed.measure import Bench, Contender
from autograder.speed.profile import device_profile

MAX_SECONDS = 10.0


def loaded(exercise: Exercise, name: str, program: Program, host: Values) -> Contender:
    """A program that is run as it is: a learner's own on their own machine, or the course's."""
    return contenders.answer(exercise, name, program.load()[1], host)


def run(job: dict, yours: Callable[[Exercise, str, Program, Values], Contender] = loaded) -> dict:
    """Time one program. job: {"exercise", "program", "reference" or None, "sizes" or None, "max_seconds", "more"}.

    more: other programs of ours by name, timed in the same rounds; those that do not load there are an error.
    yours: how the timed program becomes a contender; a classroom has a way of its own.
    """
    exercise = exercises.find(job["exercise"])
    with alone_on_the_gpu():
        device = device_profile()
    sizes = job.get("sizes") or sizes_on(exercise, device)
    bench = Bench(exercise, sizes, device, values_kind(exercise))
    host = bench.sets[0].host
    timed = [yours(exercise, "yours", Program.from_json(job["program"]), host)]
    if job.get("reference"):
        timed.append(loaded(exercise, "reference", Program.from_json(job["reference"]), host))
    if exercise.naive:
        timed.append(contenders.naive(exercise, host))
    more = {name: Program.from_json(program) for name, program in job.get("more", {}).items()}
    timed += [loaded(exercise, name, program, host) for name, program in more.items()]
    n_bytes = compulsory_bytes(exercise, host)
    copy = contenders.copy(n_bytes)
    library = libraries.library(exercise)
    unverified = [copy] + ([library] if library else [])
    bench.compile(timed)  # before it is alone: others need not wait for a compiler
    decided = partial(_all_decided, exercise, more=more)
    with alone_on_the_gpu():
        bench.run(timed + unverified, job.get("max_seconds", MAX_SECONDS), decided)
    return {
        "device": device.name,
        "compute_capability": list(device.compute_capability),
        "profile": plain_data.to_json(device),
        "sizes": dict(sizes),
        "bytes": n_bytes,
        "library": library.name if library else None,
        "known": list(more),
        "times_us": {contender.name: contender.times_us for contender in timed + unverified},
        "walls_us": {contender.name: contender.walls_us for contender in timed},
        "wrong": {contender.name: contender.wrong for contender in timed},
        "inputs_intact": all(data.inputs_intact() for data in bench.sets),
    }


def _all_decided(exercise: Exercise, times: Mapping[str, list[float]], more: Iterable[str]) -> bool:
    """Whether the rounds decide the answer, and every other one that is timed with it."""
    return all(enough_rounds(exercise.speed, {**times, "yours": times[name]}) for name in ("yours", *more))


def values_kind(exercise: Exercise) -> str:
    """General values where the exercise has an error bound for them, exact ones otherwise."""
    return "general" if exercise.bound is not None else "exact"


def main(yours: Callable[[Exercise, str, Program, Values], Contender] = loaded) -> None:
    """Answer one job; failures come back as {"error": ...}.

    What the learner's code prints goes nowhere, nor does what a kernel prints: the driver writes that to descriptor 1
    itself, whenever it likes, so it must not be where the times are said.
    """
    reply = os.fdopen(os.dup(1), "w")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    job = json.load(sys.stdin)
    try:
        with contextlib.redirect_stdout(io.StringIO()), np.errstate(all="ignore"):
            answer = run(job, yours)
    except Exception as error:
        answer = {"error": f"{type(error).__name__}: {error}", "traceback": traceback.format_exc()}
    with reply:
        json.dump(answer, reply)


if __name__ == "__main__":
    main()
