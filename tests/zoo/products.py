"""Products of matrices and stencils as people write them."""

from __future__ import annotations

from numba import cuda, float32

from tests.zoo.entry import Entry, floats, zeros

THREADS = 128
WITH_HALO = THREADS + 2
TILE = 16
EVERYBODY = 0xFFFFFFFF


def matmul_naive(a, b, c):
    col, row = cuda.grid(2)
    if row < c.shape[0] and col < c.shape[1]:
        acc = float32(0)
        for k in range(a.shape[1]):
            acc += a[row, k] * b[k, col]
        c[row, col] = acc


def matmul_tiled(a, b, c):
    tile_a = cuda.shared.array((TILE, TILE), float32)
    tile_b = cuda.shared.array((TILE, TILE), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    col, row = cuda.grid(2)
    acc = float32(0)
    for start in range(0, a.shape[1], TILE):
        tile_a[ty, tx] = a[row, start + tx]
        tile_b[ty, tx] = b[start + ty, col]
        cuda.syncthreads()
        for k in range(TILE):
            acc += tile_a[ty, k] * tile_b[k, tx]
        cuda.syncthreads()
    c[row, col] = acc


def matmul_tiled_by_size(a, b, c, n_turns):
    tile_a = cuda.shared.array((TILE, TILE), float32)
    tile_b = cuda.shared.array((TILE, TILE), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    col, row = cuda.grid(2)
    acc = float32(0)
    for start in range(0, a.shape[1], TILE):
        tile_a[ty, tx] = a[row, start + tx]
        tile_b[ty, tx] = b[start + ty, col]
        cuda.syncthreads()
        k = 0
        while k < n_turns:
            acc += tile_a[ty, k] * tile_b[k, tx]
            k = 2 * k + 1 - k
        cuda.syncthreads()
    c[row, col] = acc


def matvec_warp(a, x, y):
    row = cuda.grid(1) // 32
    acc = float32(0)
    for col in range(cuda.laneid, a.shape[1], 32):
        acc += a[row, col] * x[col]
    d = 16
    while d > 0:
        acc += cuda.shfl_down_sync(EVERYBODY, acc, d)
        d //= 2
    if cuda.laneid == 0:
        y[row] = acc


def stencil_shared(x, out):
    s = cuda.shared.array(WITH_HALO, float32)
    t, i = cuda.threadIdx.x, cuda.grid(1)
    s[t + 1] = x[i + 1]
    if t == 0:
        s[0] = x[i]
    if t == THREADS - 1:
        s[THREADS + 1] = x[i + 2]
    cuda.syncthreads()
    out[i] = s[t] + s[t + 1] + s[t + 2]


def stencil_tile(src, dst):
    tile = cuda.shared.array((10, 34), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    cell = ty * 32 + tx
    while cell < 340:
        row, col = cuda.blockIdx.y * 8 + cell // 34, cuda.blockIdx.x * 32 + cell % 34
        tile[cell // 34, cell % 34] = src[row, col]
        cell += 256
    cuda.syncthreads()
    row, col = cuda.blockIdx.y * 8 + ty, cuda.blockIdx.x * 32 + tx
    dst[row, col] = tile[ty, tx + 1] + tile[ty + 2, tx + 1] + tile[ty + 1, tx] + tile[ty + 1, tx + 2]


def _matrices():
    for kernel, about in ((matmul_naive, "from global memory"), (matmul_tiled, "in tiles of 16x16")):
        yield Entry(
            kernel.__name__,
            f"product of matrices {about}",
            kernel,
            lambda: [floats(48, 32), floats(32, 64), zeros(48, 64)],
            grid=(4, 3),
            block=(16, 16),
        )
    yield Entry(
        "matmul_tiled_by_size",
        "the same with turns known only at run time",
        matmul_tiled_by_size,
        lambda: [floats(48, 32), floats(32, 64), zeros(48, 64), TILE],
        grid=(4, 3),
        block=(16, 16),
    )
    yield Entry("matvec_warp", "a warp a row", matvec_warp, lambda: [floats(16, 100), floats(100), zeros(16)], grid=4)
    yield Entry("stencil_shared", "stencil with a halo", stencil_shared, lambda: [floats(514), zeros(512)])
    yield Entry(
        "stencil_tile",
        "stencil of a tile with its halo",
        stencil_tile,
        lambda: [floats(18, 66), zeros(16, 64)],
        grid=(2, 2),
        block=(32, 8),
    )


ENTRIES = tuple(_matrices())
