"""Forces between bodies, positions passed through shared memory tile by tile."""

import math

import numpy as np
from numba import cuda, float32

TILE = 32


@cuda.jit
def accelerations(positions, out):
    tile = cuda.shared.array((TILE, 3), float32)
    i, t = cuda.grid(1), cuda.threadIdx.x
    n = positions.shape[0]
    x = y = z = float32(0)
    if i < n:
        x, y, z = positions[i, 0], positions[i, 1], positions[i, 2]
    ax = ay = az = float32(0)
    for first in range(0, n, TILE):
        if first + t < n:
            for k in range(3):
                tile[t, k] = positions[first + t, k]
        cuda.syncthreads()
        for j in range(min(TILE, n - first)):
            dx, dy, dz = tile[j, 0] - x, tile[j, 1] - y, tile[j, 2] - z
            inverse = float32(1) / math.sqrt(dx * dx + dy * dy + dz * dz + float32(0.01))
            scale = inverse * inverse * inverse
            ax += dx * scale
            ay += dy * scale
            az += dz * scale
        cuda.syncthreads()
    if i < n:
        out[i, 0], out[i, 1], out[i, 2] = ax, ay, az


positions = np.random.default_rng(0).random((70, 3), np.float32)
out = np.zeros_like(positions)
accelerations[3, TILE](positions, out)
delta = positions[None] - positions[:, None]
expected = (delta / ((delta**2).sum(-1) + 0.01)[..., None] ** 1.5).sum(1)
np.testing.assert_allclose(out, expected, rtol=2e-3, atol=2e-3)
