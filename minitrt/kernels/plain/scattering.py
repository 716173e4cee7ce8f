"""Writing updates at indices, into an output that already holds a copy of x.

Two updates may name one element. "ordered": a thread does all that can meet, one after another, so the last one stays
and sums are the reference's. "claimed": a thread an update, in two launches; the first finds the last update of each
element, the second lets it write. "atomic": a thread an update, combined in memory; sums of floats in any order.
"""

from __future__ import annotations

from typing import Any

from numba import float32, int32, int64, types

from minitrt.backend import cuda
from minitrt.kernels.inline import inline
from minitrt.kernels.plain.elements import THREADS, UNSIGNED, array, float16, larger, smaller
from minitrt.kernels.plain.rows import first_of_row, plus, times

OUTSIDE = -(2**62)  # less than any sum of places
COMBINE = {"add": plus, "mul": times, "max": larger, "min": smaller}


@inline
def atomic_add(y, at, update):
    cuda.atomic.add(y, at, update)


@inline
def atomic_max(y, at, update):
    cuda.atomic.max(y, at, update)


@inline
def atomic_min(y, at, update):
    cuda.atomic.min(y, at, update)


ATOMIC = {"add": atomic_add, "max": atomic_max, "min": atomic_min}


@inline
def along_axis(index, size, stride):
    """How far an index reaches into x, counted from the end where it is negative; OUTSIDE where there is no element."""
    at = int64(index)
    at = at + size if at < 0 else at
    return at * stride if at >= 0 and at < size else int64(OUTSIDE)


def make_place(mode: str) -> Any:
    """place(indices, i, sizes, strides, shape, rank, inner) -> the element that update i goes to; below 0 for none.

    "nd": row i // inner of indices is a position along `rank` axes of these sizes and strides, in front of `inner`
    elements. "element": indices have the updates' `shape` of `rank` axes; `inner` is the axis that they are along.
    """

    @inline
    def nd(indices, i, sizes, strides, shape, rank, inner):
        row, at = i // inner, i % inner
        for d in range(rank):
            at += along_axis(indices[row * rank + d], sizes[d], strides[d])
        return at

    @inline
    def element(indices, i, sizes, strides, shape, rank, inner):
        rest, at = i, along_axis(indices[i], sizes[inner], strides[inner])
        for back in range(rank):
            d = rank - 1 - back
            if d != inner:
                at += rest % shape[d] * strides[d]
            rest //= shape[d]
        return at

    return nd if mode == "nd" else element


def make_keep(combine: str, dtype: str, how: str) -> Any:
    """keep(y, at, update): what becomes of an element."""
    if combine == "none":

        @inline
        def keep(y, at, update):
            y[at] = update

    elif how == "atomic":
        keep = ATOMIC[combine]

    elif dtype == "float16":
        joined = COMBINE[combine]

        @inline
        def keep(y, at, update):
            y[at] = float16(joined(float32(y[at]), float32(update)))

    else:
        joined = COMBINE[combine]

        @inline
        def keep(y, at, update):
            y[at] = joined(y[at], update)

    return keep


def scatter(mode: str, dtype: str, index: str, combine: str, how: str) -> tuple:
    """(kernel, signature, threads): scatter(y, indices, updates, sizes, strides, shape, claims, rows, length, stride,
    rank, inner).

    Thread t does the updates of row t, `length` elements that lie `stride` apart. Of combine "none" dtype is "uint8",
    "uint16", ...: bits. claims: for "claimed", 1 + the last update of each element of y, as `claim` leaves them.
    """
    place, keep, CLAIMED = make_place(mode), make_keep(combine, dtype, how), how == "claimed"

    def kernel(y, indices, updates, sizes, strides, shape, claims, rows, length, stride, rank, inner):
        row = int64(cuda.blockIdx.x) * cuda.blockDim.x + cuda.threadIdx.x
        if row < rows:
            first = first_of_row(row, length, stride)
            for j in range(length):
                i = first + j * stride
                at = place(indices, i, sizes, strides, shape, rank, inner)
                if at >= 0:
                    if CLAIMED:
                        if claims[at] == int32(i + 1):
                            keep(y, at, updates[i])
                    else:
                        keep(y, at, updates[i])

    bits = {f"uint{8 * size}": kind for size, kind in UNSIGNED.items()}
    elements = types.Array(bits[dtype], 1, "C") if combine == "none" else array(dtype)
    numbers = [array("int64")] * 3
    arrays = elements, array(index), elements, *numbers, array("int32")
    return kernel, types.void(*arrays, *[types.int64] * 5), THREADS


def claim(mode: str, index: str) -> tuple:
    """(kernel, signature, threads): claim(claims, indices, sizes, strides, shape, count, rank, inner): the largest
    number of an update, from 1 on, of each element."""
    place = make_place(mode)

    def kernel(claims, indices, sizes, strides, shape, count, rank, inner):
        i = int64(cuda.blockIdx.x) * cuda.blockDim.x + cuda.threadIdx.x
        if i < count:
            at = place(indices, i, sizes, strides, shape, rank, inner)
            if at >= 0:
                cuda.atomic.max(claims, at, int32(i + 1))

    numbers = [array("int64")] * 3
    return kernel, types.void(array("int32"), array(index), *numbers, *[types.int64] * 3), THREADS
