"""Inputs, bound, launches, cases and cost of unit 14 for attention on tensor cores: float16 vectors of 64 numbers."""

from __future__ import annotations

import numpy as np

from autograder.contract import Argument, Case, Cost, Library, Rate, Sizes, Values
from autograder.exercises.common_values import ceil_div
from autograder.exercises.u14_attention.attention_values import error_of, scores_of, sequence
from autograder.exercises.u14_attention.values import WARP, weights_of

SIDE = 64  # numbers of a vector, queries of a block, keys of a tile
THREADS = 128  # of a block
QUERIES = 16  # of a warp
HALF = 2.0**-11  # the roundoff of float16
SMALLEST = 2.0**-24  # above 0 in float16
TENSOR_CORES = 4.0  # times the error of float32 sums: they are rounded towards zero
FAR_KEY, FAR_QUERY = 8, 3  # in every number: their scores lie near 8 * 3 * 64 / sqrt(64), about 192
PRODUCTS = Rate("TFLOP/s", lambda at: 4e-12 * at["n_heads"] * at["n"] ** 2 * SIDE)  # of queries, keys and values
ARGUMENTS = (
    Argument("q", "in", "float16", "(n_heads, n, 64)", "a query for each place of the sequence"),
    Argument("k", "in", "float16", "(n_heads, n, 64)", "a key for each place"),
    Argument("v", "in", "float16", "(n_heads, n, 64)", "a value for each place"),
    Argument("out", "out", "float16", "(n_heads, n, 64)", "for each query, the mean of all values by its weights"),
)
FULL = sequence(2, 72)
CASES = (
    Case(FULL),
    *(Case(sequence(*sizes)) for sizes in ((1, 1), (1, 64))),
    Case(sequence(1, 70), "general"),
    Case(sequence(1, 3), "general"),
    Case(sequence(2, 130), "general", trace=False),
)


def call(torch, values: Values):
    """What a user would call, in float16 as our kernel has it."""
    q, k, v = (values[name][None] for name in ("q", "k", "v"))
    return torch.nn.functional.scaled_dot_product_attention(q, k, v)


TORCH_HALVES = Library("torch attention, float16", call)


def make_tensor(sizes: Sizes, kind: str, rng: np.random.Generator) -> Values:
    """q, k, v and room for out. "exact": small whole numbers; "general": scores far above 0, far below, around it."""
    shape = sizes["n_heads"], sizes["n"], SIDE
    if kind == "exact":
        q, k = rng.integers(-2, 3, (2, *shape)) / 2
        v = rng.integers(-9, 10, shape)
    else:
        q, k, v = rng.standard_normal((3, *shape), np.float32)
        k = k + FAR_KEY
        q = q + FAR_QUERY * (np.arange(sizes["n"]) % 3 - 1)[:, None]
    arrays = {name: array.astype(np.float16) for name, array in zip("qkv", (q, k, v), strict=True)}
    return {**arrays, "out": np.zeros(shape, np.float16)}


def tensor_bound(values: Values, expected) -> dict:
    """As attention in float32, whose sums tensor cores round towards zero; and each weight and each result is rounded
    to float16, in which a weight below its smallest number is nothing."""
    scores, of_values = scores_of(values), np.abs(values["v"].astype(np.float64))
    single = TENSOR_CORES * error_of(scores, values, expected)["out"]
    weighed = np.einsum("hij,hjc->hic", HALF * weights_of(scores) + SMALLEST, of_values)
    return {"out": single + weighed + HALF * np.abs(expected["out"]) + SMALLEST}


def a_block_per_tile(values: Values) -> tuple:
    """Blocks of 128 threads: 64 queries along x of the grid, 16 a warp, and a head along y."""
    n_heads, n = values["q"].shape[:2]
    return (ceil_div(n, SIDE), n_heads), THREADS


def a_warp_per_query(values: Values) -> tuple:
    """Blocks of 32 x 8 threads, a warp per query, as the naive kernel has it."""
    n_heads, n = values["q"].shape[:2]
    return (ceil_div(n, 8), n_heads), (WARP, 8)


def tensor_cost(values: Values) -> Cost:
    """Each block loads its queries once and all keys and values, and multiplies whole tiles.

    Beside the products a thread has, for each of its two rows of a tile, three flops for factor and total and four for
    each of 16 scores; and in the end two sums per row.
    """
    n_heads, n = values["q"].shape[:2]
    tiles = ceil_div(n, SIDE)  # of keys, and blocks of queries
    of_tile = 4 * SIDE**3 + THREADS * 2 * (3 + 4 * 16)
    return Cost(
        read_bytes=2 * SIDE * n_heads * (n + tiles * 2 * n),
        write_bytes=2 * SIDE * n_heads * n,
        flops=n_heads * tiles * (tiles * of_tile + THREADS * 2 * 2),
    )
