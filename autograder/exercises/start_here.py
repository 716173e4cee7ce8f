"""The worked example of 00_start_here: ungraded, and outside the catalogue, so that no unit's answer is given away."""

from __future__ import annotations

import numpy as np

from autograder.contract import Argument, Case, Exercise, Hint
from autograder.exercises.hints import hints_for

THREADS = 256  # threads per block


def make_double(sizes, values, rng):
    """src: (n,) float32, whole numbers below 1000; dst: (n,) float32."""
    return {"src": rng.integers(0, 1000, sizes["n"]).astype(np.float32), "dst": np.zeros(sizes["n"], np.float32)}


def double_oracle(values):
    """dst = 2 * src."""
    return {"dst": 2 * values["src"]}


def double_launch(values):
    """One thread per element, and at least one block."""
    return max(1, -(-values["dst"].size // THREADS)), THREADS


DOUBLE = Exercise(
    id="start_here.double",
    unit="00_start_here",
    title="How a verdict reads",
    task="Write twice each element of src to dst. One thread per element.",
    function="double",
    arguments=(
        Argument("src", "in", "float32", "(n,)", "the numbers"),
        Argument("dst", "out", "float32", "(n,)", "twice the numbers"),
    ),
    make=make_double,
    oracle=double_oracle,
    cases=tuple(Case({"n": n}) for n in (33, 256, 257, 1025)),
    points=1.0,
    hints=(
        Hint(
            "start",
            (
                "Is there work for every thread of the last block?",
                "1,025 elements need five blocks of 256: 1,280 threads, of which 255 have no element.",
            ),
        ),
        *hints_for("double"),
    ),
    topics=(),
    launch=double_launch,
)

EXERCISES = (DOUBLE,)
