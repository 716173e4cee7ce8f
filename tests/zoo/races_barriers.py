"""Planted races that a barrier of the block mends: it is missing, in the wrong place, or of the wrong kind."""

from __future__ import annotations

from numba import cuda, float32

from tests.zoo.entry import floats, zeros
from tests.zoo.planted import Planted

THREADS = 128
TILE = 16


def reverse_racy(x, out):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    s[t] = x[t]  # clash
    out[t] = s[THREADS - 1 - t]  # clash


def reverse_mended(x, out):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    s[t] = x[t]
    cuda.syncthreads()
    out[t] = s[THREADS - 1 - t]


def wrong_barrier_racy(x, out):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    s[t] = x[t]  # clash
    cuda.syncwarp()
    out[t] = s[THREADS - 1 - t]  # clash


def wrong_barrier_mended(x, out):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    s[t] = x[t]
    cuda.syncwarp()
    cuda.syncthreads()
    out[t] = s[THREADS - 1 - t]


def tile_turned_racy(src, dst):
    tile = cuda.shared.array((TILE, TILE), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    tile[ty, tx] = src[ty, tx]  # clash
    dst[ty, tx] = tile[tx, ty]  # clash


def tile_turned_mended(src, dst):
    tile = cuda.shared.array((TILE, TILE), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    tile[ty, tx] = src[ty, tx]
    cuda.syncthreads()
    dst[ty, tx] = tile[tx, ty]


def tree_first_turn_racy(x, out):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    s[t] = x[t]  # clash
    d = THREADS // 2
    while d > 0:
        if t < d:
            s[t] += s[t + d]  # clash
        cuda.syncthreads()
        d //= 2
    if t == 0:
        out[0] = s[0]


def tree_first_turn_mended(x, out):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    s[t] = x[t]
    cuda.syncthreads()
    d = THREADS // 2
    while d > 0:
        if t < d:
            s[t] += s[t + d]
        cuda.syncthreads()
        d //= 2
    if t == 0:
        out[0] = s[0]


def tree_between_turns_racy(x, out):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    s[t] = x[t]
    cuda.syncthreads()
    d = THREADS // 2
    while d > 0:
        if t < d:
            s[t] += s[t + d]  # clash
        d //= 2
    if t == 0:
        out[0] = s[0]


def tree_between_turns_mended(x, out):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    s[t] = x[t]
    cuda.syncthreads()
    d = THREADS // 2
    while d > 0:
        if t < d:
            s[t] += s[t + d]
        d //= 2
        cuda.syncthreads()
    if t == 0:
        out[0] = s[0]


def tree_result_racy(x, out):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    s[t] = x[t]
    d = THREADS // 2
    while d > 0:
        cuda.syncthreads()
        if t < d:
            s[t] += s[t + d]  # clash
        d //= 2
    out[t] = x[t] - s[0]  # clash


def tree_result_mended(x, out):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    s[t] = x[t]
    d = THREADS // 2
    while d > 0:
        cuda.syncthreads()
        if t < d:
            s[t] += s[t + d]
        d //= 2
    cuda.syncthreads()
    out[t] = x[t] - s[0]


def barrier_once_racy(x, out):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    acc = float32(0)
    for k in range(x.size // THREADS):
        s[t] = x[k * THREADS + t]  # clash
        if k == 0:
            cuda.syncthreads()
        acc += s[THREADS - 1 - t]  # clash
    out[t] = acc


def barrier_once_mended(x, out):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    acc = float32(0)
    for k in range(x.size // THREADS):
        s[t] = x[k * THREADS + t]
        cuda.syncthreads()
        acc += s[THREADS - 1 - t]
        cuda.syncthreads()
    out[t] = acc


def tiles_before_use_racy(a, b, c):
    tile_a = cuda.shared.array((TILE, TILE), float32)
    tile_b = cuda.shared.array((TILE, TILE), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    acc = float32(0)
    for start in range(0, a.shape[1], TILE):
        tile_a[ty, tx] = a[ty, start + tx]  # clash
        tile_b[ty, tx] = b[start + ty, tx]  # clash
        for k in range(TILE):
            acc += tile_a[ty, k] * tile_b[k, tx]  # clash
        cuda.syncthreads()
    c[ty, tx] = acc


def tiles_before_use_mended(a, b, c):
    tile_a = cuda.shared.array((TILE, TILE), float32)
    tile_b = cuda.shared.array((TILE, TILE), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    acc = float32(0)
    for start in range(0, a.shape[1], TILE):
        tile_a[ty, tx] = a[ty, start + tx]
        tile_b[ty, tx] = b[start + ty, tx]
        cuda.syncthreads()
        for k in range(TILE):
            acc += tile_a[ty, k] * tile_b[k, tx]
        cuda.syncthreads()
    c[ty, tx] = acc


def tiles_before_reload_racy(a, b, c):
    tile_a = cuda.shared.array((TILE, TILE), float32)
    tile_b = cuda.shared.array((TILE, TILE), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    acc = float32(0)
    for start in range(0, a.shape[1], TILE):
        tile_a[ty, tx] = a[ty, start + tx]  # clash
        tile_b[ty, tx] = b[start + ty, tx]  # clash
        cuda.syncthreads()
        for k in range(TILE):
            acc += tile_a[ty, k] * tile_b[k, tx]  # clash
    c[ty, tx] = acc


def tiles_before_reload_mended(a, b, c):
    tile_a = cuda.shared.array((TILE, TILE), float32)
    tile_b = cuda.shared.array((TILE, TILE), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    acc = float32(0)
    for start in range(0, a.shape[1], TILE):
        cuda.syncthreads()
        tile_a[ty, tx] = a[ty, start + tx]
        tile_b[ty, tx] = b[start + ty, tx]
        cuda.syncthreads()
        for k in range(TILE):
            acc += tile_a[ty, k] * tile_b[k, tx]
    c[ty, tx] = acc


def _line():
    return [floats(THREADS), zeros(THREADS)]


def _turns():
    return [floats(4 * THREADS), zeros(THREADS)]


def _product():
    return [floats(TILE, 3 * TILE), floats(3 * TILE, TILE), zeros(TILE, TILE)]


SQUARE = (TILE, TILE)
PLANTED = (
    Planted("no barrier between store and load", reverse_racy, reverse_mended, _line),
    Planted("a barrier of the warp where one of the block is needed", wrong_barrier_racy, wrong_barrier_mended, _line),
    Planted(
        "a tile read across before it is whole",
        tile_turned_racy,
        tile_turned_mended,
        lambda: [floats(TILE, TILE), zeros(TILE, TILE)],
        block=SQUARE,
    ),
    Planted("a tree without a barrier before its first turn", tree_first_turn_racy, tree_first_turn_mended, _line),
    Planted("a tree without barriers between turns", tree_between_turns_racy, tree_between_turns_mended, _line),
    Planted("a tree's result read without a barrier", tree_result_racy, tree_result_mended, _line),
    Planted("a barrier in the first turn only", barrier_once_racy, barrier_once_mended, _turns),
    Planted("tiles used before they are whole", tiles_before_use_racy, tiles_before_use_mended, _product, block=SQUARE),
    Planted(
        "tiles loaded while others still use them",
        tiles_before_reload_racy,
        tiles_before_reload_mended,
        _product,
        block=SQUARE,
    ),
)
