"""What may come in unit 18."""

from __future__ import annotations

from autograder.running.cases.domain import Domain, Real, Whole

STEPS = Whole(-128, 127)
LINES = {
    "n_blocks": Whole(1, 5),
    "n_cells": Whole(1, 515),
    "n_out": Whole(1, 131),
    "pitch": Whole(2, 229),  # pictures of 1 to 228 columns
}
SUMS = Domain(sizes=LINES, arrays={"src": STEPS, "weights": STEPS})
LAYER = Domain(
    sizes=LINES | {"height": Whole(2, 301)},
    scalars={"low": Real(-128, 0, (float("-inf"),)), "high": Real(1, 127, (float("inf"),))},
    exact=False,
)
DOMAINS = {
    "pack_int8": Domain(
        sizes={
            "n_images": Whole(1, 41),
            "n_channels": Whole(1, 301),
            "n_rows": Whole(1, 301),
            "n_cols": Whole(1, 1_031),
        },
        scalars={"scale": Real(0.01, 3)},
        exact=False,
    ),
    "conv_tile": SUMS,
    "conv_ring": SUMS,
    "conv_split": Domain(
        sizes=LINES | {"n_cells": Whole(1, 259), "n_out": Whole(1, 67)}, arrays={"src": STEPS, "weights": STEPS}
    ),
    "conv_layer": LAYER,
    "conv_warpgroup": LAYER,
    "time_kernels": Domain(sizes={"n_kernels": Whole(1, 13), "rounds": Whole(1, 61)}),
    "choose_kernels": Domain(sizes={"n": Whole(1, 301), "n_kernels": Whole(1, 41)}),
}
