"""What speed in unit 21 is measured against: right answers that somebody would write first."""

from __future__ import annotations

import math

from numba import float32, int32

from autograder.backend import cuda
from autograder.exercises.u21_language_models.values import EPS as SMALL

EPS = float32(SMALL)
FULL_WARP = 0xFFFFFFFF
SPLIT, PAGE, HEAD, TOGETHER = 512, 16, 128, 4
SCALE = float32(1 / math.sqrt(HEAD))
LOWEST = float32(-3.4028234663852886e38)


@cuda.jit
def rms_thread_per_row(src, gamma, dst):
    """dst = src / sqrt(mean(src²) + 1e-5) * gamma, one thread per row. src, dst: (n_rows, n_cols) float16."""
    row = cuda.grid(1)
    if row < src.shape[0]:
        acc = float32(0)
        for c in range(src.shape[1]):
            acc += float32(src[row, c]) * float32(src[row, c])
        scale = float32(1) / math.sqrt(acc / float32(src.shape[1]) + EPS)
        for c in range(src.shape[1]):
            dst[row, c] = float32(src[row, c]) * scale * float32(gamma[c])


@cuda.jit
def half_thread_per_row(weights, x, y):
    """y = weights x, one thread per row. weights: (n_rows, n_cols) float16."""
    row = cuda.grid(1)
    if row < y.size:
        acc = float32(0)
        for c in range(x.size):
            acc += float32(weights[row, c]) * float32(x[c])
        y[row] = acc


@cuda.jit
def four_thread_per_row(packed, scales, x, y):
    """The same with weights of 4 bits, one thread per row. packed: (n_rows, n_cols / 2) int8."""
    row = cuda.grid(1)
    if row < y.size:
        acc = float32(0)
        for c in range(x.size):
            step = (int32(packed[row, c // 2]) >> (4 * (c % 2))) & 15
            acc += float32(step - 8) * float32(scales[row, c // 32]) * float32(x[c])
        y[row] = acc


@cuda.jit(device=True, forceinline=True)
def warp_sum(x):
    """The sum of x over a warp's 32 lanes, in all of them."""
    d = 16
    while d > 0:
        x += cuda.shfl_xor_sync(FULL_WARP, x, d)
        d //= 2
    return x


@cuda.jit
def attention_head_alone(q, keys, values, pages, n_keys, parts, logs):
    """Attention over each split, a warp per head, which goes through the split's keys one by one.
    q: (n_heads, 128), keys, values: (n_shared, 16 n_pages, 128) float16."""
    lane, split, shared = cuda.threadIdx.x % 32, cuda.blockIdx.x, cuda.blockIdx.y
    head = TOGETHER * shared + cuda.threadIdx.x // 32
    if cuda.threadIdx.x >= 32 * TOGETHER:
        return
    top, total = LOWEST, float32(0)
    a, b, c, d = float32(0), float32(0), float32(0), float32(0)
    for j in range(SPLIT * split, min(SPLIT * (split + 1), n_keys)):
        row = PAGE * pages[j // PAGE] + j % PAGE
        s = float32(0)
        for i in range(lane, HEAD, 32):
            s += float32(q[head, i]) * float32(keys[shared, row, i])
        s = SCALE * warp_sum(s)
        higher = max(top, s)
        shrink, p = math.exp(top - higher), math.exp(s - higher)
        total = total * shrink + p
        a = a * shrink + p * float32(values[shared, row, lane])
        b = b * shrink + p * float32(values[shared, row, lane + 32])
        c = c * shrink + p * float32(values[shared, row, lane + 64])
        d = d * shrink + p * float32(values[shared, row, lane + 96])
        top = higher
    parts[split, head, lane] = a / total
    parts[split, head, lane + 32] = b / total
    parts[split, head, lane + 64] = c / total
    parts[split, head, lane + 96] = d / total
    if lane == 0:
        logs[split, head] = top + math.log(total)
