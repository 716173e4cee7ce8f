"""Levels of a graph by breadth-first search."""

import numpy as np
from numba import cuda


@cuda.jit
def visit(starts, targets, levels, after, level, again):
    v = cuda.grid(1)
    if v < levels.size and levels[v] == level:
        for k in range(starts[v], starts[v + 1]):
            if levels[targets[k]] < 0:
                cuda.atomic.max(after, targets[k], level + 1)
                cuda.atomic.max(again, 0, 1)


n = 50
starts = np.arange(0, 2 * n + 1, 2)
targets = np.stack([(np.arange(n) + 1) % n, (np.arange(n) + 7) % n], 1).ravel()
levels = np.full(n, -1)
levels[0] = 0
level, again = 0, np.ones(1, np.int64)
while again[0]:
    again[0] = 0
    after = levels.copy()
    visit[1, 64](starts, targets, levels, after, level, again)
    levels, level = after, level + 1
assert levels.min() == 0 and levels[7] == 1 and levels[8] == 2
