"""Types and arithmetic: where float64 and int64 come from, and what they cost."""

from __future__ import annotations

import numpy as np
from numba import cuda, float32, int8, int32, uint32

from tests.pitfalls.catalogue import Pitfall
from tests.pitfalls.diagnosis import launched, linted

SINGLES = np.ones(256, np.float32)
BYTES = np.ones(1024, np.int8)
WORDS = np.ones(256, np.int32)


@cuda.jit
def scale_by_literal(src, dst):
    i = cuda.grid(1)
    if i < src.size:
        dst[i] = src[i] * 0.1


@cuda.jit
def scale_by_float32(src, dst):
    i = cuda.grid(1)
    if i < src.size:
        dst[i] = src[i] * float32(0.1)


@cuda.jit
def add_integer(src, dst):
    i = cuda.grid(1)
    if i < src.size:
        dst[i] = src[i] * src[i] + i


@cuda.jit
def add_converted_integer(src, dst):
    i = cuda.grid(1)
    if i < src.size:
        dst[i] = src[i] * src[i] + float32(i)


@cuda.jit
def row_sum_from_0(src, dst):
    row = cuda.grid(1)
    acc = 0
    for k in range(src.size):
        acc += src[k]
    dst[row] = acc


@cuda.jit
def row_sum_from_float32(src, dst):
    row = cuda.grid(1)
    acc = float32(0)
    for k in range(src.size):
        acc += src[k]
    dst[row] = acc


@cuda.jit
def scale(src, dst, factor):
    i = cuda.grid(1)
    if i < src.size:
        dst[i] = src[i] * factor


@cuda.jit
def leap_over(src, dst):
    i = cuda.grid(1)
    dst[i // src.shape[0]] = src[i % src.shape[0]]


@cuda.jit
def leap_over_in_32_bits(src, dst):
    i, n = uint32(cuda.grid(1)), uint32(src.shape[0])
    dst[i // n] = src[i % n]


@cuda.jit
def one_or_more(src, dst):
    i = cuda.grid(1)
    if src[i] > float32(0):
        weight = 1
    else:
        weight = 1.5
    dst[i] = src[i] * weight


@cuda.jit
def one_or_more_single(src, dst):
    i = cuda.grid(1)
    if src[i] > float32(0):
        weight = float32(1)
    else:
        weight = float32(1.5)
    dst[i] = src[i] * weight


@cuda.jit
def dot_of_bytes(a, b, dst):
    i = cuda.grid(1)
    acc = int32(0)
    for k in range(16 * i, 16 * i + 16):
        acc += a[k] * b[k]
    dst[i] = acc


@cuda.jit
def dot_of_packed_bytes(a, b, dst):
    i = cuda.grid(1)
    acc = int32(0)
    for k in range(4 * i, 4 * i + 4):
        a_word, b_word = a[k], b[k]
        for shift in range(0, 32, 8):
            acc += int8(a_word >> shift) * int8(b_word >> shift)
    dst[i] = acc


PITFALLS = (
    Pitfall(
        1,
        "A literal makes float32 arithmetic double",
        "0.1 is a Python float, so the product is a float64: the GPU converts, multiplies slowly, and converts back.",
        "compiler",
        "float64_arithmetic",
        "because `0.1` is a float64",
        linted(scale_by_literal, SINGLES, SINGLES),
        linted(scale_by_float32, SINGLES, SINGLES),
    ),
    Pitfall(
        1,
        "An integer makes float32 arithmetic double",
        "float32 together with int64 is float64 in numba, as in NumPy; indices and shapes are int64.",
        "compiler",
        "float64_arithmetic",
        "`i` is an integer, and an integer with a float32 gives a float64",
        linted(add_integer, SINGLES, SINGLES),
        linted(add_converted_integer, SINGLES, SINGLES),
    ),
    Pitfall(
        2,
        "An accumulator that starts at 0",
        "A variable has one type. One that is first the integer 0 and then a float32 becomes a float64.",
        "compiler",
        "float64_arithmetic",
        "`acc` starts as the integer 0",
        linted(row_sum_from_0, SINGLES, SINGLES),
        linted(row_sum_from_float32, SINGLES, SINGLES),
    ),
    Pitfall(
        3,
        "A Python float as an argument",
        "A kernel that is launched with 2.5 is compiled for a float64 parameter.",
        "compiler",
        "float64_arithmetic",
        "the argument `factor` is a float64, which is what a Python float becomes",
        launched("scale[blocks, threads](src, dst, 2.5)", linted(scale, SINGLES, SINGLES, 2.5)),
        launched("scale[blocks, threads](src, dst, np.float32(2.5))", linted(scale, SINGLES, SINGLES, np.float32(2.5))),
    ),
    Pitfall(
        5,
        "64-bit integers where they cost",
        "cuda.grid and shapes are int64. Additions hardly matter; // and % by a number known only at launch do.",
        "compiler",
        "int64_division",
        "divides 64-bit integers",
        linted(leap_over, SINGLES, SINGLES),
        linted(leap_over_in_32_bits, SINGLES, SINGLES),
    ),
    Pitfall(
        6,
        "Two types on two paths",
        "1 on one path and 1.5 on the other join to a float64, also for the threads that took the integer.",
        "compiler",
        "float64_arithmetic",
        "`weight` is the integer 1 on one path",
        linted(one_or_more, SINGLES, SINGLES),
        linted(one_or_more_single, SINGLES, SINGLES),
    ),
    Pitfall(
        7,
        "int8 products, one byte at a time",
        "The compiler recognises a dot product of bytes and uses dp4a, but loads each byte by itself.",
        "compiler",
        "dp4a_byte_loads",
        "loads of single bytes",
        linted(dot_of_bytes, BYTES, BYTES, WORDS),
        linted(dot_of_packed_bytes, WORDS, WORDS, WORDS),
    ),
)
