"""Answers to performance.standardise."""

import numpy as np
from numba import cuda, float32, int32, uint32

from autograder.exercises.catalogue import right, wrong

ZERO = np.float32(0)


@right("grid_stride")
@cuda.jit
def standardise(src, mean, factor, n_cols, out):
    width = uint32(n_cols)
    for i in range(cuda.grid(1), out.size, cuda.gridsize(1)):
        c = uint32(i) % width
        value = (src[i] - mean[c]) * factor[c]
        out[i] = value if value > ZERO else ZERO


@right("row_times_columns")
@cuda.jit
def standardise(src, mean, factor, n_cols, out):
    i = cuda.grid(1)
    if i >= out.size:
        return
    row = uint32(i) // uint32(n_cols)
    c = i - int32(row) * n_cols
    out[i] = max((src[i] - mean[c]) * factor[c], float32(0.0))


@cuda.jit(device=True)
def column(i, n_cols):
    return uint32(i) % uint32(n_cols)


@right("a_device_function")
@cuda.jit
def standardise(src, mean, factor, n_cols, out):
    i = cuda.grid(1)
    if i < out.size:
        c = column(i, n_cols)
        scaled = factor[c] * (src[i] - mean[c])
        if scaled < float32(0):
            scaled = float32(0)
        out[i] = scaled


@right("compared_with_itself")
@cuda.jit
def standardise(src, mean, factor, n_cols, out):
    i = cuda.grid(1)
    if i < src.size:
        c = uint32(i) % uint32(n_cols)
        x = src[i] - mean[c]
        out[i] = max(x * factor[c], x - x)


@right("numpy_names")
@cuda.jit
def standardise(src, mean, factor, n_cols, out):
    i = np.uint32(cuda.grid(1))
    n = np.uint32(n_cols)
    if i < out.size:
        c = i % n
        out[i] = max((src[i] - mean[c]) * factor[c], np.float32(0))


@right("one_division_per_block")
@cuda.jit
def standardise(src, mean, factor, n_cols, out):
    i = cuda.grid(1)
    c = int32(uint32(cuda.blockIdx.x * cuda.blockDim.x) % uint32(n_cols)) + cuda.threadIdx.x
    while c >= n_cols:
        c -= n_cols
    if i < out.size:
        out[i] = max((src[i] - mean[c]) * factor[c], float32(0))


@wrong("the_draft", misconception="float64_arithmetic", says="double precision")
@cuda.jit
def standardise(src, mean, factor, n_cols, out):
    i = cuda.grid(1)
    if i < out.size:
        c = i % n_cols
        scaled = (src[i] - mean[c]) * factor[c]
        out[i] = max(scaled, 0)


@wrong("still_64_bits", misconception="int64_arithmetic", says="remainder of 64-bit integers")
@cuda.jit
def standardise(src, mean, factor, n_cols, out):
    i = cuda.grid(1)
    if i < out.size:
        c = i % n_cols
        out[i] = max((src[i] - mean[c]) * factor[c], float32(0))


@wrong("int32_gives_int64_again", misconception="int64_arithmetic", says="remainder of 64-bit integers")
@cuda.jit
def standardise(src, mean, factor, n_cols, out):
    i = cuda.grid(1)
    if i < out.size:
        c = int32(i) % int32(n_cols)
        out[i] = max((src[i] - mean[c]) * factor[c], float32(0))


@wrong("one_of_two_converted", misconception="int64_arithmetic", says="remainder of 64-bit integers")
@cuda.jit
def standardise(src, mean, factor, n_cols, out):
    i = cuda.grid(1)
    if i < out.size:
        c = uint32(i) % n_cols
        out[i] = max((src[i] - mean[c]) * factor[c], float32(0))


@wrong("a_float_literal", misconception="float64_arithmetic", says="double precision")
@cuda.jit
def standardise(src, mean, factor, n_cols, out):
    i = cuda.grid(1)
    if i < out.size:
        c = uint32(i) % uint32(n_cols)
        out[i] = max((src[i] - mean[c]) * factor[c], 0.0)


@wrong("the_rows_number", misconception="row_for_column", says="% the column")
@cuda.jit
def standardise(src, mean, factor, n_cols, out):
    i = cuda.grid(1)
    if i < out.size:
        c = min(uint32(i) // uint32(n_cols), uint32(mean.size - 1))
        out[i] = max((src[i] - mean[c]) * factor[c], float32(0))


@wrong("negative_results_kept", misconception="wrong_formula", says="negative results are kept")
@cuda.jit
def standardise(src, mean, factor, n_cols, out):
    i = cuda.grid(1)
    if i < out.size:
        c = uint32(i) % uint32(n_cols)
        out[i] = (src[i] - mean[c]) * factor[c]


@wrong("multiplied_by_a_comparison", misconception="nan_by_arithmetic", says="0 * inf")
@cuda.jit
def standardise(src, mean, factor, n_cols, out):
    i = cuda.grid(1)
    if i < out.size:
        c = uint32(i) % uint32(n_cols)
        x = (src[i] - mean[c]) * factor[c]
        out[i] = x * (x > float32(0))


@right("by_a_condition")
@cuda.jit
def standardise(src, mean, factor, n_cols, out):
    i = cuda.grid(1)
    if i >= out.size:
        return
    c = uint32(i) % uint32(n_cols)
    x = (src[i] - mean[c]) * factor[c]
    out[i] = float32(0) if x < float32(0) else x


@wrong("no_guard", misconception="no_guard", says="outside")
@cuda.jit
def standardise(src, mean, factor, n_cols, out):
    i = cuda.grid(1)
    c = uint32(i) % uint32(n_cols)
    out[i] = max((src[i] - mean[c]) * factor[c], float32(0))
