"""A kernel with debug=True raises, and the host catches it."""

import numpy as np
from numba import cuda


@cuda.jit(debug=True, opt=False)
def roots(x):
    i = cuda.grid(1)
    if i < x.size:
        if x[i] < 0:
            raise ValueError("negative")
        x[i] = x[i] ** 0.5


roots[1, 4](np.array([1.0, 4.0]))
try:
    roots[1, 4](np.array([1.0, -4.0]))
except ValueError as error:
    assert "negative" in str(error)
else:
    raise AssertionError("nothing was raised")
