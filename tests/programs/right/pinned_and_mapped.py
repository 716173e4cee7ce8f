"""Host memory that kernels reach: mapped, managed and pinned."""

import numpy as np
from numba import cuda


@cuda.jit
def add_one(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] += 1


mapped = cuda.mapped_array(100, dtype=np.float32)
mapped[:] = 1
add_one[1, 128](mapped)
cuda.synchronize()
assert (mapped == 2).all()
managed = cuda.managed_array(50)
managed[:] = 0
add_one[1, 64](managed)
cuda.synchronize()
assert managed.sum() == 50
plain = np.zeros(30)
with cuda.pinned(plain):
    stream = cuda.stream()
    device = cuda.to_device(plain, stream=stream)
    add_one[1, 32, stream](device)
    device.copy_to_host(plain, stream=stream)
    stream.synchronize()
assert (plain == 1).all()
