"""What interviews of 2026 ask to be written: norms and their gradients, selection, pooling, quantised weights."""

from __future__ import annotations

import numpy as np

from autograder.contract import Argument, Budget
from autograder.drills.tasks.task import covering, task, whole
from autograder.running.cases.domain import Domain, Whole

EPSILON = np.finfo(np.float32).eps
ROWS = ({"n_rows": 1, "n_cols": 1}, {"n_rows": 3, "n_cols": 100}, {"n_rows": 5, "n_cols": 33})
A_WARP_PER_ROW = (
    Budget(
        "global_load_requests", 88, {"n_rows": 3, "n_cols": 100},
        "a warp reads a row of 100 elements in four requests, and one lane by itself in a hundred", "one_lane_per_row",
    ),
)  # fmt: skip


def _floats(rng, *shape):
    return rng.uniform(-4, 4, shape).astype(np.float32)


def _make_rms(sizes, values, rng):
    n_rows, n_cols = sizes["n_rows"], sizes["n_cols"]
    dst = np.zeros((n_rows, n_cols), np.float32)
    return {"src": _floats(rng, n_rows, n_cols), "weight": _floats(rng, n_cols), "dst": dst}


def _rms(v):
    x = v["src"].astype(np.float64)
    return {"dst": x / np.sqrt((x * x).mean(axis=1, keepdims=True) + 1e-6) * v["weight"]}


RMS_NORM = task(
    "rms_norm",
    (
        Argument("src", "in", "float32", "(n_rows, n_cols)"),
        Argument("weight", "in", "float32", "(n_cols,)"),
        Argument("dst", "out", "float32", "(n_rows, n_cols)"),
    ),
    _make_rms,
    _rms,
    ROWS,
    lambda v: covering(v["src"].shape[0] * 32, 64),
    "# dst = src / sqrt(mean of src^2 + 1e-6) * weight, of every row; one warp per row\n"
    "# rms_norm[ceil(n_rows / 2), 64](src, weight, dst)\n@cuda.jit\ndef rms_norm(src, weight, dst):\n    ...\n",
    bound=lambda v, expected: {"dst": 64 * EPSILON * np.abs(expected["dst"]) + 1e-6},
    budgets=A_WARP_PER_ROW,
    values="general",
)


def _make_gradient(sizes, values, rng):
    shape = sizes["n_rows"], sizes["n_cols"]
    x = _floats(rng, *shape) + np.float32(500)  # where the mean of squares less the squared mean has lost the variance
    return {"x": x, "grad": _floats(rng, *shape), "dst": np.zeros(shape, np.float32)}


def _gradient(v):
    x, g = v["x"].astype(np.float64), v["grad"].astype(np.float64)
    scale = 1 / np.sqrt(x.var(axis=1, keepdims=True) + 1e-5)
    normed = (x - x.mean(axis=1, keepdims=True)) * scale
    return {"dst": (g - g.mean(axis=1, keepdims=True) - normed * (g * normed).mean(axis=1, keepdims=True)) * scale}


LAYER_NORM_GRADIENT = task(
    "layer_norm_gradient",
    (
        Argument("x", "in", "float32", "(n_rows, n_cols)"),
        Argument("grad", "in", "float32", "(n_rows, n_cols)"),
        Argument("dst", "out", "float32", "(n_rows, n_cols)"),
    ),
    _make_gradient,
    _gradient,
    ({"n_rows": 3, "n_cols": 100}, {"n_rows": 5, "n_cols": 33}),
    lambda v: covering(v["x"].shape[0] * 32, 64),
    "# z = (x - mean) / sqrt(variance + 1e-5) of every row; from grad, the gradient by z, comes the one by x:\n"
    "# dst = (grad - mean(grad) - z mean(grad z)) / sqrt(variance + 1e-5); one warp per row\n"
    "# layer_norm_gradient[ceil(n_rows / 2), 64](x, grad, dst)\n"
    "@cuda.jit\ndef layer_norm_gradient(x, grad, dst):\n    ...\n",
    bound=lambda v, expected: {"dst": 256 * EPSILON * np.abs(expected["dst"]) + 1e-4},
    values="general",
    free_sizes=(),
)


