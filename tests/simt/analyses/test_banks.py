"""Passes over shared memory as Nsight Compute counts them; rules and numbers measured on an H200."""

import numpy as np
import pytest

from simt.analyses.costs.banks import Banks, atomic_wavefronts_per_request, bank_degree, wavefronts_per_request
from tests.simt.synthetic import Stage, array, counts

EVERYBODY = np.ones((1, 32), bool)
LANE = np.arange(32)


def passes(cells, size=4, load=True):
    taken, fewest = wavefronts_per_request(np.asarray(cells, np.int64)[None] * size, EVERYBODY, size, load)
    return int(taken[0]), int(taken[0] - fewest[0])


@pytest.mark.parametrize(("stride", "expected"), [(1, 1), (2, 2), (4, 4), (32, 32), (33, 1), (0, 1), (3, 1)])
def test_a_strided_walk_of_floats_conflicts_by_the_stride_s_common_factor_with_thirty_two(stride, expected):
    assert (expected, expected - 1) == passes(LANE * stride)


@pytest.mark.parametrize("size", [1, 2, 4])
def test_small_neighbours_share_words_and_never_conflict(size):
    assert (1, 0) == passes(LANE, size)


@pytest.mark.parametrize(("size", "expected"), [(8, 2), (16, 4)])
def test_wide_neighbours_take_more_passes_but_that_is_no_conflict(size, expected):
    assert (expected, 0) == passes(LANE, size)


def test_a_load_serves_two_halves_together_where_neighbouring_lanes_agree():
    assert (1, 0) == passes(LANE // 2, 8)
    assert (2, 0) == passes(LANE // 2, 8, load=False)


def test_doubles_a_row_of_sixteen_apart_conflict_in_both_halves():
    assert (32, 30) == passes(LANE * 16, 8)


def test_one_word_wanted_by_many_lanes_is_broadcast_except_to_atomics():
    addresses = np.zeros((1, 32), np.int64)

    assert [1] == bank_degree(addresses // 4, EVERYBODY).tolist()
    assert [32] == atomic_wavefronts_per_request(addresses, EVERYBODY).tolist()


def test_a_naive_tile_transpose_counts_1024_passes_and_992_conflicts():
    """A 32 x 32 tile read along columns by 1,024 threads, measured on an H200."""
    banks = Banks()
    stage = Stage(banks, block=(32, 32, 1))
    tile = array("tile", (32, 32), space="shared")

    stage.store(tile, lambda thread: thread, line=1)
    stage.load(tile, lambda thread: thread % 32 * 32 + thread // 32, line=2)

    found = counts(banks)
    assert (1024, 992) == (found["shared_load_wavefronts"], found["shared_load_bank_conflicts"])
    assert (32, 0) == (found["shared_store_wavefronts"], found["shared_store_bank_conflicts"])


def test_one_spare_element_a_row_removes_every_conflict_of_the_transpose():
    banks = Banks()
    tile = array("tile", (32, 33), space="shared")
    Stage(banks, block=(32, 32, 1)).load(tile, lambda thread: thread % 32 * 33 + thread // 32)

    found = counts(banks)
    assert (32, 0) == (found["shared_load_wavefronts"], found["shared_load_bank_conflicts"])


def test_a_tiled_transpose_of_1024_x_1024_counts_the_conflicts_nsight_compute_counts():
    """Blocks of 32 x 8 threads, four rows per thread, unpadded tile: 1,015,808 conflicts measured on an H200."""
    banks = Banks()
    stage = Stage(banks, block=(32, 8, 1), grid=(32, 32, 1))
    tile = array("tile", (32, 32), space="shared")

    for turn in range(4):
        stage.load(tile, lambda thread, turn=turn: thread % 32 * 32 + thread // 32 + 8 * turn)

    found = counts(banks)
    assert (32768, 1015808) == (found["shared_load_requests"], found["shared_load_bank_conflicts"])


def test_where_a_shared_array_starts_does_not_change_its_conflicts():
    for base in (0, 16, 4100):
        banks = Banks()
        tile = array("tile", (64,), space="shared", base=base)
        Stage(banks).load(tile, lambda thread: 63 - 2 * thread)

        assert 1 == counts(banks)["shared_load_bank_conflicts"]


def test_counting_by_one_merges_lanes_on_one_bin_as_the_compiler_does():
    bins = array("bins", (256,), "i4", space="shared")

    def measured(text, **more):
        banks = Banks()
        Stage(banks).atomic(bins, lambda thread: thread // 8, text=text, **more)
        return counts(banks)["shared_atomic_wavefronts"]

    assert 1 == measured("cuda.atomic.add(bins, b, 1)")
    assert 8 == measured("cuda.atomic.add(bins, b, n)")
    assert 8 == measured("cuda.atomic.add(bins, b, 1)", result_used=True)


def test_the_shortcut_for_equal_rows_agrees_with_counting_each_row():
    random = np.random.default_rng(2)
    for size in (1, 2, 4, 8, 16):
        pattern = random.integers(0, 100, 32)
        shifts = random.integers(0, 40, 4)
        banks = Banks()
        stage = Stage(banks, block=(128, 1, 1))
        dtype = {1: "u1", 2: "i2", 4: "f4", 8: "f8", 16: "c16"}[size]

        stage.load(array("s", (200,), dtype, space="shared"), (pattern + shifts[:, None]).ravel())

        rows = (pattern + shifts[:, None]) * size
        taken, _ = wavefronts_per_request(rows, np.ones((4, 32), bool), size, True)
        assert int(taken.sum()) == counts(banks)["shared_load_wavefronts"]
