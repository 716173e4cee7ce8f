"""A slice of a device array lies where it was cut from, so a warp that walks along it shares sectors as on a GPU."""

import numpy as np
import pytest
from numba import cuda

import simt
from simt.cuda_api.device_array import DeviceArray


@cuda.jit
def copy(src, dst):
    i = cuda.grid(1)
    if i < dst.size:
        dst[i] = src[i]


def load_sectors(first):
    """Sectors that 32 lanes load from 32 floats, cut out of a device array from element `first` on."""
    whole = DeviceArray(np.zeros(64, np.float32))
    dst = DeviceArray(np.zeros(32, np.float32))
    return simt.trace(copy, 1, 32, whole[first : first + 32], dst).counters["global_load_sectors"]


@pytest.mark.parametrize(("first", "expected"), [(0, 4), (8, 4), (1, 5), (7, 5), (16, 4)])
def test_a_slice_begins_in_the_sector_it_was_cut_from(first, expected):
    assert expected == load_sectors(first)


def test_a_slice_of_a_slice_keeps_its_place():
    whole = DeviceArray(np.zeros(64, np.float32))
    cut = whole[3:][1:33]  # from element 4 on

    assert 5 == simt.trace(copy, 1, 32, cut, DeviceArray(np.zeros(32, np.float32))).counters["global_load_sectors"]


def test_a_slice_of_the_host_is_copied_to_memory_of_its_own():
    x = np.zeros(64, np.float32)[1:33]

    assert 4 == simt.trace(copy, 1, 32, x, np.zeros(32, np.float32)).counters["global_load_sectors"]