def _make_concat(sizes, values, rng):
    n_rows, n_a, n_b = sizes["n_rows"], sizes["n_a"], sizes["n_b"]
    dst = np.zeros((n_rows, n_a + n_b), np.float32)
    return {"a": whole(rng, n_rows, n_a), "b": whole(rng, n_rows, n_b), "dst": dst}


CONCATENATE = task(
    "concatenate",
    (
        Argument("a", "in", "float32", "(n_rows, n_a)"),
        Argument("b", "in", "float32", "(n_rows, n_b)"),
        Argument("dst", "out", "float32", "(n_rows, n_a + n_b)"),
    ),
    _make_concat,
    lambda v: {"dst": np.concatenate([v["a"], v["b"]], axis=1)},
    ({"n_rows": 1, "n_a": 1, "n_b": 1}, {"n_rows": 7, "n_a": 40, "n_b": 25}, {"n_rows": 33, "n_a": 5, "n_b": 64}),
    lambda v: covering(v["dst"].size, 256),
    "# each row of dst is the row of a and behind it the row of b; neighbours write neighbours\n"
    "# concatenate[ceil(n_rows (n_a + n_b) / 256), 256](a, b, dst)\n@cuda.jit\ndef concatenate(a, b, dst):\n    ...\n",
)


def _make_bags(sizes, values, rng):
    n_rows, n_cols, n_ids = sizes["n_rows"], sizes["n_cols"], sizes["n_ids"]
    starts = np.concatenate([[0], np.cumsum(rng.integers(0, 6, n_rows))]).astype(np.int32)
    ids = rng.integers(0, n_ids, max(1, starts[-1])).astype(np.int32)
    dst = np.zeros((n_rows, n_cols), np.float32)
    return {"table": whole(rng, n_ids, n_cols), "ids": ids, "starts": starts, "dst": dst}


def _bags(v):
    ends = zip(v["starts"][:-1], v["starts"][1:], strict=True)
    return {"dst": np.array([v["table"][v["ids"][first:last]].sum(axis=0) for first, last in ends], np.float32)}


POOLING = task(
    "embedding_pooling",
    (
        Argument("table", "in", "float32", "(n_ids, n_cols)"),
        Argument("ids", "in", "int32", "(nnz,)"),
        Argument("starts", "in", "int32", "(n_rows + 1,)"),
        Argument("dst", "out", "float32", "(n_rows, n_cols)"),
    ),
    _make_bags,
    _bags,
    ({"n_rows": 1, "n_cols": 1, "n_ids": 3}, {"n_rows": 9, "n_cols": 100, "n_ids": 20}),
    lambda v: (v["dst"].shape[0], 64),
    "# dst[r] = the sum of the rows of table that ids[starts[r]:starts[r + 1]] names; zeros for none\n"
    "# one block per row, one thread for every 64th column; embedding_pooling[n_rows, 64](table, ids, starts, dst)\n"
    "@cuda.jit\ndef embedding_pooling(table, ids, starts, dst):\n    ...\n",
    free_sizes=(),
)


def _make_dilated(sizes, values, rng):
    n, spread = sizes["n"], np.int32(rng.integers(1, 5))
    dst = np.zeros(max(0, n - 2 * int(spread)), np.float32)
    return {"src": whole(rng, n), "weights": whole(rng, 3), "spread": spread, "dst": dst}


def _dilated(v):
    count, spread = v["dst"].size, int(v["spread"])
    taps = [v["weights"][k] * v["src"][k * spread : k * spread + count] for k in range(3)]
    return {"dst": np.sum(taps, axis=0, dtype=np.float32)}


DILATED = task(
    "dilated_convolution",
    (
        Argument("src", "in", "float32", "(n,)"),
        Argument("weights", "in", "float32", "(3,)"),
        Argument("spread", "scalar", "int32"),
        Argument("dst", "out", "float32", "(n - 2 * spread,)"),
    ),
    _make_dilated,
    _dilated,
    ({"n": 9}, {"n": 256}, {"n": 1025}),
    lambda v: covering(v["dst"].size, 256),
    "# dst[i] = weights[0] src[i] + weights[1] src[i + spread] + weights[2] src[i + 2 spread], without padding\n"
    "# dilated_convolution[ceil((n - 2 spread) / 256), 256](src, weights, spread, dst)\n"
    "@cuda.jit\ndef dilated_convolution(src, weights, spread, dst):\n    ...\n",
    free_sizes=(),
)


