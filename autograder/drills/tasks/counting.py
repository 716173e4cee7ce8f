"""Counting and sharing out: a privatised histogram, a queue of work."""

from __future__ import annotations

import numpy as np

from autograder.contract import Argument, Budget
from autograder.drills.tasks.task import RAGGED, task

BINS = 64


def _make_histogram(sizes, values, rng):
    data = rng.integers(0, BINS, sizes["n"]).astype(np.uint8)
    data[: sizes["n"] // 2] = 7
    return {"data": data, "bins": np.zeros(BINS, np.int32)}


HISTOGRAM = task(
    "shared_histogram",
    (Argument("data", "in", "uint8", "(n,)"), Argument("bins", "inout", "int32", "(64,)", "starts at 0")),
    _make_histogram,
    lambda v: {"bins": np.bincount(v["data"], minlength=BINS).astype(np.int32)},
    RAGGED,
    lambda v: (2, 128),
    "BINS = 64\n# bins, which starts at 0, becomes the histogram of data; each block counts in shared memory first\n"
    "# shared_histogram[2, 128](data, bins), whatever n is\n"
    "@cuda.jit\ndef shared_histogram(data, bins):\n    ...\n",
    budgets=(
        Budget(
            "global_atomic_bytes", 2 * BINS * 4, {"n": 1025},
            "a block that has counted by itself adds each bin to the total once", "too_many_atomics",
        ),
    ),
)  # fmt: skip


def _make_queue(sizes, values, rng):
    n = sizes["n"]
    return {
        "steps": rng.integers(0, 30, n).astype(np.int32),
        "next_item": np.zeros(1, np.int32),
        "done": np.zeros(n, np.int32),
    }


def _queue_oracle(v):
    n = v["steps"].size
    return {"done": v["steps"] * (v["steps"] + 1) // 2, "next_item": np.array([n + 64], np.int32)}


QUEUE = task(
    "work_queue",
    (
        Argument("steps", "in", "int32", "(n,)"),
        Argument("next_item", "inout", "int32", "(1,)", "starts at 0"),
        Argument("done", "out", "int32", "(n,)"),
    ),
    _make_queue,
    _queue_oracle,
    ({"n": 1}, {"n": 65}, {"n": 200}),
    lambda v: (2, 32),
    "# done[i] = 1 + 2 + ... + steps[i], added up in a loop; every thread takes the next free i from next_item[0]\n"
    "# with an atomic until none is left; work_queue[2, 32](steps, next_item, done)\n"
    "@cuda.jit\ndef work_queue(steps, next_item, done):\n    ...\n",
)

TASKS = (HISTOGRAM, QUEUE)
