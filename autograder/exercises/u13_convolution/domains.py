"""What may come in unit 13."""

from __future__ import annotations

from autograder.running.cases.domain import ANY_FLOAT, SUMMED, Domain, Input, Real, Whole

LAYER = {"n_images": Whole(1, 9), "n_in": Whole(1, 67), "n_out": Whole(1, 67)}
LAYERS_56 = {"n_images": 32, "n_rows": 56, "n_cols": 56, "k": 3}
PICTURE = {"n_rows": Whole(1, 101), "n_cols": Whole(1, 141)}
OF_WEIGHTS = Domain(sizes={**LAYER, **PICTURE}, arrays={"src": SUMMED, "weights": SUMMED})

DOMAINS = {
    "conv_direct": Domain(
        blocks=((16, 12, 1),), sizes={**LAYER, **PICTURE, "k": Whole(1, 17, step=2)}, arrays=OF_WEIGHTS.arrays
    ),
    "conv_tiled": OF_WEIGHTS,
    "im2col": Domain(
        blocks=((96, 1),),  # of one row, as its own: whoever takes k for the block's number along y is right
        sizes={"n_images": Whole(1, 9), "n_in": Whole(1, 67), **PICTURE},
        arrays={"src": ANY_FLOAT},
    ),
    "conv_implicit": OF_WEIGHTS,
    "conv_winograd": Domain(
        blocks=((16, 12, 1),), sizes={**LAYER, "n_out": Whole(4, 72, step=4), **PICTURE}, arrays={"src": SUMMED}
    ),
    "receptive_field": Domain(
        sizes={
            "kernel": Whole(1, 301),
            "stride": Whole(1, 301),
            "dilation": Whole(1, 301),
            "field": Whole(1, 1 << 28),
            "jump": Whole(1, 1 << 28),
        }
    ),
    "pick_algorithm": Domain(
        sizes={
            "n_images": Whole(1, 301),
            "n_in": Whole(1, 1_031),
            "n_out": Whole(1, 1_031),
            "n_rows": Whole(1, 301),
            "n_cols": Whole(1, 301),
            "k": Whole(1, 15, step=2),
        },
        inputs=tuple(
            Input(f"{n_in} channels", {**LAYERS_56, "n_in": n_in, "n_out": n_out, "tflops": tflops})
            for n_in, n_out, tflops in ((16, 64, 3), (24, 24, 3), (31, 128, 20))
        ),
        scalars={"flops_per_us": Real(1e5, 1e8), "bytes_per_us": Real(1e5, 1e7)},
    ),
}
