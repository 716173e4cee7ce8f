"""Blocks wait for a flag that a later block sets."""

import numpy as np
from numba import cuda


@cuda.jit
def wait(flag, out):
    if cuda.blockIdx.x == 0:
        while flag[0] == 0:  # finds: deadlock
            pass
        out[0] = 1


try:
    wait[1, 1](np.zeros(1, np.int32), np.zeros(1))
except Exception as error:
    print("stopped:", type(error).__name__)
