"""Inputs, oracle, bound, launches, cases and costs of unit 14 for attention: queries, keys and values of some heads."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from autograder.contract import Argument, Case, Cost, Library, Rate, Sizes, Values
from autograder.exercises.common_values import ceil_div
from autograder.exercises.u14_attention.values import SMALLEST, WARP, U, weights_of

DIM = 32  # numbers of a query, a key and a value: one for each lane
KEYS = 32  # of a tile
QUERIES = 8  # of a block, a warp each
PRODUCTS = Rate("TFLOP/s", lambda at: 4e-12 * at["n_heads"] * at["n"] ** 2 * DIM)  # of queries, keys and values
HALF_THE_PRODUCTS = Rate("TFLOP/s", lambda at: PRODUCTS.work(at) / 2)  # where each query sees those before it
FAR_KEY, FAR_QUERY = 12, 3  # in every number: their scores lie near 12 * 3 * 32 / sqrt(32), about 204
FREE = ("n",)
ATTENTION_ARGUMENTS = (
    Argument("q", "in", "float32", "(n_heads, n, 32)", "a query for each place of the sequence"),
    Argument("k", "in", "float32", "(n_heads, n, 32)", "a key for each place"),
    Argument("v", "in", "float32", "(n_heads, n, 32)", "a value for each place"),
)
OUT = Argument("out", "out", "float32", "(n_heads, n, 32)", "for each query, the mean of all values by its weights")


def call(torch, values: Values, **options):
    """What a user would call: float32 on the plain units, as our kernels have it."""
    torch.backends.cuda.matmul.allow_tf32 = False
    q, k, v = (values[name][None] for name in ("q", "k", "v"))
    return torch.nn.functional.scaled_dot_product_attention(q, k, v, **options)


TORCH_ATTENTION = Library("torch attention", call)
TORCH_CAUSAL = Library("torch attention", lambda torch, values: call(torch, values, is_causal=True))


def sequence(n_heads: int, n: int) -> dict[str, int]:
    """Sizes of attention."""
    return {"n_heads": n_heads, "n": n}


def make_attention(sizes: Sizes, kind: str, rng: np.random.Generator) -> Values:
    """q, k, v and room for out. "exact": small whole numbers; "general": scores far above 0, far below, around it."""
    shape = sizes["n_heads"], sizes["n"], DIM
    if kind == "exact":
        q, k = rng.integers(-2, 3, (2, *shape))
        v = rng.integers(-9, 10, shape)
    else:
        q, k, v = rng.standard_normal((3, *shape))
        k = k + FAR_KEY
        q = q + FAR_QUERY * (np.arange(sizes["n"]) % 3 - 1)[:, None]
    arrays = {name: array.astype(np.float32) for name, array in zip("qkv", (q, k, v), strict=True)}
    return {**arrays, "out": np.zeros(shape, np.float32)}


def make_naive(sizes: Sizes, kind: str, rng: np.random.Generator) -> Values:
    """The same, with room for the matrix of scores. Raises ValueError for more of them than 32 bits count."""
    if sizes["n_heads"] * sizes["n"] ** 2 >= 1 << 31:
        raise ValueError(f"{sizes['n_heads']} matrices of {sizes['n']:,} x {sizes['n']:,} scores are too many.")
    values = make_attention(sizes, kind, rng)
    out = values.pop("out")
    return {**values, "scores": np.zeros((sizes["n_heads"] * sizes["n"], sizes["n"]), np.float32), "out": out}


def scores_of(values: Values, scale: float | None = None) -> np.ndarray:
    """(n_heads, n, n) float64: each query times each key, by default over the root of how many numbers they have."""
    scale = scale or 1 / math.sqrt(values["q"].shape[-1])
    return scale * np.einsum("hic,hjc->hij", values["q"].astype(np.float64), values["k"].astype(np.float64))


def causal_scores(values: Values, scale: float | None = None) -> np.ndarray:
    """The same, with minus infinity where a key comes after its query."""
    scores = scores_of(values, scale)
    return np.where(np.tri(scores.shape[-1], dtype=bool), scores, -np.inf)


def weighed(scores: np.ndarray, values: Values) -> dict:
    """out of scores: softmax of each row, times the values."""
    return {"out": np.einsum("hij,hjc->hic", weights_of(scores), values["v"].astype(np.float64))}


def attention(values: Values) -> dict:
    """out[h, i] = the sum over j of softmax(q k / sqrt(d))[i, j] v[h, j], float64, of vectors of d numbers."""
    return weighed(scores_of(values), values)


def causal(values: Values) -> dict:
    """The same over the keys up to the query's own place."""
    return weighed(causal_scores(values), values)


