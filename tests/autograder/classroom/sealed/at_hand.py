"""A launcher on the stand-in device, and plans for it: vectors of float32, added by what a behaviour does."""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

import numpy as np

from autograder import exercises
from autograder.classroom.jail import namespaces as jail
from autograder.classroom.sealed import plan
from autograder.classroom.sealed.compiling import Code
from autograder.classroom.sealed.launching import Command, Launcher

STAND_IN = Path(__file__).with_name("stand_in.py")
N = 1025
EXERCISE = exercises.find("vector_add.vector_add")


def command(_mode: str, _folder: str) -> list[str]:
    """The command line of a launcher on the stand-in."""
    return [sys.executable, "-I", "-B", str(STAND_IN), str(jail.PROJECT)]


def doing(behaviour: str) -> Command:
    """The same where what a student calls vector_add does this."""
    return lambda _mode, _folder: [*command("", ""), behaviour]


def launcher() -> Launcher:
    return Launcher("stand-in", command)


def code(behaviour: str, image: bytes = b"code") -> Code:
    """Machine code that does what a behaviour of the stand-in does."""
    return Code("vector_add", behaviour, ("u64",) * 21, image, "", hashlib.sha256(image).hexdigest())


def values(seed: int = 0) -> dict[str, np.ndarray]:
    random = np.random.default_rng(seed)
    a, b = (random.standard_normal(N).astype(np.float32) for _ in range(2))
    return {"a": a, "b": b, "out": np.full(N, -1, np.float32)}


def adding_with(with_code: Code) -> plan.LaunchPlan:
    """The plan of vector_add with this code."""
    return plan.of_kernel(EXERCISE, values(), with_code)


def adding(behaviour: str = "adds", **changed: object) -> plan.LaunchPlan:
    """The plan of vector_add. changed: parts of its launch that are otherwise."""
    made = plan.of_kernel(EXERCISE, values(), code(behaviour))
    (launch,) = made.operations
    return plan.LaunchPlan(made.buffers, made.codes, ({**launch, **changed},))
