"""Inputs, oracle, bound, launches, cases and costs of unit 15 for a sparse matrix times a vector."""

from __future__ import annotations

import itertools

import numpy as np

from autograder.contract import Argument, Budget, Case, Cost, Library, Sizes, Values
from autograder.exercises.common_values import ceil_div, vector
from autograder.running.compare import sum_bound

UNIT = "15_irregular"
THREADS = 128  # of a block: 128 rows with a thread each, 4 rows with a warp each
WARP = 32
MATRIX_ARGUMENTS = (
    Argument("starts", "in", "int32", "(n_rows + 1,)", "where each row begins among the nonzeros, and where all end"),
    Argument("columns", "in", "int32", "(nnz,)", "the column of each nonzero"),
    Argument("values", "in", "float32", "(nnz,)", "the nonzeros, row after row"),
    Argument("x", "in", "float32", "(n_cols,)", "the vector"),
    Argument("y", "out", "float32", "(n_rows,)", "the matrix times x"),
)
EXAMPLE = {"n_rows": 5, "n_cols": 8, "longest": 8}


def matrix(n_rows: int, n_cols: int, longest: int) -> dict[str, int]:
    """Sizes of one matrix: in each 32 rows one has `longest` nonzeros, and no other has more than an eighth of that."""
    return {"n_rows": n_rows, "n_cols": n_cols, "longest": longest}


def at_work(n_threads: int, sizes: Sizes, why: str) -> Budget:
    """A budget that an answer misses in which few threads, or one block, do the work of all."""
    return Budget("threads_at_work", n_threads, sizes, why, "few_threads", floor=True)


def sparse_csr(torch, values: Values):
    """What a user would call: a CSR tensor times a vector."""
    size = (values["y"].shape[0], values["x"].shape[0])
    parts = (values["starts"], values["columns"], values["values"])
    return torch.sparse_csr_tensor(*parts, size=size) @ values["x"]


TORCH_CSR = Library("torch sparse_csr @", sparse_csr)


