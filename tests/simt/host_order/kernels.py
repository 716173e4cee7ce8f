"""Kernels that the pipelines launch."""

from __future__ import annotations

from autograder.backend import cuda, install_stand_in

install_stand_in()
BLOCK = 256


@cuda.jit
def scale(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] *= 2


@cuda.jit
def add(x, total):
    i = cuda.grid(1)
    if i < x.size:
        cuda.atomic.add(total, 0, x[i])


@cuda.jit
def count(n, total):
    if cuda.grid(1) < n:
        cuda.atomic.add(total, 0, 1)


@cuda.jit
def evens(x):
    i = 2 * cuda.grid(1)
    if i < x.size:
        x[i] *= 2


@cuda.jit
def odds(x):
    i = 2 * cuda.grid(1) + 1
    if i < x.size:
        x[i] *= 2


@cuda.jit
def copy(src, dst):
    i = cuda.grid(1)
    if i < dst.size:
        dst[i] = src[i]
