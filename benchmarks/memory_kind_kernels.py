"""Kernels that unit 10's solutions are compared with: the same work with its data in another place.

`with_spills` is told to be compiled with fewer registers than it needs.
"""

from __future__ import annotations

import numpy as np
from numba import cuda, float32

from autograder.exercises.u10_memory_kinds.values import TAPS
from autograder.notebook.intrinsics import commit_copies, copy_async, wait_copies

THREADS = 128  # per block, in every launch
STAGES = 4  # rows of the ring
TABLE = np.arange(256, dtype=np.float32)  # in constant memory, as nothing assigns it


@cuda.jit
def copy(src, dst):
    """dst = src, one element per thread. Both (n,) float32."""
    i = cuda.grid(1)
    if i < dst.size:
        dst[i] = src[i]


@cuda.jit
def gather(table, picks, out):
    """out[i] = table[picks[i]]. table: (n,) float32; picks: (n_picks,) int32; out: (n_picks,) float32."""
    i = cuda.grid(1)
    if i < out.size:
        out[i] = table[picks[i]]


@cuda.jit
def filter_global(x, taps, out):
    """The filter with its taps in global memory. x: (n + 15,), taps: (16,), out: (n,), all float32."""
    i = cuda.grid(1)
    if i < out.size:
        acc = float32(0)
        for k in range(16):
            acc += taps[k] * x[i + k]
        out[i] = acc


@cuda.jit
def filter_divergent(x, out):
    """The filter with its taps in constant memory, each lane beginning with another one. x: (n + 15,), out: (n,)."""
    i = cuda.grid(1)
    if i < out.size:
        acc = float32(0)
        for turn in range(16):
            k = (i + turn) % 16
            acc += TAPS[k] * x[i + k]
        out[i] = acc


@cuda.jit
def look_up_global(codes, table, out):
    """The table where it lies. codes: (n,) uint8; table: (256,), out: (n,), both float32."""
    for i in range(cuda.grid(1), out.size, cuda.gridsize(1)):
        out[i] = table[codes[i]]


@cuda.jit
def look_up_constant(codes, table, out):
    """The table in constant memory; `table` is not read."""
    for i in range(cuda.grid(1), out.size, cuda.gridsize(1)):
        out[i] = TABLE[codes[i]]


@cuda.jit
def median_insertion(x, out):
    """The median of nine by an insertion sort in a local array. x: (n + 8,), out: (n,), both float32."""
    i = cuda.grid(1)
    if i < out.size:
        s = cuda.local.array(9, float32)
        for k in range(9):
            value = x[i + k]
            j = k
            while j > 0 and s[j - 1] > value:
                s[j] = s[j - 1]
                j -= 1
            s[j] = value
        out[i] = s[4]


def many_sums(x, out):
    """32 sums of a thread at once, so 32 registers and more. x: (n + 63,), out: (n,), both float32."""
    i = cuda.grid(1)
    if i < out.size:
        s = cuda.local.array(32, float32)
        for k in range(32):
            s[k] = x[i + k]
        for turn in range(1, 32):
            for k in range(32):
                s[k] = s[k] * float32(0.5) + x[i + (k + turn) % 64]
        acc = float32(0)
        for k in range(32):
            acc += s[k]
        out[i] = acc


with_registers = cuda.jit(many_sums)
with_spills = cuda.jit(max_registers=24)(many_sums)


@cuda.jit(device=True)
def at(x, row, col):
    """x[row, col], or 0 past an edge. x: 2D float32."""
    if 0 <= row and row < x.shape[0] and 0 <= col and col < x.shape[1]:
        return x[row, col]
    return float32(0)


@cuda.jit(device=True)
def blur(left, middle, right):
    """Half of the middle and a quarter of each side."""
    return float32(0.25) * left + float32(0.5) * middle + float32(0.25) * right


@cuda.jit
def blur_at_once(x, out):
    """Each row loaded, stored, blurred: two barriers per row, and nothing ahead. x, out: 2D float32."""
    tile = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    col = (THREADS - 2) * cuda.blockIdx.x + t - 1
    mine = 0 < t and t < THREADS - 1 and col < x.shape[1]
    for row in range(x.shape[0]):
        tile[t] = at(x, row, col)
        cuda.syncthreads()
        if mine:
            out[row, col] = blur(tile[t - 1], tile[t], tile[t + 1])
        cuda.syncthreads()


@cuda.jit
def blur_ring(x, out):
    """Copies beside the threads, three rows ahead in a ring of four: one barrier per row. x, out: 2D float32."""
    ring = cuda.shared.array((STAGES, THREADS), float32)
    n_rows, n_cols = x.shape
    t = cuda.threadIdx.x
    col = (THREADS - 2) * cuda.blockIdx.x + t - 1
    exists = 0 <= col and col < n_cols
    if not exists:
        for s in range(STAGES):
            ring[s, t] = float32(0)
    for row in range(STAGES - 1):
        if exists and row < n_rows:
            copy_async(ring, (row, t), x, (row, col))
        commit_copies()
    for row in range(n_rows):
        wait_copies(2)  # of the three groups under way, the oldest is this row
        cuda.syncthreads()  # and everybody has read the row before it, whose place is free
        if exists and row + STAGES - 1 < n_rows:
            copy_async(ring, ((row + STAGES - 1) % STAGES, t), x, (row + STAGES - 1, col))
        commit_copies()
        if exists and 0 < t and t < THREADS - 1:
            s = row % STAGES
            out[row, col] = blur(ring[s, t - 1], ring[s, t], ring[s, t + 1])
