"""Points go to the nearest centre; centres move to their means by atomics."""

import numpy as np
from numba import cuda


@cuda.jit
def assign(points, centres, labels):
    i = cuda.grid(1)
    if i < points.shape[0]:
        best, label = 1e30, 0
        for c in range(centres.shape[0]):
            d = 0.0
            for k in range(points.shape[1]):
                d += (points[i, k] - centres[c, k]) ** 2
            if d < best:
                best, label = d, c
        labels[i] = label


@cuda.jit
def add_up(points, labels, sums, counts):
    i = cuda.grid(1)
    if i < points.shape[0]:
        for k in range(points.shape[1]):
            cuda.atomic.add(sums, (labels[i], k), points[i, k])
        cuda.atomic.add(counts, labels[i], 1)


rng = np.random.default_rng(0)
points = np.concatenate([rng.normal(0, 0.1, (60, 2)), rng.normal(5, 0.1, (40, 2))])
centres, labels = points[[0, 60]].copy(), np.zeros(100, np.int64)
for _ in range(3):
    assign[1, 128](points, centres, labels)
    sums, counts = np.zeros((2, 2)), np.zeros(2, np.int64)
    add_up[1, 128](points, labels, sums, counts)
    centres = sums / counts[:, None]
assert counts.tolist() == [60, 40]
