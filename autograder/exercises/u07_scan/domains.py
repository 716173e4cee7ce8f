"""What may come in unit 7."""

from __future__ import annotations

import numpy as np

from autograder.running.cases.domain import Domain, Real, Whole

NINE = Real(-9, 9)
N = {"n": Whole(0, 40_000)}
SCAN = Domain(sizes=N, arrays={"src": NINE})

DOMAINS = {
    "scan_hillis_steele": SCAN,
    "scan_blelloch": SCAN,
    "scan_block": SCAN,
    "scan_device": Domain(sizes=N, arrays={"src": Whole(-999, 999)}),
    "scan_lookback": SCAN,
    "compact": Domain(
        sizes=N,
        scalars={"limit": Real(-9, 9, also=(-np.inf, np.inf))},
        arrays={"src": Real(-9, 9, also=(np.nan, np.inf))},
    ),
    "radix_sort": Domain(sizes={"n": Whole(1, 9_001)}, arrays={"keys": Whole(0, (1 << 32) - 1)}),
}
