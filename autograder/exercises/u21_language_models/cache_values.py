"""Inputs, oracles, bounds, launches, cases and costs of unit 21 for attention of one query over a cache in pages."""

from __future__ import annotations

import math

import numpy as np

from autograder.contract import Argument, Case, Cost, Library, Sizes, Values
from autograder.exercises.common_values import ceil_div
from autograder.exercises.u21_language_models.values import HEAD, WARP, U

PAGE = 16  # places of a page
SHARED = 4  # heads of queries that share one head of keys and values
SPLIT = 512  # keys of a block
THREADS = 256  # of a block
PARTS = THREADS // 16  # half warps of a block: each takes a key at a time, 16 bytes per lane
SCALE = 1 / math.sqrt(HEAD)
FAR_KEY, FAR_QUERY = 4, 3  # in every number: their scores lie near 4 * 3 * 128 / sqrt(128), about 136
OTHERS = 5.0  # each number of a text that had the page before
NOWHERE = 1 << 30  # in the table, where no page is


def cache(n_keys: int, n_shared: int) -> dict[str, int]:
    """Sizes of a cache: places of the text, and heads of keys."""
    return {"n_keys": n_keys, "n_shared": n_shared}


FULL = cache(600, 2)
MOST_LOADED = 1_000_000  # bytes in that case: keys and values are 614,400, and their pages and the queries the rest
CACHE_ARGUMENTS = (
    Argument("q", "in", "float16", "(4 n_shared, 128)", "a query of each head; four heads share a head of keys"),
    Argument(
        "keys",
        "in",
        "float16",
        "(n_shared, 16 n_pages, 128)",
        "of each shared head pages of 16 keys, one after the other",
    ),
    Argument("values", "in", "float16", "(n_shared, 16 n_pages, 128)", "pages of 16 values, likewise"),
    Argument("pages", "in", "int32", "(n_table,)", "the page of places 0 to 15, of 16 to 31, and so on"),
    Argument("n_keys", "scalar", "int32", "", "places of the text so far: what lies behind them may be anything"),
)
ATTENTION_ARGUMENTS = (
    *CACHE_ARGUMENTS,
    Argument("parts", "out", "float32", "(n_splits, 4 n_shared, 128)", "attention over each split of 512 keys alone"),
    Argument("logs", "out", "float32", "(n_splits, 4 n_shared)", "the logarithm of the sum of exp of its scores"),
)
ATTENTION_CASES = (
    Case(FULL),
    *(Case(cache(*sizes)) for sizes in ((1, 1), (9, 2), (33, 1), (512, 1))),
    Case(cache(530, 1), "general"),
    Case(cache(100, 2), "general"),
    Case(cache(1300, 3), "general", trace=False),
)


def make_attention(sizes: Sizes, kind: str, rng: np.random.Generator, behind: float = OTHERS) -> Values:
    """A query per head and a cache whose pages lie in no order. Behind the last key lies what others left, and the
    table has an entry more than it needs, which names no page. "general": scores far above 0, far below, around it."""
    n_keys, n_shared = sizes["n_keys"], sizes["n_shared"]
    used = ceil_div(n_keys, PAGE)
    shape = n_shared, used + 2, PAGE, HEAD
    q: np.ndarray
    keys: np.ndarray
    values: np.ndarray
    if kind == "exact":
        q = rng.integers(-2, 3, (SHARED * n_shared, HEAD)) / 4
        keys, values = rng.integers(-2, 3, shape), rng.integers(-9, 10, shape)
    else:
        keys, values = rng.standard_normal(shape, np.float32) + FAR_KEY, rng.standard_normal(shape, np.float32)
        q = rng.standard_normal((SHARED * n_shared, HEAD), np.float32)
        q += FAR_QUERY * (np.arange(len(q)) % 3 - 1)[:, None]
    keys, values = keys.astype(np.float16), values.astype(np.float16)
    pages = rng.permutation(used + 2)[:used]
    left = np.setdiff1d(np.arange(used + 2), pages)
    for array in (keys, values):
        array[:, left] = behind
        array[:, pages[-1], (n_keys - 1) % PAGE + 1 :] = behind
    n_splits = ceil_div(n_keys, SPLIT)
    return {
        "q": q.astype(np.float16),
        "keys": keys.reshape(n_shared, -1, HEAD),
        "values": values.reshape(n_shared, -1, HEAD),
        "pages": np.append(pages, NOWHERE).astype(np.int32),
        "n_keys": np.int32(n_keys),
        "parts": np.zeros((n_splits, len(q), HEAD), np.float32),
        "logs": np.zeros((n_splits, len(q)), np.float32),
    }


