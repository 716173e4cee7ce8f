"""Inputs, oracles, bounds, launches, cases and costs of unit 21 for one row: RMS norm and rotated pairs."""

from __future__ import annotations

import math

import numpy as np

from autograder.contract import Argument, Budget, Case, Cost, Library, Sizes, Values
from autograder.exercises.common_values import ceil_div

UNIT = "21_language_models"
WARP = 32
THREADS = 128  # of a block
WARPS = THREADS // WARP  # of a block
WIDE = 8  # float16 in 16 bytes
U = 2.0**-24  # the roundoff of float32
U16 = 2.0**-11  # of float16
SMALLEST16 = 2.0**-24  # the smallest float16 above 0
EPS = 1e-5
HEAD = 128  # numbers of a head
PAIRS = HEAD // 2
FAINT = 2.0**-17  # of a head's largest number: what nobody minds in another one that is rounded to 11 bits


def at_work(n_threads: int, sizes: Sizes, why: str) -> Budget:
    """A budget that an answer misses in which few threads, or one block, do the work of all."""
    return Budget("threads_at_work", n_threads, sizes, why, "few_threads", floor=True)


def rounded16(error, expected) -> np.ndarray:
    """Absolute error of a result that was wrong by `error` in float32 and then rounded to float16."""
    return error + U16 * (np.abs(expected) + error) + SMALLEST16


def matrix(n_rows: int, n_cols: int) -> dict[str, int]:
    """Sizes of rows."""
    return {"n_rows": n_rows, "n_cols": n_cols}


def a_block_per_row(values: Values) -> tuple:
    """A block of 128 threads for each row of the first argument."""
    return next(iter(values.values())).shape[0], THREADS


# rms_norm

NORM_FULL = matrix(4, 1040)
NORM_ARGUMENTS = (
    Argument("src", "in", "float16", "(n_rows, n_cols)", "n_cols is a multiple of 8"),
    Argument("gamma", "in", "float16", "(n_cols,)", "what each column is multiplied by"),
    Argument("dst", "out", "float16", "(n_rows, n_cols)", "each row with a mean square of 1, times gamma"),
)
NORM_CASES = (
    Case(NORM_FULL),
    *(Case(matrix(*sizes)) for sizes in ((1, 8), (5, 40), (3, 1024), (2, 1032), (9, 264))),
    Case(matrix(6, 200), "general"),
    Case(matrix(5, 32), "general"),
    Case(matrix(30, 2048), trace=False),
    Case(matrix(9, 3000), "general", trace=False),
)
NORM_KINDS = np.array([1, 1e-3, 100, 0])  # of rows: ordinary, smaller than eps, with squares past float16, all zeros


def rms_norm_of(torch, values: Values):
    """What a user would call."""
    return torch.nn.functional.rms_norm(values["src"], (values["src"].shape[1],), values["gamma"], EPS)


TORCH_RMS_NORM = Library("torch rms_norm", rms_norm_of)


def make_norm(sizes: Sizes, kind: str, rng: np.random.Generator) -> Values:
    """src, gamma and room for dst. Whole numbers up to 300, whose squares no float16 holds, or rows of all sizes."""
    n_rows, n_cols = sizes["n_rows"], sizes["n_cols"]
    if kind == "exact":
        src = rng.integers(-300, 301, (n_rows, n_cols))
    else:
        src = rng.normal(0.5, 1, (n_rows, n_cols)) * NORM_KINDS[np.arange(n_rows) % len(NORM_KINDS)][:, None]
    gamma = rng.integers(1, 9, n_cols) / 2 * rng.choice([-1, 1], n_cols)
    arrays = {"src": src, "gamma": gamma, "dst": np.zeros((n_rows, n_cols))}
    return {name: array.astype(np.float16) for name, array in arrays.items()}


def scaled(values: Values, square) -> dict:
    """dst of a mean square per row, or of something in its place."""
    with np.errstate(all="ignore"):
        return {"dst": values["src"].astype(np.float64) / np.sqrt(square) * values["gamma"]}


def squares(values: Values) -> np.ndarray:
    """(n_rows, n_cols) float64."""
    return values["src"].astype(np.float64) ** 2


def rms_norm(values: Values) -> dict:
    """dst[r, c] = src[r, c] / sqrt(mean of the squares of row r + 1e-5) * gamma[c], float64."""
    return scaled(values, squares(values).mean(axis=1, keepdims=True) + EPS)


def norm_bound(values: Values, expected) -> dict:
    """A sum of squares in any order, a root, two products, and the rounding to float16."""
    error = U * (math.sqrt(values["src"].shape[1]) + 16) * np.abs(expected["dst"])
    return {"dst": rounded16(error, expected["dst"])}


