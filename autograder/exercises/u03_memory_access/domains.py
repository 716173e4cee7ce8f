"""What may come in unit 3."""

from __future__ import annotations

import numpy as np

from autograder.contract import Sizes, Values
from autograder.running.cases.domain import (
    ANY_BLOCK,
    ANY_BLOCK_3D,
    ANY_FLOAT,
    SUMMED,
    Domain,
    Input,
    Real,
    Whole,
)

FAR = 16_777_219  # a place that float32 does not hold


def from_the_middle(sizes: Sizes, rng: np.random.Generator) -> Values:
    """The elements that are taken lie in the middle of src, whichever way the step goes."""
    n, start, step = sizes["n"], sizes["start"], sizes["step"]
    src = rng.permutation(2 * abs(step) * n + start + 1).astype(np.float32)
    return {"src": src, "start": src.size // 2, "step": step, "dst": np.zeros(n, np.float32)}


def far_out(sizes: Sizes, rng: np.random.Generator) -> Values:
    """A place that float32 does not hold; what lies before it is nobody's business."""
    src = np.zeros(sizes["start"] + sizes["n"], np.float32)
    src[-99:] = rng.permutation(99)
    return {"src": src, "start": sizes["start"], "dst": np.zeros(sizes["n"], np.float32)}


DOMAINS = {
    "take_every": Domain(
        blocks=ANY_BLOCK,
        sizes={"n": Whole(0, 70_003), "start": Whole(0, 301), "step": Whole(-51, 51, also=(0,))},
        arrays={"src": ANY_FLOAT},
        inputs=(
            Input("from the middle", {"n": 65, "start": 9, "step": -3}, from_the_middle),
            Input("long steps", {"n": 4, "start": 0, "step": 5_592_407}),
        ),
    ),
    "gather_rows": Domain(
        sizes={"n_src": Whole(1, 140_003), "n_rows": Whole(0, 1_101), "n_cols": Whole(1, 1_101)},
        arrays={"src": ANY_FLOAT},
    ),
    "drift": Domain(
        blocks=ANY_BLOCK,
        sizes={"n": Whole(0, 70_003)},
        scalars={"dt": Real(-1, 1, also=(0.0, 1e-7))},
        arrays={"bodies": SUMMED},
    ),
    "copy_from": Domain(
        blocks=ANY_BLOCK,
        sizes={"n": Whole(0, 70_003), "start": Whole(0, 11)},
        arrays={"src": ANY_FLOAT},
        inputs=(Input("far out", {"n": 13, "start": FAR}, far_out),),
    ),
    "box_down": Domain(sizes={"n_rows": Whole(1, 2_101), "n_cols": Whole(1, 1_101)}, arrays={"src": SUMMED}),
    "read_again": Domain(
        sizes={"n": Whole(0, 5_003), "times": Whole(0, 1_037), "threads": Whole(32, 256, step=32)},
        arrays={"src": Real(-1e6, 1e6)},
    ),
    "convolve": Domain(
        blocks=ANY_BLOCK_3D,
        sizes={
            "n_in": Whole(1, 41),
            "n_out": Whole(1, 41),
            "n_rows": Whole(1, 301),
            "n_cols": Whole(1, 301),
            "k": Whole(1, 19),
        },
        arrays={"src": SUMMED, "weights": SUMMED},
    ),
}
