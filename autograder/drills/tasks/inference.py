"""What an inference engine's kernels do: softmax, layer norm, requantisation, a fused epilogue."""

from __future__ import annotations

import numpy as np

from autograder.contract import Argument, Budget
from autograder.drills.tasks.task import RAGGED, covering, task, whole

EPSILON = np.finfo(np.float32).eps
ROWS = ({"n_rows": 1, "n_cols": 1}, {"n_rows": 3, "n_cols": 100}, {"n_rows": 5, "n_cols": 32})


def _make_rows(sizes, values, rng):
    n_rows, n_cols = sizes["n_rows"], sizes["n_cols"]
    src = rng.uniform(-4, 4, (n_rows, n_cols)).astype(np.float32) + np.float32(200)
    return {"src": src, "dst": np.zeros((n_rows, n_cols), np.float32)}


def _softmax(v):
    x = v["src"].astype(np.float64)
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return {"dst": e / e.sum(axis=1, keepdims=True)}


SRC_DST = (
    Argument("src", "in", "float32", "(n_rows, n_cols)"),
    Argument("dst", "out", "float32", "(n_rows, n_cols)"),
)

A_WARP_PER_ROW = (
    Budget(
        "global_load_requests", 72, {"n_rows": 3, "n_cols": 100},
        "a warp reads a row of 100 elements in four requests, and one lane by itself in a hundred", "one_lane_per_row",
    ),
)  # fmt: skip

SOFTMAX = task(
    "softmax",
    SRC_DST,
    _make_rows,
    _softmax,
    ROWS,
    lambda v: covering(v["src"].shape[0] * 32, 64),
    "# dst = softmax of every row of src, whose values are about 200; one warp per row\n"
    "# softmax[ceil(n_rows / 2), 64](src, dst)\n@cuda.jit\ndef softmax(src, dst):\n    ...\n",
    bound=lambda v, expected: {"dst": 64 * EPSILON * np.abs(expected["dst"]) + 1e-7},
    budgets=A_WARP_PER_ROW,
    values="general",
)


def _make_norm(sizes, values, rng):
    n_rows, n_cols = sizes["n_rows"], sizes["n_cols"]
    src = rng.uniform(-4, 4, (n_rows, n_cols)).astype(np.float32)
    return {"src": src, "dst": np.zeros((n_rows, n_cols), np.float32)}


def _layer_norm(v):
    x = v["src"].astype(np.float64)
    return {"dst": (x - x.mean(axis=1, keepdims=True)) / np.sqrt(x.var(axis=1, keepdims=True) + 1e-5)}


LAYER_NORM = task(
    "layer_norm",
    SRC_DST,
    _make_norm,
    _layer_norm,
    ROWS[1:],
    lambda v: covering(v["src"].shape[0] * 32, 64),
    "EPS = float32(1e-5)\n# dst = (src - mean) / sqrt(variance + EPS) of every row; one warp per row\n"
    "# layer_norm[ceil(n_rows / 2), 64](src, dst)\n@cuda.jit\ndef layer_norm(src, dst):\n    ...\n",
    bound=lambda v, expected: {"dst": 256 * EPSILON * (np.abs(expected["dst"]) + 1)},
    budgets=A_WARP_PER_ROW,
    values="general",
)


