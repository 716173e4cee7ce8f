"""The last thread reads one element past the end."""

import numpy as np
from numba import cuda


@cuda.jit
def differences(x, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = x[i + 1] - x[i]  # finds: out_of_bounds


differences[2, 64](np.arange(100.0), np.zeros(100))
