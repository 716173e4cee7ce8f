"""Kernels that `bench_warps` compares with the solutions of unit 05: short and long sides of a branch, shared tiles."""

from __future__ import annotations

from typing import Any

from numba import cuda, float32

TILE = 32
PITCH = 33
ROWS = 8
WARP = 32


def branch_kernels(turns: int) -> dict[str, Any]:
    """Kernels (src, out), both (n,) float32, n a multiple of 64, whose loops have so many iterations."""

    @cuda.jit(device=True)
    def halve(x):
        for _ in range(turns):
            x = float32(0.5) * x + float32(3)
        return x

    @cuda.jit(device=True)
    def distances(x):
        total = float32(0)
        for k in range(turns):
            total += abs(x - float32(k))
        return total

    @cuda.jit
    def a_loop_on_each_side(src, out):
        """The sign of an element, which is as good as random, chooses one of two loops."""
        i = cuda.grid(1)
        x = src[i]
        if x < 0:
            for _ in range(turns):
                x = float32(0.5) * x + float32(3)
        else:
            for _ in range(turns):
                x = float32(-0.5) * x + float32(1)
        out[i] = x

    @cuda.jit
    def numbers_chosen(src, out):
        """The sign chooses two numbers, and one loop follows."""
        i = cuda.grid(1)
        x = src[i]
        a = float32(0.5) if x < 0 else float32(-0.5)
        b = float32(3) if x < 0 else float32(1)
        for _ in range(turns):
            x = a * x + b
        out[i] = x

    @cuda.jit
    def by_lane(src, out):
        """Even and odd lanes call different functions."""
        i = cuda.grid(1)
        if i % 2 == 1:
            out[i] = distances(src[i])
        else:
            out[i] = halve(src[i])

    @cuda.jit
    def by_warp(src, out):
        """The same result, each warp on one side."""
        t = cuda.grid(1)
        odd = t // WARP % 2
        i = t // (2 * WARP) * (2 * WARP) + 2 * (t % WARP) + odd
        if odd == 1:
            out[i] = distances(src[i])
        else:
            out[i] = halve(src[i])

    kernels = (a_loop_on_each_side, numbers_chosen, by_lane, by_warp)
    return {kernel.py_func.__name__: kernel for kernel in kernels}


@cuda.jit
def transpose_shared(src, dst):
    """dst = src.T through a padded tile of 32 x 32, blocks of 32 x 8. Both float32, sides multiples of 32."""
    tile = cuda.shared.array((TILE, PITCH), float32)
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    top, left = cuda.blockIdx.y * TILE, cuda.blockIdx.x * TILE
    for k in range(y, TILE, ROWS):
        tile[k, x] = src[top + k, left + x]
    cuda.syncthreads()  # the tile is filled
    for k in range(y, TILE, ROWS):
        dst[left + k, top + x] = tile[x, k]
