"""A device array is added to that nobody ever filled."""

import numpy as np
from numba import cuda


@cuda.jit
def accumulate(x, total):
    i = cuda.grid(1)
    if i < x.size:
        total[i] += x[i]  # finds: uninitialised_read


x = cuda.to_device(np.ones(100))
total = cuda.device_array(100)
accumulate[1, 128](x, total)
