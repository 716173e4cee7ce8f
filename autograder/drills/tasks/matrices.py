"""Rows and columns: transpose, tiled product, sums of rows, sparse rows."""

from __future__ import annotations

import numpy as np

from autograder.contract import Argument, Budget
from autograder.drills.tasks.task import ceil_div, covering, task, whole

TILE = 32
SHAPES = ({"n_rows": 1, "n_cols": 1}, {"n_rows": 33, "n_cols": 50}, {"n_rows": 64, "n_cols": 32})


def _make_transpose(sizes, values, rng):
    n_rows, n_cols = sizes["n_rows"], sizes["n_cols"]
    return {"src": whole(rng, n_rows, n_cols), "dst": np.zeros((n_cols, n_rows), np.float32)}


TRANSPOSE = task(
    "transpose",
    (Argument("src", "in", "float32", "(n_rows, n_cols)"), Argument("dst", "out", "float32", "(n_cols, n_rows)")),
    _make_transpose,
    lambda v: {"dst": v["src"].T.copy()},
    SHAPES,
    lambda v: ((ceil_div(v["src"].shape[1], TILE), ceil_div(v["src"].shape[0], TILE)), (TILE, TILE)),
    "TILE, PITCH = 32, 33\n"
    "# transpose[(ceil(n_cols / 32), ceil(n_rows / 32)), (32, 32)](src, dst); coalesced both ways, no bank conflict\n"
    "@cuda.jit\ndef transpose(src, dst):\n    ...\n",
    budgets=(
        Budget(
            "global_store_sectors", 64 * 32 // 8, {"n_rows": 64, "n_cols": 32},
            "lanes that store neighbours fill each sector at once; lanes a row apart touch one each", "uncoalesced",
        ),
        Budget(
            "shared_load_bank_conflicts", 0, {"n_rows": 64, "n_cols": 32},
            "a column of a tile 32 words wide lies in one bank", "bank_conflicts",
        ),
    ),
)  # fmt: skip


def _make_product(sizes, values, rng):
    m, k, n = sizes["m"], sizes["k"], sizes["n"]
    return {"a": whole(rng, m, k, top=8), "b": whole(rng, k, n, top=8), "c": np.zeros((m, n), np.float32)}


TILED_PRODUCT = task(
    "tiled_matmul",
    (
        Argument("a", "in", "float32", "(m, k)"),
        Argument("b", "in", "float32", "(k, n)"),
        Argument("c", "out", "float32", "(m, n)"),
    ),
    _make_product,
    lambda v: {"c": v["a"].astype(np.float64) @ v["b"]},
    ({"m": 1, "k": 1, "n": 1}, {"m": 16, "k": 32, "n": 16}, {"m": 20, "k": 35, "n": 17}),
    lambda v: ((ceil_div(v["c"].shape[1], 16), ceil_div(v["c"].shape[0], 16)), (16, 16)),
    "T = 16\n# c = a @ b through shared tiles of T x T\n"
    "# tiled_matmul[(ceil(n / 16), ceil(m / 16)), (16, 16)](a, b, c)\n"
    "@cuda.jit\ndef tiled_matmul(a, b, c):\n    ...\n",
    budgets=(
        Budget(
            "global_load_bytes", 2 * 16 * 32 * 4, {"m": 16, "k": 32, "n": 16},
            "each element of a and b is wanted once per block when its tile is shared", "too_much_traffic",
        ),
    ),
)  # fmt: skip


def _make_rows(sizes, values, rng):
    n_rows, n_cols = sizes["n_rows"], sizes["n_cols"]
    return {"src": whole(rng, n_rows, n_cols), "sums": np.zeros(n_rows, np.float32)}


ROW_SUMS = task(
    "row_sums",
    (Argument("src", "in", "float32", "(n_rows, n_cols)"), Argument("sums", "out", "float32", "(n_rows,)")),
    _make_rows,
    lambda v: {"sums": v["src"].sum(axis=1)},
    ({"n_rows": 1, "n_cols": 1}, {"n_rows": 7, "n_cols": 100}, {"n_rows": 64, "n_cols": 64}),
    lambda v: covering(v["src"].shape[0] * 32, 128),
    "# one warp per row; row_sums[ceil(n_rows / 4), 128](src, sums)\n@cuda.jit\ndef row_sums(src, sums):\n    ...\n",
    budgets=(
        Budget(
            "global_load_sectors", 64 * 64 // 8, {"n_rows": 64, "n_cols": 64},
            "lanes that walk along a row read neighbours; one thread per row touches a sector per lane", "uncoalesced",
        ),
        Budget(
            "global_load_requests", 256, {"n_rows": 64, "n_cols": 64},
            "a warp reads a row of 64 elements in two requests, and one lane by itself in 64", "one_lane_per_row",
        ),
    ),
)  # fmt: skip


def _make_csr(sizes, values, rng):
    n_rows, n_cols = sizes["n_rows"], 40
    counts = rng.integers(0, 9, n_rows)
    counts[-1] = 0
    starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
    nnz = max(1, int(starts[-1]))
    return {
        "starts": starts,
        "columns": rng.integers(0, n_cols, nnz).astype(np.int32),
        "values": whole(rng, nnz),
        "x": whole(rng, n_cols),
        "y": np.zeros(n_rows, np.float32),
    }


def _csr_oracle(v):
    products = np.append(v["values"] * v["x"][v["columns"]], 0)
    y = [products[a:b].sum() for a, b in zip(v["starts"][:-1], v["starts"][1:], strict=True)]
    return {"y": np.array(y, np.float32)}


SPMV = task(
    "csr_spmv",
    (
        Argument("starts", "in", "int32", "(n_rows + 1,)"),
        Argument("columns", "in", "int32", "(nnz,)"),
        Argument("values", "in", "float32", "(nnz,)"),
        Argument("x", "in", "float32", "(n_cols,)"),
        Argument("y", "out", "float32", "(n_rows,)"),
    ),
    _make_csr,
    _csr_oracle,
    ({"n_rows": 1}, {"n_rows": 127}, {"n_rows": 300}),
    lambda v: covering(v["y"].size, 128),
    "# y = A x; row r of A has values[starts[r]:starts[r + 1]], in columns[...]\n"
    "# one thread per row; csr_spmv[ceil(n_rows / 128), 128](starts, columns, values, x, y)\n"
    "@cuda.jit\ndef csr_spmv(starts, columns, values, x, y):\n    ...\n",
)

TASKS = (TRANSPOSE, TILED_PRODUCT, ROW_SUMS, SPMV)
