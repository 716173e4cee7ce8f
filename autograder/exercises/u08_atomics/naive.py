"""What speed in unit 08 is measured against: right answers that somebody would write first.

Each has the signature of the exercise it serves; its docstring says what it wastes.
"""

from __future__ import annotations

from numba import float32, int32

from autograder.backend import cuda

BINS = 256
THREADS = 256
WARP = 32
FULL_WARP = 0xFFFFFFFF


@cuda.jit
def histogram_bytewise(words, hist):
    """hist[v] += how often v occurs in words, with an atomic on global memory for every byte."""
    for i in range(cuda.grid(1), words.size, cuda.gridsize(1)):
        word = words[i]
        for k in range(4):
            cuda.atomic.add(hist, (word >> (8 * k)) & 255, 1)


@cuda.jit
def rows_in_equal_shares(src, offsets, next_row, sums):
    """sums[k] = the sum of row k; each warp has as many rows as the others, and the first ones have the long rows."""
    warp, lane = cuda.grid(1) // WARP, cuda.threadIdx.x % WARP
    share = -(-sums.size // (cuda.gridsize(1) // WARP))
    for row in range(warp * share, min((warp + 1) * share, sums.size)):
        acc = float32(0)
        for i in range(offsets[row] + lane, offsets[row + 1], WARP):
            acc += src[i]
        d = WARP // 2
        while d > 0:
            acc += cuda.shfl_down_sync(FULL_WARP, acc, d)
            d //= 2
        if lane == 0:
            sums[row] = acc


@cuda.jit
def sum_then_one_thread(src, partial, finished, total):
    """total[0] = the sum of src: one thread of the last block adds up what the others left, one number at a time."""
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    acc = float32(0)
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        acc += src[i]
    s[t] = acc
    cuda.syncthreads()
    if t == 0:
        for k in range(1, THREADS):
            acc += s[k]
        partial[cuda.blockIdx.x] = acc
        cuda.threadfence()
        if cuda.atomic.add(finished, 0, int32(1)) == cuda.gridDim.x - 1:
            acc = float32(0)
            for b in range(cuda.gridDim.x):
                acc += partial[b]
            total[0] = acc
            cuda.atomic.exch(finished, 0, 0)


@cuda.jit(device=True)
def sum_of_block(x):
    """The sum of x over the block, for all its threads; every thread must call."""
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    cuda.syncthreads()  # a former call is over
    s[t] = x
    d = THREADS // 2
    while d > 0:
        cuda.syncthreads()
        if t < d:
            s[t] += s[t + d]
        d //= 2
    cuda.syncthreads()
    return s[0]


@cuda.jit
def leave_sums(src, partial):
    """partial[b] = the sum of what block b visits."""
    acc = float32(0)
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        acc += src[i]
    acc = sum_of_block(acc)
    if cuda.threadIdx.x == 0:
        partial[cuda.blockIdx.x] = acc


@cuda.jit
def divide_by_sums(src, partial, dst):
    """dst = src over the sum of what the blocks of a grid of this size left in partial."""
    acc = float32(0)
    for b in range(cuda.threadIdx.x, cuda.gridDim.x, THREADS):
        acc += partial[b]
    acc = sum_of_block(acc)
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        dst[i] = src[i] / acc


def shares_in_two_launches(src, partial, n_fit, dst):
    """dst = src over its sum; the end of the first launch is the barrier, and costs a launch."""
    leave_sums[n_fit, THREADS](src, partial)
    divide_by_sums[n_fit, THREADS](src, partial, dst)
