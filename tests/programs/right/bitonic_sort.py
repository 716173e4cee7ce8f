"""A bitonic sorting network in global memory, a launch for every step."""

import numpy as np
from numba import cuda


@cuda.jit
def compare(values, j, k):
    i = cuda.grid(1)
    other = i ^ j
    if other > i:
        rising = (i & k) == 0
        if (values[i] > values[other]) == rising:
            values[i], values[other] = values[other], values[i]


values = np.random.default_rng(1).integers(0, 1000, 128).astype(np.int32)
expected = np.sort(values)
d_values = cuda.to_device(values)
k = 2
while k <= values.size:
    j = k // 2
    while j > 0:
        compare[2, 64](d_values, j, k)
        j //= 2
    k *= 2
np.testing.assert_array_equal(d_values.copy_to_host(), expected)
