"""What may come in unit 14."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from autograder.running.cases.domain import Domain, Real, Whole

NINE = Real(-9, 9)
LONG_ROWS = {"n_rows": Whole(1, 200), "n_cols": Whole(1, 8_300)}
SHARES = Domain(sizes=LONG_ROWS, arrays={"src": Real(-2_000, 2_000, also=(-np.inf,))})
FIFTEEN = Real(-15, 15)
ATTENTION = Domain(
    sizes={"n_heads": Whole(1, 9), "n": Whole(1, 137)},
    arrays={"q": FIFTEEN, "k": FIFTEEN, "v": FIFTEEN},
)

DOMAINS = {
    "bias_gelu_residual": Domain(
        sizes=LONG_ROWS, arrays={"src": Real(-40, 40), "bias": NINE, "residual": Real(-400, 400)}
    ),
    "layer_norm": Domain(
        sizes={"n_rows": Whole(1, 200), "n_cols": Whole(1, 1_024)},
        arrays={"src": Real(-300, 300), "gamma": NINE, "beta": Real(-200, 200)},
    ),
    "softmax_safe": SHARES,
    "softmax_online": SHARES,
    "attention_naive": replace(ATTENTION, long=({"n_heads": 4_100, "n": 64},)),  # more than 65,535 blocks of four rows
    "attention_flash": ATTENTION,
    "attention_causal": ATTENTION,
}
