"""Kernels that test_program sends to a fresh process: a device function, a numba type, a shape constant."""

from numba import cuda, float32

TILE = 32


@cuda.jit(device=True)
def twice(x):
    return x * float32(2)


@cuda.jit
def tiled(src, dst):
    tile = cuda.shared.array(TILE, float32)
    i = cuda.grid(1)
    tile[cuda.threadIdx.x] = src[i]
    dst[i] = twice(tile[cuda.threadIdx.x])
