"""What a language model does for every token: attention of one query over a cache, and the most likely tokens."""

from __future__ import annotations

import numpy as np

from autograder.contract import Argument
from autograder.drills.tasks.task import task
from autograder.running.cases.domain import Domain, Whole

EPSILON = np.finfo(np.float32).eps
DIM = 32  # of a head, one lane each


def _make_decode(sizes, values, rng):
    heads, groups, tokens = sizes["n_kv"] * sizes["share"], sizes["n_kv"], sizes["n_tokens"]
    shapes = ((heads, DIM), (tokens, groups, DIM), (tokens, groups, DIM))
    q, k, v = (rng.uniform(-2, 2, shape).astype(np.float32) for shape in shapes)
    q, k = q + np.float32(2), k + np.float32(10)  # scores of about 113, whose exponentials float32 does not hold
    return {"q": q, "k": k, "v": v, "out": np.zeros((heads, DIM), np.float32)}


def _decode(values):
    q, k, v = (values[name].astype(np.float64) for name in "qkv")
    share = q.shape[0] // k.shape[1]
    out = np.zeros_like(q)
    for head in range(q.shape[0]):
        scores = k[:, head // share] @ q[head] / np.sqrt(DIM)
        weights = np.exp(scores - scores.max())
        out[head] = weights @ v[:, head // share] / weights.sum()
    return {"out": out}


GROUPED_DECODE = task(
    "grouped_decode",
    (
        Argument("q", "in", "float32", "(n_heads, dim)"),
        Argument("k", "in", "float32", "(n_tokens, n_kv, dim)"),
        Argument("v", "in", "float32", "(n_tokens, n_kv, dim)"),
        Argument("out", "out", "float32", "(n_heads, dim)"),
    ),
    _make_decode,
    _decode,
    (
        {"n_kv": 1, "share": 1, "n_tokens": 1},
        {"n_kv": 2, "share": 4, "n_tokens": 37},
        {"n_kv": 3, "share": 2, "n_tokens": 64},
    ),
    lambda v: (v["q"].shape[0], DIM),
    "# out = attention of one query per head; each head of k and v serves n_heads / n_kv query heads in a row\n"
    "# scores are divided by sqrt(32); one warp per head; grouped_decode[n_heads, 32](q, k, v, out)\n"
    "@cuda.jit\ndef grouped_decode(q, k, v, out):\n    ...\n",
    bound=lambda v, expected: {"out": 1024 * EPSILON * (np.abs(expected["out"]) + 1)},
    values="general",
    free_sizes=("n_tokens",),
)


def _make_top(sizes, values, rng):
    n, k = sizes["n"], min(sizes["n"], int(rng.integers(1, 9)))
    src = rng.integers(-20, 20, n).astype(np.float32)  # some are equal
    return {"src": src, "values": np.zeros(k, np.float32), "places": np.zeros(k, np.int32)}


def _top(v):
    order = np.argsort(-v["src"], kind="stable")[: v["values"].size]
    return {"values": v["src"][order], "places": order.astype(np.int32)}


TOP_K = task(
    "top_k",
    (
        Argument("src", "in", "float32", "(n,)"),
        Argument("values", "out", "float32", "(k,)"),
        Argument("places", "out", "int32", "(k,)"),
    ),
    _make_top,
    _top,
    ({"n": 1}, {"n": 100}, {"n": 256}),
    lambda v: (1, 256),
    "# values = the k largest of src, largest first, and places where they stand; of equal ones the first first\n"
    "# n <= 256 in one block; top_k[1, 256](src, values, places), where k is values.size\n"
    "@cuda.jit\ndef top_k(src, values, places):\n    ...\n",
    free_sizes=(),
    domain=Domain(sizes={"n": Whole(1, 256)}),
)

TASKS = (GROUPED_DECODE, TOP_K)
