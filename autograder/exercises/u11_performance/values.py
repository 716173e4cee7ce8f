"""Inputs, oracles, error bounds, launches, cases and costs of unit 11, performance."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from autograder.contract import Case, Cost, Values
from autograder.exercises.common_values import ceil_div, vector
from autograder.exercises.u11_performance.profiles import MEANINGS, PROFILES
from autograder.running.compare import ulp_bound

UNIT = "11_performance"
THREADS = 256  # threads per block in every launch of this unit
EACH = 4  # points or chains per thread
MANY_TERMS = 64  # coefficients where speed is measured: enough arithmetic for the memory not to matter
HOPPER = (9, 0)  # the compute capability that occupancy is asked for
NONE = np.int64(0)

TIMED_CASES = (
    Case({"n": 4099, "rounds": 5}),
    *(Case({"n": n, "rounds": rounds}) for n, rounds in ((1, 1), (257, 3), (1024, 7))),
    Case({"n": 257, "rounds": 4}, "general"),
)
POLY_CASES = (
    Case({"n": 3001, "terms": 9}),
    *(Case({"n": n, "terms": 5}) for n in (1025, 1, 31, 257)),  # of none the text's min(i, x.size - 1) is no place
    *(Case({"n": 1025, "terms": terms}) for terms in (1, 2)),
    Case({"n": 1025, "terms": 9}, "general"),
    Case({"n": 257, "terms": 300}, "general", trace=False),
    Case({"n": 257, "terms": 4}, "nonfinite"),
    Case({"n": 40_003, "terms": 7}, trace=False),
)
CHAIN_CASES = (
    Case({"n": 1100, "cells": 997, "steps": 12}),
    *(Case({"n": n, "cells": 257, "steps": 5}) for n in (1025, 1, 31, 257)),
    *(Case({"n": 257, "cells": 1009, "steps": steps}) for steps in (0, 1, 7)),
    Case({"n": 257, "cells": 105, "steps": 307}, "general", trace=False),
    Case({"n": 257, "cells": 70_001, "steps": 3}, trace=False),
    Case({"n": 20_001, "cells": 4001, "steps": 9}, trace=False),
)
TABLE_CASES = (
    Case({"n": 3001, "n_cols": 7}),
    *(Case({"n": n, "n_cols": 5}) for n in (1025, 0, 1, 31, 257)),
    *(Case({"n": 1025, "n_cols": n_cols}) for n_cols in (1, 32, 1024, 2000)),
    Case({"n": 1025, "n_cols": 7}, "general"),
    Case({"n": 1025, "n_cols": 5}, "nonfinite"),
    Case({"n": 70_003, "n_cols": 300}, trace=False),  # more than 16 bits count
)
OCCUPANCY_CASES = tuple(
    Case({"threads": threads, "registers": registers, "shared_bytes": shared}, trace=False)
    for threads, registers, shared in (
        *((256, registers, 0) for registers in (32, 33, 40, 64, 65, 128, 168, 255)),
        *((threads, 32, 0) for threads in (32, 64, 96, 100, 200, 672, 1024)),
        *((256, 32, shared) for shared in (1024, 16_384, 27_000, 49_152, 100_000, 232_448, 232_449)),
        *((1024, 65, 0), (1024, 64, 115_712), (160, 80, 3000), (96, 168, 0), (512, 40, 40_000)),
        (256, 32, 29_184),  # eight fit, but for what the system takes
        (256, 32, 32_276),  # seven fit, but for the units
        (224, 20, 0),  # nine blocks of 7 warps, where 64 warps would be nine and a bit
    )
)
QUIET = (  # of kernels that load nothing, or do nothing at all
    (0, 0, 640, 160, 96, 3072),
    (0, 0, 0, 0, 0, 0),
)
PROFILE_CASES = tuple(Case({"profile": at}, "general", trace=False) for at in range(len(PROFILES) + len(QUIET)))
SHARE_CASES = tuple(
    Case({"percent": percent, "workers": workers}, "general", trace=False)
    for percent, workers in ((95, 8), (50, 2), (0, 16), (100, 16), (99, 132), (90, 1), (75, 1024), (60, 1_000_000))
)


def one_each(name: str) -> Callable[[Values], tuple[int, int]]:
    """A launch with one thread per element of an argument, and one block at least."""
    return lambda values: (max(1, ceil_div(values[name].size, THREADS)), THREADS)


def a_quarter_of(name: str) -> Callable[[Values], tuple[int, int]]:
    """A launch with a thread for every four elements of an argument, and one block at least."""
    return lambda values: (max(1, ceil_div(values[name].size, EACH * THREADS)), THREADS)


def make_timed(sizes, values, rng) -> Values:
    """x, room for a time per round, and out."""
    n = sizes["n"]
    room = {"times": np.zeros(sizes["rounds"], np.float32), "out": np.zeros(n, np.float32)}
    return {"x": vector(rng, n, values)} | room


def scaled(values: Values) -> dict:
    """out = 2 x + 1."""
    return {"out": 2 * values["x"].astype(np.float64) + 1}


def scaled_bound(values: Values, expected) -> dict:
    """Two roundings to float32."""
    return {"out": ulp_bound(expected["out"], 2)}


def make_poly(sizes, values, rng) -> Values:
    """coefficients, x and out. "exact": small whole numbers, so that every order gives the same bytes; "nonfinite":
    an infinite coefficient, and points at 0 among the others.
    """
    n, terms = sizes["n"], sizes.get("terms", MANY_TERMS)
    if values == "exact":
        coefficients, x = rng.integers(1, 9, terms), rng.integers(-2, 3, n)
        x[: n // 2] = rng.integers(1, 3, n // 2)
    else:
        coefficients, x = rng.uniform(-1, 1, terms), rng.uniform(-1, 1, n)
    if values == "nonfinite":
        coefficients[:1], x[::5] = np.inf, 0
    points = {"coefficients": coefficients.astype(np.float32), "x": x.astype(np.float32)}
    return points | {"out": np.zeros(n, np.float32)}


def poly(values: Values) -> dict:
    """The polynomial at each point, float64."""
    return {"out": np.polyval(values["coefficients"].astype(np.float64), values["x"].astype(np.float64))}


def poly_bound(values: Values, expected) -> dict:
    """The error of Horner's scheme: two roundings per term, of sums no larger than the one of all sizes."""
    sizes = np.polyval(np.abs(values["coefficients"]).astype(np.float64), np.abs(values["x"]).astype(np.float64))
    return {"out": ulp_bound(sizes, 2 * values["coefficients"].size)}


