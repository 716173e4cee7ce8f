"""Answers to language_models.rms_norm."""

import math

import numpy as np
from numba import cuda, float32, uint32

from autograder.exercises.catalogue import right, wrong
from autograder.notebook.intrinsics import bits16, halves, load16, store16

WARP = 32
FULL_WARP = 0xFFFFFFFF
THREADS, WARPS = 128, 4
EPS = float32(1e-5)
float16 = np.float16


@cuda.jit(device=True, forceinline=True)
def warp_sum(x):
    d = 16
    while d > 0:
        x += cuda.shfl_xor_sync(FULL_WARP, x, d)
        d //= 2
    return x


@cuda.jit(device=True, forceinline=True)
def block_sum(x):
    sums = cuda.shared.array(WARPS, float32)
    x = warp_sum(x)
    if cuda.threadIdx.x % WARP == 0:
        sums[cuda.threadIdx.x // WARP] = x
    cuda.syncthreads()
    return sums[0] + sums[1] + sums[2] + sums[3]


@cuda.jit(device=True, forceinline=True)
def eight(src, at):
    words = load16(src, at)
    a, b = halves(words[0])
    c, d = halves(words[1])
    e, f = halves(words[2])
    g, h = halves(words[3])
    return a, b, c, d, e, f, g, h


@cuda.jit(device=True, forceinline=True)
def two(x, y):
    return bits16(float16(x)) | (bits16(float16(y)) << uint32(16))


@cuda.jit(device=True, forceinline=True)
def store8(dst, at, x):
    store16(dst, at, (two(x[0], x[1]), two(x[2], x[3]), two(x[4], x[5]), two(x[6], x[7])))


@cuda.jit(device=True, forceinline=True)
def dot8(x, y):
    low = x[0] * y[0] + x[1] * y[1] + x[2] * y[2] + x[3] * y[3]
    return low + x[4] * y[4] + x[5] * y[5] + x[6] * y[6] + x[7] * y[7]


@cuda.jit(device=True, forceinline=True)
def times8(x, y):
    return x[0] * y[0], x[1] * y[1], x[2] * y[2], x[3] * y[3], x[4] * y[4], x[5] * y[5], x[6] * y[6], x[7] * y[7]


@cuda.jit(device=True, forceinline=True)
def scaled8(x, scale):
    return times8(x, (scale, scale, scale, scale, scale, scale, scale, scale))


@right("gamma_first_and_divided")
@cuda.jit
def rms_norm(src, gamma, dst):
    row = cuda.blockIdx.x
    total = float32(0)
    c = 8 * cuda.threadIdx.x
    while c < src.shape[1]:
        a, b, d, e, g, h, i, j = eight(src, (row, c))
        total += (a * a + b * b) + (d * d + e * e) + (g * g + h * h) + (i * i + j * j)
        c += 1024
    root = math.sqrt(block_sum(total) / float32(src.shape[1]) + float32(1e-5))
    c = 8 * cuda.threadIdx.x
    while c < src.shape[1]:
        x, y = eight(src, (row, c)), eight(gamma, c)
        store8(dst, (row, c), scaled8(times8(x, y), float32(1) / root))
        c += 1024


@right("pieces_counted_and_views")
@cuda.jit
def rms_norm(src, gamma, dst):
    t = cuda.threadIdx.x
    line, result = src[cuda.blockIdx.x], dst[cuda.blockIdx.x]
    acc = float32(0)
    for piece in range(t, line.size // 8, THREADS):
        x = eight(line, 8 * piece)
        for k in range(8):
            acc += x[k] * x[k]
    scale = float32(1) / math.sqrt(block_sum(acc) / float32(line.size) + EPS)
    for piece in range(t, line.size // 8, THREADS):
        x = times8(eight(line, 8 * piece), eight(gamma, 8 * piece))
        store8(result, 8 * piece, scaled8(x, scale))


@right("tree_in_shared_memory")
@cuda.jit
def rms_norm(src, gamma, dst):
    cells = cuda.shared.array(128, float32)
    t, row = cuda.threadIdx.x, cuda.blockIdx.x
    cells[t] = 0
    for c in range(8 * t, src.shape[1], 1024):
        x = eight(src, (row, c))
        cells[t] += dot8(x, x)
    cuda.syncthreads()
    d = 64
    while d > 0:
        if t < d:
            cells[t] += cells[t + d]
        cuda.syncthreads()
        d //= 2
    scale = float32(1) / math.sqrt(cells[0] / float32(src.shape[1]) + EPS)
    for c in range(8 * t, src.shape[1], 1024):
        store8(dst, (row, c), times8(scaled8(eight(src, (row, c)), scale), eight(gamma, c)))


@cuda.jit(device=True, forceinline=True)
def minus8(x, mean):
    return x[0] - mean, x[1] - mean, x[2] - mean, x[3] - mean, x[4] - mean, x[5] - mean, x[6] - mean, x[7] - mean


@wrong("a_layer_norm", misconception="mean_subtracted", says="leaves it in")
@cuda.jit
def rms_norm(src, gamma, dst):
    t, row, n_cols = cuda.threadIdx.x, cuda.blockIdx.x, src.shape[1]
    one = float32(1)
    acc = float32(0)
    for c in range(8 * t, n_cols, 8 * THREADS):
        acc += dot8(eight(src, (row, c)), (one, one, one, one, one, one, one, one))
    mean = block_sum(acc) / float32(n_cols)
    cuda.syncthreads()
    acc = float32(0)
    for c in range(8 * t, n_cols, 8 * THREADS):
        x = minus8(eight(src, (row, c)), mean)
        acc += dot8(x, x)
    scale = float32(1) / math.sqrt(block_sum(acc) / float32(n_cols) + EPS)
    for c in range(8 * t, n_cols, 8 * THREADS):
        x = scaled8(minus8(eight(src, (row, c)), mean), scale)
        store8(dst, (row, c), times8(x, eight(gamma, c)))


@wrong("root_of_the_sum", misconception="sum_for_mean", says="take their mean")
@cuda.jit
def rms_norm(src, gamma, dst):
    t, row, n_cols = cuda.threadIdx.x, cuda.blockIdx.x, src.shape[1]
    acc = float32(0)
    for c in range(8 * t, n_cols, 8 * THREADS):
        x = eight(src, (row, c))
        acc += dot8(x, x)
    scale = float32(1) / math.sqrt(block_sum(acc) + EPS)
    for c in range(8 * t, n_cols, 8 * THREADS):
        x = scaled8(eight(src, (row, c)), scale)
        store8(dst, (row, c), times8(x, eight(gamma, c)))


@wrong("no_eps", misconception="eps_forgotten", says="1e-5 is missing")
@cuda.jit
def rms_norm(src, gamma, dst):
    t, row, n_cols = cuda.threadIdx.x, cuda.blockIdx.x, src.shape[1]
    acc = float32(0)
    for c in range(8 * t, n_cols, 8 * THREADS):
        x = eight(src, (row, c))
        acc += dot8(x, x)
    scale = float32(1) / math.sqrt(block_sum(acc) / float32(n_cols))
    for c in range(8 * t, n_cols, 8 * THREADS):
        x = scaled8(eight(src, (row, c)), scale)
        store8(dst, (row, c), times8(x, eight(gamma, c)))


@wrong("eps_beside_the_root", misconception="eps_outside", says="inside the root")
@cuda.jit
def rms_norm(src, gamma, dst):
    t, row, n_cols = cuda.threadIdx.x, cuda.blockIdx.x, src.shape[1]
    acc = float32(0)
    for c in range(8 * t, n_cols, 8 * THREADS):
        x = eight(src, (row, c))
        acc += dot8(x, x)
    scale = float32(1) / (math.sqrt(block_sum(acc) / float32(n_cols)) + EPS)
    for c in range(8 * t, n_cols, 8 * THREADS):
        x = scaled8(eight(src, (row, c)), scale)
        store8(dst, (row, c), times8(x, eight(gamma, c)))


@wrong("no_root", misconception="root_forgotten", says="take the root of it")
@cuda.jit
def rms_norm(src, gamma, dst):
    t, row, n_cols = cuda.threadIdx.x, cuda.blockIdx.x, src.shape[1]
    acc = float32(0)
    for c in range(8 * t, n_cols, 8 * THREADS):
        x = eight(src, (row, c))
        acc += dot8(x, x)
    scale = float32(1) / (block_sum(acc) / float32(n_cols) + EPS)
    for c in range(8 * t, n_cols, 8 * THREADS):
        x = scaled8(eight(src, (row, c)), scale)
        store8(dst, (row, c), times8(x, eight(gamma, c)))


@wrong("no_gamma", misconception="gamma_forgotten", says="gamma is missing")
@cuda.jit
def rms_norm(src, gamma, dst):
    t, row, n_cols = cuda.threadIdx.x, cuda.blockIdx.x, src.shape[1]
    acc = float32(0)
    for c in range(8 * t, n_cols, 8 * THREADS):
        x = eight(src, (row, c))
        acc += dot8(x, x)
    scale = float32(1) / math.sqrt(block_sum(acc) / float32(n_cols) + EPS)
    for c in range(8 * t, n_cols, 8 * THREADS):
        x = scaled8(eight(src, (row, c)), scale)
        store8(dst, (row, c), x)


@wrong("warps_alone", misconception="warps_not_combined", says="never added")
@cuda.jit
def rms_norm(src, gamma, dst):
    t, row, n_cols = cuda.threadIdx.x, cuda.blockIdx.x, src.shape[1]
    acc = float32(0)
    for c in range(8 * t, n_cols, 8 * THREADS):
        x = eight(src, (row, c))
        acc += dot8(x, x)
    scale = float32(1) / math.sqrt(warp_sum(acc) / float32(n_cols) + EPS)
    for c in range(8 * t, n_cols, 8 * THREADS):
        x = scaled8(eight(src, (row, c)), scale)
        store8(dst, (row, c), times8(x, eight(gamma, c)))


@wrong("one_piece_per_thread", misconception="missing_tail", says="first 1,024 elements")
@cuda.jit
def rms_norm(src, gamma, dst):
    t, row, n_cols = cuda.threadIdx.x, cuda.blockIdx.x, src.shape[1]
    acc = float32(0)
    for c in range(8 * t, n_cols, 8 * THREADS):
        x = eight(src, (row, c))
        acc += dot8(x, x)
    scale = float32(1) / math.sqrt(block_sum(acc) / float32(n_cols) + EPS)
    for c in range(8 * t, n_cols, 8 * THREADS):
        if c >= 1024:
            break
        x = scaled8(eight(src, (row, c)), scale)
        store8(dst, (row, c), times8(x, eight(gamma, c)))


@wrong("squares_in_float16", misconception="half_overflow", says="256 or more")
@cuda.jit
def rms_norm(src, gamma, dst):
    t, row, n_cols = cuda.threadIdx.x, cuda.blockIdx.x, src.shape[1]
    acc = float32(0)
    for c in range(t, n_cols, THREADS):
        acc += float32(float16(src[row, c] * src[row, c]))
    scale = float32(1) / math.sqrt(block_sum(acc) / float32(n_cols) + EPS)
    for c in range(8 * t, n_cols, 8 * THREADS):
        store8(dst, (row, c), times8(scaled8(eight(src, (row, c)), scale), eight(gamma, c)))


@wrong("one_float16_at_a_time", misconception="narrow_loads", says="five requests")
@cuda.jit
def rms_norm(src, gamma, dst):
    t, row, n_cols = cuda.threadIdx.x, cuda.blockIdx.x, src.shape[1]
    acc = float32(0)
    for c in range(t, n_cols, THREADS):
        x = float32(src[row, c])
        acc += x * x
    scale = float32(1) / math.sqrt(block_sum(acc) / float32(n_cols) + EPS)
    for c in range(t, n_cols, THREADS):
        dst[row, c] = float32(src[row, c]) * scale * float32(gamma[c])


@wrong("stored_one_by_one", misconception="narrow_stores", says="stored by five requests")
@cuda.jit
def rms_norm(src, gamma, dst):
    t, row, n_cols = cuda.threadIdx.x, cuda.blockIdx.x, src.shape[1]
    acc = float32(0)
    for c in range(8 * t, n_cols, 8 * THREADS):
        x = eight(src, (row, c))
        acc += dot8(x, x)
    scale = float32(1) / math.sqrt(block_sum(acc) / float32(n_cols) + EPS)
    for c in range(8 * t, n_cols, 8 * THREADS):
        x = scaled8(eight(src, (row, c)), scale)
        y = times8(x, eight(gamma, c))
        for k in range(8):
            dst[row, c + k] = y[k]
