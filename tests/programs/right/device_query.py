"""What a program asks of the device before it starts."""

import numpy as np
from numba import cuda

assert cuda.is_available()
for device in cuda.gpus:
    print(device.name, device.compute_capability)
device = cuda.get_current_device()
blocks = 32 * device.MULTIPROCESSOR_COUNT
assert device.MAX_THREADS_PER_BLOCK >= 256 and device.WARP_SIZE == 32
free, total = cuda.current_context().get_memory_info()
assert 0 < free <= total


@cuda.jit
def fill(x):
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        x[i] = i


with cuda.gpus[0]:
    x = np.zeros(5000)
    fill[blocks, 64](x)
assert (x == np.arange(5000)).all()
cuda.close()
