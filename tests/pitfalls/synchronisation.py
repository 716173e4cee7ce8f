"""Barriers, races, warps and atomics."""

from __future__ import annotations

import numpy as np
from numba import cuda, float32

from tests.pitfalls.catalogue import Pitfall
from tests.pitfalls.diagnosis import linted, traced

THREADS = 64
SINGLES = np.arange(64, dtype=np.float32)
SUMS = np.zeros(2, np.float32)
COUNTS = np.zeros(4, np.int32)
KEYS = (np.arange(128) % 4).astype(np.int32)
FULL_MASK = 0xFFFFFFFF


@cuda.jit
def reverse_without_barrier(src, dst):
    tile = cuda.shared.array(THREADS, float32)
    tx = cuda.threadIdx.x
    tile[tx] = src[tx]
    dst[tx] = tile[THREADS - 1 - tx]


@cuda.jit
def reverse(src, dst):
    tile = cuda.shared.array(THREADS, float32)
    tx = cuda.threadIdx.x
    tile[tx] = src[tx]
    cuda.syncthreads()
    dst[tx] = tile[THREADS - 1 - tx]


@cuda.jit
def scan_in_place(src, dst):
    values = cuda.shared.array(THREADS, float32)
    tx = cuda.threadIdx.x
    values[tx] = src[tx]
    cuda.syncthreads()
    step = 1
    while step < THREADS:
        if tx >= step:
            values[tx] += values[tx - step]
        cuda.syncthreads()
        step *= 2
    dst[tx] = values[tx]


@cuda.jit
def scan_between_barriers(src, dst):
    values = cuda.shared.array(THREADS, float32)
    tx = cuda.threadIdx.x
    values[tx] = src[tx]
    cuda.syncthreads()
    step = 1
    while step < THREADS:
        before = values[tx - step] if tx >= step else float32(0)
        cuda.syncthreads()
        values[tx] += before
        cuda.syncthreads()
        step *= 2
    dst[tx] = values[tx]


@cuda.jit
def barrier_in_branch(src, dst):
    tile = cuda.shared.array(THREADS, float32)
    tx = cuda.threadIdx.x
    if tx < 32:
        tile[tx] = src[tx]
        cuda.syncthreads()
    else:
        tile[tx] = float32(0)
    dst[tx] = tile[tx]


@cuda.jit
def barrier_for_all(src, dst):
    tile = cuda.shared.array(THREADS, float32)
    tx = cuda.threadIdx.x
    if tx < 32:
        tile[tx] = src[tx]
    else:
        tile[tx] = float32(0)
    cuda.syncthreads()
    dst[tx] = tile[tx]


@cuda.jit
def sum_of_other_blocks(src, sums):
    tx, block = cuda.threadIdx.x, cuda.blockIdx.x
    if tx == 0:
        sums[block] = src[block]
    cuda.syncthreads()
    if tx == 0 and block == 0:
        src[0] = sums[0] + sums[1]


@cuda.jit
def sum_of_own_block(src, sums):
    tx, block = cuda.threadIdx.x, cuda.blockIdx.x
    if tx == 0:
        sums[block] = src[block]


@cuda.jit
def count_plainly(keys, counts):
    i = cuda.grid(1)
    counts[keys[i]] += 1


@cuda.jit
def count_atomically(keys, counts):
    i = cuda.grid(1)
    cuda.atomic.add(counts, keys[i], 1)


@cuda.jit
def shuffle_with_absent_lanes(src, dst):
    tx = cuda.threadIdx.x
    if tx < 16:
        dst[tx] = cuda.shfl_down_sync(FULL_MASK, src[tx], 1)


@cuda.jit
def shuffle_with_all_lanes(src, dst):
    tx = cuda.threadIdx.x
    value = cuda.shfl_down_sync(FULL_MASK, src[tx], 1)
    if tx < 16:
        dst[tx] = value


@cuda.jit
def add_to_cell(keys, counts):
    i = cuda.grid(1)
    cuda.atomic.add(counts[keys[i]], 1)


@cuda.jit
def named_barrier(src, dst):
    tile = cuda.shared.array(THREADS, float32)
    tx = cuda.threadIdx.x
    tile[tx] = src[tx]
    cuda.syncthreads  # noqa: B018
    dst[tx] = tile[THREADS - 1 - tx]


PITFALLS = (
    Pitfall(
        16,
        "A missing barrier",
        "One thread writes an element of shared memory, another reads it, and nothing makes the second one wait. "
        "It often works, until it does not.",
        "trace",
        "race",
        "writes tile[63]",
        traced(reverse_without_barrier, 1, THREADS, SINGLES, SINGLES),
        traced(reverse, 1, THREADS, SINGLES, SINGLES),
    ),
    Pitfall(
        17,
        "A scan that reads what the same iteration writes",
        "values[tx] += values[tx - step] reads a neighbour that is adding to itself at the same moment.",
        "trace",
        "race",
        "values[",
        traced(scan_in_place, 1, THREADS, SINGLES, SINGLES),
        traced(scan_between_barriers, 1, THREADS, SINGLES, SINGLES),
    ),
    Pitfall(
        18,
        "A barrier inside a branch",
        "Threads that take the other path never arrive. A GPU may hang, or go on without them.",
        "trace",
        "barrier_divergence",
        "line",
        traced(barrier_in_branch, 1, THREADS, SINGLES, SINGLES),
        traced(barrier_for_all, 1, THREADS, SINGLES, SINGLES),
    ),
    Pitfall(
        19,
        "Expecting a barrier across the grid",
        "cuda.syncthreads() waits for the threads of one block. Blocks run in any order, some after others have ended.",
        "trace",
        "race",
        "block",
        traced(sum_of_other_blocks, 2, 32, SINGLES, SUMS),
        traced(sum_of_own_block, 2, 32, SINGLES, SUMS),
    ),
    Pitfall(
        20,
        "Updates that are lost",
        "counts[k] += 1 reads, adds and writes. Two threads that read the same count write the same sum.",
        "trace",
        "race",
        "counts[",
        traced(count_plainly, 1, 128, KEYS, COUNTS),
        traced(count_atomically, 1, 128, KEYS, COUNTS),
    ),
    Pitfall(
        21,
        "A shuffle that names lanes which are not there",
        "The mask says which lanes take part, and every one of them must execute the shuffle.",
        "trace",
        "warp_mask",
        "mask",
        traced(shuffle_with_absent_lanes, 1, 32, SINGLES, SINGLES),
        traced(shuffle_with_all_lanes, 1, 32, SINGLES, SINGLES),
    ),
    Pitfall(
        22,
        "An atomic on a value instead of a cell",
        "counts[k] is a number by the time the atomic sees it. It needs to know which cell to change.",
        "compiler",
        "atomic_form",
        "takes the array, the index and the value",
        linted(add_to_cell, KEYS, COUNTS),
        linted(count_atomically, KEYS, COUNTS),
    ),
    Pitfall(
        32,
        "A barrier without parentheses",
        "cuda.syncthreads is the name of the function. Python evaluates it, throws it away, and calls nothing.",
        "source",
        "bare_call",
        "`cuda.syncthreads` without parentheses only names the function",
        linted(named_barrier, SINGLES, SINGLES),
        linted(reverse, SINGLES, SINGLES),
    ),
)
