"""An element and those round it: stencil, convolution of one axis, pooling."""

from __future__ import annotations

import numpy as np

from autograder.contract import Argument, Budget
from autograder.drills.tasks.task import RAGGED, SRC_DST, ceil_div, covering, make_src_dst, task, whole

RADIUS = 2


def _stencil_oracle(v):
    padded = np.pad(v["src"], RADIUS)
    return {"dst": sum(padded[d : d + v["src"].size] for d in range(2 * RADIUS + 1))}


STENCIL = task(
    "stencil_sum",
    SRC_DST,
    make_src_dst,
    _stencil_oracle,
    RAGGED,
    lambda v: covering(v["src"].size, 256),
    "THREADS, R, WIDTH = 256, 2, 260\n"
    "# dst[i] = src[i - 2] + ... + src[i + 2], zeros beyond the ends, through a shared tile with its halo\n"
    "# stencil_sum[ceil(n / 256), 256](src, dst)\n@cuda.jit\ndef stencil_sum(src, dst):\n    ...\n",
    budgets=(
        Budget(
            "global_load_bytes", 260 * 4, {"n": 256},
            "a block of 256 needs its elements and a halo of 2 on each side, each once", "too_much_traffic",
        ),
    ),
)  # fmt: skip


def _make_convolution(sizes, values, rng):
    n_rows, n_cols = sizes["n_rows"], sizes["n_cols"]
    return {
        "image": whole(rng, n_rows, n_cols),
        "weights": whole(rng, 3, 3, top=4),
        "out": np.zeros((n_rows - 2, n_cols - 2), np.float32),
    }


def _convolution_oracle(v):
    n_rows, n_cols = v["out"].shape
    taps = [v["weights"][a, b] * v["image"][a : a + n_rows, b : b + n_cols] for a in range(3) for b in range(3)]
    return {"out": sum(taps)}


CONVOLUTION = task(
    "convolve_3x3",
    (
        Argument("image", "in", "float32", "(n_rows, n_cols)"),
        Argument("weights", "in", "float32", "(3, 3)"),
        Argument("out", "out", "float32", "(n_rows - 2, n_cols - 2)"),
    ),
    _make_convolution,
    _convolution_oracle,
    ({"n_rows": 3, "n_cols": 3}, {"n_rows": 20, "n_cols": 45}),
    lambda v: ((ceil_div(v["out"].shape[1], 32), ceil_div(v["out"].shape[0], 8)), (32, 8)),
    "# out[r, c] = sum of weights[a, b] * image[r + a, c + b]: direct, no padding, as networks call a convolution\n"
    "# convolve_3x3[(ceil(out_cols / 32), ceil(out_rows / 8)), (32, 8)](image, weights, out)\n"
    "@cuda.jit\ndef convolve_3x3(image, weights, out):\n    ...\n",
)


def _make_pool(sizes, values, rng):
    n_rows, n_cols = sizes["n_rows"], sizes["n_cols"]
    return {"src": whole(rng, n_rows, n_cols), "dst": np.zeros((n_rows // 2, n_cols // 2), np.float32)}


def _pool_oracle(v):
    n_rows, n_cols = v["dst"].shape
    cut = v["src"][: 2 * n_rows, : 2 * n_cols]
    return {"dst": cut.reshape(n_rows, 2, n_cols, 2).max(axis=(1, 3))}


POOL = task(
    "max_pool_2x2",
    (
        Argument("src", "in", "float32", "(n_rows, n_cols)"),
        Argument("dst", "out", "float32", "(n_rows // 2, n_cols // 2)"),
    ),
    _make_pool,
    _pool_oracle,
    ({"n_rows": 2, "n_cols": 2}, {"n_rows": 21, "n_cols": 67}),
    lambda v: ((ceil_div(v["dst"].shape[1], 32), ceil_div(v["dst"].shape[0], 8)), (32, 8)),
    "# dst[r, c] = the largest of the 2 x 2 elements of src that it stands for; a spare row or column is left out\n"
    "# max_pool_2x2[(ceil(dst_cols / 32), ceil(dst_rows / 8)), (32, 8)](src, dst)\n"
    "@cuda.jit\ndef max_pool_2x2(src, dst):\n    ...\n",
)

TASKS = (STENCIL, CONVOLUTION, POOL)
