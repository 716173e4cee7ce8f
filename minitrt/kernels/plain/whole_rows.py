"""Reductions of integers: as those of floats, a warp a row, but exact, in int64, and wrapped as NumPy wraps them."""

from __future__ import annotations

from numba import int32, int64, types

from minitrt.backend import cuda
from minitrt.kernels.inline import inline
from minitrt.kernels.plain.elements import THREADS, array
from minitrt.kernels.plain.rows import WARP, first_of_row, folded_by, plus, times

STORED = {"int32": int32, "int64": int64}
SMALLEST = {"int32": -(2**31), "int64": -(2**63)}


@inline
def greatest(a, b):
    return a if a > b else b


@inline
def least(a, b):
    return a if a < b else b


REDUCTIONS = {  # name -> element, combination
    "sum": (lambda v: v, plus),
    "prod": (lambda v: v, times),
    "max": (lambda v: v, greatest),
    "min": (lambda v: v, least),
    "l1": (lambda v: abs(v), plus),
    "sumsquare": (lambda v: v * v, plus),
}


def start_of(name: str, dtype: str) -> int:
    """What a lane without elements gives to the combination."""
    return {"prod": 1, "max": SMALLEST[dtype], "min": -1 - SMALLEST[dtype]}.get(name, 0)


def reduce(name: str, dtype: str) -> tuple:
    """(kernel, signature, threads): reduce(x, y, rows, length, stride), one result a row, of the same type."""
    element, combine = REDUCTIONS[name]
    START, STORE, element, fold = int64(start_of(name, dtype)), STORED[dtype], inline(element), folded_by(combine)

    def kernel(x, y, rows, length, stride):
        row, lane = int64(cuda.grid(1)) // WARP, cuda.threadIdx.x % WARP
        if row < rows:  # the same for a whole warp
            first, value = first_of_row(row, length, stride), START
            for j in range(lane, length, WARP):
                value = combine(value, element(int64(x[first + j * stride])))
            value = fold(value)
            if lane == 0:
                y[row] = STORE(value)

    return kernel, types.void(array(dtype), array(dtype), *[types.int64] * 3), THREADS
