"""What may come in unit 14."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from autograder.running.cases.domain import LARGEST, SUMMED, Domain, Real, Whole

LONG_ROWS = {"n_rows": Whole(1, 201), "n_cols": Whole(1, 8_301)}
SHARES = Domain(sizes=LONG_ROWS, arrays={"src": Real(-1e30, 1e30, also=(-np.inf, -LARGEST, 0.0, 5.0))})
FAR = Real(-300, 300)
ATTENTION = Domain(
    sizes={"n_heads": Whole(1, 9), "n": Whole(1, 137)},
    arrays={"q": FAR, "k": FAR, "v": FAR},
)

DOMAINS = {
    "bias_gelu_residual": Domain(
        sizes=LONG_ROWS, arrays={"src": Real(-1e6, 1e6, also=(-3.6, 0.0, 3.6)), "bias": SUMMED, "residual": SUMMED}
    ),
    "layer_norm": Domain(
        sizes={"n_rows": Whole(1, 201), "n_cols": Whole(1, 1_024)},
        arrays={"src": Real(-3_000, 3_000), "gamma": SUMMED, "beta": SUMMED},
    ),
    "softmax_safe": SHARES,
    "softmax_online": SHARES,
    "attention_naive": replace(ATTENTION, long=({"n_heads": 4_100, "n": 64},)),  # more than 65,535 blocks of four rows
    "attention_flash": ATTENTION,
    "attention_causal": ATTENTION,
}
