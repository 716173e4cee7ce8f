"""Answers to memory_kinds.filter_constant."""

import numpy as np
from numba import cuda, float32

from autograder.exercises.catalogue import right, wrong

THREADS = 128
WITH_EDGE = THREADS + 15
TAPS = np.array([3, -1, 4, 1, -5, 9, 2, -6, 5, 3, -5, 8, 9, -7, 9, 3], np.float32)


@right("const_array_like")
@cuda.jit
def filter_constant(x, out):
    taps = cuda.const.array_like(TAPS)
    i = cuda.grid(1)
    if i >= out.size:
        return
    acc = float32(0)
    for k in range(16):
        acc += x[i + k] * taps[k]
    out[i] = acc


@right("grid_stride_and_while")
@cuda.jit
def filter_constant(x, out):
    for i in range(cuda.grid(1), out.size, cuda.gridsize(1)):
        acc, k = float32(0), 0
        while k < TAPS.size:
            acc += TAPS[k] * x[i + k]
            k += 1
        out[i] = acc


@right("from_the_last_tap")
@cuda.jit
def filter_constant(x, out):
    i = cuda.grid(1)
    if i < out.size:
        acc = float32(0)
        for k in range(15, -1, -1):
            acc += TAPS[k] * x[i + k]
        out[i] = acc


@right("two_sums")
@cuda.jit
def filter_constant(x, out):
    i = cuda.grid(1)
    if i < out.size:
        even = odd = float32(0)
        for k in range(0, 16, 2):
            even += TAPS[k] * x[i + k]
            odd += TAPS[k + 1] * x[i + k + 1]
        out[i] = even + odd


def _with(taps):
    @cuda.jit(device=True)
    def at_place(x, i):
        acc = float32(0)
        for k in range(taps.size):
            acc += taps[k] * x[i + k]
        return acc

    return at_place


filtered_at = _with(TAPS)


@right("a_device_function_that_closes_over_the_taps", class_refuses="value needs code to run: `_with`")
@cuda.jit
def filter_constant(x, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = filtered_at(x, i)


@right("signal_in_shared_memory")
@cuda.jit
def filter_constant(x, out):
    near = cuda.shared.array(WITH_EDGE, float32)
    first = cuda.blockIdx.x * THREADS
    for k in range(cuda.threadIdx.x, WITH_EDGE, THREADS):
        near[k] = x[first + k] if first + k < x.size else float32(0)
    cuda.syncthreads()
    t = cuda.threadIdx.x
    if first + t < out.size:
        acc = float32(0)
        for k in range(16):
            acc += TAPS[k] * near[t + k]
        out[first + t] = acc


@wrong("each_lane_begins_with_its_own_tap", misconception="lanes_differ", says="one address per pass")
@cuda.jit
def filter_constant(x, out):
    i = cuda.grid(1)
    if i < out.size:
        acc = float32(0)
        for turn in range(16):
            k = (i + turn) % 16
            acc += TAPS[k] * x[i + k]
        out[i] = acc


@right("a_lane_for_each_tap")
@cuda.jit
def filter_constant(x, out):
    lane = cuda.threadIdx.x % 16
    tap = TAPS[lane]
    first = cuda.grid(1) - lane
    for j in range(16):
        term = float32(0)
        if first + j < out.size:
            term = tap * x[first + j + lane]
        for step in (8, 4, 2, 1):
            term += cuda.shfl_down_sync(0xFFFFFFFF, term, step)
        if lane == 0 and first + j < out.size:
            out[first + j] = term


@right("taps_in_shared_memory")
@cuda.jit
def filter_constant(x, out):
    taps = cuda.shared.array(16, float32)
    t = cuda.threadIdx.x
    if t < 16:
        taps[t] = TAPS[t]
    cuda.syncthreads()
    i = cuda.grid(1)
    if i < out.size:
        acc = float32(0)
        for k in range(16):
            acc += taps[k] * x[i + k]
        out[i] = acc


@wrong("odd_lanes_from_the_other_end", misconception="lanes_differ", says="one address per pass")
@cuda.jit
def filter_constant(x, out):
    i = cuda.grid(1)
    if i < out.size:
        acc = float32(0)
        for turn in range(16):
            k = turn if i % 2 == 0 else 15 - turn
            acc += TAPS[k] * x[i + k]
        out[i] = acc


@wrong("taps_turned", misconception="taps_turned", says="from the last to the first")
@cuda.jit
def filter_constant(x, out):
    i = cuda.grid(1)
    if i < out.size:
        acc = float32(0)
        for k in range(16):
            acc += TAPS[15 - k] * x[i + k]
        out[i] = acc


@wrong("last_tap_missing", misconception="last_tap_missing", says="last tap")
@cuda.jit
def filter_constant(x, out):
    i = cuda.grid(1)
    if i < out.size:
        acc = float32(0)
        for k in range(TAPS.size - 1):
            acc += TAPS[k] * x[i + k]
        out[i] = acc


@wrong("no_guard", misconception="no_guard", says="outside")
@cuda.jit
def filter_constant(x, out):
    i = cuda.grid(1)
    acc = float32(0)
    for k in range(16):
        acc += TAPS[k] * x[i + k]
    out[i] = acc


@wrong("sum_in_double", misconception="float64_arithmetic", says="double precision")
@cuda.jit
def filter_constant(x, out):
    i = cuda.grid(1)
    if i < out.size:
        acc = 0.0
        for k in range(16):
            acc += TAPS[k] * x[i + k]
        out[i] = acc


@wrong("adds_into_out", misconception="output_accumulates", says="nobody has written it")
@cuda.jit
def filter_constant(x, out):
    i = cuda.grid(1)
    if i < out.size:
        for k in range(16):
            out[i] += TAPS[k] * x[i + k]


@wrong("one_thread_for_its_block", misconception="few_threads", says="8 threads do the work")
@cuda.jit
def filter_constant(x, out):
    if cuda.threadIdx.x == 0:
        for i in range(cuda.grid(1), min(cuda.grid(1) + THREADS, out.size)):
            acc = float32(0)
            for k in range(16):
                acc += TAPS[k] * x[i + k]
            out[i] = acc


@wrong("writes_the_constant", misconception="not_compiled", says="constant")
@cuda.jit
def filter_constant(x, out):
    i = cuda.grid(1)
    TAPS[0] = float32(3)
    if i < out.size:
        acc = float32(0)
        for k in range(16):
            acc += TAPS[k] * x[i + k]
        out[i] = acc
