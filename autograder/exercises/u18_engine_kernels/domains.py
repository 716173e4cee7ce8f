"""What may come in unit 18."""

from __future__ import annotations

from autograder.running.cases.domain import Domain, Real, Whole

STEPS = Whole(-128, 127)
LINES = {
    "n_blocks": Whole(1, 5),
    "n_cells": Whole(1, 600),
    "n_out": Whole(1, 140),
    "pitch": Whole(2, 230),  # pictures of 1 to 229 columns
}
SUMS = Domain(sizes=LINES, arrays={"src": STEPS, "weights": STEPS})
LAYER = Domain(
    sizes=LINES | {"height": Whole(2, 300)},
    scalars={"low": Real(-128, 0, (float("-inf"),)), "high": Real(1, 127, (float("inf"),))},
    exact=False,
)
DOMAINS = {
    "pack_int8": Domain(
        sizes={
            "n_images": Whole(1, 40),
            "n_channels": Whole(1, 300),
            "n_rows": Whole(1, 300),
            "n_cols": Whole(1, 1_030),
        },
        scalars={"scale": Real(0.01, 3)},
        exact=False,
    ),
    "conv_tile": SUMS,
    "conv_ring": SUMS,
    "conv_layer": LAYER,
    "conv_warpgroup": LAYER,
    "time_kernels": Domain(sizes={"n_kernels": Whole(1, 12), "rounds": Whole(1, 60)}),
    "choose_kernels": Domain(sizes={"n": Whole(1, 300), "n_kernels": Whole(1, 40)}),
}
