"""Copies from global to shared memory beside the threads: there after the wait, and nowhere before it."""

import numpy as np
import pytest
from numba import cuda, float32

import simt
from autograder.notebook.intrinsics import commit_copies, copy16_async, copy_async, wait_copies


def kernel_of(commits=True, keep=0, meets_before=False, meets=True):
    """A row copied and read from the other end. meets_before, meets: a barrier before, after the wait."""

    @cuda.jit
    def turned(x, out):
        tile = cuda.shared.array(64, float32)
        t = cuda.threadIdx.x
        copy_async(tile, t, x, t)
        if commits:
            commit_copies()
        if meets_before:
            cuda.syncthreads()
        wait_copies(keep)
        if meets:
            cuda.syncthreads()
        out[t] = tile[63 - t]

    return turned


@cuda.jit
def sixteen_bytes(x, out):
    tile = cuda.shared.array((2, 128), float32)
    t = cuda.threadIdx.x
    copy16_async(tile, (0, 4 * t), x, 4 * t)
    commit_copies()
    copy16_async(tile, (1, 4 * t), x, 128 + 4 * t)
    commit_copies()
    wait_copies(1)
    out[t] = tile[0, 4 * t + 3]  # its own copy, of the older group
    wait_copies(0)
    cuda.syncthreads()
    out[t + 32] = tile[1, 127 - t]


@cuda.jit
def begins_while_others_read(x, out):
    tile = cuda.shared.array(64, float32)
    t = cuda.threadIdx.x
    tile[t] = float32(0)
    cuda.syncthreads()
    out[t] = tile[63 - t]
    copy_async(tile, t, x, t)
    commit_copies()
    wait_copies(0)


def traced(kernel, block=64, n=64, n_out=64):
    x, out = np.arange(n, dtype=np.float32), np.zeros(n_out, np.float32)
    return simt.trace(kernel, 1, block, x, out), x, out


def test_what_was_waited_for_is_there_and_no_thread_stored_it():
    trace, x, out = traced(kernel_of())

    assert [] == trace.findings
    np.testing.assert_array_equal(x[::-1], out)
    counters = trace.counters
    assert (2, 2, 0) == tuple(
        counters[name] for name in ("async_copy_requests", "global_load_requests", "shared_store_requests")
    )


@pytest.mark.parametrize("early", [{"keep": 1}, {"commits": False}])
def test_reading_before_the_copy_was_waited_for_names_both_lines_and_gets_no_data(early):
    kernel = kernel_of(**early)
    trace, x, out = traced(kernel)
    first = kernel.py_func.__code__.co_firstlineno
    (finding,) = [one for one in trace.findings if one.detail["hazard"] == "copy"]

    assert (first + 12, first + 4) == finding.lines
    assert "nothing has waited for it" in finding.message
    assert not np.isin(out, x).any()


def test_other_threads_need_a_barrier_behind_the_wait_and_not_before_it():
    trace, _, _ = traced(kernel_of(meets_before=True, meets=False))
    (finding,) = trace.findings

    assert "race" == finding.kind
    assert "wait_copies" not in finding.message and finding.detail["hazard"] == "RAW"


def test_a_copy_that_begins_while_others_may_still_read_is_a_race():
    trace, _, _ = traced(begins_while_others_read)

    assert {"race"} == {one.kind for one in trace.findings}


def test_groups_arrive_in_order_and_sixteen_bytes_are_one_request():
    trace, x, out = traced(sixteen_bytes, block=32, n=256)

    assert [] == trace.findings
    np.testing.assert_array_equal(np.concatenate([x[3:128:4], x[255:223:-1]]), out)
    assert 2 == trace.counters["global_load_requests"]


@pytest.mark.parametrize("capability", [(7, 5), (8, 0), (9, 0)])
def test_copies_compile_to_instructions_of_their_own_where_the_gpu_has_them(capability):
    from numba import types

    row = types.Array(types.float32, 1, "C")
    text, _ = cuda.compile_ptx(sixteen_bytes.py_func, types.void(row, row), cc=capability)

    assert (capability >= (8, 0)) == ("cp.async.cg.shared.global" in text) == ("cp.async.wait_group 1" in text)
    assert (capability < (8, 0)) == ("st.shared.v4" in text)


@cuda.jit
def to_global(x, out):
    copy_async(out, 0, x, 0)


@cuda.jit
def to_another_type(x, out):
    tile = cuda.shared.array(64, np.int32)
    copy_async(tile, 0, x, 0)


@cuda.jit
def to_halves(x, out):
    tile = cuda.shared.array(64, np.int16)
    copy_async(tile, 0, x, 0)


@cuda.jit
def to_two_axes_with_one_index(x, out):
    tile = cuda.shared.array((2, 64), float32)
    copy_async(tile, 0, x, 0)


@cuda.jit
def waits_for_its_own_number(x, out):
    wait_copies(cuda.threadIdx.x)


@pytest.mark.parametrize(
    ("kernel", "dtype", "says"),
    [
        (to_global, np.float32, "from global to shared memory, and to nowhere else"),
        (to_another_type, np.float32, "both arrays need one element type"),
        (to_halves, np.int16, "copies elements of 4 or 8 bytes"),
        (to_two_axes_with_one_index, np.float32, "needs 2 indices for tile, one an axis"),
        (waits_for_its_own_number, np.float32, "takes a number that is the same for all threads"),
    ],
)
def test_what_no_gpu_can_copy_is_refused_and_says_why(kernel, dtype, says):
    trace = simt.trace(kernel, 1, 64, np.zeros(64, dtype), np.zeros(64, dtype))

    assert ["unsupported"] == [finding.kind for finding in trace.findings]
    assert says in trace.findings[0].message


@cuda.jit
def waits_afterwards(x, out):
    tile = cuda.shared.array(64, float32)
    t = cuda.threadIdx.x
    copy_async(tile, t, x, t)
    commit_copies()
    cuda.syncthreads()
    out[t] = tile[63 - t]
    wait_copies(0)


def test_a_wait_behind_the_read_is_told_once_and_not_as_a_second_race():
    trace, _, _ = traced(waits_afterwards)

    assert ["copy"] == [finding.detail["hazard"] for finding in trace.findings]


def test_the_compiler_says_what_an_intrinsic_takes_where_it_is_handed_something_else():
    from autograder.lint import lint, signature_of

    error = lint(waits_for_its_own_number, signature_of([np.zeros(4, np.float32)] * 2)).error

    assert error is not None
    assert "keep: a number written out" in error.says


def test_a_walk_shows_what_a_copy_brought_at_the_line_that_waits_for_it():
    kernel, x = kernel_of(), np.arange(64, dtype=np.float32)
    walk = simt.step(kernel, 1, 64, x, np.zeros(64, np.float32))
    first = kernel.py_func.__code__.co_firstlineno
    by_line = {step.line - first: step for step in walk.steps}

    assert [] == [one.kind for one in by_line[4].accesses if one.array.name == "tile"]
    (brought,) = [one for one in by_line[9].accesses if one.array.name == "tile"]
    np.testing.assert_array_equal(x, brought.values)
