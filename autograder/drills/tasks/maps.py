"""One thread, one element; and any grid, any length."""

from __future__ import annotations

import numpy as np

from autograder.contract import Argument, Budget
from autograder.drills.tasks.task import RAGGED, SRC_DST, covering, make_src_dst, task, whole

NEGATE = task(
    "negate",
    SRC_DST,
    make_src_dst,
    lambda v: {"dst": -v["src"]},
    RAGGED,
    lambda v: covering(v["src"].size, 256),
    "# negate[ceil(n / 256), 256](src, dst)\n@cuda.jit\ndef negate(src, dst):\n    ...\n",
)

STRIDED_NEGATE = task(
    "grid_stride_negate",
    SRC_DST,
    make_src_dst,
    lambda v: {"dst": -v["src"]},
    ({"n": 1}, {"n": 255}, {"n": 4096}, {"n": 5001}),
    lambda v: (3, 64),
    "# grid_stride_negate[3, 64](src, dst), whatever n is\n@cuda.jit\ndef grid_stride_negate(src, dst):\n    ...\n",
)


def _make_saxpy(sizes, values, rng):
    n = sizes["n"]
    return {"alpha": np.float32(3), "x": whole(rng, n), "y": whole(rng, n), "out": np.zeros(n, np.float32)}


SAXPY = task(
    "saxpy_in_single",
    (
        Argument("alpha", "scalar", "float32"),
        Argument("x", "in", "float32", "(n,)"),
        Argument("y", "in", "float32", "(n,)"),
        Argument("out", "out", "float32", "(n,)"),
    ),
    _make_saxpy,
    lambda v: {"out": 2 * v["alpha"] * v["x"] + v["y"]},
    RAGGED,
    lambda v: covering(v["x"].size, 256),
    "# out = 2 alpha x + y, with no double-precision arithmetic\n"
    "# saxpy_in_single[ceil(n / 256), 256](alpha, x, y, out)\n"
    "@cuda.jit\ndef saxpy_in_single(alpha, x, y, out):\n    ...\n",
    budgets=(
        Budget("float64_flops", 0, {"n": 1025}, "two float32 products and a sum need no float64", "float64_arithmetic"),
    ),
)


def _make_clamp(sizes, values, rng):
    return {"src": whole(rng, sizes["n"]), "limit": np.float32(6), "dst": np.zeros(sizes["n"], np.float32)}


RELU6 = task(
    "clipped_relu",
    (
        Argument("src", "in", "float32", "(n,)"),
        Argument("limit", "scalar", "float32"),
        Argument("dst", "out", "float32", "(n,)"),
    ),
    _make_clamp,
    lambda v: {"dst": np.clip(v["src"], 0, v["limit"])},
    RAGGED,
    lambda v: covering(v["src"].size, 256),
    "# dst = min(max(src, 0), limit), without an if on the value\n"
    "# clipped_relu[ceil(n / 256), 256](src, limit, dst)\n"
    "@cuda.jit\ndef clipped_relu(src, limit, dst):\n    ...\n",
    budgets=(
        Budget(
            "divergent_branches", 0, {"n": 256},
            "an if on the value sends the lanes of a warp two ways; min and max do not", "branch_on_the_value",
        ),
    ),
)  # fmt: skip


def _make_pairs(sizes, values, rng):
    n = sizes["n"]
    return {"pairs": whole(rng, n, 2), "x": np.zeros(n, np.float32), "y": np.zeros(n, np.float32)}


UNZIP = task(
    "structure_of_arrays",
    (
        Argument("pairs", "in", "float32", "(n, 2)"),
        Argument("x", "out", "float32", "(n,)"),
        Argument("y", "out", "float32", "(n,)"),
    ),
    _make_pairs,
    lambda v: {"x": v["pairs"][:, 0].copy(), "y": v["pairs"][:, 1].copy()},
    RAGGED,
    lambda v: covering(v["x"].size, 256),
    "# x[i], y[i] = pairs[i]\n# structure_of_arrays[ceil(n / 256), 256](pairs, x, y)\n"
    "@cuda.jit\ndef structure_of_arrays(pairs, x, y):\n    ...\n",
)

TASKS = (NEGATE, STRIDED_NEGATE, SAXPY, RELU6, UNZIP)
