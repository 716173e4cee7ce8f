"""What numba does not compile for a GPU is told with its line."""

import numpy as np
from numba import cuda


@cuda.jit
def collect(x, out):
    found = [value for value in x]  # finds: unsupported
    out[0] = len(found)


try:
    collect[1, 1](np.ones(4), np.zeros(1))
except Exception as error:
    print("refused:", type(error).__name__)
