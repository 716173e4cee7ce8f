"""Kernels of the judge's own that a device is measured with: what they cost is what the device can do."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numba import float32

from autograder.backend import cuda

THREADS = 256
TURNS = 256  # of the multiply-adds' loop; long enough that the launch does not count
STEPS = 16  # of every chain in an iteration: a loop that counted after each would take as many clocks to count
CHAINS = 8  # sums of a thread that do not wait for each other
BLOCKS_EACH = 8  # on each multiprocessor: all the threads that it holds


@cuda.jit
def nothing():
    """A launch and no work."""


@cuda.jit
def hold(turns):
    """Keep the device busy for about `turns` microseconds, while the host queues what is timed behind it."""
    for _ in range(turns):
        cuda.nanosleep(1000)


@cuda.jit
def write_pass(buffer, value):
    """buffer = value, a grid stride at a time."""
    i = cuda.grid(1)
    while i < buffer.shape[0]:
        buffer[i] = value
        i += cuda.gridsize(1)


@cuda.jit
def read_pass(buffer, sink):
    """Read all of a buffer, four loads under way at a time; sink is written only where that cannot be left out."""
    i = cuda.grid(1)
    step = cuda.gridsize(1)
    total = np.uint32(0)
    while i + 3 * step < buffer.shape[0]:
        a, b = buffer[i], buffer[i + step]
        c, d = buffer[i + 2 * step], buffer[i + 3 * step]
        total ^= a ^ b ^ c ^ d
        i += 4 * step
    while i < buffer.shape[0]:
        total ^= buffer[i]
        i += step
    if total == np.uint32(1):  # never: keeps the loads alive
        sink[0] = total


@cuda.jit
def copy_four(source, target):
    """target = source, four elements per thread, a block apart: enough loads in flight to fill the memory system."""
    first = cuda.blockIdx.x * 4 * cuda.blockDim.x + cuda.threadIdx.x
    if first + 3 * cuda.blockDim.x < target.shape[0]:
        a, b = source[first], source[first + cuda.blockDim.x]
        c, d = source[first + 2 * cuda.blockDim.x], source[first + 3 * cuda.blockDim.x]
        target[first], target[first + cuda.blockDim.x] = a, b
        target[first + 2 * cuda.blockDim.x], target[first + 3 * cuda.blockDim.x] = c, d
    else:
        for i in range(first, target.shape[0], cuda.blockDim.x):
            target[i] = source[i]


@cuda.jit
def multiply_adds(x, out, turns):
    """Nothing but fused multiply-adds, eight chains a thread. x, out: (threads,) float32."""
    i = cuda.grid(1)
    y = x[i]
    a, b, c, d = y, y + float32(1), y + float32(2), y + float32(3)
    e, f, g, h = y + float32(4), y + float32(5), y + float32(6), y + float32(7)
    for _ in range(turns):
        for _ in range(STEPS):  # unrolled: 128 multiply-adds in a row
            a, b, c, d = a * y + y, b * y + y, c * y + y, d * y + y
            e, f, g, h = e * y + y, f * y + y, g * y + y, h * y + y
    out[i] = a + b + c + d + e + f + g + h


def copier(n_bytes: int) -> Callable[[], None]:
    """A function that enqueues a copy of n_bytes between two buffers of its own."""
    n = max(n_bytes // 4, 1)
    source, target = cuda.device_array(n, np.uint32), cuda.device_array(n, np.uint32)
    launch = copy_four[-(-n // (4 * THREADS)), THREADS]
    return lambda: launch(source, target)


def reader(n_bytes: int) -> Callable[[], None]:
    """A function that enqueues a reading of n_bytes."""
    buffer, sink = cuda.device_array(max(n_bytes // 4, 1), np.uint32), cuda.device_array(1, np.uint32)
    launch = read_pass[16 * int(cuda.get_current_device().MULTIPROCESSOR_COUNT), 2 * THREADS]
    return lambda: launch(buffer, sink)


def multiplier() -> tuple[Callable[[], None], int]:
    """A function that enqueues the multiply-adds, and how many of them a call does."""
    n_threads = int(cuda.get_current_device().MULTIPROCESSOR_COUNT) * BLOCKS_EACH * THREADS
    x = cuda.to_device(np.full(n_threads, 0.5, np.float32))
    out = cuda.device_array_like(x)
    launch = multiply_adds[n_threads // THREADS, THREADS]
    return lambda: launch(x, out, TURNS), CHAINS * STEPS * TURNS * n_threads
