"""Parts of one device array are one memory: a store through one and a load through another may be the same element."""

import numpy as np
import pytest

import simt
from simt.cuda_api import cuda
from simt.memory.overlaps import spans_of


def copy(src, dst):
    i = cuda.grid(1)
    if i < dst.size:
        dst[i] = src[i]


def add_rows(upper, lower):
    x, y = cuda.grid(2)
    lower[y, x] += upper[y, x]


def messages(trace):
    return [finding.message for finding in trace.findings]


def test_a_shift_by_overlapping_slices_is_a_race_and_says_that_both_names_are_one_memory():
    whole = cuda.to_device(np.arange(33, dtype=np.float32))

    (said,) = messages(simt.trace(copy, 1, 32, whole[:-1], whole[1:]))

    assert said.startswith("Thread 1 of block 0 reads dst[0] at line")
    assert "while thread 0 overwrites it in the same statement" in said
    assert said.endswith("The names src and dst stand for the same memory.")


def test_the_values_are_those_of_one_memory():
    whole = cuda.to_device(np.arange(9, dtype=np.float32))
    simt.launch(copy, 1, 8, whole[:-1], whole[1:])
    assert [0, 0, 1, 2, 3, 4, 5, 6, 7] == whole.copy_to_host().tolist()


@pytest.mark.parametrize("first, second", [(slice(0, 8), slice(8, 16)), (slice(0, 16), slice(0, 16))])
def test_halves_apart_and_one_slice_twice_are_no_race(first, second):
    whole = cuda.to_device(np.arange(16, dtype=np.float32))
    assert [] == messages(simt.trace(copy, 1, 16, whole[first], whole[second]))


def test_rows_of_a_table_keep_their_indices():
    table = cuda.to_device(np.zeros((5, 4), np.float32))

    (said,) = messages(simt.trace(add_rows, 1, (4, 4), table[:-1], table[1:]))

    assert "lower[0, 0]" in said and "stand for the same memory" in said
    assert (4, 4) == table[1:].shape


def test_an_index_beyond_a_slice_is_outside_although_the_memory_goes_on():
    whole = cuda.to_device(np.zeros(16, np.float32))

    def beyond(src, dst):
        dst[cuda.grid(1)] = src[8]

    (found,) = simt.trace(beyond, 1, 1, whole[:8], whole[4:12]).findings
    assert ("out_of_bounds", (8,)) == (found.kind, found.detail["shape"])


def test_only_what_overlaps_is_joined():
    memory = np.zeros(32, np.float32)
    parts = [memory[0:8], memory[8:16], memory[12:20], memory[24:28], memory[24:28], np.zeros(4)]
    (span,) = spans_of(parts)
    assert 12 == span.flat.size
    assert [] == spans_of([memory, memory.view(np.int32)[:4]]) == spans_of([])


def test_every_other_element_and_reversed_ones_overlap_too():
    memory = np.arange(8, dtype=np.float32)
    (span,) = spans_of([memory[::-2], memory[2:]])
    assert [1, 2, 3, 4, 5, 6, 7] == span.flat.tolist()