def _make_gemv(sizes, values, rng):
    n_rows, n_cols = sizes["n_rows"], sizes["n_cols"]
    return {
        "w": rng.integers(-127, 128, (n_rows, n_cols)).astype(np.int8),
        "scales": (2.0 ** rng.integers(-3, 3, n_rows)).astype(np.float32),
        "x": whole(rng, n_cols, top=20),
        "y": np.zeros(n_rows, np.float32),
    }


GEMV = task(
    "int8_gemv",
    (
        Argument("w", "in", "int8", "(n_rows, n_cols)"),
        Argument("scales", "in", "float32", "(n_rows,)"),
        Argument("x", "in", "float32", "(n_cols,)"),
        Argument("y", "out", "float32", "(n_rows,)"),
    ),
    _make_gemv,
    lambda v: {"y": (v["w"].astype(np.float64) @ v["x"] * v["scales"]).astype(np.float32)},
    ROWS,
    lambda v: covering(v["w"].shape[0] * 32, 128),
    "# y[r] = scales[r] * sum of w[r, c] x[c]: weights of 8 bits, all else in float32; one warp per row\n"
    "# int8_gemv[ceil(n_rows / 4), 128](w, scales, x, y)\n@cuda.jit\ndef int8_gemv(w, scales, x, y):\n    ...\n",
    budgets=A_WARP_PER_ROW,
    free_sizes=(),
)


def _make_kth(sizes, values, rng):
    n = sizes["n"]
    return {"src": whole(rng, n, top=20), "k": np.int32(rng.integers(1, n + 1)), "out": np.zeros(1, np.float32)}


KTH = task(
    "kth_largest",
    (
        Argument("src", "in", "float32", "(n,)"),
        Argument("k", "scalar", "int32"),
        Argument("out", "out", "float32", "(1,)"),
    ),
    _make_kth,
    lambda v: {"out": np.sort(v["src"])[::-1][int(v["k"]) - 1 : int(v["k"])]},
    ({"n": 1}, {"n": 100}, {"n": 256}),
    lambda v: (1, 256),
    "# out[0] = the k-th largest of src, 1 for the largest, for n <= 256 in one block; equal elements count apart\n"
    "# kth_largest[1, 256](src, k, out)\n@cuda.jit\ndef kth_largest(src, k, out):\n    ...\n",
    free_sizes=(),
    domain=Domain(sizes={"n": Whole(1, 256)}),
)


def _make_area(sizes, values, rng):
    shape = sizes["n_rows"], sizes["n_cols"]
    return {"src": whole(rng, *shape), "dst": np.zeros(shape, np.float32)}


SUMMED_AREA = task(
    "summed_area",
    (Argument("src", "in", "float32", "(n_rows, n_cols)"), Argument("dst", "out", "float32", "(n_rows, n_cols)")),
    _make_area,
    lambda v: {"dst": v["src"].cumsum(axis=0).cumsum(axis=1)},
    ({"n_rows": 1, "n_cols": 1}, {"n_rows": 7, "n_cols": 32}, {"n_rows": 32, "n_cols": 20}),
    lambda v: (1, (32, 32)),
    "# dst[r, c] = the sum of src[0 .. r, 0 .. c], for up to 32 x 32 in one block; no thread adds up the whole area\n"
    "# summed_area[1, (32, 32)](src, dst)\n@cuda.jit\ndef summed_area(src, dst):\n    ...\n",
    budgets=(
        Budget(
            "global_load_requests", 32, {"n_rows": 32, "n_cols": 20},
            "each element is needed from global memory once, in one request for each row", "too_much_traffic",
        ),
    ),
    free_sizes=(),
    domain=Domain(sizes={"n_rows": Whole(1, 32), "n_cols": Whole(1, 32)}),
)  # fmt: skip

TASKS = (RMS_NORM, LAYER_NORM_GRADIENT, CONCATENATE, POOLING, DILATED, GEMV, KTH, SUMMED_AREA)
