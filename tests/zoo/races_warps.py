"""Planted races within a warp: lanes that rely on running in step, which no GPU since Volta promises."""

from __future__ import annotations

from numba import cuda, float32

from tests.zoo.entry import floats, zeros
from tests.zoo.planted import Planted

WARP = 32
THREADS = 128


def warp_reverse_racy(x, out):
    s = cuda.shared.array(WARP, float32)
    t = cuda.threadIdx.x
    s[t] = x[t]  # clash
    out[t] = s[WARP - 1 - t]  # clash


def warp_reverse_mended(x, out):
    s = cuda.shared.array(WARP, float32)
    t = cuda.threadIdx.x
    s[t] = x[t]
    cuda.syncwarp()
    out[t] = s[WARP - 1 - t]


def warp_tree_racy(x, out):
    s = cuda.shared.array(WARP, float32)
    t = cuda.threadIdx.x
    s[t] = x[t]
    cuda.syncwarp()
    d = WARP // 2
    while d > 0:
        if t < d:
            s[t] += s[t + d]  # clash
        d //= 2
    if t == 0:
        out[0] = s[0]


def warp_tree_mended(x, out):
    s = cuda.shared.array(WARP, float32)
    t = cuda.threadIdx.x
    s[t] = x[t]
    cuda.syncwarp()
    d = WARP // 2
    while d > 0:
        if t < d:
            s[t] += s[t + d]
        cuda.syncwarp()
        d //= 2
    if t == 0:
        out[0] = s[0]


def last_warp_racy(x, out):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    s[t] = x[t]
    cuda.syncthreads()
    if t < 64:
        s[t] += s[t + 64]
    cuda.syncthreads()
    if t < 32:
        s[t] += s[t + 32]  # clash
        if t < 16:
            s[t] += s[t + 16]  # clash
        if t < 8:
            s[t] += s[t + 8]  # clash
        if t < 4:
            s[t] += s[t + 4]  # clash
        if t < 2:
            s[t] += s[t + 2]  # clash
        if t == 0:
            out[0] = s[0] + s[1]  # clash


def last_warp_mended(x, out):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    s[t] = x[t]
    cuda.syncthreads()
    if t < 64:
        s[t] += s[t + 64]
    cuda.syncthreads()
    if t < 32:
        s[t] += s[t + 32]
        cuda.syncwarp()
        if t < 16:
            s[t] += s[t + 16]
        cuda.syncwarp()
        if t < 8:
            s[t] += s[t + 8]
        cuda.syncwarp()
        if t < 4:
            s[t] += s[t + 4]
        cuda.syncwarp()
        if t < 2:
            s[t] += s[t + 2]
        cuda.syncwarp()
        if t == 0:
            out[0] = s[0] + s[1]


def shuffle_as_barrier_racy(x, out):
    s = cuda.shared.array(WARP, float32)
    t = cuda.threadIdx.x
    s[t] = x[t]  # clash
    other = cuda.shfl_xor_sync(0xFFFFFFFF, x[t], 1)
    out[t] = other + s[t ^ 1]  # clash


def shuffle_as_barrier_mended(x, out):
    s = cuda.shared.array(WARP, float32)
    t = cuda.threadIdx.x
    s[t] = x[t]
    other = cuda.shfl_xor_sync(0xFFFFFFFF, x[t], 1)
    cuda.syncwarp()
    out[t] = other + s[t ^ 1]


def warp_scan_racy(x, out):
    s = cuda.shared.array(WARP, float32)
    t = cuda.threadIdx.x
    s[t] = x[t]
    cuda.syncwarp()
    d = 1
    while d < WARP:
        if t >= d:
            s[t] += s[t - d]  # clash
        cuda.syncwarp()
        d *= 2
    out[t] = s[t]


def warp_scan_mended(x, out):
    s = cuda.shared.array(WARP, float32)
    t = cuda.threadIdx.x
    s[t] = x[t]
    cuda.syncwarp()
    d = 1
    while d < WARP:
        left = float32(0)
        if t >= d:
            left = s[t - d]
        cuda.syncwarp()
        s[t] += left
        cuda.syncwarp()
        d *= 2
    out[t] = s[t]


def between_sides_racy(x, out):
    s = cuda.shared.array(WARP, float32)
    t = cuda.threadIdx.x
    if t < 16:
        s[t] = x[t]  # clash
    else:
        out[t] = s[t - 16]  # clash


def between_sides_mended(x, out):
    s = cuda.shared.array(WARP, float32)
    t = cuda.threadIdx.x
    if t < 16:
        s[t] = x[t]
    cuda.syncwarp()
    if t >= 16:
        out[t] = s[t - 16]


def _lane():
    return [floats(WARP), zeros(WARP)]


PLANTED = (
    Planted("a warp that reverses itself without syncwarp", warp_reverse_racy, warp_reverse_mended, _lane, block=WARP),
    Planted("a tree of a warp without syncwarp", warp_tree_racy, warp_tree_mended, _lane, block=WARP),
    Planted(
        "the last warp unrolled without syncwarp",
        last_warp_racy,
        last_warp_mended,
        lambda: [floats(THREADS), zeros(1)],
    ),
    Planted("a shuffle taken for a barrier", shuffle_as_barrier_racy, shuffle_as_barrier_mended, _lane, block=WARP),
    Planted("a scan of a warp that adds in place", warp_scan_racy, warp_scan_mended, _lane, block=WARP),
    Planted("from one side of an if to the other", between_sides_racy, between_sides_mended, _lane, block=WARP),
)
