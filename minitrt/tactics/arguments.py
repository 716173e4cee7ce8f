"""Arguments of plain kernels, which take flat arrays: numba passes an array as seven words."""

from __future__ import annotations

import math

import numpy as np

from minitrt.graph.ir import LINEAR, NHWC16, NUMPY_TYPES, Value
from minitrt.tactics.contract import Argument, KernelKey, Launch, Packed, Scalar, Tensor, Workspace

THREADS = 256
NOTHING = Packed("nothing", np.zeros(1, np.float32))  # where a kernel takes an array that it will not read


def array(of: Tensor | Packed | Workspace, count: int, item_bytes: int) -> tuple[Argument, ...]:
    """A flat array of `count` elements: two unused words, elements, bytes of one, address, shape, stride."""
    size, item = Scalar(max(int(count), 1), "int64"), Scalar(item_bytes, "int64")
    return (Scalar(0, "uint64"), Scalar(0, "uint64"), size, item, of, size, item)


def of_value(role: str, index: int, value: Value, layout: str = LINEAR) -> tuple[Argument, ...]:
    """An input or output as a flat array; a constant brings its own data."""
    if value.is_constant:
        return packed(f"{role}{index}", value.data)
    stored = value.like(value.name, layout=layout)
    return array(Tensor(role, index), math.prod(stored.stored_shape), NUMPY_TYPES[value.dtype].itemsize)


def packed(name: str, data: np.ndarray) -> tuple[Argument, ...]:
    """Constants as a flat array."""
    data = np.ascontiguousarray(data)
    return array(Packed(name, data), data.size, data.itemsize)


def floats(*numbers: float) -> tuple[Scalar, ...]:
    return tuple(Scalar(float(number), "float32") for number in numbers)


def integers(*numbers: int) -> tuple[Scalar, ...]:
    return tuple(Scalar(int(number), "int64") for number in numbers)


def launch(
    factory: str, threads: int, arguments: tuple, block: tuple = (THREADS, 1, 1), grid: tuple = (), **constants
) -> Launch:
    """One launch with a thread an element, or with a grid of its own."""
    grid = grid or (max(1, -(-int(threads) // block[0])), 1, 1)
    return Launch(KernelKey.of(factory, **constants), grid, block, tuple(arguments))


def dtype_name(value: Value) -> str:
    """NumPy's name of a value's elements."""
    return NUMPY_TYPES[value.dtype].name


def strides_of(shape: tuple[int, ...]) -> list[int]:
    """Elements from one index to the next along each axis of a tensor without gaps."""
    return [math.prod(shape[axis + 1 :]) for axis in range(len(shape))]


def space_strides(value: Value, layout: str) -> list[int]:
    """Strides for image, channel and three space axes (missing ones first, 0), as `layout` stores a value."""
    rank = len(value.shape)
    if layout == NHWC16:
        stored = strides_of(value.like(value.name, layout=NHWC16).stored_shape)
        image, *space, channel = stored
    else:
        image, channel, *space = strides_of(value.shape)
    return [image, channel, *[0] * (5 - rank), *space]


def three(numbers, usual: int, axes: int) -> list[int]:
    """One number for each of three space axes; missing ones, and an absent list, take the usual number."""
    return [usual] * (3 - axes) + [int(number) for number in numbers or [usual] * axes]


def real_scale(value: Value) -> float:
    """The scale of a quantised whole tensor, else 1."""
    return float(value.scale) if value.scale is not None and np.ndim(value.scale) == 0 else 1.0


def whole_scale(value: Value | None) -> bool:
    """True for a value with one scale or none."""
    return value is None or value.scale is None or np.ndim(value.scale) == 0
