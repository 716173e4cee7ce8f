"""What may come in unit 10."""

from __future__ import annotations

import numpy as np

from autograder.running.cases.domain import Domain, Input, Real, Whole

NINE = Real(-9, 9)
N = {"n": Whole(1, 30_011)}
ROWS = Domain(sizes={"n_rows": Whole(1, 300), "n_cols": Whole(1, 2_003)}, arrays={"x": NINE})

DOMAINS = {
    "few_of_many": Domain(arrays={"table": NINE}, inputs=(Input("many picks", {"n": 40_000, "n_picks": 20_000}),)),
    "in_rounds": Domain(sizes={"n": Whole(1, 50_001), "rounds": Whole(1, 70)}, arrays={"x": NINE}),
    "filter_constant": Domain(sizes=N, arrays={"x": NINE}),
    "look_up": Domain(sizes={"n": Whole(1, 100_003)}, arrays={"codes": Whole(0, 255), "table": NINE}),
    "median_of_nine": Domain(sizes=N, arrays={"x": Real(-9, 9, also=(np.inf, -np.inf))}),
    "blur_rows": ROWS,
    "blur_async": ROWS,
}
