"""What stands between the kernels of unit 21 when a whole decoder runs on them: a thread per number."""

from __future__ import annotations

import math

from numba import float32

from autograder.backend import cuda


@cuda.jit
def begin(words, token, x, half):
    """x = half = the row of a token. words: (n_words, width) float16, x: (width,) float32, half: (1, width) float16."""
    c = cuda.grid(1)
    if c < x.size:
        x[c] = float32(words[token[0], c])
        half[0, c] = words[token[0], c]


@cuda.jit
def add(x, y, half):
    """x += y, and half is x in float16. x, y: (width,) float32, half: (1, width) float16."""
    c = cuda.grid(1)
    if c < x.size:
        x[c] += y[c]
        half[0, c] = x[c]


@cuda.jit
def gated(gate, up, half):
    """half = gate / (1 + exp(-gate)) * up. gate, up: (n,) float32, half: (n,) float16."""
    c = cuda.grid(1)
    if c < gate.size:
        half[c] = gate[c] / (float32(1) + math.exp(-gate[c])) * up[c]


@cuda.jit
def rounded(src, dst):
    """dst = src in float16. src: (n,) float32."""
    c = cuda.grid(1)
    if c < src.size:
        dst[c] = src[c]


@cuda.jit
def remember(key, value, keys, values, row):
    """A key, turned, and a value to their row of a cache. key: (1, 1, 128) float16, value: (128,) float32."""
    c = cuda.grid(1)
    if c < value.size:
        keys[0, row, c] = key[0, 0, c]
        values[0, row, c] = value[c]
