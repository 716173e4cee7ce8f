"""Planted races of updates in place: one array read and written at once, with too few barriers or buffers."""

from __future__ import annotations

from numba import cuda, float32

from tests.zoo.entry import floats, zeros
from tests.zoo.planted import Planted

THREADS = 128
TILE = 16


def rotate_racy(x, out):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    s[t] = x[t]
    cuda.syncthreads()
    s[t] = s[(t + 1) % THREADS]  # clash
    cuda.syncthreads()
    out[t] = s[t]


def rotate_mended(x, out):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    s[t] = x[t]
    cuda.syncthreads()
    moved = s[(t + 1) % THREADS]
    cuda.syncthreads()
    s[t] = moved
    cuda.syncthreads()
    out[t] = s[t]


def rotate_through_register_racy(x, out):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    s[t] = x[t]
    cuda.syncthreads()
    moved = s[(t + 1) % THREADS]  # clash
    s[t] = 2 * moved  # clash
    cuda.syncthreads()
    out[t] = s[t]


def rotate_through_register_mended(x, out):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    s[t] = x[t]
    cuda.syncthreads()
    moved = s[(t + 1) % THREADS]
    cuda.syncthreads()
    s[t] = 2 * moved
    cuda.syncthreads()
    out[t] = s[t]


def scan_in_place_racy(x, out):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    s[t] = x[t]
    cuda.syncthreads()
    d = 1
    while d < THREADS:
        if t >= d:
            s[t] += s[t - d]  # clash
        cuda.syncthreads()
        d *= 2
    out[t] = s[t]


def scan_in_place_mended(x, out):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    s[t] = x[t]
    cuda.syncthreads()
    d = 1
    while d < THREADS:
        left = float32(0)
        if t >= d:
            left = s[t - d]
        cuda.syncthreads()
        s[t] += left
        cuda.syncthreads()
        d *= 2
    out[t] = s[t]


def scan_one_barrier_racy(x, out):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    s[t] = x[t]
    cuda.syncthreads()
    d = 1
    while d < THREADS:
        left = float32(0)
        if t >= d:
            left = s[t - d]  # clash
        cuda.syncthreads()
        s[t] += left  # clash
        d *= 2
    out[t] = s[t]


def scan_one_barrier_mended(x, out):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    s[t] = x[t]
    d = 1
    while d < THREADS:
        cuda.syncthreads()
        left = float32(0)
        if t >= d:
            left = s[t - d]
        cuda.syncthreads()
        s[t] += left
        d *= 2
    out[t] = s[t]


def two_buffers_racy(x, out):
    s = cuda.shared.array((2, THREADS), float32)
    t, source = cuda.threadIdx.x, 0
    s[0, t] = x[t]
    cuda.syncthreads()
    d = 1
    while d < THREADS:
        if t >= d:
            s[1 - source, t] = s[source, t] + s[source, t - d]  # clash
        else:
            s[1 - source, t] = s[source, t]  # clash
        source = 1 - source
        d *= 2
    out[t] = s[source, t]


def two_buffers_mended(x, out):
    s = cuda.shared.array((2, THREADS), float32)
    t, source = cuda.threadIdx.x, 0
    s[0, t] = x[t]
    cuda.syncthreads()
    d = 1
    while d < THREADS:
        if t >= d:
            s[1 - source, t] = s[source, t] + s[source, t - d]
        else:
            s[1 - source, t] = s[source, t]
        source = 1 - source
        cuda.syncthreads()
        d *= 2
    out[t] = s[source, t]


def buffers_not_swapped_racy(x, out):
    s = cuda.shared.array((2, THREADS), float32)
    t = cuda.threadIdx.x
    acc = float32(0)
    s[0, t] = x[t]
    cuda.syncthreads()
    for k in range(1, x.size // THREADS):
        s[0, t] = x[k * THREADS + t]  # clash
        acc += s[0, THREADS - 1 - t]  # clash
        cuda.syncthreads()
    out[t] = acc + s[0, THREADS - 1 - t]


def buffers_not_swapped_mended(x, out):
    s = cuda.shared.array((2, THREADS), float32)
    t = cuda.threadIdx.x
    acc = float32(0)
    s[0, t] = x[t]
    cuda.syncthreads()
    for k in range(1, x.size // THREADS):
        s[k % 2, t] = x[k * THREADS + t]
        acc += s[(k - 1) % 2, THREADS - 1 - t]
        cuda.syncthreads()
    out[t] = acc + s[(x.size // THREADS - 1) % 2, THREADS - 1 - t]


def turned_in_place_racy(src, dst):
    tile = cuda.shared.array((TILE, TILE), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    tile[ty, tx] = src[ty, tx]
    cuda.syncthreads()
    tile[ty, tx] = tile[tx, ty]  # clash
    cuda.syncthreads()
    dst[ty, tx] = tile[ty, tx]


def turned_in_place_mended(src, dst):
    tile = cuda.shared.array((TILE, TILE), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    tile[ty, tx] = src[ty, tx]
    cuda.syncthreads()
    if ty < tx:
        moved = tile[ty, tx]
        tile[ty, tx] = tile[tx, ty]
        tile[tx, ty] = moved
    cuda.syncthreads()
    dst[ty, tx] = tile[ty, tx]


def neighbours_sorted_racy(x, out):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    s[t] = x[t]
    cuda.syncthreads()
    for turn in range(x.size):
        k = 2 * t + turn % 2
        if k + 1 < THREADS and s[k] > s[k + 1]:  # clash
            low = s[k + 1]  # clash
            s[k + 1] = s[k]  # clash
            s[k] = low  # clash
    cuda.syncthreads()
    out[t] = s[t]


def neighbours_sorted_mended(x, out):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    s[t] = x[t]
    cuda.syncthreads()
    for turn in range(x.size):
        k = 2 * t + turn % 2
        if k + 1 < THREADS and s[k] > s[k + 1]:
            low = s[k + 1]
            s[k + 1] = s[k]
            s[k] = low
        cuda.syncthreads()
    out[t] = s[t]


def _line():
    return [floats(THREADS) + 1, zeros(THREADS)]


def _turns():
    return [floats(4 * THREADS), zeros(THREADS)]


def _square():
    return [floats(TILE, TILE), zeros(TILE, TILE)]


PLANTED = (
    Planted("a rotation in place", rotate_racy, rotate_mended, _line),
    Planted("a rotation through a register", rotate_through_register_racy, rotate_through_register_mended, _line),
    Planted("a scan that adds in place", scan_in_place_racy, scan_in_place_mended, _line),
    Planted("a scan with one barrier per turn", scan_one_barrier_racy, scan_one_barrier_mended, _line),
    Planted("two buffers without barriers", two_buffers_racy, two_buffers_mended, _line),
    Planted("two buffers that are never swapped", buffers_not_swapped_racy, buffers_not_swapped_mended, _turns),
    Planted("a tile turned in place", turned_in_place_racy, turned_in_place_mended, _square, block=(TILE, TILE)),
    Planted("a sort of neighbours without barriers", neighbours_sorted_racy, neighbours_sorted_mended, _line),
)
