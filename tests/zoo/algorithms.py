"""Reductions, scans and histograms as people write them."""

from __future__ import annotations

from numba import cuda, float32, int32

from tests.zoo.entry import Entry, drawn, floats, numbers, zeros

THREADS = 128
TWICE = 2 * THREADS
BINS = 64
EVERYBODY = 0xFFFFFFFF


def sum_interleaved(x, out):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    s[t] = x[cuda.grid(1)]
    cuda.syncthreads()
    d = 1
    while d < THREADS:
        if t % (2 * d) == 0:
            s[t] += s[t + d]
        cuda.syncthreads()
        d *= 2
    if t == 0:
        out[cuda.blockIdx.x] = s[0]


def sum_strided_index(x, out):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    s[t] = x[cuda.grid(1)]
    cuda.syncthreads()
    d = 1
    while d < THREADS:
        k = 2 * d * t
        if k < THREADS:
            s[k] += s[k + d]
        cuda.syncthreads()
        d *= 2
    if t == 0:
        out[cuda.blockIdx.x] = s[0]


def sum_sequential(x, out):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    s[t] = x[cuda.grid(1)]
    cuda.syncthreads()
    d = THREADS // 2
    while d > 0:
        if t < d:
            s[t] += s[t + d]
        cuda.syncthreads()
        d //= 2
    if t == 0:
        out[cuda.blockIdx.x] = s[0]


