"""A loop over an array runs over as many elements as each thread's own view has."""

import numpy as np
import pytest
from numba import cuda

import simt


@cuda.jit
def sum_of_strided(src, out):
    t = cuda.grid(1)
    total = 0.0
    for x in src[t :: cuda.gridsize(1)]:
        if x < 0:
            break
        total += x
    out[t] = total


@cuda.jit
def turns_with_else(src, out):
    t = cuda.grid(1)
    for x in src[:t]:
        if x > 5:
            break
    else:
        out[t] = 1


@pytest.mark.parametrize("n", [0, 3, 64, 1000])
def test_each_thread_adds_up_its_own_elements(n):
    src, out = np.arange(n, dtype=np.float64), np.zeros(256)
    simt.launch(sum_of_strided, 2, 128, src, out)

    assert [src[t::256].sum() for t in range(256)] == out.tolist()


def test_a_thread_whose_view_ended_without_a_break_runs_else():
    out = np.zeros(32)
    simt.launch(turns_with_else, 1, 32, np.arange(32.0), out)

    assert [1.0] * 7 + [0.0] * 25 == out.tolist()
