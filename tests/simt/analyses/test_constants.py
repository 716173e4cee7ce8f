"""Constant memory answers one address in a pass."""

import numpy as np
from numba import cuda

import simt

TABLE = np.arange(64, dtype=np.float32)


@cuda.jit
def look_up(places, out):
    t = cuda.grid(1)
    if t < out.size:
        out[t] = TABLE[places[t]]


def passes(places):
    places = np.asarray(places, np.int64)
    counters = simt.trace(look_up, 1, 64, places, np.zeros(len(places), np.float32)).counters
    requests, taken = counters["constant_load_requests"], counters["constant_load_passes"]
    assert taken - requests == counters["constant_load_extra_passes"]
    return requests, taken


def test_one_address_for_all_lanes_is_one_pass():
    assert (2, 2) == passes([7] * 64)


def test_each_address_that_a_warp_wants_is_a_pass_of_its_own():
    assert (1, 32) == passes(range(32))
    assert (2, 4 + 1) == passes([t % 4 for t in range(32)] + [9] * 32)


def test_lanes_that_are_not_there_ask_for_nothing():
    assert (1, 3) == passes([5, 6, 7])
