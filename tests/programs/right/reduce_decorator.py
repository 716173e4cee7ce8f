"""cuda.reduce as a decorator, and called with a lambda."""

import numpy as np
from numba import cuda


@cuda.reduce
def largest(a, b):
    return max(a, b)


@cuda.jit
def square(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] *= x[i]


total = cuda.reduce(lambda a, b: a + b)
x = np.random.default_rng(0).random(1234)
assert np.isclose(total(x), x.sum()) and largest(x) == x.max()
assert 10.0 == total(np.array([1.0, 2.0, 3.0]), init=4.0)
result = cuda.device_array(1)
total(cuda.to_device(x), res=result)
assert np.isclose(result.copy_to_host()[0], x.sum())
d_x = cuda.to_device(x)
square[5, 256](d_x)
assert np.isclose(total(d_x), (x * x).sum())
