"""The mistake is in a function that the kernel calls."""

import numpy as np
from numba import cuda


@cuda.jit(device=True)
def at(x, i):
    return x[i]  # finds: out_of_bounds


@cuda.jit
def shift(x, out):
    i = cuda.grid(1)
    if i < x.size:
        out[i] = at(x, i + 5)


for _ in range(3):
    shift[1, 64](np.ones(50), np.zeros(50))
