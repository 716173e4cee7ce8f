"""Inputs, oracles, bounds, launches, cases and costs of unit 21 for weights times one vector, of 16 and of 4 bits."""

from __future__ import annotations

import math

import numpy as np

from autograder.contract import Argument, Case, Cost, Library, Sizes, Values
from autograder.exercises.common_values import ceil_div
from autograder.exercises.u21_language_models.values import THREADS, WARP, WARPS, U, matrix

GROUP = 32  # weights that share a scale: 16 bytes
MIDDLE = 8  # the step that stands for 0
TOGETHER = 2  # rows of a warp of four_bit_product

# half_product

HALF_FULL = matrix(6, 1040)
HALF_ARGUMENTS = (
    Argument("weights", "in", "float16", "(n_rows, n_cols)", "n_cols is a multiple of 8"),
    Argument("x", "in", "float16", "(n_cols,)", "what comes in"),
    Argument("y", "out", "float32", "(n_rows,)", "weights times x"),
)
HALF_CASES = (
    Case(HALF_FULL),
    *(Case(matrix(*sizes)) for sizes in ((1, 8), (5, 40), (3, 1024), (2, 1032), (9, 264))),
    Case(matrix(6, 200), "general"),
    Case(matrix(4, 1032), "general", trace=False),
    Case(matrix(70, 2048), trace=False),
)


def make_half(sizes: Sizes, kind: str, rng: np.random.Generator) -> Values:
    """weights, x and room for y. "exact": whole numbers from -16 to 16."""
    shape = sizes["n_rows"], sizes["n_cols"]
    weights: np.ndarray
    x: np.ndarray
    if kind == "exact":
        weights, x = rng.integers(-16, 17, shape), rng.integers(-16, 17, shape[1])
        x[-1] = 16
    else:
        weights, x = rng.standard_normal(shape, np.float32), rng.standard_normal(shape[1], np.float32)
    arrays = {"weights": weights.astype(np.float16), "x": x.astype(np.float16)}
    return {**arrays, "y": np.zeros(shape[0], np.float32)}


def products(weights: np.ndarray, x: np.ndarray) -> np.ndarray:
    """weights times x in float64, some rows at a time: a large matrix of float64 need not fit into memory."""
    pieces = np.array_split(weights, max(1, weights.size >> 22))
    return np.concatenate([piece.astype(np.float64) @ x.astype(np.float64) for piece in pieces])


def half_product(values: Values) -> dict:
    """y = weights x, float64."""
    return {"y": products(values["weights"], values["x"])}


def half_bound(values: Values, expected) -> dict:
    """A sum in any order of float32."""
    terms = products(np.abs(values["weights"]), np.abs(values["x"]))
    return {"y": U * (2 * math.sqrt(values["x"].size) * terms + 4 * np.abs(expected["y"]))}


def a_thread_per_row(values: Values) -> tuple:
    """Blocks of 128 threads and a row of weights for each thread."""
    return max(1, ceil_div(values["y"].size, THREADS)), THREADS


def half_cost(values: Values) -> Cost:
    """A weight and a number of x for every product, and a block's sum for every row."""
    n_rows, n = values["weights"].shape[0], values["weights"].size
    return Cost(read_bytes=4 * n, write_bytes=4 * n_rows, flops=2 * n + 8 * THREADS * n_rows)


def timed(n_bytes: int) -> dict[str, int]:
    """A layer of a model of 8 billion weights, whatever room there is: 14,336 rows of 4,096."""
    return matrix(14_336, 4_096)


TORCH_MV = Library("torch.mv, FP16", lambda torch, values: torch.mv(values["weights"], values["x"]))

# four_bit_product

FOUR_FULL = matrix(8, 1056)
FOUR_ARGUMENTS = (
    Argument("packed", "in", "int8", "(n_rows, n_cols / 2)", "two steps in a byte, the first in its lower half"),
    Argument("scales", "in", "float16", "(n_rows, n_cols / 32)", "what a step of each group of 32 weights stands for"),
    Argument("x", "in", "float16", "(n_cols,)", "what comes in"),
    Argument("y", "out", "float32", "(n_rows,)", "weights times x"),
)
FOUR_CASES = (
    Case(FOUR_FULL),
    *(Case(matrix(*sizes)) for sizes in ((2, 32), (12, 96), (18, 64))),
    Case(matrix(8, 160), "general"),
    Case(matrix(6, 2080), "general", trace=False),
    Case(matrix(72, 1024), trace=False),
)


