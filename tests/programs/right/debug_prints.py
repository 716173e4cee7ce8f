"""Prints from a few threads."""

import numpy as np
from numba import cuda


@cuda.jit
def show(x):
    i = cuda.grid(1)
    if i < x.size and x[i] > 5:
        print("thread", i, "has", x[i])


show[1, 32](np.arange(8.0))
