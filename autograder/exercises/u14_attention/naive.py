"""What speed in unit 14 is measured against: right answers that somebody would write first."""

from __future__ import annotations

import math

import numpy as np
from numba import float32

from autograder.backend import cuda

LOWEST = float32(np.finfo(np.float32).min)
SCALE = float32(1 / math.sqrt(32))


@cuda.jit
def softmax_thread_per_row(src, dst):
    """Softmax of each row, one thread per row, which reads it three times. src, dst: (n_rows, n_cols) float32."""
    row = cuda.grid(1)
    if row < src.shape[0]:
        top = float32(-math.inf)
        for c in range(src.shape[1]):
            top = max(top, src[row, c])
        total = float32(0)
        for c in range(src.shape[1]):
            total += math.exp(src[row, c] - top)
        for c in range(src.shape[1]):
            dst[row, c] = math.exp(src[row, c] - top) / total


@cuda.jit
def attention_warp_alone(q, k, v, out):
    """A warp per query, which goes through all keys on its own, one by one.
    q, k, v, out: (n_heads, n, 32) float32."""
    lane, head = cuda.threadIdx.x, cuda.blockIdx.y
    i = 8 * cuda.blockIdx.x + cuda.threadIdx.y
    if i >= q.shape[1]:
        return
    mine = SCALE * q[head, i, lane]
    top, total, acc = LOWEST, float32(0), float32(0)
    for j in range(q.shape[1]):
        s = mine * k[head, j, lane]
        d = 16
        while d > 0:
            s += cuda.shfl_xor_sync(0xFFFFFFFF, s, d)
            d //= 2
        higher = max(top, s)
        shrink, p = math.exp(top - higher), math.exp(s - higher)
        total = total * shrink + p
        acc = acc * shrink + p * v[head, j, lane]
        top = higher
    out[head, i, lane] = acc / total


@cuda.jit
def causal_warp_alone(q, k, v, out):
    """A warp per query, which goes through the keys up to its own place, one by one.
    q, k, v, out: (n_heads, n, 32) float32."""
    lane, head = cuda.threadIdx.x, cuda.blockIdx.y
    i = 8 * cuda.blockIdx.x + cuda.threadIdx.y
    if i >= q.shape[1]:
        return
    mine = SCALE * q[head, i, lane]
    top, total, acc = LOWEST, float32(0), float32(0)
    for j in range(i + 1):
        s = mine * k[head, j, lane]
        d = 16
        while d > 0:
            s += cuda.shfl_xor_sync(0xFFFFFFFF, s, d)
            d //= 2
        higher = max(top, s)
        shrink, p = math.exp(top - higher), math.exp(s - higher)
        total = total * shrink + p
        acc = acc * shrink + p * v[head, j, lane]
        top = higher
    out[head, i, lane] = acc / total


@cuda.jit
def attention_halves_alone(q, k, v, out):
    """A warp per query, two numbers per lane, which goes through all keys on its own, one by one.
    q, k, v, out: (n_heads, n, 64) float16."""
    lane, head = cuda.threadIdx.x, cuda.blockIdx.y
    i = 8 * cuda.blockIdx.x + cuda.threadIdx.y
    if i >= q.shape[1]:
        return
    scale = float32(1 / math.sqrt(64))
    mine, other = scale * float32(q[head, i, lane]), scale * float32(q[head, i, lane + 32])
    top, total, acc, acc_other = LOWEST, float32(0), float32(0), float32(0)
    for j in range(q.shape[1]):
        s = mine * float32(k[head, j, lane]) + other * float32(k[head, j, lane + 32])
        d = 16
        while d > 0:
            s += cuda.shfl_xor_sync(0xFFFFFFFF, s, d)
            d //= 2
        higher = max(top, s)
        shrink, p = math.exp(top - higher), math.exp(s - higher)
        total = total * shrink + p
        acc = acc * shrink + p * float32(v[head, j, lane])
        acc_other = acc_other * shrink + p * float32(v[head, j, lane + 32])
        top = higher
    out[head, i, lane] = np.float16(acc / total)
    out[head, i, lane + 32] = np.float16(acc_other / total)


@cuda.jit
def layer_norm_thread_per_row(src, gamma, beta, dst):
    """Each row with mean 0 and variance 1, times gamma plus beta, one thread per row, which reads it three times.
    src, dst: (n_rows, n_cols), gamma, beta: (n_cols,), all float32."""
    row = cuda.grid(1)
    if row < src.shape[0]:
        n = float32(src.shape[1])
        mean = float32(0)
        for c in range(src.shape[1]):
            mean += src[row, c]
        mean /= n
        variance = float32(0)
        for c in range(src.shape[1]):
            variance += (src[row, c] - mean) * (src[row, c] - mean)
        scale = float32(1) / math.sqrt(variance / n + float32(1e-5))
        for c in range(src.shape[1]):
            dst[row, c] = (src[row, c] - mean) * scale * gamma[c] + beta[c]
