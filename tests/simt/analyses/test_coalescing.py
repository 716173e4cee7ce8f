"""Sectors as Nsight Compute counts them; expected numbers were measured on an H200 or follow from 32-byte sectors."""

import numpy as np
import pytest

from simt.analyses.costs.coalescing import Coalescing, atomic_sectors_per_request, sectors_per_request
from tests.simt.synthetic import Stage, array, counts

EVERYBODY = np.ones((1, 32), bool)


def sectors(cells, size=4, active=EVERYBODY):
    return int(sectors_per_request(np.asarray(cells, np.int64)[None] * size, active, size)[0])


@pytest.mark.parametrize(("stride", "expected"), [(1, 4), (2, 8), (8, 32), (16, 32), (0, 1)])
def test_a_warp_of_floats_touches_one_sector_for_each_thirty_two_bytes(stride, expected):
    assert expected == sectors(np.arange(32) * stride)


@pytest.mark.parametrize(("size", "expected"), [(1, 1), (2, 2), (4, 4), (8, 8), (16, 16)])
def test_neighbouring_elements_of_every_size_fill_their_sectors(size, expected):
    assert expected == sectors(np.arange(32), size)


def test_one_element_off_costs_one_more_sector():
    assert 5 == sectors(np.arange(32) + 1)


def test_the_order_of_the_lanes_does_not_matter():
    shuffled = np.random.default_rng(0).permutation(32)

    assert 4 == sectors(shuffled)


def test_what_is_remembered_of_a_pattern_is_not_told_of_another():
    lanes = np.arange(32, dtype=np.int64)[None]
    low = lanes < 8

    twice = [[sectors(lanes[0]), sectors(lanes[0], active=low), sectors(lanes[0], 8)] for _ in range(2)]

    assert [[4, 1, 8]] * 2 == twice
    assert [4, 4] == sectors_per_request(np.repeat(lanes * 4, 2, axis=0), np.repeat(EVERYBODY, 2, axis=0), 4).tolist()


def test_inactive_lanes_touch_nothing():
    assert 1 == sectors(np.arange(32), active=(np.arange(32) < 8)[None])


def test_an_element_across_two_sectors_counts_both():
    addresses = np.full((1, 32), 28, np.int64)

    assert [2] == sectors_per_request(addresses, EVERYBODY, 8).tolist()


def test_a_record_wider_than_a_sector_counts_all_of_its_sectors():
    assert 48 == sectors(np.arange(32), 48)


@pytest.mark.parametrize(
    ("stride", "requests", "expected"), [(1, 32768, 131072), (2, 16384, 131072), (8, 4096, 131072)]
)
def test_a_strided_copy_of_a_million_floats_counts_what_nsight_compute_counts(stride, requests, expected):
    """Requests and sectors measured on an H200: 2^20 elements, 256 threads per block."""
    threads = (1 << 20) // stride
    x = array("x", (1 << 20,))
    coalescing = Coalescing()
    stage = Stage(coalescing, grid=(threads // 256, 1, 1), block=(256, 1, 1))

    lanes = stage.lanes()
    stage.load(x, lanes.global_thread * stride, lanes=lanes)

    found = counts(coalescing)
    assert (requests, expected) == (found["global_load_requests"], found["global_load_sectors"])
    assert 4 * threads == found["global_load_bytes"]


def test_a_partial_last_warp_is_counted_with_the_lanes_it_has():
    coalescing = Coalescing()
    stage = Stage(coalescing, grid=(2, 1, 1), block=(64, 1, 1))
    lanes = stage.lanes(np.arange(128) < 100)

    stage.store(array("y"), lanes.global_thread, lanes=lanes)

    found = counts(coalescing)
    assert 4 == found["global_store_requests"]
    assert 3 * 4 + 1 == found["global_store_sectors"] == found["global_store_sectors_ideal"]
    assert 400 == found["global_store_bytes"]


def test_a_broadcast_needs_one_sector_and_that_is_ideal():
    coalescing = Coalescing()
    Stage(coalescing).load(array("x"), lambda thread: thread * 0 + 7)

    found = counts(coalescing)
    assert (1, 1) == (found["global_load_sectors"], found["global_load_sectors_ideal"])


def test_random_patterns_count_the_same_through_the_shortcut_for_equal_rows():
    random = np.random.default_rng(1)
    for _ in range(50):
        pattern = random.integers(0, 200, 32)
        shifts = random.integers(0, 50, 4) * 8
        mask = random.random(32) < random.choice([0.3, 1.0])
        mask[0] = True
        coalescing = Coalescing()
        stage = Stage(coalescing, block=(128, 1, 1))
        lanes = stage.lanes(np.tile(mask, 4))
        cells = pattern[lanes.lane] + shifts[lanes.thread // 32]

        stage.load(array("x", (1000,)), cells, lanes=lanes)

        expected = sum(len(set((pattern[mask] + shift) // 8)) for shift in shifts)
        assert expected == counts(coalescing)["global_load_sectors"]


def test_atomics_send_a_sector_as_often_as_its_hottest_address_occurs():
    addresses = np.array([[0] * 16 + [4] * 8 + [64] * 4 + [68, 72, 76, 80]], np.int64)

    assert [16 + 4] == atomic_sectors_per_request(addresses, EVERYBODY).tolist()


def test_all_lanes_adding_to_one_float_send_its_sector_thirty_two_times():
    coalescing = Coalescing()
    Stage(coalescing).atomic(array("out", (1,)), lambda thread: thread * 0)

    found = counts(coalescing)
    assert (1, 32, 128) == tuple(found[f"global_atomic_{name}"] for name in ("requests", "sectors", "bytes"))


def test_shared_memory_is_none_of_its_business():
    coalescing = Coalescing()
    Stage(coalescing).load(array("s", (32,), space="shared"), lambda thread: thread)

    assert {} == counts(coalescing)
