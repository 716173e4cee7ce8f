"""Inputs, oracles, bounds, launches, cases and costs of unit 16's layers: query_key_value, network_head."""

from __future__ import annotations

import numpy as np

from autograder.contract import Argument, Budget, Case, Cost, Sizes, Values
from autograder.exercises.common_values import ceil_div
from autograder.running.compare import sum_bound

WIDE, HIGH = 32, 8  # threads of a block along x and y, where a warp is one row of it


def at_work(n_threads: int, sizes: Sizes, why: str) -> Budget:
    """A budget that an answer misses in which few threads, or one block, do the work of all."""
    return Budget("threads_at_work", n_threads, sizes, why, "few_threads", floor=True)


def drawn(rng: np.random.Generator, kind: str, *shape: int) -> np.ndarray:
    """float32: whole numbers from -9 to 9 that are not 0, or anything in [-1, 1)."""
    if kind == "exact":
        return (rng.integers(1, 10, shape) * rng.choice([-1, 1], shape)).astype(np.float32)
    return rng.uniform(-1, 1, shape).astype(np.float32)


def room(*shape: int) -> np.ndarray:
    """A float32 output."""
    return np.zeros(shape, np.float32)


# query_key_value

JOINED = ("queries", "keys", "values")


def projection(n_rows: int, n_in: int, n_query: int, n_key: int) -> dict[str, int]:
    """Sizes of three layers with one input; keys and values are equally wide."""
    return {"n_rows": n_rows, "n_in": n_in, "n_query": n_query, "n_key": n_key}


PROJECTIONS = projection(16, 24, 40, 12)
PROJECTION_CASES = (
    Case(PROJECTIONS),
    *(Case(projection(*sizes)) for sizes in ((1, 1, 1, 1), (3, 5, 7, 2), (9, 33, 32, 16), (2, 6, 5, 31))),
    Case(projection(10, 20, 33, 9), "general"),
    Case(projection(45, 130, 120, 45), trace=False),
)
PROJECTION_ARGUMENTS = (
    Argument("x", "in", "float32", "(n_rows, n_in)", "the one input of all three layers"),
    Argument("weights", "in", "float32", "(n_in, n_query + 2 n_key)", "of all three, side by side"),
    Argument("queries", "out", "float32", "(n_rows, n_query)", "x times the first n_query columns"),
    Argument("keys", "out", "float32", "(n_rows, n_key)", "x times the next n_key"),
    Argument("values", "out", "float32", "(n_rows, n_key)", "x times the last n_key"),
)


def make_projections(sizes: Sizes, kind: str, rng: np.random.Generator) -> Values:
    """x, the weights of three layers side by side, and room for three results."""
    n_rows, n_in, n_query, n_key = (sizes[name] for name in ("n_rows", "n_in", "n_query", "n_key"))
    return {
        "x": drawn(rng, kind, n_rows, n_in),
        "weights": drawn(rng, kind, n_in, n_query + 2 * n_key),
        "queries": room(n_rows, n_query),
        "keys": room(n_rows, n_key),
        "values": room(n_rows, n_key),
    }


def apart(product: np.ndarray, values: Values) -> dict:
    """The columns of one wide product, by layer."""
    n_query, n_key = values["queries"].shape[1], values["keys"].shape[1]
    return dict(zip(JOINED, np.split(product, [n_query, n_query + n_key], axis=1), strict=True))


def projected(values: Values) -> dict:
    """Three products with one input, float64."""
    x, weights = (values[name].astype(np.float64) for name in ("x", "weights"))
    return apart(x @ weights, values)


def projected_bound(values: Values, expected) -> dict:
    absolute = apart(np.abs(values["x"].astype(np.float64)) @ np.abs(values["weights"]), values)
    n_in = values["x"].shape[1]
    return {name: sum_bound(absolute[name], n_in, expected[name]) for name in JOINED}


def a_thread_per_column(values: Values) -> tuple:
    """Blocks of 32 x 8 threads over the columns of all three: x along the columns, y down the rows."""
    n_rows, n_cols = values["x"].shape[0], values["weights"].shape[1]
    return (ceil_div(n_cols, WIDE), ceil_div(n_rows, HIGH)), (WIDE, HIGH)


