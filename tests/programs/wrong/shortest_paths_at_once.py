"""Floyd-Warshall in one launch: a barrier of one block would not do, since rows are shared by all."""

import numpy as np
from numba import cuda


@cuda.jit
def floyd(d):
    i, j = cuda.grid(2)
    for k in range(d.shape[0]):
        if i < d.shape[0] and j < d.shape[1]:
            via = d[i, k] + d[k, j]
            if via < d[i, j]:
                d[i, j] = via  # finds: race


n = 40
floyd[(3, 3), (16, 16)](np.random.default_rng(0).integers(1, 100, (n, n)).astype(np.int32))
