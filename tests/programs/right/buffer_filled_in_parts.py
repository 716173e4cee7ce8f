"""A buffer that several kernels fill between them, one of them from a slice, before another reads it."""

import numpy as np
from numba import cuda


@cuda.jit
def halves(x, parity):
    i = 2 * cuda.grid(1) + parity
    if i < x.size:
        x[i] = i


@cuda.jit
def copied(src, dst):
    i = cuda.grid(1)
    if i < dst.size:
        dst[i] = src[i]


buffer, out = cuda.device_array(100, np.float32), cuda.device_array(100, np.float32)
halves[1, 64](buffer, 0)
halves[1, 64](buffer[:60], 1)
halves[1, 64](buffer, 1)
copied[1, 128](buffer, out[:50])
copied[1, 128](buffer[50:], out[50:])
copied[1, 128](out, buffer)
assert (buffer.copy_to_host() == np.arange(100)).all()