def norm_cost(values: Values) -> Cost:
    """Each element twice, gamma for each row; two flops of a square, two of a result, nine per thread
    for a block's sum."""
    n_rows, n = values["src"].shape[0], values["src"].size
    return Cost(read_bytes=6 * n, write_bytes=2 * n, flops=4 * n + 9 * THREADS * n_rows)


def norm_timed(n_bytes: int) -> dict[str, int]:
    """Rows of 4,096 elements, which occupy so many bytes together with dst."""
    return matrix(max(1, n_bytes // (4 * 4096)), 4096)


def a_thread_per_row(values: Values) -> tuple:
    """Blocks of 128 threads and a row for each thread, as a naive kernel has it."""
    return max(1, ceil_div(values["src"].shape[0], THREADS)), THREADS


# rotate_pairs


def tokens(n_tokens: int, n_heads: int) -> dict[str, int]:
    """Sizes of the heads of some tokens."""
    return {"n_tokens": n_tokens, "n_heads": n_heads}


def two_pairs(values: Values) -> dict[str, tuple]:
    """What a picture shows: two of the 64 pairs of a head, and their speeds."""
    pairs = ((0,), (0,), (0, 1, 64, 65))
    return {"src": pairs, "speeds": ((0, 1),), "dst": pairs}


TURN_FULL = tokens(3, 4)
TURN_ARGUMENTS = (
    Argument("src", "in", "float32", "(n_tokens, n_heads, 128)", "a query or a key of each head of each token"),
    Argument("places", "in", "int32", "(n_tokens,)", "where in its text each token stands"),
    Argument("speeds", "in", "float32", "(64,)", "by what angle a pair turns from one place to the next"),
    Argument("dst", "out", "float16", "(n_tokens, n_heads, 128)", "src with its pairs turned"),
)
TURN_CASES = (
    Case(TURN_FULL),
    *(Case(tokens(*sizes)) for sizes in ((1, 1), (5, 3), (2, 9))),
    Case(tokens(3, 2), "general"),
    Case(tokens(4, 3), "general"),
    Case(tokens(40, 8), "general", trace=False),
)


def make_turn(sizes: Sizes, kind: str, rng: np.random.Generator) -> Values:
    """src, places that no token's number gives away, the usual speeds, and room for dst."""
    n_tokens, n_heads = sizes["n_tokens"], sizes["n_heads"]
    shape = n_tokens, n_heads, HEAD
    src = rng.integers(-9, 10, shape) if kind == "exact" else rng.normal(0, 2, shape)
    places = rng.integers(1, 60, n_tokens) if kind == "exact" else rng.integers(1, 8_000, n_tokens)
    speeds = 10_000.0 ** -(np.arange(PAIRS) / PAIRS)
    return {
        "src": src.astype(np.float32),
        "places": places.astype(np.int32),
        "speeds": speeds.astype(np.float32),
        "dst": np.zeros(shape, np.float16),
    }


def angles_of(values: Values) -> np.ndarray:
    """(n_tokens, 1, 64) float64: by what each pair of a token is turned."""
    return (values["places"][:, None].astype(np.float64) * values["speeds"])[:, None, :]


def turned(a: np.ndarray, b: np.ndarray, angle: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The pairs (a, b), turned."""
    return a * np.cos(angle) - b * np.sin(angle), b * np.cos(angle) + a * np.sin(angle)


def pairs_of(values: Values) -> tuple[np.ndarray, np.ndarray]:
    """The first and the second number of each pair, (n_tokens, n_heads, 64) float64 each."""
    src = values["src"].astype(np.float64)
    return src[..., :PAIRS], src[..., PAIRS:]


def turned_by(values: Values, angle: np.ndarray) -> dict:
    """dst of other angles."""
    return {"dst": np.concatenate(turned(*pairs_of(values), angle), axis=-1)}


def rotate_pairs(values: Values) -> dict:
    """Numbers i and i + 64 of each head, turned by places * speeds[i], float64."""
    return turned_by(values, angles_of(values))


def turn_bound(values: Values, expected) -> dict:
    """An angle that is a rounded product, sine and cosine of it, and three more roundings; then float16."""
    a, b = (np.abs(each) for each in pairs_of(values))
    error = U * (2 * np.abs(angles_of(values)) + 12) * (a + b) + FAINT * (a + b).max(axis=-1, keepdims=True)
    return {"dst": rounded16(np.concatenate([error, error], axis=-1), expected["dst"])}


def a_block_per_head(values: Values) -> tuple:
    """A block of 64 threads, one per pair, for each head (x of the grid) of each token (y)."""
    n_tokens, n_heads = values["src"].shape[:2]
    return (n_heads, n_tokens), PAIRS


def turn_cost(values: Values) -> Cost:
    """Two numbers, a place and a speed for each pair, and two results; an angle, four products and two sums."""
    n = values["src"].size // 2
    return Cost(read_bytes=16 * n, write_bytes=4 * n, flops=7 * n)
