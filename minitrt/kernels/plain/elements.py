"""Elements in and out of memory: what a stored number means as float32, and how a float32 is stored."""

from __future__ import annotations

from typing import Any

from numba import float32, int8, int32, types, uint8

from minitrt.kernels.inline import inline

float16 = types.float16
TYPES = {
    "float32": types.float32,
    "float16": types.float16,
    "int8": types.int8,
    "uint8": types.uint8,
    "int32": types.int32,
    "int64": types.int64,
    "bool": types.boolean,
}
UNSIGNED = {1: types.uint8, 2: types.uint16, 4: types.uint32, 8: types.uint64}  # bytes of an element -> its bits
THREADS = 256
SHIFT = float32(12582912.0)  # 1.5 * 2^23: adding and subtracting it rounds half to even, far beyond the range of int8
INFINITY = float32(float("inf"))


def array(dtype: str) -> types.Array:
    """The numba type of a flat array."""
    return types.Array(TYPES[dtype], 1, "C")


@inline
def place_of_output(i, channels, d, h, w):
    """-> image, channel and place on three axes of output element i, channels fastest; d, h, w: sizes of the axes."""
    channel, rest = i % channels, i // channels
    ow, rest = rest % w, rest // w
    oh, rest = rest % h, rest // h
    od, image = rest % d, rest // d
    return image, channel, od, oh, ow


@inline
def saturate(v):
    """int8 of a float32: clipped, rounded half to even; NaN gives 0."""
    if v != v:
        return int8(0)
    clipped = min(max(v, float32(-128.0)), float32(127.0))
    return int8(int32((clipped + SHIFT) - SHIFT))


@inline
def larger(a, b):
    """The larger of two numbers; NaN if one is."""
    return a if a > b or a != a else b


@inline
def smaller(a, b):
    """The smaller of two numbers; NaN if one is."""
    return a if a < b or a != a else b


def reader(dtype: str) -> Any:
    """read(x, i, scale): element i as float32, times scale where it is int8."""
    if dtype == "int8":
        return inline(lambda x, i, scale: float32(x[i]) * scale)
    return inline(lambda x, i, scale: float32(x[i]))


def writer(dtype: str) -> Any:
    """write(y, i, v, scale): v as the array's elements; int8 as saturate(rint(v / scale))."""
    if dtype == "int8":

        @inline
        def write(y, i, v, scale):
            y[i] = saturate(v / scale)

    elif dtype == "uint8":

        @inline
        def write(y, i, v, scale):
            y[i] = uint8(v)

    elif dtype == "float16":

        @inline
        def write(y, i, v, scale):
            y[i] = float16(v)

    else:

        @inline
        def write(y, i, v, scale):
            y[i] = v

    return write