def make_four(sizes: Sizes, kind: str, rng: np.random.Generator) -> Values:
    """packed, scales, x and room for y. "exact": x of whole numbers, and scales that are powers of two."""
    n_rows, n_cols = sizes["n_rows"], sizes["n_cols"]
    packed = rng.integers(-128, 128, (n_rows, n_cols // 2), np.int8)
    shape = n_rows, n_cols // GROUP
    x: np.ndarray
    if kind == "exact":
        scales, x = 2.0 ** rng.integers(-2, 3, shape), rng.integers(-8, 9, n_cols)
    else:
        scales, x = rng.uniform(0.01, 0.2, shape), rng.standard_normal(n_cols)
    arrays = {"scales": scales.astype(np.float16), "x": x.astype(np.float16)}
    return {"packed": packed, **arrays, "y": np.zeros(n_rows, np.float32)}


def steps_of(packed: np.ndarray) -> np.ndarray:
    """(n_rows, n_cols) uint8: the steps, 0 to 15, in order."""
    whole = packed.view(np.uint8)
    return np.stack([whole & 15, whole >> 4], axis=-1).reshape(len(packed), -1)


def by_group(values: Values, steps: np.ndarray, x: np.ndarray | None = None) -> np.ndarray:
    """(n_rows, n_groups) float64: the sum of each group's steps times x, before it is scaled."""
    x = values["x"] if x is None else x
    numbers = steps.reshape(len(steps), -1, GROUP).astype(np.float32)  # sums of 32 products of 15 bits at most
    return np.einsum("rgk,gk->rg", numbers, x.reshape(-1, GROUP).astype(np.float64), optimize=True)


def weighed(values: Values, steps: np.ndarray) -> dict:
    """y of other steps."""
    return {"y": (by_group(values, steps) * values["scales"]).sum(axis=1)}


def centred(values: Values) -> np.ndarray:
    """(n_rows, n_cols) int8: steps from -8 to 7."""
    return steps_of(values["packed"]).astype(np.int8) - np.int8(MIDDLE)


def four_bit_product(values: Values) -> dict:
    """y[r] = the sum over c of (step[r, c] - 8) scales[r, c // 32] x[c], float64."""
    return weighed(values, centred(values))


def four_bound(values: Values, expected) -> dict:
    """A sum in any order of float32, also where 8 times the sum of x is taken off at the end."""
    steps = np.full(values["packed"].shape[1] * 2, 2 * MIDDLE, np.float64) * np.abs(values["x"].astype(np.float64))
    terms = np.abs(values["scales"]).astype(np.float64) @ steps.reshape(-1, GROUP).sum(axis=1)
    return {"y": U * (2 * math.sqrt(values["x"].size) * terms + 4 * np.abs(expected["y"]))}


def a_warp_per_two_rows(values: Values) -> tuple:
    """Blocks of 128 threads, four warps, and two rows of weights for each warp."""
    return max(1, ceil_div(values["packed"].shape[0], WARPS * TOGETHER)), THREADS


def four_cost(values: Values) -> Cost:
    """Half a byte of each weight, a scale of each group, and x once for two rows. A group has 63 flops of its own,
    and two for its scale; a warp's sum takes five per lane and row."""
    n_rows, n_groups = values["scales"].shape
    groups = n_rows * n_groups
    read = groups * (GROUP // 2 + 2) + 2 * GROUP * groups // TOGETHER
    return Cost(read_bytes=read, write_bytes=4 * n_rows, flops=groups * (2 * GROUP + 1) + 5 * WARP * n_rows)


_as_float16: dict[tuple, object] = {}


def torch_mv_of_the_same(torch, values: Values):
    """What a user would call with the same weights in FP16. They are made once for each set of values, untimed after
    the first call, and the last few are kept."""
    key = values["packed"].data_ptr(), values["packed"].shape
    if key not in _as_float16:
        while len(_as_float16) >= 8:
            _as_float16.pop(next(iter(_as_float16)))
        whole = values["packed"].view(torch.uint8)
        steps = torch.stack([whole & 15, whole >> 4], dim=-1).reshape(len(whole), -1, GROUP).half() - MIDDLE
        _as_float16[key] = (steps * values["scales"][..., None]).reshape(len(whole), -1)
    return torch.mv(_as_float16[key], values["x"])


TORCH_FP16 = Library("torch.mv, FP16", torch_mv_of_the_same)