def sum_shuffled(x, out):
    parts = cuda.shared.array(32, float32)
    t = cuda.threadIdx.x
    acc = x[cuda.grid(1)]
    d = 16
    while d > 0:
        acc += cuda.shfl_down_sync(EVERYBODY, acc, d)
        d //= 2
    if t % 32 == 0:
        parts[t // 32] = acc
    cuda.syncthreads()
    if t == 0:
        total = float32(0)
        for k in range(THREADS // 32):
            total += parts[k]
        out[cuda.blockIdx.x] = total


def sum_several_each(x, out):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    acc = float32(0)
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        acc += x[i]
    s[t] = acc
    cuda.syncthreads()
    d = THREADS // 2
    while d > 0:
        if t < d:
            s[t] += s[t + d]
        cuda.syncthreads()
        d //= 2
    if t == 0:
        cuda.atomic.add(out, 0, s[0])


def sum_atomic(x, out):
    i = cuda.grid(1)
    if i < x.size:
        cuda.atomic.add(out, 0, x[i])


def sum_last_warp(x, out):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    s[t] = x[cuda.grid(1)]
    cuda.syncthreads()
    if t < 64:
        s[t] += s[t + 64]
    cuda.syncthreads()
    if t < 32:
        acc = s[t] + s[t + 32]
        d = 16
        while d > 0:
            acc += cuda.shfl_down_sync(EVERYBODY, acc, d)
            d //= 2
        if t == 0:
            out[cuda.blockIdx.x] = acc


def scan_two_buffers(x, out):
    s = cuda.shared.array((2, THREADS), float32)
    t, source = cuda.threadIdx.x, 0
    s[0, t] = x[cuda.grid(1)]
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
    out[cuda.grid(1)] = s[source, t]


def scan_two_sweeps(x, out):
    s = cuda.shared.array(TWICE, float32)
    t, i = cuda.threadIdx.x, 2 * cuda.grid(1)
    s[2 * t] = x[i]
    s[2 * t + 1] = x[i + 1]
    d = 1
    half = THREADS
    while half > 0:
        cuda.syncthreads()
        if t < half:
            s[d * (2 * t + 2) - 1] += s[d * (2 * t + 1) - 1]
        d *= 2
        half //= 2
    cuda.syncthreads()
    if t == 0:
        s[2 * THREADS - 1] = float32(0)
    half = 1
    while half <= THREADS:
        d //= 2
        cuda.syncthreads()
        if t < half:
            left, right = d * (2 * t + 1) - 1, d * (2 * t + 2) - 1
            moved = s[left]
            s[left] = s[right]
            s[right] += moved
        half *= 2
    cuda.syncthreads()
    out[i] = s[2 * t]
    out[i + 1] = s[2 * t + 1]


def scan_warp(x, out):
    i = cuda.grid(1)
    acc = x[i]
    d = 1
    while d < 32:
        left = cuda.shfl_up_sync(EVERYBODY, acc, d)
        if cuda.laneid >= d:
            acc += left
        d *= 2
    out[i] = acc


def histogram_global(x, bins):
    i = cuda.grid(1)
    if i < x.size:
        cuda.atomic.add(bins, x[i], 1)


def histogram_shared(x, bins):
    s = cuda.shared.array(BINS, int32)
    t = cuda.threadIdx.x
    if t < BINS:
        s[t] = 0
    cuda.syncthreads()
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        cuda.atomic.add(s, x[i], 1)
    cuda.syncthreads()
    if t < BINS:
        cuda.atomic.add(bins, t, s[t])


def histogram_weighted(x, weights, bins):
    i = cuda.grid(1)
    if i < x.size:
        cuda.atomic.add(bins, x[i], weights[i])


def compact(x, out, count):
    i = cuda.grid(1)
    if i < x.size and x[i] > 3:
        place = cuda.atomic.add(count, 0, 1)
        out[place] = x[i]


def maximum_of_block(x, out):
    best = cuda.shared.array(1, int32)
    t = cuda.threadIdx.x
    if t == 0:
        best[0] = -1
    cuda.syncthreads()
    cuda.atomic.max(best, 0, x[cuda.grid(1)])
    cuda.syncthreads()
    if t == 0:
        out[cuda.blockIdx.x] = best[0]


SUMS = (
    (sum_interleaved, "tree with t % (2 * d) == 0"),
    (sum_strided_index, "tree with k = 2 * d * t"),
    (sum_sequential, "tree with t < d"),
    (sum_shuffled, "shuffles, then one thread"),
    (sum_last_warp, "tree that ends in shuffles"),
)


def _sums():
    for kernel, about in SUMS:
        yield Entry(kernel.__name__, f"sum of a block: {about}", kernel, lambda: [floats(512), zeros(4)])
    yield Entry(
        "sum_several_each", "sum, several elements a thread", sum_several_each, lambda: [floats(1500), zeros(1)]
    )
    yield Entry("sum_atomic", "sum by atomics on one float", sum_atomic, lambda: [floats(500), zeros(1)])
    yield Entry("scan_two_buffers", "scan in two buffers", scan_two_buffers, lambda: [floats(512), zeros(512)])
    yield Entry("scan_two_sweeps", "scan by two sweeps", scan_two_sweeps, lambda: [floats(512), zeros(512)], 2)
    yield Entry("scan_warp", "scan by shuffles", scan_warp, lambda: [floats(512), zeros(512)])


def _bins():
    for name, values in (("even", lambda: drawn(1000, BINS, 11)), ("hot", lambda: drawn(1000, 2, 12))):
        for kernel in (histogram_global, histogram_shared):
            yield Entry(
                f"{kernel.__name__}_{name}",
                f"{kernel.__name__.replace('_', ' in ')} memory, {name} bins",
                kernel,
                lambda values=values: [values(), zeros(BINS, dtype="int32")],
                grid=8 if kernel is histogram_global else 2,
            )
    yield Entry(
        "histogram_weighted",
        "histogram of float weights",
        histogram_weighted,
        lambda: [drawn(1000, BINS, 13), floats(1000), zeros(BINS)],
        grid=8,
    )
    yield Entry(
        "maximum_of_block",
        "maximum in shared memory, one cell",
        maximum_of_block,
        lambda: [drawn(512, 1000, 14), zeros(4, dtype="int32")],
    )
    yield Entry(
        "compact",
        "places drawn from one counter",
        compact,
        lambda: [numbers(256, "int32"), zeros(256, dtype="int32"), zeros(1, dtype="int32")],
        grid=1,
        block=32,
    )


ENTRIES = (*_sums(), *_bins())
