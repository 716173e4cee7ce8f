"""Neighbours are read that other threads overwrite."""

import numpy as np
from numba import cuda


@cuda.jit
def smooth(x):
    i = cuda.grid(1)
    if 0 < i < x.size - 1:
        x[i] = (x[i - 1] + x[i] + x[i + 1]) / 3  # finds: race


smooth[4, 64](np.arange(256.0))
