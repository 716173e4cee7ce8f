"""How many values a thread has asked for before it must wait, as the real compiler writes its kernels."""

import numpy as np
import pytest
from numba import cuda, float32

from autograder.lint import lint, signature_of, unavailable_reason
from autograder.lint.machine_code.in_flight import loads_in_flight

pytestmark = pytest.mark.skipif(bool(unavailable_reason()), reason=unavailable_reason())

FLOATS = np.zeros(8, np.float32)


@cuda.jit
def all_first(a, b, out):
    i, step = 4 * cuda.grid(1), cuda.gridsize(1)
    if i + 3 * step < out.size:
        p, q, r, s = a[i], a[i + step], a[i + 2 * step], a[i + 3 * step]
        out[i], out[i + step], out[i + 2 * step], out[i + 3 * step] = p, q, r, s


@cuda.jit
def a_store_between(a, b, out):
    i, step = 4 * cuda.grid(1), cuda.gridsize(1)
    if i + 3 * step < out.size:
        for k in range(4):
            out[i + k * step] = a[i + k * step]


@cuda.jit
def a_guard_each_and_stores_last(a, b, out):
    i, step = 4 * cuda.grid(1), cuda.gridsize(1)
    p = a[i] if i < a.size else float32(0)
    q = a[i + step] if i + step < a.size else float32(0)
    r = p + q
    if i < out.size:
        out[i] = r


@cuda.jit
def an_address_that_was_loaded(a, b, out):
    i = cuda.grid(1)
    out[i] = a[int(b[i])]


@cuda.jit
def tile_with_a_question_each(a, b, out):
    tile = cuda.shared.array(1024, float32)
    t = cuda.threadIdx.x
    for k in range(0, 1024, 256):
        if t + k < a.size:
            tile[t + k] = a[t + k]
    cuda.syncthreads()
    out[t] = tile[1023 - t]


@cuda.jit
def tile_with_one_question(a, b, out):
    tile = cuda.shared.array(1024, float32)
    t = cuda.threadIdx.x
    if t + 768 < a.size:
        for k in range(0, 1024, 256):
            tile[t + k] = a[t + k]
    cuda.syncthreads()
    out[t] = tile[1023 - t]


@pytest.mark.parametrize(
    ("kernel", "at_once"),
    [
        (all_first, 4),
        (a_store_between, 1),
        (a_guard_each_and_stores_last, 2),
        (an_address_that_was_loaded, 1),
        (tile_with_a_question_each, 1),
        (tile_with_one_question, 4),
    ],
    ids=lambda value: getattr(getattr(value, "py_func", None), "__name__", value),
)
def test_a_load_counts_as_under_way_until_a_store_a_question_or_its_own_use_stops_the_next(kernel, at_once):
    assert at_once == lint(kernel, signature_of((FLOATS,) * 3)).code["loads_in_flight"]


def test_ways_that_meet_go_on_with_the_one_that_has_more_under_way():
    load = "\tld.global.f32 \t%f{0}, [%rd{0}];\n"
    ptx = "\t@%p1 bra \t$L__BB0_1;\n" + load.format(1) + "\tbar.sync \t0;\n$L__BB0_1:\n" + load.format(2)
    assert 2 == loads_in_flight(ptx)


def test_a_kernel_without_loads_has_none_under_way():
    assert 0 == loads_in_flight("\tst.global.f32 \t[%rd1], %f1;\n\tret;\n")
