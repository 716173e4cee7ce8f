"""Shared, local and constant memory."""

from __future__ import annotations

import numpy as np
from numba import cuda, float32, int32

from autograder.lint import lint, signature_of
from tests.pitfalls.catalogue import Experiment, Pitfall, Said
from tests.pitfalls.diagnosis import linted, traced

THREADS = 32
DOUBLE = THREADS * 2
HUGE = 20_000
SINGLES = np.ones(64, np.float32)
RAGGED = np.ones(40, np.float32)
SUMS = np.zeros(2, np.float32)
factor = 2


@cuda.jit
def computed_shape(src, dst):
    tile = cuda.shared.array(THREADS * 2, float32)
    tx = cuda.threadIdx.x
    tile[tx] = src[tx]
    cuda.syncthreads()
    dst[tx] = tile[THREADS - 1 - tx]


@cuda.jit
def constant_shape(src, dst):
    tile = cuda.shared.array(DOUBLE, float32)
    tx = cuda.threadIdx.x
    tile[tx] = src[tx]
    cuda.syncthreads()
    dst[tx] = tile[THREADS - 1 - tx]


@cuda.jit
def sum_with_stale_tail(src, dst):
    values = cuda.shared.array(THREADS, float32)
    tx, i = cuda.threadIdx.x, cuda.grid(1)
    if i < src.size:
        values[tx] = src[i]
    cuda.syncthreads()
    if tx == 0:
        total = float32(0)
        for k in range(THREADS):
            total += values[k]
        dst[cuda.blockIdx.x] = total


@cuda.jit
def sum_with_zero_tail(src, dst):
    values = cuda.shared.array(THREADS, float32)
    tx, i = cuda.threadIdx.x, cuda.grid(1)
    values[tx] = src[i] if i < src.size else float32(0)
    cuda.syncthreads()
    if tx == 0:
        total = float32(0)
        for k in range(THREADS):
            total += values[k]
        dst[cuda.blockIdx.x] = total


@cuda.jit
def aliased_dynamic(src, dst):
    first = cuda.shared.array(0, float32)
    second = cuda.shared.array(0, int32)
    tx = cuda.threadIdx.x
    first[tx] = src[tx]
    second[tx] = tx
    dst[tx] = first[tx]


@cuda.jit
def sliced_dynamic(src, dst):
    buffer = cuda.shared.array(0, float32)
    first, second = buffer[:THREADS], buffer[THREADS:]
    tx = cuda.threadIdx.x
    first[tx] = src[tx]
    second[tx] = tx
    dst[tx] = first[tx]


@cuda.jit
def too_much_shared(src, dst):
    tile = cuda.shared.array(HUGE, float32)
    tx = cuda.threadIdx.x
    tile[tx] = src[tx]
    cuda.syncthreads()
    dst[tx] = tile[THREADS - 1 - tx]


@cuda.jit
def looked_up_local(src, dst):
    i = cuda.grid(1)
    table = cuda.local.array(64, float32)
    for k in range(64):
        table[k] = src[k]
    dst[i] = table[int(src[i])]


@cuda.jit
def unrolled_local(src, dst):
    i = cuda.grid(1)
    table = cuda.local.array(4, float32)
    for k in range(4):
        table[k] = src[i + k]
    dst[i] = table[0] + table[1] + table[2] + table[3]


@cuda.jit
def scale_by_module_factor(src, dst):
    i = cuda.grid(1)
    dst[i] = src[i] * float32(factor)


@cuda.jit
def scale_by_argument(src, dst, factor):
    i = cuda.grid(1)
    dst[i] = src[i] * factor


def compiled_twice(kernel, *values) -> Experiment:
    """Compile, change the module's `factor`, and compile again."""

    def run() -> list[Said]:
        global factor
        factor = 2
        lint(kernel, signature_of(values))
        factor = 3
        return linted(kernel, *values).run()

    return Experiment(kernel, run)


PITFALLS = (
    Pitfall(
        8,
        "A shape that is computed",
        "THREADS * 2 is a constant to a reader, and a computation to numba: it is not known while it compiles.",
        "compiler",
        "shared_shape",
        "The shape `THREADS * 2` of cuda.shared.array is not a constant",
        linted(computed_shape, SINGLES, SINGLES),
        linted(constant_shape, SINGLES, SINGLES),
    ),
    Pitfall(
        9,
        "Shared memory starts with what was there",
        "The last block fills only part of its tile and adds up all of it, with what another block left behind.",
        "trace",
        "uninitialised_read",
        "reads values[8]",
        traced(sum_with_stale_tail, 2, THREADS, RAGGED, SUMS),
        traced(sum_with_zero_tail, 2, THREADS, RAGGED, SUMS),
    ),
    Pitfall(
        11,
        "Two dynamic shared arrays are one",
        "cuda.shared.array(0, dtype) is all of the block's dynamic shared memory, every time it is written.",
        "source",
        "dynamic_shared_alias",
        "begin at the same address",
        linted(aliased_dynamic, SINGLES, SINGLES),
        linted(sliced_dynamic, SINGLES, SINGLES),
    ),
    Pitfall(
        12,
        "Too much shared memory",
        "The kernel compiles. The assembler refuses it, and an older driver only says CUDA_ERROR_UNKNOWN.",
        "compiler",
        "shared_limit",
        "asks for 80,000 bytes of shared memory",
        linted(too_much_shared, SINGLES, SINGLES),
        linted(constant_shape, SINGLES, SINGLES),
    ),
    Pitfall(
        13,
        "A local array that lies in memory",
        "Registers cannot be indexed. An array whose index comes from data is kept in slow local memory.",
        "compiler",
        "local_memory",
        "The local array lies in memory",
        linted(looked_up_local, SINGLES, SINGLES),
        linted(unrolled_local, SINGLES, SINGLES),
    ),
    Pitfall(
        15,
        "A module constant that changes later",
        "numba puts the value into the machine code when it compiles. Changing it afterwards changes nothing.",
        "compiler",
        "changed_constant",
        "`factor` was 2 when this kernel was first compiled and is 3 now",
        compiled_twice(scale_by_module_factor, SINGLES, SINGLES),
        linted(scale_by_argument, SINGLES, SINGLES, np.float32(3)),
    ),
)
