"""Inputs, oracles and cases of unit 09, streams. What a kernel computes is kept simple: the subject is when."""

from __future__ import annotations

import numpy as np

from autograder.contract import Case
from autograder.exercises.common_values import vector
from autograder.running.compare import ulp_bound

UNIT = "09_streams"
THREADS = 256  # threads per block in every launch of this unit
STEPS = 20  # launches of one pass of the chain


def cases(sizes: tuple[int, ...], large: int) -> tuple[Case, ...]:
    """Exact values on every size, general values on the first, and one size too large to trace."""
    exact = tuple(Case({"n": n}) for n in sizes)
    return (*exact, Case({"n": sizes[0]}, "general"), Case({"n": large}, trace=False))


LENGTHS = cases((4099, 1, 31, 257, 1024), large=262_147)


LONGER = 12_007  # elements of a case that shares of host and device are held to as well


def make_scaled(sizes, values, rng):
    """x and out, both (n,) float32."""
    return {"x": vector(rng, sizes["n"], values), "out": np.zeros(sizes["n"], np.float32)}


def scaled(values):
    """out = 2 x + 1."""
    return {"out": 2 * values["x"].astype(np.float64) + 1}


def scaled_bound(values, expected):
    """Two roundings to float32."""
    return {"out": ulp_bound(expected["out"], 2)}


def make_two(sizes, values, rng):
    """x, y and out, each (n,) float32."""
    n = sizes["n"]
    return {"x": vector(rng, n, values), "y": vector(rng, n, values), "out": np.zeros(n, np.float32)}


def both_scaled(values):
    """out = (2 x + 1) + (2 y + 1)."""
    return {"out": 2 * values["x"].astype(np.float64) + 2 * values["y"].astype(np.float64) + 2}


def both_bound(values, expected):
    """Two roundings of each part and one of their sum, none of anything larger than |2x| + |2y| + 2."""
    parts = 2 * np.abs(values["x"].astype(np.float64)) + 2 * np.abs(values["y"].astype(np.float64)) + 2
    return {"out": ulp_bound(parts, 5)}


def make_batches(sizes, values, rng):
    """batches: (n_batches, n) float32, whole numbers small enough to add up exactly; sums: (n_batches,) float32."""
    shape = sizes["n_batches"], sizes["n"]
    return {"batches": rng.integers(-9, 10, shape).astype(np.float32), "sums": np.zeros(shape[0], np.float32)}


def batch_sums(values):
    """The sum of each batch."""
    return {"sums": values["batches"].astype(np.float64).sum(axis=1)}


BATCHES = tuple(
    Case({"n_batches": n_batches, "n": n}, trace=n < 5000)
    for n_batches, n in ((5, 300), (1, 257), (2, 33), (3, 256), (8, 65), (41, 33), (6, 20_011))
)


def make_chain(sizes, values, rng):
    """x: (n,) float32; replays: how many passes."""
    return {"x": vector(rng, sizes["n"], values), "replays": sizes["replays"]}


def after_chain(values):
    """Each pass adds 1 in each of its steps."""
    return {"x": values["x"].astype(np.float64) + STEPS * values["replays"]}


CHAINS = tuple(
    Case({"n": n, "replays": replays}, trace=n < 5000)
    for n, replays in ((300, 3), (1, 1), (257, 2), (64, 5), (20_011, 4))
)
