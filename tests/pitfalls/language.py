"""Python that a GPU does not have, and Python that does something else there."""

from __future__ import annotations

import numpy as np
from numba import cuda, float32

from tests.pitfalls.catalogue import Pitfall
from tests.pitfalls.diagnosis import linted

SINGLES = np.ones(64, np.float32)
NAMES = {0: 1.0}


@cuda.jit
def uses_a_dictionary(src, dst):
    i = cuda.grid(1)
    weights = {0: 1.0, 1: 2.0}
    dst[i] = src[i] * weights[i % 2]


@cuda.jit
def uses_a_condition(src, dst):
    i = cuda.grid(1)
    weight = float32(1) if i % 2 == 0 else float32(2)
    dst[i] = src[i] * weight


@cuda.jit
def prints_an_f_string(src, dst):
    i = cuda.grid(1)
    print(f"thread {i}")
    dst[i] = src[i]


@cuda.jit
def prints_values(src, dst):
    i = cuda.grid(1)
    print("thread", i)
    dst[i] = src[i]


@cuda.jit
def calls_numpy(src, dst):
    i = cuda.grid(1)
    dst[i] = np.clip(src, float32(0), float32(1))[i]


@cuda.jit
def clips_one_element(src, dst):
    i = cuda.grid(1)
    dst[i] = min(max(src[i], float32(0)), float32(1))


@cuda.jit
def catches(src, dst):
    i = cuda.grid(1)
    try:
        dst[i] = src[i]
    except IndexError:
        dst[i] = float32(0)


@cuda.jit
def guards(src, dst):
    i = cuda.grid(1)
    if i < src.size:
        dst[i] = src[i]


@cuda.jit
def share_of_total(src, dst):
    i = cuda.grid(1)
    if i < src.size:
        dst[i] = src[i] / np.sum(src)


@cuda.jit
def share_of_given_total(src, dst, total):
    i = cuda.grid(1)
    if i < src.size:
        dst[i] = src[i] / total


@cuda.jit
def asserts(src, dst):
    i = cuda.grid(1)
    assert src.size <= dst.size
    if i < src.size:
        dst[i] = src[i]


@cuda.jit
def returns_its_result(src, dst):
    i = cuda.grid(1)
    return src[i] * float32(2)


@cuda.jit
def writes_its_result(src, dst):
    i = cuda.grid(1)
    dst[i] = src[i] * float32(2)


PITFALLS = (
    Pitfall(
        38,
        "A dictionary in a kernel",
        "Interpreters accept it, the GPU compiler does not: a thread has no Python objects.",
        "compiler",
        "python_object",
        "The kernel builds a dictionary",
        linted(uses_a_dictionary, SINGLES, SINGLES),
        linted(uses_a_condition, SINGLES, SINGLES),
    ),
    Pitfall(
        38,
        "An f-string in a kernel",
        "print exists on the GPU, and takes text constants and numbers. Formatting is for the host.",
        "compiler",
        "python_object",
        "The kernel builds an f-string",
        linted(prints_an_f_string, SINGLES, SINGLES),
        linted(prints_values, SINGLES, SINGLES),
    ),
    Pitfall(
        38,
        "A NumPy function in a kernel",
        "NumPy works on whole arrays and makes new ones. A thread works on elements and makes none.",
        "compiler",
        "numpy_call",
        "np.clip",
        linted(calls_numpy, SINGLES, SINGLES),
        linted(clips_one_element, SINGLES, SINGLES),
    ),
    Pitfall(
        38,
        "Exceptions in a kernel",
        "There is nothing to catch: a GPU does not check indices, it reads and writes what is there.",
        "compiler",
        "exceptions",
        "A kernel cannot catch exceptions",
        linted(catches, SINGLES, SINGLES),
        linted(guards, SINGLES, SINGLES),
    ),
    Pitfall(
        39,
        "Every thread sums the whole array",
        "np.sum(src) compiles and is right, and every one of the threads walks through the array to get it.",
        "source",
        "whole_array_reduction",
        "Every thread that comes to `np.sum(src)`",
        linted(share_of_total, SINGLES, SINGLES),
        linted(share_of_given_total, SINGLES, SINGLES, np.float32(64)),
    ),
    Pitfall(
        40,
        "assert and raise are heard by nobody",
        "The condition is false, the thread ends there, what it would have stored is missing, and nobody hears of it.",
        "source",
        "silent_exception",
        "nobody hears of it",
        linted(asserts, SINGLES, SINGLES),
        linted(guards, SINGLES, SINGLES),
    ),
    Pitfall(
        41,
        "A kernel that returns its result",
        "A launch starts thousands of threads and waits for none of them. There is nothing to return to.",
        "compiler",
        "returns_value",
        "The kernel returns a value",
        linted(returns_its_result, SINGLES, SINGLES),
        linted(writes_its_result, SINGLES, SINGLES),
    ),
)
