"""A radix-2 FFT in shared memory: the stages read what others wrote, and no barrier stands between them."""

import math

import numpy as np
from numba import complex64, cuda


@cuda.jit
def fft(x, out):
    s = cuda.shared.array(256, complex64)
    t = cuda.threadIdx.x
    r = cuda.brev(np.uint32(t)) >> np.uint32(24)
    s[r] = x[t]
    cuda.syncthreads()
    m = 2
    while m <= 256:
        if t < 128:
            k = t % (m // 2)
            j = (t // (m // 2)) * m + k
            w = complex(math.cos(-2.0 * math.pi * k / m), math.sin(-2.0 * math.pi * k / m))
            u = s[j]
            v = w * s[j + m // 2]
            s[j] = u + v  # finds: race
            s[j + m // 2] = u - v
        m *= 2
    cuda.syncthreads()
    out[t] = s[t]


x = np.arange(256).astype(np.complex64)
fft[1, 256](x, np.zeros_like(x))