def row_lengths(sizes: Sizes, rng: np.random.Generator) -> np.ndarray:
    """Nonzeros of each row: one long row at a drawn place among 32, the others short, some of them empty."""
    n_rows, longest = sizes["n_rows"], min(sizes["longest"], sizes["n_cols"])
    in_warp = np.arange(n_rows) % WARP
    lengths = np.where(in_warp == 0, longest, in_warp % (longest // 8 + 1))
    for first in range(0, n_rows, WARP):
        lengths[first : first + WARP] = rng.permutation(lengths[first : first + WARP])
    return lengths


def make_matrix(sizes: Sizes, kind: str, rng: np.random.Generator) -> Values:
    """A matrix in CSR form, x, and room for y. No nonzero is 0 where sums shall be exact, so that a missing one shows.

    Columns ascend within a row and none comes twice: each row begins at a drawn column and takes steps of drawn length.
    """
    n_cols = sizes["n_cols"]
    lengths = row_lengths(sizes, rng)
    starts = np.zeros(len(lengths) + 1, np.int32)
    starts[1:] = lengths.cumsum()
    step = np.maximum(1, n_cols // np.maximum(lengths, 1))
    in_row = np.arange(starts[-1]) - np.repeat(starts[:-1], lengths)
    columns = ((in_row + rng.random(len(in_row))) * np.repeat(step, lengths)).astype(np.int32)
    if kind == "exact":
        x, values = (_whole(rng, n) for n in (n_cols, len(columns)))
    else:
        x, values = vector(rng, n_cols, kind), rng.uniform(0.1, 1, len(columns)).astype(np.float32)
    y = np.zeros(len(lengths), np.float32)
    return {"starts": starts, "columns": columns, "values": values, "x": x, "y": y}


def _whole(rng: np.random.Generator, n: int) -> np.ndarray:
    """(n,) whole numbers from -16 to 16, none of them 0."""
    return (rng.integers(1, 17, n) * rng.choice([-1, 1], n)).astype(np.float32)


def rows_of(values: Values) -> np.ndarray:
    """(nnz,) the row of each nonzero."""
    return np.repeat(np.arange(values["y"].size), np.diff(values["starts"]))


def is_csr(starts: np.ndarray, nnz: int) -> bool:
    """Whether rows begin one after the other, and all nonzeros are theirs."""
    return bool((np.diff(starts) >= 0).all()) and starts[0] == 0 and starts[-1] == nnz


def met(values: Values) -> np.ndarray:
    """(nnz,) the element of x that each nonzero is multiplied by."""
    return values["x"][values["columns"].clip(0, values["x"].size - 1)]


def summed(values: Values, terms: np.ndarray) -> np.ndarray:
    """(n_rows,) float64: the sum of the terms, one for each nonzero, of each row."""
    with np.errstate(invalid="ignore"):
        if is_csr(values["starts"], len(terms)):
            return np.bincount(rows_of(values), terms, values["y"].size)
        ends = values["starts"].clip(0, len(terms))  # the picture of the task tries others
        return np.array([terms[first:end].sum() for first, end in itertools.pairwise(ends)])


def multiplied(values: Values) -> dict:
    """y[r] = sum of values[k] * x[columns[k]] over the nonzeros k of row r. float64."""
    with np.errstate(invalid="ignore"):
        return {"y": summed(values, values["values"].astype(np.float64) * met(values))}


def row_bound(values: Values, expected) -> dict:
    """Any order of the products of a row."""
    sizes = {name: np.nan_to_num(np.abs(values[name]), posinf=0) for name in ("values", "x")}
    absolute = multiplied(values | sizes)["y"]
    longest = int(np.diff(values["starts"]).max(initial=1))
    return {"y": sum_bound(absolute, longest, np.nan_to_num(expected["y"], posinf=0, neginf=0))}


def sparse_cases(full: dict[str, int], *more: dict[str, int]) -> tuple[Case, ...]:
    """Whole blocks, ragged ones, one row, values that need rounding and odd ones, and a matrix too large to trace."""
    return (
        Case(full),
        Case(matrix(1, 1, 1)),
        Case(matrix(7, 40, 40)),
        Case(matrix(131, 50, 33)),
        *(Case(sizes) for sizes in more),
        Case(matrix(37, 70, 48), "general"),
        Case(matrix(37, 70, 48), "nonfinite"),
        Case(matrix(1000, 300, 96), trace=False),
    )


def a_thread_per_row(values: Values) -> tuple:
    """Blocks of 128 threads, one for each row."""
    return max(1, ceil_div(values["y"].size, THREADS)), THREADS


def a_warp_per_row(values: Values) -> tuple:
    """Blocks of 128 threads, a warp for each row."""
    return max(1, ceil_div(values["y"].size, THREADS // WARP)), THREADS


def rows_cost(values: Values) -> Cost:
    """12 bytes for each nonzero, and where its row begins and ends."""
    nnz, n_rows = values["values"].size, values["y"].size
    return Cost(read_bytes=12 * nnz + 8 * n_rows, write_bytes=4 * n_rows, flops=2 * nnz)


def warps_cost(values: Values) -> Cost:
    """The same, but that all 32 lanes ask where the row begins and ends, and add up in five steps."""
    nnz, n_rows = values["values"].size, values["y"].size
    return Cost(read_bytes=12 * nnz + 8 * WARP * n_rows, write_bytes=4 * n_rows, flops=2 * nnz + 5 * WARP * n_rows)


def timed(n_bytes: int) -> dict[str, int]:
    """A matrix of about so many bytes, 128 MB at most: 8 for each nonzero, and 1,008 of those in 32 rows."""
    return matrix(32 * max(1, min(n_bytes, 1 << 27) // (8 * 1_008)), 1 << 16, 512)
