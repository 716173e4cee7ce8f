"""A generalised ufunc over rows, with a number beside them."""

import numpy as np
from numba import guvectorize


@guvectorize(["void(float64[:], int64[:], float64[:])"], "(n),()->(n)", target="cuda")
def moving_mean(row, width, out):
    total, count = 0.0, 0
    for i in range(width[0]):
        total += row[i]
        count += 1
        out[i] = total / count
    for i in range(width[0], row.shape[0]):
        total += row[i] - row[i - width[0]]
        out[i] = total / count


rows = np.arange(20, dtype=np.float64).reshape(2, 10)
result = moving_mean(rows, 3)
np.testing.assert_allclose(result[:, 2:], rows[:, 1:-1])
