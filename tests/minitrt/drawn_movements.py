"""Operators of `drawn_graphs` that move elements, and compute nothing or little."""

from __future__ import annotations

import math

import numpy as np
from onnx import TensorProto

from tests.minitrt.drawn_graphs import LONGEST, OPERATORS, Graph, Tensor, operator

__all__ = ["OPERATORS"]


def changed(x: Tensor, axis: int, size: int) -> tuple[int, ...]:
    """The shape with another size along an axis."""
    return (*x.shape[:axis], size, *x.shape[axis + 1 :])


@operator
def reshaped(g: Graph, x: Tensor) -> None:
    total = math.prod(x.shape)
    ways = [(total,), (1, total), *((n, total // n) for n in (2, 3, 4, 6) if total % n == 0)]
    ways += [(2, n, total // n // 2) for n in (2, 3) if total % (2 * n) == 0]
    shape = list(g.among(ways))
    asked = [-1 if place == 0 and g.chance(0.4) else size for place, size in enumerate(shape)]
    g.add("Reshape", [x.name, g.integers(*asked)], tuple(shape))


@operator
def shaped_as_another(g: Graph, x: Tensor) -> None:
    (shape,) = g.node("Shape", [x.name])
    other = g.tensor(lambda each: math.prod(each) == math.prod(x.shape))
    g.add("Reshape", [other.name, shape], x.shape)


@operator
def flattened(g: Graph, x: Tensor) -> None:
    axis = g.between(0, len(x.shape))
    g.add("Flatten", [x.name], (math.prod(x.shape[:axis]), math.prod(x.shape[axis:])), axis=axis)


@operator
def turned(g: Graph, x: Tensor) -> None:
    order = [int(axis) for axis in g.rng.permutation(len(x.shape))]
    g.add("Transpose", [x.name], tuple(x.shape[axis] for axis in order), perm=order)


@operator
def longer_or_shorter_shape(g: Graph, x: Tensor) -> None:
    axis = g.between(0, len(x.shape))
    if len(x.shape) < 5:
        g.add("Unsqueeze", [x.name, g.integers(axis)], (*x.shape[:axis], 1, *x.shape[axis:]))
    elif 1 in x.shape:
        at = x.shape.index(1)
        g.add("Squeeze", [x.name, g.integers(at)], (*x.shape[:at], *x.shape[at + 1 :]))


@operator
def joined(g: Graph, x: Tensor) -> None:
    axis, rank = g.between(0, len(x.shape) - 1), len(x.shape)
    like = [size for place, size in enumerate(x.shape) if place != axis]

    def fits(shape: tuple[int, ...]) -> bool:
        return len(shape) == rank and [size for place, size in enumerate(shape) if place != axis] == like

    some = [x, *(g.tensor(fits) for _ in range(g.between(1, 2)))]
    shape = changed(x, axis, sum(each.shape[axis] for each in some))
    if math.prod(shape) <= LONGEST:
        g.add("Concat", [each.name for each in some], shape, axis=g.among([axis, axis - rank]))


@operator
def split_in_two(g: Graph, x: Tensor) -> None:
    axis = g.between(0, len(x.shape) - 1)
    if x.shape[axis] < 2:
        return
    first = g.between(1, x.shape[axis] - 1)
    sizes = first, x.shape[axis] - first
    names = g.node("Split", [x.name, g.integers(*sizes)], count=2, axis=axis)
    for name, size in zip(names, sizes, strict=True):
        g.keep(name, changed(x, axis, size))


@operator
def part(g: Graph, x: Tensor) -> None:
    axis = g.between(0, len(x.shape) - 1)
    size = x.shape[axis]
    begin = g.between(0, size - 1)
    end, step = g.among([size, 2**31 - 1, g.between(begin + 1, size)]), g.among([1, 1, 2])
    if g.chance(0.2):
        begin, end, step = size - 1, -size - 1, -1
    count = size if step < 0 else len(range(size)[begin:end:step])
    numbers = [g.integers(number) for number in (begin, end, axis, step)]
    g.add("Slice", [x.name, *numbers], changed(x, axis, count))


@operator
def gathered(g: Graph, x: Tensor) -> None:
    axis = g.between(0, len(x.shape) - 1)
    shape = () if len(x.shape) > 1 and g.chance(0.2) else tuple(g.between(1, 3) for _ in range(g.between(1, 2)))
    index = g.constant(g.rng.integers(-x.shape[axis], x.shape[axis], shape).astype(np.int64))
    g.add("Gather", [x.name, index], (*x.shape[:axis], *shape, *x.shape[axis + 1 :]), axis=axis)


@operator
def scattered(g: Graph, x: Tensor) -> None:
    count = g.between(1, x.shape[0])
    index = g.constant(g.rng.permutation(x.shape[0])[:count].reshape(count, 1).astype(np.int64))
    g.add("ScatterND", [x.name, index, g.weights(count, *x.shape[1:])], x.shape)


@operator
def padded(g: Graph, x: Tensor) -> None:
    rank = len(x.shape)
    pads, mode = [g.between(0, 2) for _ in range(2 * rank)], g.among(["constant", "reflect", "edge"])
    if mode == "reflect" and any(max(pads[i::rank]) >= size for i, size in enumerate(x.shape)):
        mode = "edge"
    shape = tuple(size + pads[i] + pads[i + rank] for i, size in enumerate(x.shape))
    if math.prod(shape) <= LONGEST:
        value = [g.constant(np.float32(0.7))] if mode == "constant" and g.chance(0.5) else []
        g.add("Pad", [x.name, g.integers(*pads), *value], shape, mode=mode)


@operator
def repeated(g: Graph, x: Tensor) -> None:
    if g.chance(0.5):
        times = [g.between(1, 2) for _ in x.shape]
        kind, asked = "Tile", times
        shape = tuple(size * n for size, n in zip(x.shape, times, strict=True))
    else:
        shape = tuple(3 if size == 1 and g.chance(0.6) else size for size in x.shape)
        kind, asked = "Expand", list(shape)
    if math.prod(shape) <= LONGEST:
        g.add(kind, [x.name, g.integers(*asked)], shape)


@operator
def resized(g: Graph, x: Tensor) -> None:
    shape = (*x.shape[:2], *(2 * size for size in x.shape[2:]))
    if len(x.shape) != 4 or math.prod(shape) > LONGEST:
        return
    how = g.among([{"mode": "nearest", "nearest_mode": "floor"}, {"mode": "linear"}])
    where = g.among(["half_pixel", "asymmetric", "align_corners"])
    scales = g.constant(np.array([1, 1, 2, 2], np.float32))
    g.add("Resize", [x.name, "", scales], shape, coordinate_transformation_mode=where, **how)


@operator
def depth_to_space(g: Graph, x: Tensor) -> None:
    if len(x.shape) == 4 and x.shape[1] % 4 == 0:
        shape = (x.shape[0], x.shape[1] // 4, 2 * x.shape[2], 2 * x.shape[3])
        g.add("DepthToSpace", [x.name], shape, blocksize=2, mode=g.among(["DCR", "CRD"]))


@operator
def largest(g: Graph, x: Tensor) -> None:
    axis = g.between(0, len(x.shape) - 1)
    count = g.between(1, x.shape[axis])
    values, _ = g.node("TopK", [x.name, g.integers(count)], count=2, axis=axis, largest=g.between(0, 1))
    g.keep(values, changed(x, axis, count))


@operator
def place_of_the_largest(g: Graph, x: Tensor) -> None:
    axis = g.between(0, len(x.shape) - 1)
    (index,) = g.node(g.among(["ArgMax", "ArgMin"]), [x.name], axis=axis, keepdims=1)
    g.add("Cast", [index], changed(x, axis, 1), to=TensorProto.FLOAT)