def few_numbers(values: Values) -> dict[str, tuple]:
    """What a picture shows: one of the 128 numbers of queries and keys, two of values and results, and of the cache the
    rows of the text, whose numbers say where its page lies."""
    rows = tuple(int(PAGE * values["pages"][j // PAGE] + j % PAGE) for j in range(int(values["n_keys"])))
    cache_part = {"keys": ((0,), rows, (0,)), "values": ((0,), rows, (0, 1))}
    return {"q": (None, (0,)), **cache_part, "pages": None, "parts": ((0,), None, (0, 1))}


def in_order(values: Values, name: str, pages: np.ndarray | None = None) -> np.ndarray:
    """(n_shared, n_keys, 128) float64: the keys or the values of the text, page after page."""
    pages = values["pages"][: ceil_div(int(values["n_keys"]), PAGE)] if pages is None else pages
    rows = (PAGE * pages[:, None].astype(np.int64) + np.arange(PAGE)).ravel()[: values["n_keys"]]
    return values[name][:, rows].astype(np.float64)


def for_heads(shared: np.ndarray) -> np.ndarray:
    """What each head of queries sees of the shared heads: heads 0 to 3 the first, 4 to 7 the second."""
    return np.repeat(shared, SHARED, axis=0)


def scores_of(values: Values, keys: np.ndarray | None = None, scale: float = SCALE) -> np.ndarray:
    """(n_heads, n_keys) float64: each query times the keys of its head."""
    keys = for_heads(in_order(values, "keys")) if keys is None else keys
    return scale * np.einsum("hc,hjc->hj", values["q"].astype(np.float64), keys)


def by_split(scores: np.ndarray, of_values: np.ndarray, width: int = SPLIT) -> dict:
    """parts and logs of scores (n_heads, n_keys) and values (n_heads, n_keys, 128)."""
    parts, logs = [], []
    for first in range(0, scores.shape[1], width):
        split = scores[:, first : first + width]
        top = split.max(axis=1, keepdims=True)
        with np.errstate(all="ignore"):
            powers = np.exp(split - top)
            total = powers.sum(axis=1)
            parts.append(np.einsum("hj,hjc->hc", powers, of_values[:, first : first + width]) / total[:, None])
            logs.append(top[:, 0] + np.log(total))
    return {"parts": np.stack(parts), "logs": np.stack(logs)}


def attention(values: Values) -> dict:
    """Attention over each split of 512 keys alone, and the logarithm of its total, float64."""
    return by_split(scores_of(values), for_heads(in_order(values, "values")))


def attention_bound(values: Values, expected) -> dict:
    """A score is a sum of 128 products, and exp makes a relative error of its absolute one; sums in any order."""
    scores, of_values = scores_of(values), for_heads(in_order(values, "values"))
    absolute = scores_of(
        values | {"q": np.abs(values["q"])}, np.abs(for_heads(in_order(values, "keys")))
    )  # of each score's terms
    found = {"parts": np.empty(expected["parts"].shape), "logs": np.empty(expected["logs"].shape)}
    for split, first in enumerate(range(0, scores.shape[1], SPLIT)):
        part = slice(first, first + SPLIT)
        far = scores[:, part].max(axis=1, keepdims=True) - scores[:, part]
        relative = U * (2 * math.sqrt(HEAD) * absolute[:, part] + 4 * far + 8 * math.sqrt(SPLIT) + 32)
        weights = np.exp(-far)
        weights *= relative / weights.sum(axis=1, keepdims=True)
        found["parts"][split] = np.einsum("hj,hjc->hc", weights, np.abs(of_values[:, part]))
        found["parts"][split] += weights.sum(axis=1, keepdims=True) * np.abs(expected["parts"][split]) + U
        found["logs"][split] = weights.sum(axis=1) + 8 * U * np.abs(expected["logs"][split]) + 8 * U
    return found


def a_block_per_split(values: Values) -> tuple:
    """Blocks of 256 threads: a split of 512 keys along x of the grid, and a shared head along y."""
    return (max(1, ceil_div(int(values["n_keys"]), SPLIT)), values["keys"].shape[0]), THREADS


def attention_cost(values: Values) -> Cost:
    """Each block loads its queries; keys and values, in pieces of 32 of which the last may be the same, with their
    entries of the table.

    A product of a query and a key has 20 flops per lane and head, half a warp's sum and the scale included, and a value
    16; a softmax has three per score, and six per lane and head for what a warp adds up and the logarithm.
    """
    n_keys, n_shared = int(values["n_keys"]), values["keys"].shape[0]
    read = flops = 0
    for first in range(0, n_keys, SPLIT):
        n = min(SPLIT, n_keys - first)
        asked = 2 * PARTS * ceil_div(n, 2 * PARTS)
        read += THREADS * SHARED * 16 + 2 * asked * 16 * (16 + 4)
        flops += asked * 16 * SHARED * (20 + 16) + 3 * n * SHARED + 6 * WARP * SHARED + SHARED * HEAD * PARTS
    written = 4 * values["parts"].size + 4 * values["logs"].size
    return Cost(read_bytes=n_shared * read, write_bytes=written, flops=n_shared * flops)


def timed(n_bytes: int) -> dict[str, int]:
    """A text of 32,768 places and 8 shared heads, whatever room there is."""
    return cache(32_768, 8)


_together: dict[tuple, tuple] = {}


def torch_attention(torch, values: Values):
    """What a user would call, on keys and values that lie in order: they are gathered once for each set of values,
    untimed after the first call, and the last few are kept."""
    key = tuple(values[name].data_ptr() for name in ("keys", "values"))
    if key not in _together:
        while len(_together) >= 8:
            _together.pop(next(iter(_together)))
        n_keys = int(values["n_keys"])
        table = values["pages"][: ceil_div(n_keys, PAGE)].long()
        rows = (PAGE * table[:, None] + torch.arange(PAGE, device=table.device)).flatten()[:n_keys]
        _together[key] = tuple(values[name][None, :, rows].contiguous() for name in ("keys", "values"))
    call = torch.nn.functional.scaled_dot_product_attention
    return call(values["q"][None, :, None], *_together[key], enable_gqa=True)


TORCH_ATTENTION = Library("torch attention, FP16", torch_attention)


# merge_splits


MERGE_ARGUMENTS = (
    Argument("parts", "in", "float32", "(n_splits, n_heads, 128)", "attention over each split alone"),
    Argument("logs", "in", "float32", "(n_splits, n_heads)", "the logarithm of the sum of exp of its scores"),
    Argument("out", "out", "float32", "(n_heads, 128)", "attention over all splits"),
)
GROUPS = 8  # threads along y of a merging block: each takes every eighth split


def splits(n_splits: int, n_heads: int) -> dict[str, int]:
    """Sizes of what a merge begins with."""
    return {"n_splits": n_splits, "n_heads": n_heads}


MERGE_FULL = splits(20, 3)
MERGE_CASES = (
    Case(MERGE_FULL),
    *(Case(splits(*sizes)) for sizes in ((1, 1), (2, 5), (8, 1), (9, 2))),
    Case(splits(13, 4), "general"),
    Case(splits(3, 6), "general"),
    Case(splits(70, 9), "general", trace=False),
)


def make_merge(sizes: Sizes, kind: str, rng: np.random.Generator) -> Values:
    """parts, logs and room for out. "general": logarithms that rise and fall, far above 0 in some heads, far below in
    others."""
    shape = sizes["n_splits"], sizes["n_heads"]
    parts: np.ndarray
    logs: np.ndarray
    if kind == "exact":
        parts, logs = rng.integers(-9, 10, (*shape, HEAD)), rng.integers(-3, 4, shape)
    else:
        parts, logs = rng.standard_normal((*shape, HEAD)), rng.normal(0, 3, shape)
        logs += 150 * (np.arange(shape[1]) % 3 - 1)
    arrays = {"parts": parts, "logs": logs, "out": np.zeros((shape[1], HEAD))}
    return {name: array.astype(np.float32) for name, array in arrays.items()}


def few_of_parts(values: Values) -> dict[str, tuple]:
    """What a picture shows: two of the 128 numbers of each part and of the result."""
    return {"parts": (None, (0,), (0, 1)), "logs": (None, (0,)), "out": ((0,), (0, 1))}


def shares_of(values: Values) -> np.ndarray:
    """(n_splits, n_heads) float64: how much of the whole each split is."""
    logs = values["logs"].astype(np.float64)
    powers = np.exp(logs - logs.max(axis=0))
    return powers / powers.sum(axis=0)


def merged_by(shares: np.ndarray, values: Values) -> dict:
    """out of shares (n_splits, n_heads)."""
    with np.errstate(all="ignore"):
        return {"out": np.einsum("sh,shc->hc", shares, values["parts"].astype(np.float64))}


def merge(values: Values) -> dict:
    """out[h] = the sum over s of exp(logs[s, h]) parts[s, h], over that of exp(logs[s, h]), float64."""
    return merged_by(shares_of(values), values)


def merge_bound(values: Values, expected) -> dict:
    """exp makes a relative error of a difference's absolute one; sums in any order, and a quotient."""
    logs = values["logs"].astype(np.float64)
    far = logs.max(axis=0) - logs
    relative = U * (4 * far + 4 * np.abs(logs) + 4 * math.sqrt(len(logs)) + 24)
    shares = shares_of(values) * relative
    terms = np.einsum("sh,shc->hc", shares, np.abs(values["parts"].astype(np.float64)))
    return {"out": terms + shares.sum(axis=0)[:, None] * np.abs(expected["out"]) + U}


def a_block_per_head(values: Values) -> tuple:
    """Blocks of 128 x 8 threads, one for each head: a number of the result along x, every eighth split along y."""
    return values["parts"].shape[1], (HEAD, GROUPS)


def merge_cost(values: Values) -> Cost:
    """Every warp looks at all logarithms of its head once, and each thread at those of its splits and at a number of
    them; then each split has four flops for each number, and so has each of the seven groups that are added."""
    n_splits, n_heads = values["logs"].shape
    warps = HEAD * GROUPS // WARP
    read = 4 * n_heads * n_splits * (warps + 2 * HEAD)
    return Cost(
        read_bytes=read, write_bytes=4 * n_heads * HEAD, flops=n_heads * HEAD * (4 * n_splits + 2 * (GROUPS - 1))
    )
