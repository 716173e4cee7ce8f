"""Random numbers in kernels: the states and the numbers that numba.cuda.random has."""

from __future__ import annotations

import numpy as np
import pytest

from simt.cuda_api import cuda
from simt.cuda_api.random import (
    create_xoroshiro128p_states,
    init_xoroshiro128p_states,
    xoroshiro128p_next,
    xoroshiro128p_normal_float32,
    xoroshiro128p_normal_float64,
    xoroshiro128p_uniform_float32,
    xoroshiro128p_uniform_float64,
)

# what numba.cuda.random.init_xoroshiro128p_states_cpu gives for seed 1
FIRST_FIVE = [
    (0x910A2DEC89025CC1, 0x910A2DEC89025CC1),
    (0x73C19A5348FC9098, 0x6C96C932F21D71EE),
    (0x0B3D0CD6DDFA7A4C, 0xD3C2C33E9B8E707A),
    (0x3B80C389FCD31EE7, 0xB43C70624D182BBB),
    (0x17E0E052C5094B78, 0x8341792FB49D7386),
]


def test_states_are_those_of_numba():
    assert FIRST_FIVE == create_xoroshiro128p_states(5, seed=1).copy_to_host().tolist()


def test_subsequences_start_where_they_are_told():
    states = create_xoroshiro128p_states(100, seed=2**40 + 7).copy_to_host()
    later = create_xoroshiro128p_states(97, seed=2**40 + 7, subsequence_start=3).copy_to_host()
    assert states[3:].tolist() == later.tolist()
    assert 100 == len(set(states.tolist()))


def test_a_start_below_zero_skips_nothing_and_ends():
    states = [create_xoroshiro128p_states(4, seed=1, subsequence_start=start).copy_to_host() for start in (0, -1)]
    assert (states[0] == states[1]).all()


def test_states_are_filled_in_place():
    states = cuda.device_array(5, dtype=create_xoroshiro128p_states(1, 1).dtype)
    init_xoroshiro128p_states(states, 1)
    assert FIRST_FIVE == states.copy_to_host().tolist()


def test_a_step_is_that_of_xoroshiro128plus():
    @cuda.jit
    def draw(states, out):
        i = cuda.grid(1)
        out[i, 0] = xoroshiro128p_next(states, i)
        out[i, 1] = xoroshiro128p_next(states, i)

    states, out = create_xoroshiro128p_states(40, seed=5), np.zeros((40, 2), np.uint64)
    before = states.copy_to_host().tolist()
    draw[2, 20](states, out)
    limit = 2**64
    for (s0, s1), drawn in zip(before, out.tolist(), strict=True):
        for number in drawn:
            assert (s0 + s1) % limit == number
            s1 ^= s0
            s0 = ((s0 << 55 | s0 >> 9) ^ s1 ^ (s1 << 14)) % limit
            s1 = (s1 << 36 | s1 >> 28) % limit


@pytest.mark.parametrize(
    "draw_one, dtype, mean, deviation",
    [
        (xoroshiro128p_uniform_float32, np.float32, 0.5, 12**-0.5),
        (xoroshiro128p_uniform_float64, np.float64, 0.5, 12**-0.5),
        (xoroshiro128p_normal_float32, np.float32, 0, 1),
        (xoroshiro128p_normal_float64, np.float64, 0, 1),
    ],
)
def test_distributions_have_their_mean_and_deviation(draw_one, dtype, mean, deviation):
    @cuda.jit
    def fill(states, out):
        i = cuda.grid(1)
        for k in range(out.shape[1]):
            out[i, k] = draw_one(states, i)

    out = np.zeros((1024, 16), dtype)
    fill[8, 128](create_xoroshiro128p_states(1024, seed=3), out)
    assert abs(out.mean() - mean) < 0.03 and abs(out.std() - deviation) < 0.03
    assert mean == 0 or (out.min() >= 0 and out.max() <= 1)
