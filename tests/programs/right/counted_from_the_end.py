"""A ring: index -1 is the last element, which numba allows; it is told as a note, and no finding."""

import numpy as np
from numba import cuda


@cuda.jit
def rotate(x, out):
    i = cuda.grid(1)
    if i < x.size:
        out[i] = x[i - 1]


x, out = np.arange(50.0), np.zeros(50)
rotate[1, 64](x, out)
np.testing.assert_array_equal(out, np.roll(x, 1))