def projection_cost(values: Values) -> Cost:
    """Each output takes n_in elements of x and as many weights."""
    outputs, n_in = values["x"].shape[0] * values["weights"].shape[1], values["x"].shape[1]
    return Cost(read_bytes=8 * outputs * n_in, write_bytes=4 * outputs, flops=2 * outputs * n_in)


# network_head

CHANNELS = 64  # at most
HEAD_THREADS = 128  # of a block, which has one image
HEAD_ARGUMENTS = (
    Argument("x", "in", "float32", "(n_images, n_channels, n_pixels)", "what the last convolution left"),
    Argument(
        "residual", "in", "float32", "(n_images, n_channels, n_pixels)", "the input of that layer, carried around it"
    ),
    Argument("weights", "in", "float32", "(n_channels, n_classes)", "of the fully connected layer"),
    Argument("bias", "in", "float32", "(n_classes,)", "one number per class"),
    Argument("logits", "out", "float32", "(n_images, n_classes)", "a score per class"),
)


def head(n_images: int, n_channels: int, n_pixels: int, n_classes: int) -> dict[str, int]:
    """Sizes of a network's head."""
    return {"n_images": n_images, "n_channels": n_channels, "n_pixels": n_pixels, "n_classes": n_classes}


def one_class(values: Values) -> dict[str, tuple]:
    """What a picture shows of the classes: the middle one."""
    return {"weights": (None, (1,)), "bias": ((1,),), "logits": ((0,), (1,))}


HEAD = head(2, 9, 64, 40)
HEAD_CASES = (
    Case(HEAD),
    *(Case(head(*sizes)) for sizes in ((1, 1, 1, 1), (2, 5, 16, 3), (1, 33, 4, 130), (1, 64, 2, 7))),
    Case(head(2, 6, 49, 33), "general"),
    Case(head(3, 64, 49, 200), "general", trace=False),
)


def make_head(sizes: Sizes, kind: str, rng: np.random.Generator) -> Values:
    """The end of a network, and room for its scores. Exact where n_pixels is a power of two."""
    n_images, n_channels, n_pixels, n_classes = sizes.values()
    return {
        "x": drawn(rng, kind, n_images, n_channels, n_pixels),
        "residual": drawn(rng, kind, n_images, n_channels, n_pixels),
        "weights": drawn(rng, kind, n_channels, n_classes),
        "bias": drawn(rng, kind, n_classes),
        "logits": room(n_images, n_classes),
    }


def headed(values: Values) -> dict:
    """bias + the average of max(x + residual, 0) of each channel, times weights. float64."""
    averages = np.maximum(values["x"].astype(np.float64) + values["residual"], 0).mean(axis=2)
    return {"logits": averages @ values["weights"].astype(np.float64) + values["bias"]}


def head_bound(values: Values, expected) -> dict:
    """Sums of n_pixels and of n_channels terms."""
    averages = np.maximum(values["x"].astype(np.float64) + values["residual"], 0).mean(axis=2)
    terms = averages @ np.abs(values["weights"].astype(np.float64)) + np.abs(values["bias"])
    n_terms = values["x"].shape[1] + values["x"].shape[2] + 2
    return {"logits": 2 * sum_bound(terms, n_terms, expected["logits"])}


def a_block_per_image(values: Values) -> tuple:
    """128 threads for each image."""
    return len(values["x"]), HEAD_THREADS


def head_cost(values: Values) -> Cost:
    """Both pictures once; each class takes its bias and a weight per channel. A sum per pixel and one of 32 lanes."""
    n_images, n_channels, n_pixels = values["x"].shape
    scores = values["logits"].size
    read = 8 * values["x"].size + 4 * scores * (1 + n_channels)
    flops = 2 * values["x"].size + 2 * scores * n_channels + n_images * n_channels * 5 * 32
    return Cost(read_bytes=read, write_bytes=4 * scores, flops=flops)
