"""Planted races of shared counters and bins without atomics, or without a barrier around them."""

from __future__ import annotations

from numba import cuda, float32, int32

from tests.zoo.entry import drawn, floats, zeros
from tests.zoo.planted import Planted

THREADS = 128
BINS = 32
ATOMIC = "racecheck reports nothing where one of the two accesses is an atomic"


def bins_without_atomics_racy(x, out):
    s = cuda.shared.array(BINS, int32)
    t = cuda.threadIdx.x
    if t < BINS:
        s[t] = 0
    cuda.syncthreads()
    s[x[t]] += 1  # clash
    cuda.syncthreads()
    if t < BINS:
        out[t] = s[t]


def bins_without_atomics_mended(x, out):
    s = cuda.shared.array(BINS, int32)
    t = cuda.threadIdx.x
    if t < BINS:
        s[t] = 0
    cuda.syncthreads()
    cuda.atomic.add(s, x[t], 1)
    cuda.syncthreads()
    if t < BINS:
        out[t] = s[t]


def bins_not_yet_zero_racy(x, out):
    s = cuda.shared.array(BINS, int32)
    t = cuda.threadIdx.x
    if t < BINS:
        s[t] = 0  # clash
    cuda.atomic.add(s, x[t], 1)  # clash
    cuda.syncthreads()
    if t < BINS:
        out[t] = s[t]


def bins_not_yet_zero_mended(x, out):
    s = cuda.shared.array(BINS, int32)
    t = cuda.threadIdx.x
    if t < BINS:
        s[t] = 0
    cuda.syncthreads()
    cuda.atomic.add(s, x[t], 1)
    cuda.syncthreads()
    if t < BINS:
        out[t] = s[t]


def bins_read_early_racy(x, out):
    s = cuda.shared.array(BINS, int32)
    t = cuda.threadIdx.x
    if t < BINS:
        s[t] = 0
    cuda.syncthreads()
    cuda.atomic.add(s, x[t], 1)  # clash
    if t < BINS:
        out[t] = s[t]  # clash


def bins_read_early_mended(x, out):
    s = cuda.shared.array(BINS, int32)
    t = cuda.threadIdx.x
    if t < BINS:
        s[t] = 0
    cuda.syncthreads()
    cuda.atomic.add(s, x[t], 1)
    cuda.syncthreads()
    if t < BINS:
        out[t] = s[t]


def places_without_atomics_racy(x, out):
    kept = cuda.shared.array(THREADS, float32)
    count = cuda.shared.array(1, int32)
    t = cuda.threadIdx.x
    kept[t] = 0
    if t == 0:
        count[0] = 0
    cuda.syncthreads()
    if x[t] > 3:
        count[0] += 1  # clash
    cuda.syncthreads()
    out[t] = kept[t] + count[0]


def places_without_atomics_mended(x, out):
    kept = cuda.shared.array(THREADS, float32)
    count = cuda.shared.array(1, int32)
    t = cuda.threadIdx.x
    kept[t] = 0
    if t == 0:
        count[0] = 0
    cuda.syncthreads()
    if x[t] > 3:
        kept[cuda.atomic.add(count, 0, 1)] = x[t]
    cuda.syncthreads()
    out[t] = kept[t] + count[0]


def largest_without_atomics_racy(x, out):
    best = cuda.shared.array(1, int32)
    t = cuda.threadIdx.x
    if t == 0:
        best[0] = -1
    cuda.syncthreads()
    if x[t] > best[0]:  # clash
        best[0] = x[t]  # clash
    cuda.syncthreads()
    out[t] = best[0]


def largest_without_atomics_mended(x, out):
    best = cuda.shared.array(1, int32)
    t = cuda.threadIdx.x
    if t == 0:
        best[0] = -1
    cuda.syncthreads()
    cuda.atomic.max(best, 0, x[t])
    cuda.syncthreads()
    out[t] = best[0]


def arrays_overlap_racy(x, out):
    both = cuda.shared.array(0, float32)
    low, high = both[:THREADS], both[THREADS - 1 :]
    t = cuda.threadIdx.x
    low[t] = x[t]  # clash
    high[t] = -x[t]  # clash
    cuda.syncthreads()
    out[t] = low[THREADS - 1 - t] + high[t]


def arrays_overlap_mended(x, out):
    both = cuda.shared.array(0, float32)
    low, high = both[:THREADS], both[THREADS:]
    t = cuda.threadIdx.x
    low[t] = x[t]
    high[t] = -x[t]
    cuda.syncthreads()
    out[t] = low[THREADS - 1 - t] + high[t]


def _line():
    return [floats(THREADS) + 1, zeros(THREADS)]


def _bins():
    return [drawn(THREADS, BINS, 31), zeros(BINS, dtype="int32")]


def _whole():
    return [drawn(THREADS, 100, 32), zeros(THREADS, dtype="int32")]


PLANTED = (
    Planted("bins counted without atomics", bins_without_atomics_racy, bins_without_atomics_mended, _bins),
    Planted(
        "bins counted while others clear them",
        bins_not_yet_zero_racy,
        bins_not_yet_zero_mended,
        _bins,
        beyond_racecheck=ATOMIC,
    ),
    Planted(
        "bins read while others count", bins_read_early_racy, bins_read_early_mended, _bins, beyond_racecheck=ATOMIC
    ),
    Planted("one counter without atomics", places_without_atomics_racy, places_without_atomics_mended, _line),
    Planted("the largest by compare and store", largest_without_atomics_racy, largest_without_atomics_mended, _whole),
    Planted(
        "two dynamic arrays that overlap by one",
        arrays_overlap_racy,
        arrays_overlap_mended,
        _line,
        dynamic_shared_bytes=1024,
    ),
)
