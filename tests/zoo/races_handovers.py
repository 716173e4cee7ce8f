"""Planted races of what one thread hands to others: a halo, a word to all, sums of warps."""

from __future__ import annotations

from numba import cuda, float32

from tests.zoo.entry import floats, zeros
from tests.zoo.planted import Planted

THREADS = 128
WITH_HALO = THREADS + 2


def halo_racy(x, out):
    s = cuda.shared.array(WITH_HALO, float32)
    t = cuda.threadIdx.x
    s[t + 1] = x[t + 1]  # clash
    if t == 0:
        s[0] = x[0]
        s[THREADS + 1] = x[THREADS + 1]  # clash
    out[t] = s[t] + s[t + 2]  # clash


def halo_mended(x, out):
    s = cuda.shared.array(WITH_HALO, float32)
    t = cuda.threadIdx.x
    s[t + 1] = x[t + 1]
    if t == 0:
        s[0] = x[0]
        s[THREADS + 1] = x[THREADS + 1]
    cuda.syncthreads()
    out[t] = s[t] + s[t + 2]


def halo_after_barrier_racy(x, out):
    s = cuda.shared.array(WITH_HALO, float32)
    t = cuda.threadIdx.x
    s[t + 1] = x[t + 1]
    cuda.syncthreads()
    if t == 0:
        s[0] = x[0]
        s[THREADS + 1] = x[THREADS + 1]  # clash
    out[t] = s[t] + s[t + 2]  # clash


def halo_after_barrier_mended(x, out):
    s = cuda.shared.array(WITH_HALO, float32)
    t = cuda.threadIdx.x
    s[t + 1] = x[t + 1]
    if t == 0:
        s[0] = x[0]
        s[THREADS + 1] = x[THREADS + 1]
    cuda.syncthreads()
    out[t] = s[t] + s[t + 2]


def told_by_one_racy(x, out):
    told = cuda.shared.array(1, float32)
    t = cuda.threadIdx.x
    if t == 0:
        told[0] = x[5]  # clash
    out[t] = x[t] - told[0]  # clash


def told_by_one_mended(x, out):
    told = cuda.shared.array(1, float32)
    t = cuda.threadIdx.x
    if t == 0:
        told[0] = x[5]
    cuda.syncthreads()
    out[t] = x[t] - told[0]


def told_again_racy(x, out):
    told = cuda.shared.array(1, float32)
    t = cuda.threadIdx.x
    acc = float32(0)
    for k in range(x.size // THREADS):
        if t == 0:
            told[0] = x[k]  # clash
        cuda.syncthreads()
        acc += told[0] * x[k * THREADS + t]  # clash
    out[t] = acc


def told_again_mended(x, out):
    told = cuda.shared.array(1, float32)
    t = cuda.threadIdx.x
    acc = float32(0)
    for k in range(x.size // THREADS):
        if t == 0:
            told[0] = x[k]
        cuda.syncthreads()
        acc += told[0] * x[k * THREADS + t]
        cuda.syncthreads()
    out[t] = acc


def sums_of_warps_racy(x, out):
    parts = cuda.shared.array(4, float32)
    t = cuda.threadIdx.x
    acc = x[t]
    d = 16
    while d > 0:
        acc += cuda.shfl_down_sync(0xFFFFFFFF, acc, d)
        d //= 2
    if t % 32 == 0:
        parts[t // 32] = acc  # clash
    if t == 0:
        out[0] = parts[0] + parts[1] + parts[2] + parts[3]  # clash


def sums_of_warps_mended(x, out):
    parts = cuda.shared.array(4, float32)
    t = cuda.threadIdx.x
    acc = x[t]
    d = 16
    while d > 0:
        acc += cuda.shfl_down_sync(0xFFFFFFFF, acc, d)
        d //= 2
    if t % 32 == 0:
        parts[t // 32] = acc
    cuda.syncthreads()
    if t == 0:
        out[0] = parts[0] + parts[1] + parts[2] + parts[3]


def one_thread_sums_racy(x, out):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    s[t] = x[t]  # clash
    if t == 0:
        acc = float32(0)
        for k in range(x.size):
            acc += s[k]  # clash
        out[0] = acc


def one_thread_sums_mended(x, out):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    s[t] = x[t]
    cuda.syncthreads()
    if t == 0:
        acc = float32(0)
        for k in range(x.size):
            acc += s[k]
        out[0] = acc


def _line():
    return [floats(THREADS), zeros(THREADS)]


def _longer():
    return [floats(WITH_HALO), zeros(THREADS)]


def _turns():
    return [floats(4 * THREADS), zeros(THREADS)]


PLANTED = (
    Planted("a halo without a barrier", halo_racy, halo_mended, _longer),
    Planted("a halo stored after the barrier", halo_after_barrier_racy, halo_after_barrier_mended, _longer),
    Planted("one thread's word to all without a barrier", told_by_one_racy, told_by_one_mended, _line),
    Planted("one cell used again in the next turn", told_again_racy, told_again_mended, _turns),
    Planted("sums of warps added without a barrier", sums_of_warps_racy, sums_of_warps_mended, _line),
    Planted("one thread adds before the others stored", one_thread_sums_racy, one_thread_sums_mended, _line),
)
