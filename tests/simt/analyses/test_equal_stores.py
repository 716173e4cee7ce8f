"""Threads that all store the same do no harm, whatever the values are; one that stores something else does."""

import numpy as np
import pytest
from numba import cuda, float32

import simt


@cuda.jit
def everybody_does_all(src, dst):
    for i in range(src.size):
        dst[i] = src[i] * 2


@cuda.jit
def blocks_differ(src, dst):
    for i in range(src.size):
        dst[i] = src[i] + (cuda.blockIdx.x if i == 3 else 0)


@cuda.jit
def turns_differ(src, dst):
    for turn in range(3):
        for i in range(src.size):
            dst[i] = src[i] + turn


@cuda.jit
def everybody_fills_the_tile(src, dst):
    tile = cuda.shared.array(8, float32)
    for k in range(8):
        tile[k] = src[k]
    cuda.syncthreads()
    i = cuda.grid(1)
    if i < src.size:
        dst[i] = tile[i % 8]


@cuda.jit
def warps_disagree(src, dst):
    tile = cuda.shared.array(8, float32)
    for k in range(8):
        tile[k] = src[k] + cuda.threadIdx.x // 32
    cuda.syncthreads()
    dst[cuda.grid(1) % 8] = tile[cuda.threadIdx.x % 8]


@cuda.jit
def nan_everywhere(src, dst):
    dst[0] = float32(np.nan)


@cuda.jit
def signs_of_zero(src, dst):
    dst[0] = -0.0 if cuda.grid(1) % 2 else 0.0


@cuda.jit
def an_update_that_looks_alike(src, dst):
    dst[0] = dst[0] + 1


def traced(kernel, grid=3):
    src = np.random.default_rng(1).random(8).astype(np.float32)
    return simt.trace(kernel, grid, 64, src, np.zeros(8, np.float32))


@pytest.mark.parametrize(
    "kernel", [everybody_does_all, everybody_fills_the_tile, nan_everywhere], ids=lambda k: k.__name__
)
def test_equal_values_are_a_note_and_no_race(kernel):
    trace = traced(kernel)
    assert [] == trace.findings and any("the same value, so it does no harm" in note.message for note in trace.notes)


@pytest.mark.parametrize(
    "kernel",
    [blocks_differ, turns_differ, warps_disagree, an_update_that_looks_alike, signs_of_zero],
    ids=lambda k: k.__name__,
)
def test_one_store_that_differs_is_a_race(kernel):
    assert "race" in {finding.kind for finding in traced(kernel).findings}


def test_the_race_that_is_told_is_about_an_element_where_values_differ():
    (found,) = traced(blocks_differ).findings
    assert (3,) == found.detail["index"]


@cuda.jit
def stores_a_function(src, dst):
    dst[0] = max


def test_what_is_no_number_is_refused_in_the_interpreters_own_words():
    (found,) = traced(stores_a_function).findings
    assert "unsupported" == found.kind