def _make_requantise(sizes, values, rng):
    n = sizes["n"]
    acc = rng.integers(-40000, 40001, n).astype(np.int32)
    acc[: n // 4] = np.arange(n // 4) * 128 - 64 * (n // 4) + 64  # many ties
    return {"acc": acc, "scale": np.float32(1 / 128), "out": np.zeros(n, np.int8)}


REQUANTISE = task(
    "requantise",
    (
        Argument("acc", "in", "int32", "(n,)"),
        Argument("scale", "scalar", "float32"),
        Argument("out", "out", "int8", "(n,)"),
    ),
    _make_requantise,
    lambda v: {"out": np.clip(np.rint(v["acc"] * np.float64(v["scale"])), -128, 127).astype(np.int8)},
    RAGGED,
    lambda v: covering(v["acc"].size, 256),
    "# out = acc * scale, rounded to nearest with ties to even, saturated to int8\n"
    "# requantise[ceil(n / 256), 256](acc, scale, out)\n@cuda.jit\ndef requantise(acc, scale, out):\n    ...\n",
)


def _make_quantise(sizes, values, rng):
    n = sizes["n"]
    x = (rng.integers(-300, 301, n) / 4).astype(np.float32)  # every other one lies halfway
    return {"x": x, "scale": np.float32(0.5), "q": np.zeros(n, np.int8)}


QUANTISE = task(
    "quantise",
    (
        Argument("x", "in", "float32", "(n,)"),
        Argument("scale", "scalar", "float32"),
        Argument("q", "out", "int8", "(n,)"),
    ),
    _make_quantise,
    lambda v: {"q": np.clip(np.rint(v["x"] / v["scale"]), -128, 127).astype(np.int8)},
    RAGGED,
    lambda v: covering(v["x"].size, 256),
    "# q = x / scale, rounded to nearest with ties to even, saturated to int8: a Q node\n"
    "# quantise[ceil(n / 256), 256](x, scale, q)\n@cuda.jit\ndef quantise(x, scale, q):\n    ...\n",
)


def _make_epilogue(sizes, values, rng):
    n = sizes["n"]
    channels = 5
    return {
        "x": whole(rng, n),
        "bias": whole(rng, channels),
        "residual": whole(rng, n),
        "out": np.zeros(n, np.float32),
    }


EPILOGUE = task(
    "fused_epilogue",
    (
        Argument("x", "in", "float32", "(n,)"),
        Argument("bias", "in", "float32", "(5,)"),
        Argument("residual", "in", "float32", "(n,)"),
        Argument("out", "out", "float32", "(n,)"),
    ),
    _make_epilogue,
    lambda v: {"out": np.maximum(v["x"] + v["bias"][np.arange(v["x"].size) % 5] + v["residual"], 0)},
    RAGGED,
    lambda v: covering(v["x"].size, 256),
    "# out = relu(x + bias[channel] + residual) in one pass; channels are the last axis: channel = i % 5\n"
    "# fused_epilogue[ceil(n / 256), 256](x, bias, residual, out)\n"
    "@cuda.jit\ndef fused_epilogue(x, bias, residual, out):\n    ...\n",
)


def _make_fold(sizes, values, rng):
    n = sizes["n"]
    return {
        "weights": whole(rng, n, 9),
        "gamma": whole(rng, n, top=8),
        "var": (rng.integers(1, 9, n) ** 2).astype(np.float32),
        "folded": np.zeros((n, 9), np.float32),
    }


FOLD = task(
    "fold_batch_norm",
    (
        Argument("weights", "in", "float32", "(n, 9)"),
        Argument("gamma", "in", "float32", "(n,)"),
        Argument("var", "in", "float32", "(n,)"),
        Argument("folded", "out", "float32", "(n, 9)"),
    ),
    _make_fold,
    lambda v: {"folded": v["weights"] * (v["gamma"] / np.sqrt(v["var"].astype(np.float64)))[:, None]},
    ({"n": 1}, {"n": 70}),
    lambda v: covering(v["weights"].size, 128),
    "# folded[c, k] = weights[c, k] * gamma[c] / sqrt(var[c]): batch norm folded into the filter of channel c\n"
    "# one thread a weight; fold_batch_norm[ceil(9 n / 128), 128](weights, gamma, var, folded)\n"
    "@cuda.jit\ndef fold_batch_norm(weights, gamma, var, folded):\n    ...\n",
    bound=lambda v, expected: {"folded": 8 * EPSILON * np.abs(expected["folded"]) + 1e-7},
    values="general",
)

TASKS = (SOFTMAX, LAYER_NORM, REQUANTISE, QUANTISE, EPILOGUE, FOLD)
