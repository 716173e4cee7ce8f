"""A radix-2 FFT in shared memory, with bit reversal and complex numbers."""

import cmath
import math

import numpy as np
from numba import complex64, cuda

N = 256


@cuda.jit
def fft(x, out):
    s = cuda.shared.array(N, complex64)
    t = cuda.threadIdx.x
    s[cuda.brev(np.uint32(t)) >> np.uint32(24)] = x[cuda.blockIdx.x, t]
    cuda.syncthreads()
    m = 2
    while m <= N:
        if t < N // 2:
            k = t % (m // 2)
            j = (t // (m // 2)) * m + k
            v = cmath.exp(complex(0, -2.0 * math.pi * k / m)) * s[j + m // 2]
            u = s[j]
            s[j] = u + v
            s[j + m // 2] = u - v
        cuda.syncthreads()
        m *= 2
    out[cuda.blockIdx.x, t] = s[t]


rng = np.random.default_rng(0)
x = (rng.standard_normal((3, N)) + 1j * rng.standard_normal((3, N))).astype(np.complex64)
out = np.zeros_like(x)
fft[3, N](x, out)
assert np.allclose(out, np.fft.fft(x, axis=1), atol=1e-3)
