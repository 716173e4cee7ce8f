"""Shared memory of a block, in bytes."""

import numpy as np
from numba import cuda, float32

import simt

CELLS = 33


@cuda.jit
def two_static_arrays(out):
    small = cuda.shared.array(CELLS, float32)
    large = cuda.shared.array((8, 32), float32)
    small[cuda.threadIdx.x] = large[0, cuda.threadIdx.x] = 1.0
    out[cuda.grid(1)] = small[cuda.threadIdx.x] + large[0, cuda.threadIdx.x]


@cuda.jit
def static_and_dynamic(out):
    rest = cuda.shared.array(0, float32)
    tile = cuda.shared.array(32, float32)
    tile[cuda.threadIdx.x] = rest[cuda.threadIdx.x] = 1.0
    out[cuda.grid(1)] = tile[cuda.threadIdx.x] + rest[cuda.threadIdx.x]


@cuda.jit
def none_at_all(out):
    out[cuda.grid(1)] = 1.0


def shared_bytes(kernel, blocks=1, **more):
    return simt.trace(kernel, blocks, 32, np.zeros(32 * blocks, np.float32), **more).counters["shared_bytes"]


def test_arrays_of_a_block_are_packed_as_tightly_as_an_h200_was_seen_to():
    assert 132 + 1024 == shared_bytes(two_static_arrays)


def test_more_blocks_take_no_more_each():
    assert shared_bytes(two_static_arrays) == shared_bytes(two_static_arrays, blocks=70)


def test_dynamic_bytes_are_those_of_the_launch():
    assert 128 + 4096 == shared_bytes(static_and_dynamic, dynamic_shared_bytes=4096)


def test_a_kernel_without_shared_memory_takes_none():
    assert 0 == shared_bytes(none_at_all)
