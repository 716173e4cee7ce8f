"""Jacobi's method for a heated plate, the residual found with an atomic maximum."""

import numpy as np
from numba import cuda


@cuda.jit
def sweep(old, new, error):
    j, i = cuda.grid(2)
    rows, cols = old.shape
    if 1 <= i < rows - 1 and 1 <= j < cols - 1:
        new[i, j] = 0.25 * (old[i, j + 1] + old[i, j - 1] + old[i - 1, j] + old[i + 1, j])
        cuda.atomic.max(error, 0, abs(new[i, j] - old[i, j]))


plate = np.zeros((24, 20))
plate[:, 0] = 1.0
old, new = cuda.to_device(plate), cuda.to_device(plate)
stream = cuda.stream()
error, turns = 1.0, 0
while error > 1e-2 and turns < 100:
    d_error = cuda.to_device(np.zeros(1), stream=stream)
    sweep[(3, 3), (8, 8), stream](old, new, d_error)
    error = d_error.copy_to_host(stream=stream)[0]
    stream.synchronize()
    old, new = new, old
    turns += 1
assert 3 < turns < 100, turns
