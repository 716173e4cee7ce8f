"""A launch whose threads need more registers than a block has is told, where there is a compiler to say so."""

import pytest

from autograder.lint import unavailable_reason
from simt.programs.large_blocks import most_registers
from tests.autograder.programs.test_command import run

HEAVY = """\
import math
import numpy as np
from numba import cuda

SIZE = 48

@cuda.jit({options})
def heavy(x, out):
    i = cuda.grid(1)
    kept = cuda.local.array(SIZE, np.float64)
    for k in range(SIZE):
        kept[k] = x[i] * k
    for k in range(SIZE):
        kept[k] = kept[k] * kept[(k + 1) % SIZE] + math.sin(kept[k]) + math.pow(x[i], kept[k])
    total = 0.0
    for k in range(SIZE):
        total += kept[k] * kept[SIZE - 1 - k]
    angle = math.atan2(total, x[i])
    power = math.pow(angle, x[i])
    out[i] = total + angle * power + math.tan(angle) + math.lgamma(power) + math.erf(power) * math.log(total)

heavy[1, {threads}](np.ones({threads}), np.zeros({threads}))
"""


@pytest.mark.skipif(bool(unavailable_reason()), reason="no compiler")
@pytest.mark.parametrize(
    ("options", "threads", "is_told"), [("", 1024, True), ("", 256, False), ("max_registers=64", 1024, False)]
)
def test_it_is_told_at_the_launch_and_not_where_each_thread_gets_what_it_needs(options, threads, is_told, tmp_path):
    path = tmp_path / "heavy.py"
    path.write_text(HEAVY.format(options=options, threads=threads))

    done = run(path)

    assert 0 == done.returncode, done.stderr
    assert is_told == ("heavy.py:22  too many registers" in done.stdout), done.stdout
    assert is_told == ("LAUNCH_OUT_OF_RESOURCES" in done.stdout)


def test_a_block_shares_its_registers_out_by_the_warp():
    assert [255, 255, 128, 64] == [most_registers(threads) for threads in (32, 256, 512, 1024)]
    assert 72 == most_registers(896)
