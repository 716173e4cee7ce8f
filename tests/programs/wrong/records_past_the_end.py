"""Particles as records, and a guard forgotten: who is outside has no record, and none of another either."""

import numpy as np
from numba import cuda

dt = np.dtype([("x", np.float32), ("n", np.int32)])


@cuda.jit
def move(r):
    i = cuda.grid(1)
    r[i].x += r[i].n  # finds: out_of_bounds


move[1, 64](np.zeros(50, dt))
