"""What may come in unit 5."""

from __future__ import annotations

import numpy as np

from autograder.contract import Sizes, Values
from autograder.running.cases.domain import ANY_BLOCK, ANY_FLOAT, SUMMED, Domain, Input, Promises, Whole

N = {"n": Whole(0, 70_003)}
MATRIX = {"n_rows": Whole(1, 1_101), "n_cols": Whole(0, 2_601)}
MANY_KEYS = 70_003


def late_hits(sizes: Sizes, rng: np.random.Generator) -> Values:
    """Rows with a hit in their last column alone, and one without any."""
    src = rng.integers(-500, 6, (sizes["n_rows"], sizes["n_cols"])).astype(np.float32)
    src[1:, -1] = 9
    return {"src": src, "limit": np.float32(6), "first": np.zeros(sizes["n_rows"], np.int32)}


def large_keys(sizes: Sizes, rng: np.random.Generator) -> Values:
    """Keys that 16 bits do not hold."""
    keys = rng.integers(0, MANY_KEYS, sizes["n"]).astype(np.int32)
    return {"keys": keys, "hist": np.zeros(MANY_KEYS, np.int32)}


def alike_in_16_bits(sizes: Sizes, rng: np.random.Generator) -> Values:
    """Keys of which several in each warp have the same lower 16 bits."""
    values = large_keys(sizes, rng)
    values["keys"] = (rng.integers(0, 3, sizes["n"]) + (rng.integers(0, 2, sizes["n"]) << 16)).astype(np.int32)
    return values


DOMAINS = {
    "one_path": Domain(sizes=N, arrays={"src": SUMMED}, blocks=ANY_BLOCK),
    "by_warp": Domain(sizes=N, arrays={"src": SUMMED}, blocks=ANY_BLOCK),
    "pack_bits": Domain(sizes=N, scalars={"limit": ANY_FLOAT}, arrays={"src": ANY_FLOAT}, blocks=ANY_BLOCK),
    "first_above": Domain(
        blocks=ANY_BLOCK,
        sizes=MATRIX,
        scalars={"limit": ANY_FLOAT},
        arrays={"src": ANY_FLOAT},
        inputs=(Input("late hits", {"n_rows": 3, "n_cols": 33_003, "within": 33_003}, late_hits),),
    ),
    "scan_rows": Domain(sizes=MATRIX, arrays={"src": SUMMED}, blocks=ANY_BLOCK),
    "transpose_by_lanes": Domain(sizes=MATRIX, arrays={"src": ANY_FLOAT}),
    "count_matched": Domain(
        sizes=N,
        inputs=(
            Input("large keys", {"n": 1_000, "distinct": 1}, large_keys),
            Input("keys alike in 16 bits", {"n": 1_000, "distinct": 1}, alike_in_16_bits),
        ),
    ),
}

PROMISES = {
    "count_matched": Promises(exactly={"atomic_max_contention": "one of them adds for all"}),
}