def poly_cost(values: Values) -> Cost:
    """Each thread that has a point loads four points, stores as many as it has, and loads each coefficient once."""
    n, terms = values["x"].size, values["coefficients"].size
    grid = a_quarter_of("x")(values)[0] * THREADS
    busy = min(n, grid)
    return Cost(read_bytes=4 * busy * (EACH + terms), write_bytes=4 * n, flops=2 * EACH * terms * busy)


def make_chains(sizes, values, rng) -> Values:
    """succ, one circle through all cells; starts, steps and ends. "general": a circle through one more than half of
    them, to which the others lead."""
    cells, n = sizes["cells"], sizes["n"]
    order = rng.permutation(cells)
    succ = np.zeros(cells, np.int32)
    succ[order] = np.roll(order, -1)
    if values == "general":
        circle, others = order[: cells // 2 + 1], order[cells // 2 + 1 :]
        succ[circle], succ[others] = np.roll(circle, -1), rng.choice(circle, others.size)
    starts = rng.integers(0, cells, n).astype(np.int32)
    return {"succ": succ, "starts": starts, "steps": sizes["steps"], "ends": np.zeros(n, np.int32)}


def ends_of_chains(values: Values) -> dict:
    """Where each chain comes to."""
    ends, succ = values["starts"].copy(), values["succ"]
    for _ in range(values["steps"]):
        ends = succ[ends % succ.size]  # the picture of the task tries others
    return {"ends": ends}


def make_table(sizes, values, rng) -> Values:
    """src, mean and factor of each column, n_cols and out."""
    n, n_cols = sizes["n"], sizes["n_cols"]
    mean = rng.integers(-9, 10, n_cols).astype(np.float32)
    factor = (rng.integers(1, 9, n_cols) * rng.choice((-1, 1), n_cols)).astype(np.float32)
    factor[:1] = np.abs(factor[:1])
    src = vector(rng, n, "general" if values == "nonfinite" else values)
    if values == "nonfinite":  # infinities alone: what is to come of NaN, the task does not say
        src[::128], src[64::128] = -np.inf, np.inf
    table = {"src": src, "mean": mean, "factor": factor}
    return table | {"n_cols": n_cols, "out": np.zeros(n, np.float32)}


def chains_cost(values: Values) -> Cost:
    """Each thread that has a chain reads four starts and, in every step, four cells; each chain has one end."""
    busy = min(values["starts"].size, a_quarter_of("starts")(values)[0] * THREADS)
    return Cost(read_bytes=4 * EACH * busy * (1 + max(0, values["steps"])), write_bytes=values["ends"].nbytes)


def table_cost(values: Values) -> Cost:
    """Each element, its mean and its factor are loaded by its thread; a subtraction and a multiplication."""
    n = values["src"].size
    return Cost(read_bytes=12 * n, write_bytes=4 * n, flops=2 * n)


def standardised(values: Values) -> dict:
    """Each element minus its column's mean, times its column's factor; 0 where that is negative."""
    column = np.arange(values["src"].size) % values["n_cols"]
    from_mean = values["src"].astype(np.float64) - values["mean"][column]
    return {"out": np.maximum(from_mean * values["factor"][column], 0)}


def standardised_bound(values: Values, expected) -> dict:
    """Two roundings, of a difference and a product."""
    column = np.arange(values["src"].size) % values["n_cols"]
    largest = np.abs(values["src"]).astype(np.float64) + np.abs(values["mean"])[column]
    return {"out": ulp_bound(largest * np.abs(values["factor"])[column], 4)}


def resident(values: Values) -> dict:
    """The warps that a multiprocessor holds, by the rules of compute capability 9.0."""
    from autograder.lint.occupancy import theoretical_occupancy  # a list of the exercises needs no lint

    asked = (values["threads"], values["registers"], values["shared_bytes"])
    return {"warps": np.int64(theoretical_occupancy(HOPPER, *asked).warps)}


def make_profile(sizes, values, rng) -> Values:
    """The numbers of one recorded profile, or of one where there is little to record, and three results."""
    numbers = dict(zip(MEANINGS, (*PROFILES.values(), *QUIET)[sizes["profile"]], strict=True))
    return numbers | dict.fromkeys(("sectors_per_request", "conflict_share", "lanes"), np.float64(0))


def profile_read(values: Values) -> dict:
    """The three ratios; 0 where there is nothing to divide by."""
    return {
        "sectors_per_request": _ratio(values["load_sectors"], values["load_requests"]),
        "conflict_share": _ratio(values["shared_conflicts"], values["shared_wavefronts"]),
        "lanes": _ratio(values["thread_instructions"], values["warp_instructions"]),
    }


def _ratio(part: int, whole: int) -> np.float64:
    return np.float64(part / whole if whole else 0.0)


def make_shares(sizes, values, rng) -> Values:
    """The parallel share of the time, the workers, and two results."""
    given = {"parallel_share": sizes["percent"] / 100, "workers": sizes["workers"]}
    return given | {"amdahl": np.float64(0), "gustafson": np.float64(0)}


def both_laws(values: Values) -> dict:
    """Amdahl's speedup and Gustafson's."""
    share, workers = values["parallel_share"], values["workers"]
    return {
        "amdahl": np.float64(1 / (1 - share + share / workers)),
        "gustafson": np.float64(1 - share + share * workers),
    }


def rounded(values: Values, expected) -> dict:
    """Roundings of float64 arithmetic in any order, made larger by what cancels in 1 - p."""
    return {name: ulp_bound(value, 4096, "float64") for name, value in expected.items()}
