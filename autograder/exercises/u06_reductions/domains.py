"""What may come in unit 6."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from autograder.contract import Sizes, Values
from autograder.exercises.u06_reductions.values import THREADS, WARP, make_candidates
from autograder.running.cases.domain import ANY_FLOAT, SUMMED, Domain, Input, Promises, Whole

NUMBERS = {"src": SUMMED}
N = {"n": Whole(0, 70_003)}
SUM = Domain(sizes=N, arrays=NUMBERS)
FEW_THREADS = Domain(sizes=N, arrays=NUMBERS, inputs=(Input("many iterations", {"n": 280_000, "blocks": 1}),))


def one_nan_after_infinities(sizes: Sizes, rng: np.random.Generator) -> Values:
    """Each thread meets an infinity, and then one lane of each warp NaN, which is larger."""
    values = make_candidates(sizes, "exact", rng)
    src = np.full(sizes["n"], np.inf, np.float32)
    src[THREADS * sizes["blocks"] + WARP // 4 :: WARP] = np.nan
    return values | {"src": src}


DOMAINS = {
    "sum_atomic": SUM,
    "block_sum_interleaved": SUM,
    "block_sum_sequential": SUM,
    "many_per_thread": FEW_THREADS,
    "warp_sum": replace(FEW_THREADS, blocks=(64,)),  # as many warps as partial has cells
    "device_sum": Domain(
        sizes=N,
        arrays=NUMBERS,
        inputs=(Input("many blocks", {"n": 290_003, "blocks": 1_101}),),
        long=({"n": 1 << 22, "blocks": 4_096},),
    ),
    "argmax": Domain(
        blocks=(64,),
        sizes={"n": Whole(1, 70_003)},
        arrays={"src": ANY_FLOAT},
        inputs=(
            Input("many iterations", {"n": 280_000, "blocks": 1}),
            Input("one NaN after infinities", {"n": 510, "blocks": 1}, one_nan_after_infinities),
        ),
    ),
    "axis_sums": Domain(sizes={"n_rows": Whole(1, 5_003), "n_cols": Whole(1, 70_001)}, arrays=NUMBERS),
}

PROMISES = {
    "device_sum": Promises(threads=32_768),  # as many as fit on a small GPU at once
    "block_sum_sequential": Promises(
        exactly={
            "shared_load_bank_conflicts": "No access may conflict",
            "shared_store_bank_conflicts": "No access may conflict",
        }
    ),
}
