"""Kernels that `bench_performance` times: chains of arithmetic, copies, sums, a pointer chase, widths of numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import cuda, float32, int32, uint32

CHAINS = (1, 2, 4, 8)  # running values per thread


@cuda.jit
def scale(x, out):
    """out = 2 x + 1. x, out: (n,) float32."""
    i = cuda.grid(1)
    if i < out.size:
        out[i] = float32(2) * x[i] + float32(1)


@cuda.jit
def copy_one(x, out):
    """out = x, an element per iteration: each store keeps the next load waiting. (n,) float32."""
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        out[i] = x[i]


@cuda.jit
def copy_four(x, out):
    """out = x, four loads and then four stores per iteration; n is a multiple of four grids. (n,) float32."""
    step = cuda.gridsize(1)
    for i in range(cuda.grid(1), x.size - 3 * step, 4 * step):
        a, b, c, d = x[i], x[i + step], x[i + 2 * step], x[i + 3 * step]
        out[i], out[i + step], out[i + 2 * step], out[i + 3 * step] = a, b, c, d


@cuda.jit
def chase(succ, start, steps, end):
    """end[0] = the cell `steps` steps after start. One thread. succ: (cells,) int32."""
    p = start
    for _ in range(steps):
        p = succ[p]
    end[0] = int32(p)


@cuda.jit
def norm(x, y, out):
    """out = the length of (x, y). (n,) float32."""
    i = cuda.grid(1)
    if i < out.size:
        out[i] = (x[i] * x[i] + y[i] * y[i]) ** float32(0.5)


@cuda.jit
def wide(src, mean, factor, n_cols, out):
    """The draft of unit 11: a 64-bit remainder and a maximum in double precision."""
    i = cuda.grid(1)
    if i < out.size:
        c = i % n_cols
        out[i] = max((src[i] - mean[c]) * factor[c], 0)


@cuda.jit
def wide_integers(src, mean, factor, n_cols, out):
    """The same in float32, with the 64-bit remainder."""
    i = cuda.grid(1)
    if i < out.size:
        c = i % n_cols
        out[i] = max((src[i] - mean[c]) * factor[c], float32(0))


@cuda.jit
def narrow(src, mean, factor, n_cols, out):
    """The same in float32 and 32-bit integers."""
    i = cuda.grid(1)
    if i < out.size:
        c = uint32(i) % uint32(n_cols)
        out[i] = max((src[i] - mean[c]) * factor[c], float32(0))


def chains(count: int, dtype: Any = float32) -> Callable:
    """A kernel in which each thread keeps `count` values going: value = value * a + b, `turns` times."""

    @cuda.jit
    def keep_going(a, b, turns, out):
        values = cuda.local.array(count, dtype)
        for k in range(count):
            values[k] = a + dtype(k)
        for _ in range(turns):
            for k in range(count):
                values[k] = values[k] * a + b
        total = dtype(0)
        for k in range(count):
            total += values[k]
        out[cuda.grid(1)] = total

    return keep_going


def sums(count: int) -> Callable:
    """A kernel in which each thread adds up its elements in `count` totals. src: (n,), out: (threads,) float32."""

    @cuda.jit
    def add_up(src, out):
        totals = cuda.local.array(count, float32)
        for k in range(count):
            totals[k] = float32(0)
        step = cuda.gridsize(1)
        for i in range(cuda.grid(1), src.size - (count - 1) * step, count * step):
            for k in range(count):
                totals[k] += src[i + k * step]
        total = float32(0)
        for k in range(count):
            total += totals[k]
        out[cuda.grid(1)] = total

    return add_up
