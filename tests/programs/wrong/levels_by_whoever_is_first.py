"""A search whose levels depend on which thread comes first; and a nearest element that an older minimum names."""

import numpy as np
from numba import cuda

rng = np.random.default_rng(0)
n = 300
edges = rng.random((n, n)) < 0.01
first = np.concatenate([[0], edges.sum(1).cumsum()]).astype(np.int32)
to = np.nonzero(edges)[1].astype(np.int32)


@cuda.jit
def spread(first, to, level_of, found):
    v = cuda.grid(1)
    if v < level_of.size and level_of[v] != -1:
        for k in range(first[v], first[v + 1]):
            if level_of[to[k]] == -1:
                level_of[to[k]] = level_of[v] + 1  # finds: race
                found[0] = 1


@cuda.jit
def nearest(x, least, place):
    i = cuda.grid(1)
    if i < x.size:
        cuda.atomic.min(least, 0, x[i])
        if x[i] == least[0]:  # finds: race
            place[0] = i


levels = np.full(n, -1, np.int32)
levels[0] = 0
d_levels = cuda.to_device(levels)
while True:
    found = cuda.to_device(np.zeros(1, np.int32))
    spread[3, 128](cuda.to_device(first), cuda.to_device(to), d_levels, found)
    if not found.copy_to_host()[0]:
        break
least, place = cuda.to_device(np.full(1, 9.0)), cuda.to_device(np.zeros(1, np.int64))
x = cuda.to_device(rng.random(1000))
for _ in range(3):
    nearest[4, 256](x, least, place)
