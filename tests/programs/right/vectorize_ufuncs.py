"""A ufunc for the GPU: several signatures, device arrays, out, reduce and broadcasting."""

import math

import numpy as np
from numba import cuda, vectorize

SHAPE_CONST = 1.0 / math.sqrt(2 * math.pi)


@vectorize(["float32(float32, float32, float32)", "float64(float64, float64, float64)"], target="cuda")
def gaussian(x, mean, sigma):
    return math.exp(-0.5 * ((x - mean) / sigma) ** 2) * SHAPE_CONST / sigma


@vectorize(["int64(int64, int64)"], target="cuda")
def add(x, y):
    return x + y


x = np.linspace(-3, 3, 101).astype(np.float32)
near = gaussian(x, np.float32(0.0), np.float32(1.0))
assert near.dtype == np.float32 and abs(near.max() - SHAPE_CONST) < 1e-6
d_x = cuda.to_device(x)
d_out = cuda.device_array_like(d_x)
gaussian(d_x, np.float32(1.0), np.float32(2.0), out=d_out)
assert d_out.copy_to_host().argmax() == np.abs(x - 1).argmin()
grid = add(np.arange(4), np.arange(3)[:, None])
assert grid.shape == (3, 4) and add.reduce(np.arange(101)) == 5050
