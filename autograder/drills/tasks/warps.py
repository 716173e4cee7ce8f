"""Lanes that read each other's registers."""

from __future__ import annotations

import numpy as np

from autograder.contract import Argument, Budget
from autograder.drills.tasks.task import RAGGED, ceil_div, covering, task, whole
from simt.hardware import WARP_SIZE as WARP


def _make(sizes, values, rng):
    n = sizes["n"]
    return {"src": whole(rng, n), "out": np.zeros(max(1, ceil_div(n, 128)) * 4, np.float32)}


def _by_warp(v, reduce):
    padded = np.zeros(v["out"].size * WARP, np.float32)
    padded[: v["src"].size] = v["src"]
    return {"out": reduce(padded.reshape(-1, WARP), axis=1)}


WARP_SUM = task(
    "shuffle_sum",
    (Argument("src", "in", "float32", "(n,)"), Argument("out", "out", "float32", "(warps,)")),
    _make,
    lambda v: _by_warp(v, np.sum),
    RAGGED,
    lambda v: covering(v["src"].size, 128),
    "# out[w] = the sum of the 32 elements of warp w of the grid; elements past the end count as 0\n"
    "# no shared memory; shuffle_sum[ceil(n / 128), 128](src, out)\n"
    "@cuda.jit\ndef shuffle_sum(src, out):\n    ...\n",
    budgets=(
        Budget("shared_load_requests", 0, {"n": 256}, "lanes of a warp can read each other's registers", "warp_sync"),
    ),
)


def _max_of_each_warp(v):
    n = v["src"].size
    padded = np.append(v["src"], np.full(-n % WARP, -np.inf, np.float32))
    return {"dst": np.repeat(padded.reshape(-1, WARP).max(axis=1), WARP)[:n]}


WARP_MAX = task(
    "warp_max_everywhere",
    (Argument("src", "in", "float32", "(n,)"), Argument("dst", "out", "float32", "(n,)")),
    lambda sizes, values, rng: {"src": whole(rng, sizes["n"]), "dst": np.zeros(sizes["n"], np.float32)},
    _max_of_each_warp,
    RAGGED,
    lambda v: covering(v["src"].size, 128),
    "# dst[i] = the largest of the elements that i's warp holds, for any n\n"
    "# warp_max_everywhere[ceil(n / 128), 128](src, dst)\n@cuda.jit\ndef warp_max_everywhere(src, dst):\n    ...\n",
)

TASKS = (WARP_SUM, WARP_MAX)
