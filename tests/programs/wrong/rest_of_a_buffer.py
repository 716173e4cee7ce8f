"""A buffer that one kernel fills in part, and the next reads to its end."""

import numpy as np
from numba import cuda


@cuda.jit
def positives(x, kept):
    i = cuda.grid(1)
    if i < x.size and x[i] > 0:
        kept[i] = x[i]


@cuda.jit
def doubled(kept, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = 2 * kept[i]  # finds: uninitialised_read


x = np.arange(-50.0, 50.0)
kept, out = cuda.device_array_like(x), cuda.device_array_like(x)
positives[1, 128](x, kept)
doubled[1, 128](kept, out)
