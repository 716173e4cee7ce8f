"""Kernels that the lint tests compile."""

import math

import numpy as np
from numba import cuda, float32, float64, int32

TILE = 32
PITCH = TILE + 1
SCALE = 3.7
WIDE_WEIGHTS = np.array([[0.25, 0.5, 0.25], [0.1, 0.8, 0.1]])


@cuda.jit
def copy(src, dst):
    i = cuda.grid(1)
    if i < src.size:
        dst[i] = src[i]


@cuda.jit
def transpose(src, dst):
    tile = cuda.shared.array((TILE, PITCH), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    row, col = cuda.blockIdx.y * TILE + ty, cuda.blockIdx.x * TILE + tx
    if row < src.shape[0] and col < src.shape[1]:
        tile[ty, tx] = src[row, col]
    cuda.syncthreads()
    row, col = cuda.blockIdx.x * TILE + ty, cuda.blockIdx.y * TILE + tx
    if row < dst.shape[0] and col < dst.shape[1]:
        dst[row, col] = tile[tx, ty]


@cuda.jit
def sine(src, dst):
    i = cuda.grid(1)
    dst[i] = math.sin(src[i]) * 0.5


@cuda.jit
def narrowed(src, dst):
    i = cuda.grid(1)
    dst[i] = src[i] * 0.5
    dst[i + 1] = src[i] ** 2


@cuda.jit(device=True)
def scaled(value):
    return value * SCALE


@cuda.jit
def through_a_helper(src, dst):
    i = cuda.grid(1)
    dst[i] = scaled(src[i])


@cuda.jit
def many_literals(src, dst):
    i = cuda.grid(1)
    dst[i] = 0.3 * src[i] + 0.7 * src[i] * src[i] + 0.9


@cuda.jit
def double_by_each_other(src, dst):
    i = cuda.grid(1)
    zr, zi, n = float32(0), float32(0), 0
    while n < 8 and zr * zr + zi * zi <= float32(4):
        zr, zi = zr * zr - zi * zi + src[i], 2 * zr * zi
        n += 1
    dst[i] = n


@cuda.jit
def integer_division(src, dst):
    i = cuda.grid(1)
    dst[i] = src[i] * (i / src.size)


@cuda.jit
def on_purpose(src, dst):
    i = cuda.grid(1)
    total = float64(0)
    for k in range(src.size):
        total += float64(src[k])
    dst[i] = total


@cuda.jit
def in_double(src, dst):
    i = cuda.grid(1)
    dst[i] = src[i] * 0.1


@cuda.jit
def divides_indices(src, dst):
    i = cuda.grid(1)
    dst[i // dst.size] = src[i % src.size]


@cuda.jit
def strides_over_the_grid(src, dst):
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        dst[i] = src[i]


@cuda.jit
def weighed_in_double(src, dst):
    weights = cuda.const.array_like(WIDE_WEIGHTS)
    i = cuda.grid(1)
    dst[i] = src[i] * weights[i % 2, i % 3]


@cuda.jit
def weighed_in_double_directly(src, dst):
    i = cuda.grid(1)
    dst[i] = src[i] * WIDE_WEIGHTS[i % 2, i % 3]


@cuda.jit(max_registers=32)
def limited(src, dst):
    i = cuda.grid(1)
    a, b, c, d = src[i], src[i + 1], src[i + 2], src[i + 3]
    for k in range(src.size):
        a, b, c, d = b * src[k] + a, c * src[k + 1] + b, d * src[k + 2] + c, a * src[k + 3] + d
    dst[i] = a + b + c + d


@cuda.jit
def step_in_double(src, dst, dt):
    i = cuda.grid(1)
    step = np.float64(dt)
    dst[i] += step * src[i]


@cuda.jit
def double_through_libdevice(src, dst):
    i = cuda.grid(1)
    dst[i] = src[i] * math.exp(np.double(src[i]))


@cuda.jit(device=True)
def added_up_in_float(x):
    acc = float32(0)
    for _ in range(4):
        acc += float32(x)
    return acc


@cuda.jit
def counts_in_float(src, hist):
    s = cuda.shared.array(256, float32)
    cuda.atomic.add(s, src[cuda.grid(1)], 1)  # counted
    cuda.syncthreads()
    hist[cuda.threadIdx.x] = int32(s[cuda.threadIdx.x])


@cuda.jit
def counts_pass_through_float(src, hist):
    i = cuda.grid(1)
    hist[i] = int32(float32(hist[i]))  # converted


@cuda.jit
def sums_in_float_elsewhere(src, hist):
    hist[0] = int32(added_up_in_float(src[0]))


@cuda.jit
def float_is_stored_as_it_is(src, hist):
    acc = float32(0)
    for i in range(src.size):
        acc += float32(src[i])  # added
    hist[0] = acc


@cuda.jit
def scaled_bytes(src, hist):
    v = float32(src[0]) * float32(0.25)
    hist[int32(v)] = int32(v + float32(1))


@cuda.jit
def compared_in_float(src, hist):
    v = float32(hist[0]) * float32(2.3283064e-10)
    if v * v < float32(1):
        cuda.atomic.add(hist, 0, 1)
