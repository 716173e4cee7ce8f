"""What may come in unit 10."""

from __future__ import annotations

import numpy as np

from autograder.running.cases.domain import ANY_BLOCK, ANY_FLOAT, LARGEST, SUMMED, Domain, Input, Real, Whole

N = {"n": Whole(1, 30_011)}
ROWS = Domain(sizes={"n_rows": Whole(1, 301), "n_cols": Whole(1, 2_003)}, arrays={"x": SUMMED})

DOMAINS = {
    "few_of_many": Domain(arrays={"table": ANY_FLOAT}, inputs=(Input("many picks", {"n": 40_000, "n_picks": 20_000}),)),
    "in_rounds": Domain(sizes={"n": Whole(1, 50_001), "rounds": Whole(1, 71)}, arrays={"x": SUMMED}),
    "filter_constant": Domain(sizes=N, arrays={"x": SUMMED}),
    "look_up": Domain(sizes={"n": Whole(1, 100_003)}, arrays={"codes": Whole(0, 255), "table": ANY_FLOAT}),
    "median_of_nine": Domain(sizes=N, arrays={"x": Real(-LARGEST, LARGEST, also=(np.inf, -np.inf))}, blocks=ANY_BLOCK),
    "blur_rows": ROWS,
    "blur_async": ROWS,
}
