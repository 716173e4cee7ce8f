"""What may come in unit 5."""

from __future__ import annotations

import numpy as np

from autograder.contract import Sizes, Values
from autograder.running.cases.domain import Domain, Input, Real, Whole

NINE = Real(-9, 9)
N = {"n": Whole(0, 70_003)}
MATRIX = Domain(sizes={"n_rows": Whole(1, 1_100), "n_cols": Whole(0, 2_600)}, arrays={"src": NINE})
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


DOMAINS = {
    "one_path": Domain(sizes=N, arrays={"src": Real(-1e6, 1e6, also=(-0.0, 0.0))}),
    "by_warp": Domain(sizes=N, arrays={"src": NINE}),
    "pack_bits": Domain(sizes=N, scalars={"limit": NINE}, arrays={"src": Real(-9, 9, also=(np.nan, -np.inf))}),
    "first_above": Domain(
        sizes={"n_rows": Whole(1, 1_100), "n_cols": Whole(0, 2_600)},
        scalars={"limit": NINE},
        arrays={"src": Real(-9, 9, also=(np.nan, np.inf))},
        inputs=(Input("late hits", {"n_rows": 3, "n_cols": 2_600, "within": 2_600}, late_hits),),
    ),
    "scan_rows": MATRIX,
    "transpose_by_lanes": MATRIX,
    "count_matched": Domain(sizes=N, inputs=(Input("large keys", {"n": 1_000, "distinct": 1}, large_keys),)),
}
