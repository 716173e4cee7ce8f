"""Things of two kinds in one variable: right where nobody reads what is mixed, an error where somebody does."""

import numpy as np
import pytest
from numba import cuda, float32

import simt
from simt.errors import UnsupportedError


@cuda.jit
def result_over_a_parameter(src, total):
    i = cuda.grid(1)
    if i < src.size:
        total = cuda.atomic.add(total, 0, src[i])


@cuda.jit
def read_in_the_branch(src, total):
    i = cuda.grid(1)
    if i < src.size:
        out = total
        total = src[i] + float32(1)
        cuda.atomic.add(out, 0, total)


@cuda.jit
def two_kinds_in_two_branches(src, total):
    i = cuda.grid(1)
    x = src
    if i % 2 == 0:
        if i < src.size:
            x = src[i]
            cuda.atomic.add(total, 0, x)
    elif i < src.size:
        cuda.atomic.add(total, 0, x[i])


@cuda.jit
def read_after_the_join(src, total):
    i = cuda.grid(1)
    if i < src.size:
        total = cuda.atomic.add(total, 0, src[i])
    total[0] = 0


RIGHT = {result_over_a_parameter: 0, read_in_the_branch: 1, two_kinds_in_two_branches: 0}


@pytest.mark.parametrize("threads", [64, 1024], ids=["together", "some lanes alone"])
@pytest.mark.parametrize("kernel", RIGHT, ids=lambda kernel: kernel.py_func.__name__)
def test_what_nobody_reads_may_be_of_two_kinds(kernel, threads):
    src, total = np.ones(33, np.float32), np.zeros(1, np.float32)
    simt.launch(kernel, 1, threads, src, total)

    assert 33 * (1 + RIGHT[kernel]) == total[0]


@pytest.mark.parametrize("threads", [64, 1024])
def test_reading_things_of_two_kinds_is_refused_where_they_are_read(threads):
    with pytest.raises(UnsupportedError, match="a variable holds Array in some threads and float32 in others") as found:
        simt.launch(read_after_the_join, 1, threads, np.ones(33, np.float32), np.zeros(1, np.float32))

    assert read_after_the_join.py_func.__code__.co_firstlineno + 5 == found.value.line
