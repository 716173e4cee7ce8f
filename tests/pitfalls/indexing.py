"""Indices and accesses: past the end, before the beginning, along the wrong axis, in the wrong block."""

from __future__ import annotations

import numpy as np
from numba import cuda

from tests.pitfalls.catalogue import Pitfall
from tests.pitfalls.diagnosis import launched, linted, traced

ODD = np.arange(100, dtype=np.float32)
TABLE = np.arange(32 * 32, dtype=np.float32).reshape(32, 32)


@cuda.jit
def add_left_neighbour(src, dst):
    i = cuda.grid(1)
    if i < src.size:
        dst[i] = src[i] + src[i - 1]


@cuda.jit
def add_left_neighbour_inside(src, dst):
    i = cuda.grid(1)
    if 0 < i < src.size:
        dst[i] = src[i] + src[i - 1]


@cuda.jit
def copy_without_guard(src, dst):
    i = cuda.grid(1)
    dst[i] = src[i]


@cuda.jit
def copy(src, dst):
    i = cuda.grid(1)
    if i < src.size:
        dst[i] = src[i]


@cuda.jit
def rows_from_x(src, dst):
    i, j = cuda.grid(2)
    if i < src.shape[0] and j < src.shape[1]:
        dst[i, j] = src[i, j]


@cuda.jit
def columns_from_x(src, dst):
    col, row = cuda.grid(2)
    if row < src.shape[0] and col < src.shape[1]:
        dst[row, col] = src[row, col]


PITFALLS = (
    Pitfall(
        23,
        "A negative index wraps round",
        "src[i - 1] with i = 0 is the last element, on the GPU as in Python. No error, a wrong border.",
        "trace",
        "out_of_bounds",
        "src[-1]",
        traced(add_left_neighbour, 1, 128, ODD, ODD),
        traced(add_left_neighbour_inside, 1, 128, ODD, ODD),
    ),
    Pitfall(
        24,
        "No guard",
        "The grid is a whole number of blocks, the array is not. The spare threads write past its end, silently.",
        "trace",
        "out_of_bounds",
        "src[100]",
        traced(copy_without_guard, 1, 128, ODD, ODD),
        traced(copy, 1, 128, ODD, ODD),
    ),
    Pitfall(
        26,
        "Rows along x",
        "Neighbouring threads differ in x. When x is the row, each of them touches a row of its own.",
        "source",
        "grid_axes",
        "cuda.grid(2) gives x first",
        linted(rows_from_x, TABLE, TABLE),
        linted(columns_from_x, TABLE, TABLE),
    ),
    Pitfall(
        27,
        "An argument that is not contiguous",
        "A column of a table, or its transpose, keeps its strides: another compilation, and scattered accesses.",
        "compiler",
        "strided_argument",
        "Not contiguous: `src`",
        launched("copy[blocks, threads](table[:, 3], dst)", linted(copy, TABLE[:, 3], ODD)),
        launched(
            "copy[blocks, threads](np.ascontiguousarray(table[:, 3]), dst)",
            linted(copy, np.ascontiguousarray(TABLE[:, 3]), ODD),
        ),
    ),
)
