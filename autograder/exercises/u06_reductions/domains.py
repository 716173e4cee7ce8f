"""What may come in unit 6."""

from __future__ import annotations

import numpy as np

from autograder.running.cases.domain import Domain, Input, Real, Whole

NINE = {"src": Real(-9, 9)}
N = {"n": Whole(0, 70_003)}
SUM = Domain(sizes=N, arrays=NINE)
FEW_THREADS = Domain(sizes=N, arrays=NINE, inputs=(Input("many iterations", {"n": 280_000, "blocks": 1}),))

DOMAINS = {
    "sum_atomic": SUM,
    "block_sum_interleaved": SUM,
    "block_sum_sequential": SUM,
    "many_per_thread": FEW_THREADS,
    "warp_sum": FEW_THREADS,
    "device_sum": Domain(sizes=N, arrays=NINE, inputs=(Input("many blocks", {"n": 270_000, "blocks": 600}),)),
    "argmax": Domain(
        sizes={"n": Whole(1, 70_003)},
        arrays={"src": Real(-9, 9, also=(np.nan, -np.inf))},
        inputs=(Input("many iterations", {"n": 280_000, "blocks": 1}),),
    ),
    "axis_sums": Domain(sizes={"n_rows": Whole(1, 5_000), "n_cols": Whole(1, 70_001)}, arrays=NINE),
}
