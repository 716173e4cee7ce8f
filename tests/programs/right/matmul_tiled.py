"""A matrix product that keeps tiles in shared memory; matrices need not be multiples of a tile."""

import numpy as np
from numba import cuda, float32

TPB = 8


@cuda.jit
def fast_matmul(a, b, c):
    tile_a = cuda.shared.array(shape=(TPB, TPB), dtype=float32)
    tile_b = cuda.shared.array(shape=(TPB, TPB), dtype=float32)
    x, y = cuda.grid(2)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    total = float32(0.0)
    for i in range((a.shape[1] + TPB - 1) // TPB):
        tile_a[ty, tx] = 0
        tile_b[ty, tx] = 0
        if y < a.shape[0] and tx + i * TPB < a.shape[1]:
            tile_a[ty, tx] = a[y, tx + i * TPB]
        if x < b.shape[1] and ty + i * TPB < b.shape[0]:
            tile_b[ty, tx] = b[ty + i * TPB, x]
        cuda.syncthreads()
        for j in range(TPB):
            total += tile_a[ty, j] * tile_b[j, tx]
        cuda.syncthreads()
    if y < c.shape[0] and x < c.shape[1]:
        c[y, x] = total


rng = np.random.default_rng(0)
a, b = rng.random((23, 7), np.float32), rng.random((7, 22), np.float32)
c_device = cuda.device_array((23, 22), np.float32)
fast_matmul[(3, 3), (TPB, TPB)](cuda.to_device(a), cuda.to_device(b), c_device)
np.testing.assert_allclose(c_device.copy_to_host(), a @ b, rtol=1e-5)
