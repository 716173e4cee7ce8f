"""The host reads a pinned array while the copy into it is under way."""

import numpy as np
from numba import cuda


@cuda.jit
def double(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] *= 2


host = cuda.pinned_array(1000, np.float32)
host[:] = 1
stream = cuda.stream()
device = cuda.to_device(host, stream=stream)
double[8, 128, stream](device)
device.copy_to_host(host, stream=stream)
print(host.sum())  # finds: race
stream.synchronize()
