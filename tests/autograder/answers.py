"""Kernels and functions that the judge's tests check: right ones, wrong ones, and wrong ones by construction."""

import math

import numpy as np
from numba import cuda, float32

from autograder.answer.program import Program

THREADS = 256
HEADER = "import math\nimport numpy as np\nfrom numba import cuda, float32\nTHREADS = 256\n"


def program(body: str, function: str) -> Program:
    """A submission: HEADER, then the body."""
    return Program(HEADER + body, function, "answer.py")


def add_by(expression: str, guard: str = "i < out.size", index: str = "cuda.grid(1)") -> Program:
    """A kernel `add` that stores an expression of a, b, i and out at out[i]."""
    body = f"@cuda.jit\ndef add(a, b, out):\n    i = {index}\n    if {guard}:\n        out[i] = {expression}\n"
    return program(body, "add")


@cuda.jit
def add(a, b, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = a[i] + b[i]


@cuda.jit
def block_sum(src, out):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    s[t] = src[i] if i < src.size else float32(0)
    d = THREADS // 2
    while d > 0:
        cuda.syncthreads()
        if t < d:
            s[t] += s[t + d]
        d //= 2
    if t == 0:
        out[cuda.blockIdx.x] = s[0]


def host_add(a, b):
    d_a, d_b = cuda.to_device(a), cuda.to_device(b)
    d_out = cuda.device_array_like(d_a)
    add[math.ceil(a.size / THREADS), THREADS](d_a, d_b, d_out)
    return d_out.copy_to_host()


def host_add_without_a_kernel(a, b):
    return np.add(a, b)


BLOCK_SUM = """
@cuda.jit
def block_sum(src, out):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    s[t] = src[i] if i < src.size else float32(0)
    cuda.syncthreads()
    d = THREADS // 2
    while d > 0:
        if t < d:
            s[t] += s[t + d]
        cuda.syncthreads()
        d //= 2
    if t == 0:
        out[cuda.blockIdx.x] = s[0]
"""


def block_sum_with(old: str, new: str) -> Program:
    """The block sum with one stretch of text replaced."""
    assert old in BLOCK_SUM
    return program(BLOCK_SUM.replace(old, new), "block_sum")
