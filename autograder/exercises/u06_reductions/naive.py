"""What speed in unit 06 is measured against: right answers that somebody would write first.

Each has the signature of the exercise it serves. They are read as a catalogue of what not to do, so each docstring
says what it wastes.
"""

from __future__ import annotations

import math

from numba import float32, int32

from autograder.backend import cuda

THREADS = 256  # threads per block, as in every kernel of the unit
WARP = 32  # threads a warp


@cuda.jit
def tree_every_turn(src, partial):
    """partial[b] = sum of what block b visits, with a whole tree and its ten barriers for every 256 elements."""
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    acc = float32(0)
    for first in range(cuda.blockIdx.x * THREADS, src.size, cuda.gridsize(1)):
        s[t] = src[first + t] if first + t < src.size else float32(0)
        cuda.syncthreads()
        d = THREADS // 2
        while d > 0:
            if t < d:
                s[t] += s[t + d]
            cuda.syncthreads()
            d //= 2
        acc += s[0]
        cuda.syncthreads()
    if t == 0:
        partial[cuda.blockIdx.x] = acc


@cuda.jit
def warp_sum_by_one_lane(src, partial):
    """partial[w] = sum of what warp w visits, read by its first lane while 31 wait."""
    i = cuda.grid(1)
    if i % WARP == 0:
        acc = float32(0)
        for first in range(i, src.size, cuda.gridsize(1)):
            for k in range(first, min(first + WARP, src.size)):
                acc += src[k]
        partial[i // WARP] = acc


@cuda.jit
def argmax_by_one_lane(src, value, index):
    """value[w], index[w] = the largest that warp w visits and where; its first lane looks at all of it alone."""
    i = cuda.grid(1)
    if i % WARP == 0:
        best, at = float32(-math.inf), int32(src.size)
        for first in range(i, src.size, cuda.gridsize(1)):
            for k in range(first, min(first + WARP, src.size)):
                x = src[k]
                if x > best or (x != x and best == best) or (x == best and k < at):
                    best, at = x, int32(k)
        value[i // WARP], index[i // WARP] = best, at


@cuda.jit
def clear(total):
    """total[0] = 0."""
    total[0] = float32(0)


@cuda.jit
def tree_then_atomic(src, total):
    """total[0] += the sum of each block's 256 elements: a tree for every 256, and an atomic for every tree."""
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    s[t] = src[i] if i < src.size else float32(0)
    d = THREADS // 2
    while d > 0:
        cuda.syncthreads()
        if t < d:
            s[t] += s[t + d]
        d //= 2
    if t == 0:
        cuda.atomic.add(total, 0, s[0])


def device_sum_by_trees(src, partial, total):
    """total[0] = the sum of src, one thread per element."""
    clear[1, 1](total)
    tree_then_atomic[max(1, -(-src.size // THREADS)), THREADS](src, total)


@cuda.jit
def sum_rows_by_thread(src, row_sums):
    """One thread per row: 32 lanes read 32 rows, so a request touches 32 sectors."""
    row = cuda.grid(1)
    if row < src.shape[0]:
        acc = float32(0)
        for col in range(src.shape[1]):
            acc += src[row, col]
        row_sums[row] = acc


@cuda.jit
def sum_columns_by_thread(src, col_sums):
    """One thread per column: 4 sectors per request, and too few threads to keep the memory busy."""
    col = cuda.grid(1)
    if col < src.shape[1]:
        acc = float32(0)
        for row in range(src.shape[0]):
            acc += src[row, col]
        col_sums[col] = acc


def axis_sums_by_thread(src, row_sums, col_sums):
    """row_sums, col_sums = the sums over each axis, one thread a result."""
    sum_rows_by_thread[-(-src.shape[0] // THREADS), THREADS](src, row_sums)
    sum_columns_by_thread[-(-src.shape[1] // THREADS), THREADS](src, col_sums)
