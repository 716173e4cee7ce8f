"""Inputs, oracle, bounds, launches, cases and costs of unit 12, matrix multiplication."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from autograder.contract import Argument, Case, Cost, Library, Rate, Values
from autograder.exercises.common_values import ceil_div
from autograder.running.compare import sum_bound

UNIT = "12_matmul"
TORCH_MM = Library("torch.mm", lambda torch, v: torch.mm(v["a"], v["b"]))
TORCH_INT_MM = Library("torch._int_mm", lambda torch, v: torch._int_mm(v["a"], v["b"].t()))
PRODUCTS = Rate("TFLOP/s", lambda at: 2e-12 * at["n_rows"] * at["n_inner"] * at["n_cols"])
INT8_PRODUCTS = replace(PRODUCTS, unit="TOPS")
TIMED = {"n_rows": 4096, "n_inner": 4096, "n_cols": 4096}
ROUNDING_OF_TENSOR_CORES = 2.0**-22  # relative to the sum of absolute products, for each of them: they round towards 0


INT8_MATRICES = (
    Argument("a", "in", "int8", "(n_rows, n_inner)", "the left matrix, in C order"),
    Argument("b", "in", "int8", "(n_cols, n_inner)", "the right matrix transposed: row j is column j"),
    Argument("c", "out", "int32", "(n_rows, n_cols)", "their product"),
)


def shape(n_rows: int, n_inner: int, n_cols: int) -> dict[str, int]:
    """The sizes of (n_rows, n_inner) times (n_inner, n_cols)."""
    return {"n_rows": n_rows, "n_inner": n_inner, "n_cols": n_cols}


def cases(
    full: dict[str, int], *ragged: tuple[int, int, int], odd: tuple[int, int, int], deep: int
) -> tuple[Case, ...]:
    """Whole tiles, ragged ones, one element, values that need rounding and odd ones, and a sum too long to trace.

    odd: the sizes for values that are not whole; deep: products in each sum of the case that is not traced.
    """
    return (
        Case(full),
        Case(shape(1, 1, 1)),
        *(Case(shape(*sizes)) for sizes in ragged),
        Case(shape(*odd), "general"),
        Case(shape(*odd), "special"),
        Case(shape(9, deep, 21), trace=False),
    )


def matrix(rng: np.random.Generator, n_rows: int, n_cols: int, kind: str, dtype: str) -> np.ndarray:
    """A matrix in C order. "exact": whole numbers from -4 to 4 without 0, so that sums of thousands are exact and every
    missing product shows; "special": with a NaN and an infinity in the last row and column, and with a 0 to be
    multiplied by each infinity, which is NaN."""
    if kind == "exact":
        sizes = rng.integers(1, 5, (n_rows, n_cols), dtype=np.int8)
        return (sizes * rng.choice(np.array([-1, 1], np.int8), (n_rows, n_cols))).astype(dtype)
    data = rng.uniform(-1, 1, (n_rows, n_cols)).astype(dtype)
    if kind == "special":
        data[-1, n_cols // 2] = np.inf
        data[n_rows // 2, -1] = np.nan
        data[0, -1] = data[n_rows // 2, 0] = 0
    return data


def make(dtype: str = "float32") -> Callable:
    """Of inputs of one type: a, b, and room for c."""

    def values(sizes, kind, rng) -> Values:
        m, k, n = sizes["n_rows"], sizes["n_inner"], sizes["n_cols"]
        return {
            "a": matrix(rng, m, k, kind, dtype),
            "b": matrix(rng, k, n, kind, dtype),
            "c": np.zeros((m, n), np.float32),
        }

    return values


def make_int8(sizes, kind: str, rng: np.random.Generator) -> Values:
    """a, b turned round, and room for c. "special": the ends of the range alone, whose products are the largest."""
    m, k, n = sizes["n_rows"], sizes["n_inner"], sizes["n_cols"]

    def drawn(rows: int) -> np.ndarray:
        if kind == "special":
            return rng.choice(np.array([-128, 127], np.int8), (rows, k))
        return matrix(rng, rows, k, kind, "int8") if kind == "exact" else rng.integers(-128, 128, (rows, k), np.int8)

    return {"a": drawn(m), "b": drawn(n), "c": np.zeros((m, n), np.int32)}


def product_int8(values: Values) -> dict:
    """a b, exact: no sum here leaves 32 bits."""
    return {"c": exact_product(values["a"], values["b"].T)}


def exact_product(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """a b of bytes as int64. BLAS adds float64, which hold each sum: a whole number below 2^53."""
    return (a.astype(np.float64) @ b.astype(np.float64)).astype(np.int64)


def int8_cost(values: Values) -> Cost:
    """As `tile_cost(128, 64)`, for b turned round and without a flop: what is added are integers."""
    return replace(tile_cost(128, 64)({**values, "b": values["b"].T}), flops=0)


def product(values: Values) -> dict:
    """a @ b, float64."""
    with np.errstate(invalid="ignore"):
        return {"c": values["a"].astype(np.float64) @ values["b"].astype(np.float64)}


def _absolute(values: Values) -> np.ndarray:
    """The sum of the absolute products of every element, NaN and infinities left out."""
    a, b = (np.nan_to_num(np.abs(values[name].astype(np.float64)), posinf=0) for name in ("a", "b"))
    return a @ b


def bound(values: Values, expected) -> dict:
    """The error that any order of float32 additions may make."""
    result = np.nan_to_num(expected["c"], posinf=0, neginf=0)
    return {"c": sum_bound(_absolute(values), values["a"].shape[1], result)}


def tensor_bound(values: Values, expected) -> dict:
    """The error of additions that round towards zero, one after the other."""
    return {"c": values["a"].shape[1] * ROUNDING_OF_TENSOR_CORES * _absolute(values)}


def blocks_of(tile: int, threads: int | tuple[int, int]) -> Callable:
    """The launch with one block per tile of c: x goes along its columns."""
    return lambda v: ((ceil_div(v["c"].shape[1], tile), ceil_div(v["c"].shape[0], tile)), threads)


def wide_blocks(values: Values) -> tuple:
    """One block of 256 threads for each 128 x 256 elements of c."""
    n_rows, n_cols = values["c"].shape
    return (ceil_div(n_cols, 256), ceil_div(n_rows, 128)), 256


def naive_launch(values: Values) -> tuple:
    """One thread per element in blocks of 16 x 16: x goes down the rows, y along the columns."""
    n_rows, n_cols = values["c"].shape
    return (ceil_div(n_rows, 16), ceil_div(n_cols, 16)), (16, 16)


def coalesced_launch(values: Values) -> tuple:
    """One thread per element in blocks of 32 x 8: x goes along the columns, y down the rows."""
    n_rows, n_cols = values["c"].shape
    return (ceil_div(n_cols, 32), ceil_div(n_rows, 8)), (32, 8)


def element_cost(values: Values) -> Cost:
    """Each thread loads a row of a and a column of b."""
    (m, k), n = values["a"].shape, values["b"].shape[1]
    return Cost(read_bytes=8 * m * k * n, write_bytes=4 * m * n, flops=2 * m * k * n)


def tile_cost(tile: int, depth: int) -> Callable:
    """Each block loads its rows of a and its columns of b once, and multiplies whole tiles, `depth` deep."""

    def cost(values: Values) -> Cost:
        (m, k), n = values["a"].shape, values["b"].shape[1]
        down, along, deep = ceil_div(m, tile), ceil_div(n, tile), ceil_div(k, depth)
        return Cost(
            read_bytes=values["a"].nbytes * along + values["b"].nbytes * down,
            write_bytes=4 * m * n,
            flops=2 * down * along * deep * tile * tile * depth,
        )

    return cost


def wide_cost(values: Values) -> Cost:
    """Each block of 128 x 256 elements loads its rows of a and its columns of b once, in whole tiles 64 deep."""
    (m, k), n = values["a"].shape, values["b"].shape[1]
    down, along, deep = ceil_div(m, 128), ceil_div(n, 256), ceil_div(k, 64)
    return Cost(
        read_bytes=values["a"].nbytes * along + values["b"].nbytes * down,
        write_bytes=4 * m * n,
        flops=2 * down * along * deep * 128 * 256 * 64,
    )
