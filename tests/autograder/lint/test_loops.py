"""What the compiled loop of a kernel lets run at once, as the real compiler writes it."""

import numpy as np
import pytest
from numba import cuda, float32

from autograder.lint import lint, signature_of, unavailable_reason
from autograder.lint.machine_code.loops import independent_loads, independent_operations, widest_load_bytes

pytestmark = pytest.mark.skipif(bool(unavailable_reason()), reason=unavailable_reason())

FLOATS, INDICES = np.zeros(8, np.float32), np.zeros(8, np.int32)


@cuda.jit
def one_total(src, out):
    acc = float32(0)
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        acc += src[i]
    out[cuda.grid(1)] = acc


@cuda.jit
def four_totals(src, out):
    a = b = c = d = float32(0)
    i, step = cuda.grid(1), cuda.gridsize(1)
    while i + 3 * step < src.size:
        a += src[i]
        b += src[i + step]
        c += src[i + 2 * step]
        d += src[i + 3 * step]
        i += 4 * step
    while i < src.size:
        a += src[i]
        i += step
    out[cuda.grid(1)] = (a + b) + (c + d)


@cuda.jit
def a_tree_per_turn(src, out):
    acc = float32(0)
    i, step = cuda.grid(1), cuda.gridsize(1)
    while i + 3 * step < src.size:
        acc += (src[i] + src[i + step]) + (src[i + 2 * step] + src[i + 3 * step])
        i += 4 * step
    out[cuda.grid(1)] = acc


@cuda.jit
def totals_that_swap(src, out):
    a = b = float32(0)
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        a, b = b, a + src[i]
    out[cuda.grid(1)] = a + b


@cuda.jit
def one_walk(succ, out):
    p = out[cuda.grid(1)]
    for _ in range(succ.size):
        p = succ[p]
    out[cuda.grid(1)] = p


@cuda.jit
def two_walks(succ, out):
    i = cuda.grid(1)
    p, q = out[2 * i], out[2 * i + 1]
    for _ in range(succ.size):
        p = succ[p]
        q = succ[q]
    out[2 * i], out[2 * i + 1] = p, q


@cuda.jit
def walks_one_after_the_other(succ, out):
    for i in range(cuda.grid(1), out.size, cuda.gridsize(1)):
        p = out[i]
        for _ in range(succ.size):
            p = succ[p]
        out[i] = p


@cuda.jit
def no_loop(src, out):
    out[cuda.grid(1)] = src[cuda.grid(1)] * float32(3)


def code_of(kernel, *arguments):
    return lint(kernel, signature_of(arguments)).code


@pytest.mark.parametrize(
    ("kernel", "at_once"),
    [(one_total, 1), (four_totals, 4), (a_tree_per_turn, 4), (totals_that_swap, 2), (no_loop, 0)],
    ids=lambda value: getattr(value, "__name__", value),
)
def test_running_totals_that_do_not_wait_for_one_another_are_counted_however_far_the_compiler_unrolled(kernel, at_once):
    assert at_once == code_of(kernel, FLOATS, FLOATS)["independent_operations"]


@pytest.mark.parametrize(("kernel", "at_once"), [(one_walk, 1), (two_walks, 2), (walks_one_after_the_other, 1)])
def test_a_load_that_needs_the_one_before_it_is_no_independent_load(kernel, at_once):
    assert at_once == code_of(kernel, INDICES, INDICES)["independent_loads"]


def test_the_numbers_of_the_machine_code_are_those_that_the_table_names():
    from autograder.lint.report import COMPILED

    code = code_of(one_total, FLOATS, FLOATS)
    assert set(COMPILED) == set(code)
    assert 4 == code["widest_load_bytes"]
    assert 0 < code["registers"] < 64


def test_a_vector_load_counts_all_its_parts():
    assert 16 == widest_load_bytes("\tld.global.v4.f32 \t{%f1, %f2, %f3, %f4}, [%rd4];\n")


def test_every_part_of_a_vector_that_is_loaded_through_a_loaded_address_waits_for_it():
    body = "$L__BB0_1:\n\tld.global.v2.u64 \t{%rd1, %rd2}, [%rd3];\n\tmov.u64 \t%rd3, %rd2;\n\t@%p1 bra \t$L__BB0_1;\n"
    assert 1 == independent_loads(body)


def test_a_kernel_without_floats_computes_with_none():
    assert 0 == independent_operations("$L__BB0_1:\n\tadd.s64 \t%rd1, %rd1, 1;\n\t@%p1 bra \t$L__BB0_1;\n")
