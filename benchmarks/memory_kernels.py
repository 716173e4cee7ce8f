"""Kernels that unit 03's own are timed beside: the same jobs with another pattern of access."""

from __future__ import annotations

from numba import cuda, float32

from autograder.notebook.intrinsics import load16, store16

SPREAD = 40_503  # odd, so that each of a power of two of rows is met once


@cuda.jit
def gather_one(src, places, dst):
    """dst[i] = src[places[i]]. All (n,); places int32."""
    i = cuda.grid(1)
    if i < dst.size:
        dst[i] = src[places[i]]


@cuda.jit
def gather_worked_out(src, rows, dst):
    """`gather_rows` of rows worked out: dst[r] = src[SPREAD r mod n], n a power of two. src, dst: (n, n_cols)."""
    col, row = cuda.grid(2)
    if row < dst.shape[0] and col < dst.shape[1]:
        dst[row, col] = src[(row * SPREAD) & (dst.shape[0] - 1), col]


@cuda.jit
def gather_four_each(src, rows, dst):
    """`gather_rows`, four elements per thread, 32 columns apart, behind one row number. n_cols: a multiple of 128."""
    col, row = 128 * cuda.blockIdx.x + cuda.threadIdx.x, cuda.grid(2)[1]
    if row < dst.shape[0]:
        r = rows[row]
        a, b, c, d = src[r, col], src[r, col + 32], src[r, col + 64], src[r, col + 96]
        dst[row, col], dst[row, col + 32], dst[row, col + 64], dst[row, col + 96] = a, b, c, d


@cuda.jit
def gather_wide(src, rows, dst):
    """`gather_rows` with 16 bytes per lane. n_cols: a multiple of 128."""
    col, row = cuda.grid(2)
    if row < dst.shape[0]:
        store16(dst, (row, 4 * col), load16(src, (rows[row], 4 * col)))


@cuda.jit
def drift_aos(bodies, dt):
    """Places move by dt times the velocity. bodies: (n, 8) float32, one row per body."""
    i = cuda.grid(1)
    if i < bodies.shape[0]:
        for axis in range(3):
            bodies[i, axis] += dt * bodies[i, 4 + axis]


@cuda.jit
def copy_four_loads_first(src, dst):
    """dst = src, four neighbours per thread, all loaded before one is stored."""
    i = 4 * cuda.grid(1)
    if i + 3 < dst.size:
        a, b, c, d = src[i], src[i + 1], src[i + 2], src[i + 3]
        dst[i], dst[i + 1], dst[i + 2], dst[i + 3] = a, b, c, d


@cuda.jit
def box_one_each(src, dst):
    """dst = sums of three rows, one thread per element."""
    col, row = cuda.grid(2)
    n_rows, n_cols = dst.shape
    if row < n_rows and col < n_cols:
        acc = src[row, col]
        if row > 0:
            acc += src[row - 1, col]
        if row + 1 < n_rows:
            acc += src[row + 1, col]
        dst[row, col] = acc


@cuda.jit
def read_next_block(src, times, sums):
    """`read_again`, with a share in each pass that another block read in the pass before: L1 cannot help."""
    step = cuda.gridsize(1)
    t = cuda.grid(1)
    acc = float32(0)
    for _ in range(times):
        for i in range(t, src.size, step):
            acc += src[i]
        t += cuda.blockDim.x
        if t >= step:
            t -= step
    sums[cuda.grid(1)] = acc


@cuda.jit(device=True, forceinline=True)
def added(four):
    """Four numbers in a tuple, added up."""
    return (four[0] + four[1]) + (four[2] + four[3])


@cuda.jit
def read_wide(src, times, sums):
    """`read_again` with 64 bytes of each thread under way at once. src: (n,), n a multiple of 4, float32."""
    step = 4 * cuda.gridsize(1)
    a = b = c = d = float32(0)
    for _ in range(times):
        i = 4 * cuda.grid(1)
        while i + 3 * step < src.size:
            p, q = load16(src, i), load16(src, i + step)
            r, s = load16(src, i + 2 * step), load16(src, i + 3 * step)
            a += added(p)
            b += added(q)
            c += added(r)
            d += added(s)
            i += 4 * step
        while i < src.size:
            a += added(load16(src, i))
            i += step
    sums[cuda.grid(1)] = (a + b) + (c + d)


@cuda.jit
def read_wide_next_block(src, times, sums):
    """`read_wide`, with a share in each pass that another block read in the pass before: L1 cannot help."""
    step, first = 4 * cuda.gridsize(1), 4 * cuda.grid(1)
    a = b = c = d = float32(0)
    for _ in range(times):
        i = first
        while i + 3 * step < src.size:
            p, q = load16(src, i), load16(src, i + step)
            r, s = load16(src, i + 2 * step), load16(src, i + 3 * step)
            a += added(p)
            b += added(q)
            c += added(r)
            d += added(s)
            i += 4 * step
        while i < src.size:
            a += added(load16(src, i))
            i += step
        first += 4 * cuda.blockDim.x
        if first >= step:
            first -= step
    sums[cuda.grid(1)] = (a + b) + (c + d)
