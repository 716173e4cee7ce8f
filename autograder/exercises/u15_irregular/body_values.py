"""Inputs, oracle, bound, launch and cases of unit 15 for bodies that attract each other."""

from __future__ import annotations

import numpy as np

from autograder.contract import Case, Cost, Sizes, Values
from autograder.exercises.common_values import ceil_div
from autograder.running.compare import UNIT_ROUNDOFF, sum_bound

TILE = 64  # bodies of a tile, and threads of a block
ROUNDINGS = 24  # of a pair's term: differences, squares, a root, a division, products
FLOPS = 13  # of a pair


def make_bodies(sizes: Sizes, kind: str, rng: np.random.Generator) -> Values:
    """Bodies in a square, their masses, and room for what pulls at them. No two have the same mass."""
    n = sizes["n"]
    x, y = rng.uniform(-1, 1, (2, n)).astype(np.float32)
    mass = (rng.permutation(n) + 1).astype(np.float32) / np.float32(max(n, 1))
    pull_x, pull_y = np.zeros((2, n), np.float32)
    return {"x": x, "y": y, "mass": mass, "soft": np.float32(0.03125), "pull_x": pull_x, "pull_y": pull_y}


def pairs(values: Values) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(n, n) float64: from body i to body j along x and along y, and their distance squared, softened."""
    x, y = values["x"].astype(np.float64), values["y"].astype(np.float64)
    dx, dy = x - x[:, None], y - y[:, None]
    return dx, dy, dx**2 + dy**2 + np.float64(values["soft"])


def summed(values: Values, factor: np.ndarray) -> dict:
    """The pull on each body where body j pulls at body i with a factor (n, n) times the way to it."""
    dx, dy, _ = pairs(values)
    with np.errstate(invalid="ignore"):
        return {"pull_x": (factor * dx).sum(axis=1), "pull_y": (factor * dy).sum(axis=1)}


def factors(values: Values) -> np.ndarray:
    """(n, n) float64: mass of body j over the cube of the softened distance."""
    return values["mass"].astype(np.float64) * pairs(values)[2] ** -1.5


def pulled(values: Values) -> dict:
    """What all bodies together do to each."""
    return summed(values, factors(values))


def absolute_terms(values: Values, factor: np.ndarray) -> dict:
    """The sums of the absolute terms of each body, by what a bound looks for them under."""
    dx, dy, _ = pairs(values)
    ways = {"pull_x": dx, "pull_y": dy}
    return {f"absolute {name}": (np.abs(factor * way)).sum(axis=1) for name, way in ways.items()}


def pull_bound(values: Values, expected) -> dict:
    """Any order of the terms of a body, each with its own roundings. expected: a slip's brings its absolute terms."""
    sums = absolute_terms(values, factors(values))
    bounds = {}
    for name in ("pull_x", "pull_y"):
        absolute = expected.get(f"absolute {name}", sums[f"absolute {name}"])
        own = ROUNDINGS * UNIT_ROUNDOFF["float32"] * absolute
        bounds[name] = own + sum_bound(absolute, len(absolute), expected[name])
    return bounds


def a_thread_per_body(values: Values) -> tuple:
    """Blocks of 64 threads, one for each body."""
    return max(1, ceil_div(values["x"].size, TILE)), TILE


def body_cost(values: Values) -> Cost:
    """Each block loads all bodies, each body its own place; lanes without a body work as well."""
    n, blocks = values["x"].size, a_thread_per_body(values)[0]
    return Cost(
        read_bytes=12 * n * blocks + 8 * n,
        write_bytes=8 * n,
        flops=FLOPS * blocks * TILE * ceil_div(n, TILE) * TILE,
    )


BODY_CASES = (
    *(Case({"n": n}) for n in (160, 1, 31, 65)),
    Case({"n": 130}, "general", trace=False),
)
