"""A tile that is not filled anew keeps the values of the turn before: found where they are read, and only there."""

import numpy as np
import pytest
from numba import cuda, float32

import simt
from tests.simt.synthetic import line_of

TILE = 16
BOTH = 32


@cuda.jit
def guarded_refill(src, out):
    tile = cuda.shared.array(TILE, float32)
    t = cuda.threadIdx.x
    total = 0.0
    for k in range(2):
        i = k * TILE + t
        if i < src.size:
            tile[t] = src[i]  # fill
        cuda.syncthreads()
        for j in range(TILE):
            total += tile[j]  # read
        cuda.syncthreads()
    out[cuda.grid(1)] = total


@cuda.jit
def refill_with_zeros(src, out):
    tile = cuda.shared.array(TILE, float32)
    t = cuda.threadIdx.x
    total = 0.0
    for k in range(2):
        i = k * TILE + t
        tile[t] = src[i] if i < src.size else 0
        cuda.syncthreads()
        for j in range(TILE):
            total += tile[j]
        cuda.syncthreads()
    out[cuda.grid(1)] = total


@cuda.jit
def zeros_on_the_other_side(src, out):
    tile = cuda.shared.array(TILE, float32)
    t = cuda.threadIdx.x
    total = 0.0
    for k in range(2):
        i = k * TILE + t
        if i < src.size:
            tile[t] = src[i]
        else:
            tile[t] = 0
        cuda.syncthreads()
        for j in range(TILE):
            total += tile[j]
        cuda.syncthreads()
    out[cuda.grid(1)] = total


@cuda.jit
def reads_what_is_there(src, out):
    tile = cuda.shared.array(TILE, float32)
    t = cuda.threadIdx.x
    total = 0.0
    for k in range(2):
        i = k * TILE + t
        if i < src.size:
            tile[t] = src[i]
        cuda.syncthreads()
        for j in range(min(TILE, src.size - k * TILE)):
            total += tile[j]
        cuda.syncthreads()
    out[cuda.grid(1)] = total


@cuda.jit
def two_buffers(src, out):
    tiles = cuda.shared.array(BOTH, float32)
    t = cuda.threadIdx.x
    tiles[t] = src[t]
    total = 0.0
    for k in range(2):
        following = (k + 1) * TILE + t
        if following < src.size:
            tiles[(k + 1) % 2 * TILE + t] = src[following]
        cuda.syncthreads()
        if k * TILE + t < src.size:
            total += tiles[k % 2 * TILE + t]
        cuda.syncthreads()
    out[cuda.grid(1)] = total


@cuda.jit
def scan(src, out):
    tile = cuda.shared.array(TILE, float32)
    t = cuda.threadIdx.x
    tile[t] = src[t]
    step = 1
    while step < TILE:
        cuda.syncthreads()
        value = tile[t - step] if t >= step else 0
        cuda.syncthreads()
        if t >= step:
            tile[t] += value + src[0] * 0
        step *= 2
    cuda.syncthreads()
    out[t] = tile[t]


@cuda.jit
def square(table, out):
    tile = cuda.shared.array((4, 4), float32)
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    total = 0.0
    for k in range(2):
        if k * 4 + x < table.shape[1]:
            tile[y, x] = table[y, k * 4 + x]
        cuda.syncthreads()
        for j in range(4):
            total += tile[y, j]
        cuda.syncthreads()
    out[y, x] = total


def trace(kernel, n=TILE + 4, grid=1):
    return simt.trace(kernel, grid, TILE, np.ones(n, np.float32), np.zeros(TILE * grid, np.float32))


@pytest.mark.parametrize("grid", [1, 3])
def test_an_element_that_a_guarded_refill_skips_is_stale_where_it_is_read(grid):
    (found,) = trace(guarded_refill, grid=grid).findings

    read, fill = line_of(guarded_refill, "read"), line_of(guarded_refill, "fill")
    assert ("uninitialised_read", (read, fill), "tile") == (found.kind, found.lines, found.array)
    assert ((4,), True) == (found.detail["index"], found.detail["stale"])
    assert f"reads tile[4] at line {read}, which still holds the value of an earlier iteration" in found.message
    assert f"Let line {fill}, or its other side, store every element" in found.remedy
    assert grid * 4 * (TILE - 4) == found.count, "four threads took part in the second filling"


def test_the_element_of_a_tile_with_two_axes_has_two_indices():
    (found,) = simt.trace(square, 1, (4, 4), np.ones((4, 6), np.float32), np.zeros((4, 4), np.float32)).findings
    assert (0, 2) == found.detail["index"] and "reads tile[0, 2]" in found.message


@pytest.mark.parametrize(
    "kernel", [refill_with_zeros, zeros_on_the_other_side, reads_what_is_there, two_buffers], ids=lambda k: k.__name__
)
def test_what_is_filled_anew_or_not_read_is_no_finding(kernel):
    assert [] == trace(kernel).findings


def test_a_scan_keeps_elements_on_purpose():
    assert [] == trace(scan, n=TILE).findings


def test_whole_tiles_are_no_finding():
    assert [] == trace(guarded_refill, n=2 * TILE).findings