def error_of(scores: np.ndarray, values: Values, expected) -> dict:
    """A score is a sum of d products, and exp makes a relative error of its absolute one.

    An error in a weight moves the result towards its value or away from it, by no more than both are apart. Where the
    expected result is a mistake's, so many times the right one, its error is as many times larger.
    """
    absolute = scores_of({name: np.abs(values[name]) for name in ("q", "k")})
    far = np.nan_to_num(scores.max(axis=-1, keepdims=True) - scores, posinf=0)
    relative = U * (2 * math.sqrt(values["q"].shape[-1]) * absolute + 4 * far + 8 * math.sqrt(scores.shape[-1]) + 32)
    weights = weights_of(scores) * relative
    of_values = np.einsum("hij,hjc->hic", weights, np.abs(values["v"].astype(np.float64)))
    right = np.abs(weighed(scores, values)["out"])
    times = np.fmax(1, np.divide(np.abs(expected["out"]), right, where=right > 0, out=np.ones(right.shape)))
    return {"out": times * of_values + weights.sum(axis=-1, keepdims=True) * np.abs(expected["out"]) + SMALLEST}


def attention_bound(values: Values, expected) -> dict:
    """For attention over all keys."""
    return error_of(scores_of(values), values, expected)


def causal_bound(values: Values, expected) -> dict:
    """For attention over the keys up to the query's own place."""
    return error_of(causal_scores(values), values, expected)


FULL = sequence(2, 42)
CASES = (
    Case(FULL),
    *(Case(sequence(*sizes)) for sizes in ((1, 1), (3, 5), (1, 33))),
    Case(sequence(2, 37), "general"),
    Case(sequence(1, 3), "general"),
    Case(sequence(1, 100), trace=False),
)


def few_numbers(values: Values) -> dict[str, tuple]:
    """What a picture shows of the first head: one number of each query and key, two of each value and result."""
    one, two = ((0,), None, (0,)), ((0,), None, (0, 1))
    return {"q": one, "k": one, "v": two, "out": two}


def a_warp_per_query(values: Values) -> tuple:
    """Blocks of 32 x 8 threads: eight queries along x of the grid, a warp each, and a head along y."""
    n_heads, n = values["q"].shape[:2]
    return (ceil_div(n, QUERIES), n_heads), (WARP, QUERIES)


def tiled_cost(values: Values, keys_of: Callable[[int, int], int], seen_by: Callable[[int, int], int]) -> Cost:
    """Each block loads its queries once, and a tile after another of keys and values.

    keys_of: (first, n) -> keys that the block goes over whose queries begin at `first`; seen_by: (i, n) -> keys that
    query i is multiplied with.
    """
    n_heads, n = values["q"].shape[:2]
    blocks = range(0, n, QUERIES)
    keys = sum(keys_of(first, n) for first in blocks)
    tiles = sum(ceil_div(keys_of(first, n), KEYS) for first in blocks)
    products = 2 * DIM * sum(seen_by(i, n) for i in range(QUERIES * len(blocks)))
    flops = WARP * QUERIES * ((5 + 2 * KEYS) * tiles + 5 * len(blocks)) + products + n * DIM
    return Cost(read_bytes=4 * DIM * n_heads * (2 * keys + n), write_bytes=4 * DIM * n_heads * n, flops=n_heads * flops)


def flash_cost(values: Values) -> Cost:
    """All tiles for every block."""
    return tiled_cost(values, lambda first, n: n, lambda i, n: n)


def keys_up_to(first: int, n: int) -> int:
    """Keys that a block loads whose queries begin at `first`: whole tiles as far as its last query, and none past n."""
    return min(n, KEYS * ceil_div(first + QUERIES, KEYS))


def causal_cost(values: Values) -> Cost:
    """Tiles up to a block's last query."""
    return tiled_cost(values, keys_up_to, lambda i, n: i + 1)


def timed(n_bytes: int) -> dict[str, int]:
    """Sixteen heads and a sequence of 2,048, whatever room there is."""
    return sequence(16, 2048)
