"""Inputs, oracle, error bound, cases and cost of the rung of unit 08 with a grid barrier."""

from __future__ import annotations

import math

import numpy as np

from autograder.contract import Case, Cost, Values
from autograder.exercises.common_values import ceil_div
from autograder.exercises.u08_atomics.values import LARGE, THREADS
from autograder.running.buffers import LONG_ENOUGH
from autograder.running.compare import UNIT_ROUNDOFF

FIT_ANYWHERE = 24  # blocks of 256 threads: any GPU since compute capability 7.5 has six multiprocessors at least

SHARE_CASES = (
    Case({"n": 8192, "n_fit": 5}),
    *(Case({"n": n, "n_fit": n_fit}) for n, n_fit in ((1, 1), (31, 3), (256, 1), (257, 2), (1025, 2), (3001, 5))),
    Case({"n": 600, "n_fit": 7}),
    Case({"n": 3001, "n_fit": 5}, "general"),
    Case({"n": LARGE, "n_fit": FIT_ANYWHERE}, trace=False),
)


def make_shares(sizes, kind, rng) -> Values:
    """Numbers, room for the sums of as many blocks as anybody may want, how many fit, and the shares.

    "exact": whole numbers whose sum is a power of two, so that every order of additions, and a product with the
    reciprocal as well, give the same bytes. Some are 0.
    """
    n = sizes["n"]
    src = rng.random(n, dtype=np.float32)
    if kind == "exact":
        src = rng.integers(1, 32, n).astype(np.float32)
        if n >= LONG_ENOUGH:  # where the judge puts zeros as well, which would change the sum
            src[n // 2 - 1 : n // 2 + 2] = 0
        total = int(src.sum(dtype=np.float64))
        src[0] += (1 << (total - 1).bit_length()) - total
    room = np.zeros(max(sizes["n_fit"], ceil_div(n, THREADS)), np.float32)
    return {"src": src, "partial": room, "n_fit": sizes["n_fit"], "dst": np.zeros(n, np.float32)}


def shares(values: Values) -> dict:
    """Each number over the sum of all, float64."""
    src = values["src"].astype(np.float64)
    return {"dst": src / src.sum()}


def share_bound(values: Values, expected) -> dict:
    """The relative error of a sum of positive numbers in any order, that of the division, and one of a reciprocal."""
    relative = (2 * math.sqrt(values["src"].size) + 8) * UNIT_ROUNDOFF["float32"]
    return {"dst": relative * np.abs(expected["dst"])}


def share_cost(values: Values) -> Cost:
    """Each number twice; each block leaves a sum and reads those of all blocks. A division is no flop here."""
    n, n_blocks = values["src"].size, values["n_fit"]
    trees = 2 * (THREADS - 1) * n_blocks
    return Cost(read_bytes=2 * 4 * n + 4 * n_blocks**2, write_bytes=4 * (n + n_blocks), flops=n + n_blocks**2 + trees)


def by_own_block(values: Values) -> dict:
    """Each of n_fit blocks, whose threads come round again, divided by the sum of what it visited itself."""
    src = values["src"].astype(np.float64)
    block = np.arange(src.size) // THREADS % values["n_fit"]
    return {"dst": src / np.bincount(block, src)[block]}


def not_divided(values: Values) -> dict:
    """The numbers themselves."""
    return {"dst": values["src"]}
