"""Inputs, oracles, bounds, launches, cases and costs of unit 14 for rows: softmax of every row of a matrix."""

from __future__ import annotations

import numpy as np

from autograder.contract import Argument, Budget, Case, Cost, Library, Sizes, Values
from autograder.exercises.common_values import ceil_div

UNIT = "14_attention"
WARP = 32
THREADS = 128  # of a block
ROWS = THREADS // WARP  # of a block, where a warp has a row
U = 2.0**-24  # the roundoff of float32
SMALLEST = float(np.finfo(np.float32).tiny)  # below it a GPU may have 0
FAR = 200.0  # e to the power of it is more than a float32 holds, and of its negative less
ROW_ARGUMENTS = (
    Argument("src", "in", "float32", "(n_rows, n_cols)", "each row has at least one finite element"),
    Argument("dst", "out", "float32", "(n_rows, n_cols)", "softmax of each row"),
)


def softmax_of_rows(torch, values: Values):
    """What a user would call."""
    return torch.softmax(values["src"], dim=1)


TORCH_SOFTMAX = Library("torch.softmax", softmax_of_rows)


def matrix(n_rows: int, n_cols: int) -> dict[str, int]:
    """Sizes of rows."""
    return {"n_rows": n_rows, "n_cols": n_cols}


def at_work(n_threads: int, sizes: Sizes, why: str) -> Budget:
    """A budget that an answer misses in which few threads, or one block, do the work of all."""
    return Budget("threads_at_work", n_threads, sizes, why, "few_threads", floor=True)


def logits(sizes: Sizes, kind: str, rng: np.random.Generator) -> np.ndarray:
    """src of a softmax. "exact": whole numbers from -6 to 6; "general": rows far above 0, far below and around it, the
    same with minus infinities among them, in stretches, too, and a row with one finite element, its last."""
    shape = sizes["n_rows"], sizes["n_cols"]
    if kind == "exact":
        return rng.integers(-6, 7, shape).astype(np.float32)
    src = rng.normal(0, 2, shape) + FAR * (np.arange(shape[0]) % 3 - 1)[:, None]
    for row in src[3:]:
        keeps = row[rng.integers(len(row))]
        row[rng.random(len(row)) < 0.3] = -np.inf
        first = rng.integers(len(row))
        row[first : first + len(row) // 2] = -np.inf
        row[rng.integers(len(row))] = keeps
    src[4:5, :-1] = -np.inf
    src[4:5, -1] = FAR
    return src.astype(np.float32)


def make_softmax(sizes: Sizes, kind: str, rng: np.random.Generator) -> Values:
    """src and room for dst."""
    return {"src": logits(sizes, kind, rng), "dst": np.zeros((sizes["n_rows"], sizes["n_cols"]), np.float32)}


def weights_of(src: np.ndarray) -> np.ndarray:
    """Softmax along the last axis, float64."""
    with np.errstate(invalid="ignore"):
        powers = np.exp(src.astype(np.float64) - src.max(axis=-1, keepdims=True))
        return powers / powers.sum(axis=-1, keepdims=True)


def softmax(values: Values) -> dict:
    """dst[r, c] = exp(src[r, c]) over the sum of all of row r, float64."""
    return {"dst": weights_of(values["src"])}


def softmax_bound(values: Values, expected) -> dict:
    """A difference, its exponential, a sum in any order and a quotient.

    The difference rounds with its size, which exp makes a relative error; a running maximum adds as many roundings.
    An element is known to its own last place only, so that much is nobody's error.
    """
    src = values["src"].astype(np.float64)
    with np.errstate(invalid="ignore"):
        far = np.nan_to_num(np.abs(src - src.max(axis=-1, keepdims=True)), nan=0, posinf=0)
    own = np.nan_to_num(np.abs(src), nan=0, posinf=0)
    relative = U * (4 * far + 2 * own + 8 * np.sqrt(src.shape[-1]) + 32)
    return {"dst": relative * np.nan_to_num(expected["dst"]) + SMALLEST}


FULL = matrix(3, 300)
SOFTMAX_CASES = (
    Case(FULL),
    *(Case(matrix(*sizes)) for sizes in ((1, 1), (2, 31), (5, 33), (4, 128), (2, 129), (9, 8))),
    Case(matrix(8, 150), "general"),
    Case(matrix(7, 12), "general"),
    Case(matrix(40, 1500), trace=False),
    Case(matrix(40, 1500), "general", trace=False),
)


def a_block_per_row(values: Values) -> tuple:
    """A block of 128 threads for each row."""
    return max(1, values["src"].shape[0]), THREADS


def a_warp_per_row(values: Values) -> tuple:
    """Blocks of 128 threads, four warps, and a row for each warp."""
    return max(1, ceil_div(values["src"].shape[0], ROWS)), THREADS


def timed(n_bytes: int) -> dict[str, int]:
    """Rows of 4,096 elements, which occupy so many bytes together with dst."""
    return matrix(max(1, n_bytes // (8 * 4096)), 4096)


def safe_cost(values: Values) -> Cost:
    """Three loads of each element; two differences and a sum of each, and eight sums per thread for the whole row."""
    n_rows, n = values["src"].shape[0], values["src"].size
    return Cost(read_bytes=12 * n, write_bytes=4 * n, flops=3 * n + 8 * THREADS * n_rows)


def online_cost(values: Values) -> Cost:
    """Two loads of each element; a merge of each is five flops, as is one of each lane in five shuffles."""
    n_rows, n = values["src"].shape[0], values["src"].size
    return Cost(read_bytes=8 * n, write_bytes=4 * n, flops=6 * n + 25 * WARP * n_rows)


def a_thread_per_row(values: Values) -> tuple:
    """Blocks of 128 threads and a row for each thread, as the naive kernel has it."""
    return max(1, ceil_div(values["src"].shape[0], THREADS)), THREADS
