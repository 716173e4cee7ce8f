"""Tiles in shared memory: transposes plain, padded and swizzled, rows and columns."""

from __future__ import annotations

from numba import cuda, float32, float64

from tests.zoo.entry import Entry, floats, numbers, zeros

TILE = 32
PITCH = TILE + 1
HALF_PITCH = 17


def columns_of_a_tile(src, out):
    tile = cuda.shared.array((8, 40), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    tile[ty, tx] = src[ty, tx]
    cuda.syncthreads()
    out[ty, tx] = tile[tx % 8, ty + tx // 8]


def transpose_tiled(src, dst):
    tile = cuda.shared.array((TILE, TILE), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    for k in range(0, TILE, 8):
        tile[ty + k, tx] = src[cuda.blockIdx.y * TILE + ty + k, cuda.blockIdx.x * TILE + tx]
    cuda.syncthreads()
    for k in range(0, TILE, 8):
        dst[cuda.blockIdx.x * TILE + ty + k, cuda.blockIdx.y * TILE + tx] = tile[tx, ty + k]


def transpose_padded(src, dst):
    tile = cuda.shared.array((TILE, PITCH), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    for k in range(0, TILE, 8):
        tile[ty + k, tx] = src[cuda.blockIdx.y * TILE + ty + k, cuda.blockIdx.x * TILE + tx]
    cuda.syncthreads()
    for k in range(0, TILE, 8):
        dst[cuda.blockIdx.x * TILE + ty + k, cuda.blockIdx.y * TILE + tx] = tile[tx, ty + k]


def transpose_swizzled(src, dst):
    tile = cuda.shared.array((TILE, TILE), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    for k in range(0, TILE, 8):
        row = ty + k
        tile[row, tx ^ row] = src[cuda.blockIdx.y * TILE + row, cuda.blockIdx.x * TILE + tx]
    cuda.syncthreads()
    for k in range(0, TILE, 8):
        row = ty + k
        dst[cuda.blockIdx.x * TILE + row, cuda.blockIdx.y * TILE + tx] = tile[tx, row ^ tx]


def transpose_narrow(src, dst):
    tile = cuda.shared.array((16, 16), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    tile[ty, tx] = src[cuda.blockIdx.y * 16 + ty, cuda.blockIdx.x * 16 + tx]
    cuda.syncthreads()
    dst[cuda.blockIdx.x * 16 + ty, cuda.blockIdx.y * 16 + tx] = tile[tx, ty]


def transpose_narrow_padded(src, dst):
    tile = cuda.shared.array((16, HALF_PITCH), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    tile[ty, tx] = src[cuda.blockIdx.y * 16 + ty, cuda.blockIdx.x * 16 + tx]
    cuda.syncthreads()
    dst[cuda.blockIdx.x * 16 + ty, cuda.blockIdx.y * 16 + tx] = tile[tx, ty]


def transpose_doubles(src, dst):
    tile = cuda.shared.array((TILE, PITCH), float64)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    tile[ty, tx] = src[ty, tx]
    cuda.syncthreads()
    dst[ty, tx] = tile[tx, ty]


def sum_of_rows(src, out):
    tile = cuda.shared.array((64, 32), float32)
    t = cuda.threadIdx.x
    for k in range(64 * 32 // 64):
        cell = k * 64 + t
        tile[cell // 32, cell % 32] = src[cell // 32, cell % 32]
    cuda.syncthreads()
    acc = float32(0)
    for col in range(src.shape[1]):
        acc += tile[t, col]
    out[t] = acc


def _matrices():
    for kernel, about in (
        (transpose_tiled, "transpose through a tile of 32x32"),
        (transpose_padded, "transpose through a tile of 32x33"),
        (transpose_swizzled, "transpose through a swizzled tile"),
    ):
        yield Entry(f"shared_{kernel.__name__}", about, kernel, _matrices_of(64), grid=(2, 2), block=(32, 8))
    for kernel, about in (
        (transpose_narrow, "transpose through a tile of 16x16"),
        (transpose_narrow_padded, "transpose through a tile of 16x17"),
    ):
        yield Entry(f"shared_{kernel.__name__}", about, kernel, _matrices_of(32), grid=(2, 2), block=(16, 16))
    yield Entry(
        "shared_transpose_doubles",
        "transpose of doubles, 33 a row",
        transpose_doubles,
        lambda: [numbers(1024, "float64").reshape(32, 32), zeros(32, 32, dtype="float64")],
        grid=1,
        block=(32, 32),
    )
    yield Entry(
        "shared_sum_of_rows", "a thread a row of 32 floats", sum_of_rows, lambda: [floats(64, 32), zeros(64)], 1, 64
    )


def _matrices_of(n: int):
    return lambda: [floats(n, n), zeros(n, n)]


ENTRIES = (
    *_matrices(),
    Entry(
        "shared_columns_of_a_tile",
        "columns of a tile of 8x40",
        columns_of_a_tile,
        lambda: [floats(8, 32), zeros(8, 32)],
        grid=1,
        block=(32, 8),
    ),
)
