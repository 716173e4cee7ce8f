"""The source of a lambda is its own, whatever else stands on its line."""

from __future__ import annotations

import numpy as np

import simt
from simt.cuda_api import cuda


def test_two_lambdas_of_one_line_stay_apart():
    less, more = cuda.jit(device=True)(lambda v: v - 1), cuda.jit(device=True)(lambda v: v * 100)

    def both(dst):
        dst[0], dst[1] = less(5.0), more(5.0)

    dst = np.zeros(2)
    simt.launch(both, 1, 1, dst)
    np.testing.assert_array_equal([4.0, 500.0], dst)
