"""Indices outside an array."""

import numpy as np
from numba import cuda, float32

import simt
from simt.analyses.bounds import Bounds
from tests.simt.synthetic import Stage, array


@cuda.jit
def next_row(x):
    row, col = 0, cuda.grid(1)
    x[row + 2, col] = 0


@cuda.jit
def count_by_block(x):
    cuda.atomic.add(x, cuda.blockIdx.x, 1)


@cuda.jit
def turn_too_far(x):
    s = cuda.shared.array(32, float32)
    t = cuda.threadIdx.x
    s[t] = 1
    cuda.syncthreads()
    x[t] = s[t + 1]


def report(target, index, **more):
    bounds = Bounds()
    Stage(bounds, grid=(2, 1, 1), block=(64, 1, 1)).out_of_bounds(target, index, **more)
    return bounds.book.all()


def test_an_index_past_the_end_names_thread_index_size_and_the_guard_to_write():
    (found,) = report(array("x", (100,)), (lambda t: t + 64,), line=7, where=lambda t: t >= 36)

    assert (
        "Thread 36 of block 0 reads x[100] at line 7, outside the array: x has 100 elements (0 to 99)." == found.message
    )
    assert "Guard the line: it may only run where the index is less than x.size." == found.remedy
    assert ((100,), 56, False) == (found.detail["index"], found.count, found.detail["wraps"])


def test_a_negative_index_that_wraps_says_which_element_it_silently_means():
    (found,) = report(array("x", (128,)), (lambda t: t - 1,), line=3, where=lambda t: t < 1, wraps=True)

    assert "x[-1]" in found.message
    assert "silently means x[127]" in found.message
    assert "at least 0" in found.remedy
    assert found.detail["wraps"]


def test_the_guard_to_write_has_the_index_as_its_author_wrote_it():
    trace = simt.trace(next_row, 1, 32, np.ones((2, 32), np.float32))
    assert "Guard the line: it may only run where `row + 2` is less than x.shape[0]." == trace.findings[0].remedy


def test_an_atomic_that_all_do_on_one_cell_needs_no_guard_but_another_index():
    trace = simt.trace(count_by_block, 2, 32, np.zeros(1, np.float32))
    assert "x has one element" in trace.findings[0].remedy and "its index is 0, not" in trace.findings[0].remedy


def test_an_atomic_beside_the_array_is_guarded_by_its_index():
    trace = simt.trace(count_by_block, 3, 32, np.zeros(2, np.float32))
    assert "Guard the line: it may only run where `cuda.blockIdx.x` is less than x.size." == trace.findings[0].remedy


def test_beyond_a_shared_array_the_size_is_told_as_a_number():
    trace = simt.trace(turn_too_far, 1, 32, np.zeros(32, np.float32))
    assert "Let it run only where `t + 1` is below 32, or make s larger." == trace.findings[0].remedy


def test_the_axis_that_is_too_large_is_the_one_to_guard():
    (found,) = report(array("a", (16, 48)), (3, 48), kind="store")

    assert "writes a[3, 48]" in found.message
    assert "shape (16, 48)" in found.message
    assert "a.shape[1]" in found.remedy


def test_one_finding_for_each_line_and_array_with_a_count():
    bounds = Bounds()
    stage = Stage(bounds)
    for _ in range(3):
        stage.out_of_bounds(array("x", (8,)), (lambda t: t + 8,))

    (found,) = bounds.book.all()
    assert 96 == found.count


def test_a_part_of_an_array_is_named_with_its_own_extent():
    def read_row(table, out):
        row = table[cuda.threadIdx.x]
        out[cuda.threadIdx.x] = row[cuda.threadIdx.x + 2]

    def read_slice(table, out):
        part = table[0][1:3]
        out[cuda.threadIdx.x] = part[cuda.threadIdx.x]

    table, out = np.zeros((4, 4), np.float32), np.zeros(4, np.float32)
    rows = simt.trace(read_row, 1, 4, table, out).findings
    parts = simt.trace(read_slice, 1, 4, table, out).findings

    assert ["out_of_bounds"] == [finding.kind for finding in rows] == [finding.kind for finding in parts]
    assert "reads row[4]" in rows[0].message and "row is a part of table, with 4 elements (0 to 3)" in rows[0].message
    assert "less than row.size" in rows[0].remedy
    assert "part is a part of table, with 2 elements (0 to 1)" in parts[0].message


def test_a_row_beyond_the_last_one_is_told_by_its_axis_and_a_part_by_what_was_written():
    def rows_one_by_one(table, out):
        i = cuda.threadIdx.x
        out[i] = table[i + 1][0]

    def every_other(table, out):
        i = cuda.threadIdx.x
        out[i] = table[1::2][i][0]

    table, out = np.zeros((4, 4), np.float32), np.zeros(4, np.float32)
    (row,) = simt.trace(rows_one_by_one, 1, 4, table, out).findings
    (part,) = simt.trace(every_other, 1, 4, table, out).findings

    assert "reads table[4] at line" in row.message and "along its axis 0, table has 4 elements" in row.message
    assert "`i + 1` is less than table.shape[0]." in row.remedy
    assert "reads table[1::2][2]" in part.message and "`i` is less than table[1::2].shape[0]." in part.remedy


@cuda.jit
def by_x_first(x):
    a, b = cuda.grid(2)
    if a < x.shape[1] and b < x.shape[0]:
        x[a, b] = 0


def test_indices_or_a_launch_that_are_exchanged_are_told_so_and_no_other_missing_guard_is():
    (exchanged,) = simt.trace(by_x_first, (5, 3), (16, 16), np.ones((48, 80))).findings
    (unguarded,) = simt.trace(by_x_first, (5, 5), (16, 16), np.ones((48, 80))).findings

    assert "the two axes look exchanged. Exchange the two indices, as in x[b, a]," in exchanged.remedy
    assert "may only run where `a` is less than x.shape[0]" in unguarded.remedy


@cuda.jit
def two_halves(x):
    halves, t = cuda.shared.array(0, float32), cuda.threadIdx.x
    halves[cuda.blockDim.x + t] = x[t]


def test_dynamic_shared_memory_that_ends_too_early_is_told_with_the_bytes_of_the_launch():
    (found,) = simt.trace(two_halves, 1, 32, np.ones(32), dynamic_shared_bytes=128).findings
    assert "or give the launch more dynamic shared memory than its 128 bytes" in found.remedy
