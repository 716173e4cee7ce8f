"""Threads add to the same bin at the same time."""

import numpy as np
from numba import cuda


@cuda.jit
def histogram(values, counts):
    i = cuda.grid(1)
    if i < values.size:
        counts[values[i]] += 1  # finds: race


histogram[4, 128](np.random.default_rng(0).integers(0, 10, 500), np.zeros(10, np.int64))
