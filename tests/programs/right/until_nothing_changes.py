"""Searches that are launched until a launch changes nothing: what one reads too early the next one makes up for."""

import numpy as np
from numba import cuda

rng = np.random.default_rng(3)
n = 300
first = np.concatenate([[0], np.cumsum(rng.integers(0, 5, n))]).astype(np.int32)
to = rng.integers(0, n, first[-1]).astype(np.int32)
length = rng.integers(1, 10, to.size).astype(np.int32)
FAR = 1 << 20


@cuda.jit
def next_level(first, to, level_of, level, found):
    v = cuda.grid(1)
    if v < level_of.size and level_of[v] == level:
        for k in range(first[v], first[v + 1]):
            if level_of[to[k]] == -1:
                level_of[to[k]] = level + 1
                found[0] = True


@cuda.jit
def next_level_claimed(first, to, level_of, level, found):
    v = cuda.grid(1)
    if v < level_of.size and level_of[v] == level:
        for k in range(first[v], first[v + 1]):
            if cuda.atomic.cas(level_of, to[k], -1, level + 1) == -1:
                found[0] = True


@cuda.jit
def relax(first, to, length, distance, found):
    v = cuda.grid(1)
    if v < distance.size and distance[v] < FAR:
        for k in range(first[v], first[v + 1]):
            here = distance[v] + length[k]
            if cuda.atomic.min(distance, to[k], here) > here:
                found[0] = True


def repeated(kernel, start, *arguments):
    result, level = cuda.to_device(start), 0
    while True:
        found = cuda.to_device(np.zeros(1, np.bool_))
        levels = () if arguments else (np.int32(level),)
        kernel[(n + 127) // 128, 128](cuda.to_device(first), cuda.to_device(to), *arguments, result, *levels, found)
        if not found.copy_to_host()[0]:
            return result.copy_to_host()
        level += 1


def alone(lengths, far):
    distance = np.full(n, far, np.int64)
    distance[0] = 0
    for _ in range(n):
        for v in range(n):
            ends = slice(first[v], first[v + 1])
            np.minimum.at(distance, to[ends], distance[v] + lengths[ends])
    return distance


levels = np.full(n, -1, np.int32)
levels[0] = 0
distances = np.where(levels, FAR, 0).astype(np.int32)
expected = alone(np.ones_like(to), FAR)
for kernel in (next_level, next_level_claimed):
    assert (repeated(kernel, levels) == np.where(expected < FAR, expected, -1)).all()
assert (repeated(relax, distances, cuda.to_device(length)) == alone(length, FAR)).all()
