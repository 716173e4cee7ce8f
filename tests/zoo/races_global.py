"""Planted races in global memory, which racecheck does not look at."""

from __future__ import annotations

from numba import cuda, float32

from tests.zoo.entry import drawn, floats, zeros
from tests.zoo.planted import Planted

THREADS = 128
BINS = 32
GLOBAL = "racecheck looks at shared memory alone"


def sum_lost_racy(x, out):
    i = cuda.grid(1)
    out[0] += x[i]  # clash


def sum_lost_mended(x, out):
    i = cuda.grid(1)
    cuda.atomic.add(out, 0, x[i])


def bins_lost_racy(x, out):
    i = cuda.grid(1)
    out[x[i]] += 1  # clash


def bins_lost_mended(x, out):
    i = cuda.grid(1)
    cuda.atomic.add(out, x[i], 1)


def largest_lost_racy(x, out):
    i = cuda.grid(1)
    if x[i] > out[0]:  # clash
        out[0] = x[i]  # clash


def largest_lost_mended(x, out):
    i = cuda.grid(1)
    cuda.atomic.max(out, 0, x[i])


def pairs_share_a_cell_racy(x, out):
    i = cuda.grid(1)
    out[i // 2] = x[i]  # clash


def pairs_share_a_cell_mended(x, out):
    i = cuda.grid(1)
    if i % 2 == 0:
        out[i // 2] = x[i]


def smoothed_in_place_racy(x):
    i = cuda.grid(1)
    if 0 < i < x.size - 1:
        x[i] = x[i - 1] + x[i + 1]  # clash


def smoothed_in_place_mended(x):
    """Red and black: even elements read odd ones, and only even ones are written."""
    i = cuda.grid(1)
    if 0 < i < x.size - 1 and i % 2 == 0:
        x[i] = x[i - 1] + x[i + 1]


def neighbouring_block_racy(x, parts, out):
    t, b = cuda.threadIdx.x, cuda.blockIdx.x
    if t == 0:
        parts[b] = x[cuda.grid(1)]  # clash
    cuda.syncthreads()
    out[cuda.grid(1)] = parts[(b + 1) % cuda.gridDim.x]  # clash


def neighbouring_block_mended(x, parts, out):
    t, b = cuda.threadIdx.x, cuda.blockIdx.x
    if t == 0:
        parts[b] = x[cuda.grid(1)]
    cuda.syncthreads()
    out[cuda.grid(1)] = parts[b]


def first_block_adds_racy(x, parts, out):
    t, b = cuda.threadIdx.x, cuda.blockIdx.x
    if t == 0:
        parts[b] = x[cuda.grid(1)]  # clash
    cuda.syncthreads()
    if b == 0 and t == 0:
        total = float32(0)
        for k in range(parts.size):
            total += parts[k]  # clash
        out[0] = total


def first_block_adds_mended(x, parts, out):
    t, b = cuda.threadIdx.x, cuda.blockIdx.x
    if t == 0:
        parts[b] = x[cuda.grid(1)]
        cuda.atomic.add(out, 0, parts[b])


def no_fence_racy(x, parts, done, out):
    if cuda.threadIdx.x == 0:
        parts[cuda.blockIdx.x] = x[cuda.grid(1)]  # clash
        if cuda.atomic.add(done, 0, 1) == cuda.gridDim.x - 1:
            total = float32(0)
            for k in range(parts.size):
                total += parts[k]  # clash
            out[0] = total


def no_fence_mended(x, parts, done, out):
    if cuda.threadIdx.x == 0:
        parts[cuda.blockIdx.x] = x[cuda.grid(1)]
        cuda.threadfence()
        if cuda.atomic.add(done, 0, 1) == cuda.gridDim.x - 1:
            total = float32(0)
            for k in range(parts.size):
                total += parts[k]
            out[0] = total


def through_global_racy(x, scratch, out):
    i, t = cuda.grid(1), cuda.threadIdx.x
    scratch[i] = x[i]  # clash
    out[i] = scratch[i - t + (t + 1) % THREADS]  # clash


def through_global_mended(x, scratch, out):
    i, t = cuda.grid(1), cuda.threadIdx.x
    scratch[i] = x[i]
    cuda.syncthreads()
    out[i] = scratch[i - t + (t + 1) % THREADS]


def matrix_turned_racy(matrix):
    col, row = cuda.grid(2)
    matrix[row, col] = matrix[col, row]  # clash


def matrix_turned_mended(matrix):
    col, row = cuda.grid(2)
    if row < col:
        moved = matrix[row, col]
        matrix[row, col] = matrix[col, row]
        matrix[col, row] = moved


def _line():
    return [floats(512) + 1, zeros(1)]


def _parts():
    return [floats(512), zeros(4), zeros(512)]


PLANTED = (
    Planted("one cell added to without atomics", sum_lost_racy, sum_lost_mended, _line, 4, beyond_racecheck=GLOBAL),
    Planted(
        "bins counted without atomics",
        bins_lost_racy,
        bins_lost_mended,
        lambda: [drawn(512, BINS, 41), zeros(BINS, dtype="int32")],
        4,
        beyond_racecheck=GLOBAL,
    ),
    Planted(
        "the largest by compare and store",
        largest_lost_racy,
        largest_lost_mended,
        lambda: [drawn(512, 1000, 42), zeros(1, dtype="int32")],
        4,
        beyond_racecheck=GLOBAL,
    ),
    Planted(
        "two threads store to one cell",
        pairs_share_a_cell_racy,
        pairs_share_a_cell_mended,
        lambda: [floats(512), zeros(256)],
        4,
        beyond_racecheck=GLOBAL,
    ),
    Planted(
        "a stencil in place",
        smoothed_in_place_racy,
        smoothed_in_place_mended,
        lambda: [floats(512)],
        4,
        beyond_racecheck=GLOBAL,
    ),
    Planted(
        "a word from the neighbouring block",
        neighbouring_block_racy,
        neighbouring_block_mended,
        _parts,
        4,
        beyond_racecheck=GLOBAL,
    ),
    Planted(
        "one block adds before the others stored",
        first_block_adds_racy,
        first_block_adds_mended,
        _parts,
        4,
        beyond_racecheck=GLOBAL,
    ),
    Planted(
        "the last block adds, without a fence",
        no_fence_racy,
        no_fence_mended,
        lambda: [floats(512), zeros(4), zeros(1, dtype="int32"), zeros(1)],
        4,
        beyond_racecheck=GLOBAL,
    ),
    Planted(
        "a block talks through global memory",
        through_global_racy,
        through_global_mended,
        lambda: [floats(512), zeros(512), zeros(512)],
        4,
        beyond_racecheck=GLOBAL,
    ),
    Planted(
        "a matrix turned in place",
        matrix_turned_racy,
        matrix_turned_mended,
        lambda: [floats(32, 32)],
        (2, 2),
        (16, 16),
        beyond_racecheck=GLOBAL,
    ),
)
