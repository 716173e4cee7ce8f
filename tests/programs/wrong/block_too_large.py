"""No GPU has blocks of 2,048 threads."""

import numpy as np
from numba import cuda


@cuda.jit
def fill(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] = 1


try:
    fill[1, 2048](np.zeros(2048))  # finds: invalid_launch
except Exception as error:
    print("refused:", type(error).__name__)
