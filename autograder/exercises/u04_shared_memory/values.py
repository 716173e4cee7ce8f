"""Inputs, oracles, bounds, launches and costs of unit 04: what the kernels get, what is right, and what it takes."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from autograder.contract import Cost, Values
from autograder.exercises.common_values import ceil_div, vector
from autograder.running.compare import sum_bound

UNIT = "04_shared_memory"
LARGE = {"n_rows": 521, "n_cols": 503}  # two primes
THREADS = 256  # threads per block in one dimension
TILE = 32  # elements along each edge of a tile; also threads along x
ROWS = 8  # threads along y: each moves TILE // ROWS elements of its column
WIDE = 64  # elements along each edge of the large tile; also threads along x
DEPTH = 4  # threads along y of the large tile
RADIUS = 3  # neighbours on each side of a 1D stencil
SPAN = THREADS + 2 * RADIUS  # elements that a block of the stencil needs
REACH = 2  # neighbours on each side of the blur
COLUMN_THREADS = 128  # threads of a block that walks down columns
STRIP, BATCH = 32, 4  # rows that each of them writes, all in all and in one iteration
SPAN_X, SPAN_Y = TILE + 2 * REACH, ROWS + 2 * REACH  # pixels that a block of the blur needs
TAPS = np.array([1, 4, 6, 4, 1], np.float32) / np.float32(16)  # weights of one axis; they add up to 1
GAUSS = np.outer(TAPS, TAPS)  # (5, 5) float32


def matrix(sizes, values: str, rng: np.random.Generator) -> np.ndarray:
    """(n_rows, n_cols) float32, first and last element unlike any other; see `values.vector` for the kinds."""
    shape = sizes["n_rows"], sizes["n_cols"]
    return vector(rng, shape[0] * shape[1], values).reshape(shape)


def square_sizes(n_bytes: int) -> dict[str, int]:
    """The square float32 matrix of which two fill n_bytes, in whole tiles of either size."""
    side = max(WIDE, math.isqrt(n_bytes // 8) // WIDE * WIDE)
    return {"n_rows": side, "n_cols": side}


# reverse_blocks: each 256 elements backwards, in place


def make_reverse(sizes, values, rng) -> Values:
    """data, (n,) float32, changed in place."""
    return {"data": vector(rng, sizes["n"], values)}


def reversed_by_block(values: Values) -> dict:
    """Every stretch of 256 elements backwards, the last and shorter one too."""
    data = values["data"]
    stretches = [data[start : start + THREADS][::-1] for start in range(0, data.size, THREADS)]
    return {"data": np.concatenate([data[:0], *stretches])}


def one_thread_each(values: Values):
    """One thread per element of the first array, at least one block."""
    return max(1, ceil_div(next(iter(values.values())).size, THREADS)), THREADS


def reverse_cost(values: Values) -> Cost:
    """Each element is loaded once and stored once."""
    return Cost(read_bytes=values["data"].nbytes, write_bytes=values["data"].nbytes)


# transpose: dst = src.T


def make_transpose(sizes, values, rng) -> Values:
    """src (n_rows, n_cols) and dst (n_cols, n_rows), float32."""
    src = matrix(sizes, values, rng)
    return {"src": src, "dst": np.zeros(src.shape[::-1], np.float32)}


def transposed(values: Values) -> dict:
    """Rows become columns."""
    return {"dst": values["src"].T}


def tile_a_block(values: Values):
    """One block of 32 x 8 threads for each 32 x 32 tile of src: columns along x, rows along y."""
    n_rows, n_cols = values["src"].shape
    return (ceil_div(n_cols, TILE), ceil_div(n_rows, TILE)), (TILE, ROWS)


def wide_tile_a_block(values: Values):
    """One block of 64 x 4 threads for each 64 x 64 tile of src."""
    n_rows, n_cols = values["src"].shape
    return (ceil_div(n_cols, WIDE), ceil_div(n_rows, WIDE)), (WIDE, DEPTH)


def transpose_cost(values: Values) -> Cost:
    """Each 4-byte element is loaded once and stored once; no arithmetic."""
    return Cost(read_bytes=values["src"].nbytes, write_bytes=values["dst"].nbytes)


# stencil_1d: sums of seven neighbours, ends repeated


def make_stencil(sizes, values, rng) -> Values:
    """src and dst, (n,) float32, n at least 1."""
    src = vector(rng, sizes["n"], values)
    return {"src": src, "dst": np.zeros_like(src)}


def sums_of_seven(src: np.ndarray) -> np.ndarray:
    """(n,) float64: each element with its three neighbours on either side; beyond an end, the end counts again."""
    padded = np.pad(src.astype(np.float64), RADIUS, mode="edge")
    return np.lib.stride_tricks.sliding_window_view(padded, 2 * RADIUS + 1).sum(axis=1)


def stencil_oracle(values: Values) -> dict:
    """The sums of seven."""
    return {"dst": sums_of_seven(values["src"])}


def stencil_bound(values: Values, expected) -> dict:
    """The error that any order of seven float32 additions may make."""
    return {"dst": sum_bound(sums_of_seven(np.abs(values["src"])), 2 * RADIUS + 1, expected["dst"])}


def stencil_cost(values: Values) -> Cost:
    """Each block loads 262 elements, repeated ends and spare threads included; each element is stored once."""
    n = values["src"].size
    return Cost(read_bytes=4 * SPAN * ceil_div(n, THREADS), write_bytes=4 * n, flops=2 * RADIUS * n)


# blur: 5 x 5 weights, edges repeated


def make_blur(sizes, values, rng) -> Values:
    """src and dst, (n_rows, n_cols) float32."""
    src = matrix(sizes, values, rng)
    return {"src": src, "dst": np.zeros_like(src)}


def blur(src: np.ndarray, mode: Literal["edge", "constant", "wrap", "reflect"] = "edge") -> np.ndarray:
    """(n_rows, n_cols) float64: along rows, then along columns, with TAPS. mode: of np.pad, beyond the edges."""
    padded = np.pad(src.astype(np.float64), REACH, mode=mode)
    windows = np.lib.stride_tricks.sliding_window_view
    along_rows = windows(padded, 2 * REACH + 1, axis=1) @ TAPS.astype(np.float64)
    return windows(along_rows, 2 * REACH + 1, axis=0) @ TAPS.astype(np.float64)


def blur_oracle(values: Values) -> dict:
    """The blurred picture."""
    return {"dst": blur(values["src"])}


def blur_bound(values: Values, expected) -> dict:
    """The error that 25 products and any order of their sums may make."""
    return {"dst": sum_bound(blur(np.abs(values["src"])), 50, expected["dst"])}


def blur_launch(values: Values):
    """Blocks of 32 x 8 threads that cover the picture: columns along x, rows along y."""
    n_rows, n_cols = values["src"].shape
    return (ceil_div(n_cols, TILE), ceil_div(n_rows, ROWS)), (TILE, ROWS)


def _blocks_of_blur(values: Values) -> int:
    (along_x, along_y), _ = blur_launch(values)
    return along_x * along_y


def blur_cost(values: Values) -> Cost:
    """Each block loads its 12 x 36 pixels; each pixel is stored once and takes 25 products and as many sums."""
    n = values["src"].size
    return Cost(read_bytes=4 * SPAN_X * SPAN_Y * _blocks_of_blur(values), write_bytes=4 * n, flops=50 * n)


def separable_cost(values: Values) -> Cost:
    """The same bytes; 5 products and as many sums for each of 12 x 32 row sums per block, and again for each pixel."""
    flops = 10 * (SPAN_Y * TILE * _blocks_of_blur(values) + values["src"].size)
    one_pass = blur_cost(values)
    return Cost(one_pass.read_bytes, one_pass.write_bytes, flops)


# blur_column: no tile, one thread walks down


def column_launch(values: Values):
    """Blocks of 128 threads, each of which walks down 32 rows of a column: columns along x, pieces of them along y."""
    n_rows, n_cols = values["src"].shape
    return (ceil_div(n_cols, COLUMN_THREADS), ceil_div(n_rows, STRIP)), COLUMN_THREADS


def _row_sums(values: Values, batch: int) -> int:
    """How many row sums the threads work out: of 32 rows and four more, or of the rows left, `batch` at a time."""
    n_rows, n_cols = values["src"].shape
    whole, rest = divmod(n_rows, STRIP)
    of_rest = 2 * REACH + batch * ceil_div(rest, batch) if rest else 0
    return (whole * (2 * REACH + STRIP) + of_rest) * n_cols


def column_cost(values: Values) -> Cost:
    """A row sum takes five loads, products and sums, and so does a pixel but for the loads."""
    n_sums, n = _row_sums(values, BATCH), values["src"].size
    return Cost(read_bytes=4 * 5 * n_sums, write_bytes=4 * n, flops=10 * (n_sums + n))


def wide_cost(values: Values) -> Cost:
    """Four row sums take eight pixels. Equal weights are shared: three products and four sums, 7 flops each time."""
    n_sums, n = _row_sums(values, 2), values["src"].size
    return Cost(read_bytes=4 * 2 * n_sums, write_bytes=4 * n, flops=7 * (n_sums + n))


def make_wide(sizes, values, rng) -> Values:
    """A picture whose rows begin at multiples of 16 bytes: n_cols counts groups of four columns."""
    return make_blur(sizes | {"n_cols": 4 * sizes["n_groups"]}, values, rng)


def wide_launch(values: Values):
    """Blocks of 128 threads, each of which walks down 32 rows of four columns."""
    n_rows, n_cols = values["src"].shape
    return (ceil_div(n_cols, 4 * COLUMN_THREADS), ceil_div(n_rows, STRIP)), COLUMN_THREADS


def square_of_groups(n_bytes: int) -> dict[str, int]:
    """The square picture of which two fill n_bytes, its columns in groups of four."""
    sizes = square_sizes(n_bytes)
    return {"n_rows": sizes["n_rows"], "n_groups": sizes["n_cols"] // 4}
