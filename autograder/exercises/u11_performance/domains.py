"""What may come in unit 11, and what is promised."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.random import Generator

from autograder.contract import Sizes, Values
from autograder.exercises.u11_performance.values import make_chains, make_poly, make_profile, make_table
from autograder.running.cases.domain import SUMMED, Domain, Input, Promises, Real, Whole

N = {"n": Whole(0, 40_003)}
SOME = {"n": Whole(1, 40_003)}  # where the text reads a point past the end from the last one


def high_powers_of_nothing(sizes: Sizes, rng: np.random.Generator) -> Values:
    """Points far out, where the powers that overflow have the coefficient 0."""
    values = make_poly(sizes, "exact", rng)
    values["coefficients"][:-2] = 0
    values["x"][:] = np.float32(1e15) * rng.integers(1, 9, values["x"].size)
    return values


def large_and_near(sizes: Sizes, rng: np.random.Generator) -> Values:
    """Elements so large that only their distance from the mean can be multiplied."""
    values = make_table(sizes, "exact", rng)
    values["src"][:], values["mean"][:], values["factor"][:] = 1e38, 9e37, 8
    return values


def dead_ends(sizes: Sizes, rng: np.random.Generator) -> Values:
    """Every second cell leads to itself: one of a thread's chains is where it stays, and another goes on."""
    values = make_chains(sizes, "exact", rng)
    values["succ"][::2] = np.arange(0, sizes["cells"], 2)
    values["succ"][1::2] = np.roll(np.arange(1, sizes["cells"], 2), -1)
    return values


def profile_of(requests: int, passes: int, warps: int, conflicts: bool = True) -> Callable[[Sizes, Generator], Values]:
    """A profile that can be measured: 1 to 32 sectors per request and threads per warp, fewer conflicts than passes."""

    def made(sizes: Sizes, rng: Generator) -> Values:
        counters = {
            "load_requests": requests,
            "load_sectors": int(rng.integers(requests, 32 * requests + 1)),
            "shared_wavefronts": passes,
            "shared_conflicts": int(rng.integers(passes // 3, passes)) if conflicts and passes else 0,
            "warp_instructions": warps,
            "thread_instructions": int(rng.integers(warps, 32 * warps + 1)),
        }
        return make_profile(sizes, "exact", rng) | counters

    return made


ANY_PROFILE = {"profile": 0}  # whose numbers are replaced
DOMAINS = {
    "time_launches": Domain(sizes={"n": Whole(1, 20_011), "rounds": Whole(1, 13)}, arrays={"x": SUMMED}),
    "resident_warps": Domain(
        sizes={"threads": Whole(1, 1_024), "registers": Whole(16, 255), "shared_bytes": Whole(0, 300_001)}
    ),
    "poly_four": Domain(
        sizes={**SOME, "terms": Whole(1, 1_037)},
        arrays={"coefficients": SUMMED, "x": Real(-1, 1)},
        inputs=(Input("far out", {"n": 33, "terms": 9}, high_powers_of_nothing),),
    ),
    "follow_four": Domain(
        sizes={**SOME, "cells": Whole(1, 70_001), "steps": Whole(0, 1_037)},
        inputs=(
            Input("no steps, and chains past the end", {"n": 1_100, "cells": 37, "steps": 0}),
            Input("cells that lead to themselves", {"n": 1_100, "cells": 37, "steps": 11}, dead_ends),
        ),
    ),
    "standardise": Domain(
        sizes={**N, "n_cols": Whole(1, 2_001)},
        arrays={"src": SUMMED, "mean": SUMMED, "factor": SUMMED},
        inputs=(
            Input("long rows", {"n": 70_100, "n_cols": 70_001}),
            Input("large and near", {"n": 33, "n_cols": 5}, large_and_near),
        ),
    ),
    "read_profile": Domain(
        inputs=(
            Input("one of each", ANY_PROFILE, profile_of(1, 1, 1)),
            Input("loads alone", ANY_PROFILE, profile_of(35, 0, 0)),
            Input("shared memory alone", ANY_PROFILE, profile_of(0, 37, 0)),
            Input("work alone", ANY_PROFILE, profile_of(0, 0, 41)),
            Input("no conflicts", ANY_PROFILE, profile_of(1_001, 4_099, 30_011, conflicts=False)),
            Input("counters past 2^31", ANY_PROFILE, profile_of((1 << 33) + 1, (1 << 34) + 3, (1 << 36) + 7)),
        )
    ),
    "speedups": Domain(
        scalars={"parallel_share": Real(0, 1, also=(0.995, 0.9999)), "workers": Whole(1, 1 << 20, also=(100,))}
    ),
}
PROMISES = {
    "time_launches": Promises(
        filled=("times",),
        exactly={"timed_launches": "one launch of scale each", "fewest_timed_elements": "one launch of scale each"},
    )
}
