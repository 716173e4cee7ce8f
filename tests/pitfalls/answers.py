"""Pitfalls that show in a whole answer: its outputs, its launch, its counters, its copies."""

from __future__ import annotations

import numpy as np
from numba import cuda, float32, int32

from tests.pitfalls.catalogue import Pitfall
from tests.pitfalls.diagnosis import judged, launched, traced
from tests.pitfalls.exercises import COPY_TABLE, COUNT_UP, HOST_TWICE, TRANSPOSE, TWICE

SIDE = 32
PITCH = SIDE + 1
THREADS = 64
SINGLES = np.ones(2048, np.float32)


@cuda.jit
def twice(src, dst):
    i = cuda.grid(1)
    if i < src.size:
        dst[i] = src[i] * float32(2)


@cuda.jit
def twice_by_thread_index(src, dst):
    i = cuda.threadIdx.x
    if i < src.size:
        dst[i] = src[i] * float32(2)


@cuda.jit
def twice_whole_blocks(src, dst):
    i = cuda.grid(1)
    if i < src.size // THREADS * THREADS:
        dst[i] = src[i] * float32(2)


@cuda.jit
def twice_or_nan(src, dst):
    i = cuda.grid(1)
    if i < src.size:
        dst[i] = src[i] + src[i] * src[i] / src[i]


@cuda.jit
def copy_table_by_columns(src, dst):
    row, col = cuda.grid(2)
    if row < src.shape[0] and col < src.shape[1]:
        dst[row, col] = src[row, col]


@cuda.jit
def copy_table(src, dst):
    col, row = cuda.grid(2)
    if row < src.shape[0] and col < src.shape[1]:
        dst[row, col] = src[row, col]


@cuda.jit
def transpose(src, dst):
    tile = cuda.shared.array((SIDE, SIDE), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    tile[ty, tx] = src[ty, tx]
    cuda.syncthreads()
    dst[ty, tx] = tile[tx, ty]


@cuda.jit
def transpose_padded(src, dst):
    tile = cuda.shared.array((SIDE, PITCH), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    tile[ty, tx] = src[ty, tx]
    cuda.syncthreads()
    dst[ty, tx] = tile[tx, ty]


def host_twice_on_host_arrays(src):
    dst = np.zeros_like(src)
    twice[-(-src.size // 128), 128](src, dst)
    return dst


def host_twice(src):
    src_on_device = cuda.to_device(src)
    dst = cuda.device_array_like(src_on_device)
    twice[-(-src.size // 128), 128](src_on_device, dst)
    return dst.copy_to_host()


def host_twice_in_float64(src):
    src_on_device = cuda.to_device(src)
    dst = cuda.to_device(np.zeros(src.size))
    twice[-(-src.size // 128), 128](src_on_device, dst)
    return dst.copy_to_host()


@cuda.jit
def count_up_in_float32(src, dst):
    i = cuda.grid(1)
    if i < src.size:
        dst[i] = int32(float32(src[i]) + float32(1))


@cuda.jit
def count_up(src, dst):
    i = cuda.grid(1)
    if i < src.size:
        dst[i] = src[i] + 1


PITFALLS = (
    Pitfall(
        4,
        "NumPy's default is float64",
        "np.zeros(n) is float64. The result has twice the bytes, and not the type that was asked for.",
        "judge",
        "wrong_return",
        "another shape or dtype than the one asked for",
        judged(HOST_TWICE, host_twice_in_float64),
        judged(HOST_TWICE, host_twice),
    ),
    Pitfall(
        14,
        "Bank conflicts",
        "Elements of a column of a 32-wide tile lie in one bank of shared memory. It can give one of them at a time.",
        "judge",
        "bank_conflicts",
        "lie in one bank",
        judged(TRANSPOSE, transpose),
        judged(TRANSPOSE, transpose_padded),
    ),
    Pitfall(
        26,
        "Columns where rows belong",
        "The result is right, and each of the 32 threads of a warp fetches a sector of its own.",
        "judge",
        "uncoalesced",
        "a column of them touches 32",
        judged(COPY_TABLE, copy_table_by_columns),
        judged(COPY_TABLE, copy_table),
    ),
    Pitfall(
        28,
        "The tail is missing",
        "n // THREADS rounds down. What is left over belongs to no block.",
        "judge",
        "missing_tail",
        "the tail is missing",
        judged(TWICE, twice_whole_blocks),
        judged(TWICE, twice),
    ),
    Pitfall(
        29,
        "Only the first block is right",
        "cuda.threadIdx.x starts at 0 in every block, so all blocks work on the same elements.",
        "judge",
        "only_first_block",
        "Only the first block",
        judged(TWICE, twice_by_thread_index),
        judged(TWICE, twice),
    ),
    Pitfall(
        30,
        "Host arrays, copied both ways at every launch",
        "A NumPy array passed to a kernel is copied to the device and back, whether it changed or not.",
        "judge",
        "host_array",
        "copied both ways at every launch",
        judged(HOST_TWICE, host_twice_on_host_arrays),
        judged(HOST_TWICE, host_twice),
    ),
    Pitfall(
        35,
        "More threads than a block can have",
        "kernel[blocks, threads]: swapped, or simply too many. A GPU refuses to launch it.",
        "trace",
        "invalid_launch",
        "1024",
        launched("twice[1, 2048](src, dst)", traced(twice, 1, 2048, SINGLES, SINGLES)),
        launched("twice[2, 1024](src, dst)", traced(twice, 2, 1024, SINGLES, SINGLES)),
    ),
    Pitfall(
        45,
        "A checker that lets NaN pass",
        "0 / 0 is NaN. Comparisons with NaN are false, so a check for a large error never sees one. This judge does.",
        "judge",
        "zero_is_special",
        "Only where numbers of the input are 0 is anything wrong",
        judged(TWICE, twice_or_nan),
        judged(TWICE, twice),
    ),
    Pitfall(
        45,
        "A checker that compares integers as floats",
        "float32 cannot tell 16,777,217 from 16,777,216. Integers are compared as integers here.",
        "judge",
        "float_index",
        "float32, which holds every one of them only up to 16,777,216",
        judged(COUNT_UP, count_up_in_float32),
        judged(COUNT_UP, count_up),
    ),
)
