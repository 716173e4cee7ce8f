"""What is left of a condition in the compiled code, as a notebook shows it."""

import numpy as np
import pytest
from numba import cuda, float32

from autograder.notebook.compiled import branch_instructions
from autograder.notebook.predicted.why import reason


@cuda.jit
def short_sides(src, out):
    i = cuda.grid(1)
    if src[i] < 0:
        a = float32(0.5)
    else:
        a = float32(-0.5)
    out[i] = a * src[i]


@cuda.jit
def a_loop_on_each_side(src, out):
    i = cuda.grid(1)
    x = src[i]
    if x < 0:
        for _ in range(1000):
            x = float32(0.5) * x + float32(3)
    else:
        for _ in range(1000):
            x = float32(-0.5) * x + float32(1)
    out[i] = x


@pytest.mark.parametrize(
    ("kernel", "jumps", "selects"), [(short_sides, False, True), (a_loop_on_each_side, True, False)]
)
def test_short_sides_become_a_select_and_loops_stay_jumps(kernel, jumps, selects, capsys):
    numbers = np.zeros(64, np.float32)

    found = branch_instructions(kernel, numbers, numbers)

    assert (jumps, selects) == ("bra" in found, "selp.f32" in found)
    assert kernel.__name__ in capsys.readouterr().out


def test_lanes_at_work_are_told_with_the_two_counts_they_are_made_of():
    counters = {"thread_instructions": 96, "warp_instructions": 4}

    assert "96 lines run by threads / 4 lines run by warps = 24" == reason("lanes_at_work", counters)
