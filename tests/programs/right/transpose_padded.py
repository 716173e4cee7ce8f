"""A transpose through a padded tile."""

import numpy as np
from numba import cuda, float32

TILE = 16
PITCH = TILE + 1


@cuda.jit
def transpose(a, out):
    tile = cuda.shared.array((TILE, PITCH), float32)
    x = cuda.blockIdx.x * TILE + cuda.threadIdx.x
    y = cuda.blockIdx.y * TILE + cuda.threadIdx.y
    if y < a.shape[0] and x < a.shape[1]:
        tile[cuda.threadIdx.y, cuda.threadIdx.x] = a[y, x]
    cuda.syncthreads()
    x = cuda.blockIdx.y * TILE + cuda.threadIdx.x
    y = cuda.blockIdx.x * TILE + cuda.threadIdx.y
    if y < out.shape[0] and x < out.shape[1]:
        out[y, x] = tile[cuda.threadIdx.x, cuda.threadIdx.y]


a = np.random.default_rng(0).random((40, 25), np.float32)
out = np.zeros((25, 40), np.float32)
transpose[(2, 3), (TILE, TILE)](a, out)
np.testing.assert_array_equal(out, a.T)
