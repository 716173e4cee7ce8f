"""Operators of ONNX Runtime's domain that stand alone: older forms of ONNX's, inverses, and parts of images."""

from __future__ import annotations

import numpy as np

from minitrt.api.enums import DataType
from minitrt.network.tensor import ITensor
from minitrt.onnx_import.expanding import Expansion
from minitrt.onnx_import.node import RUNTIME, Node, operator


@operator("ExpandDims", domains=(RUNTIME,))
def expand_dims(node: Node) -> ITensor:
    """An axis of 1 at the place that input 1 names."""
    return node.unsqueezed(node.x, [int(n) for n in node.numbers(1, "the place of the axis")])


@operator("Unique", domains=(RUNTIME,))
def unique(node: Node) -> list[ITensor]:
    """Elements that differ as they come; which of them each element is; how many there are of each."""
    types = [node.x.dtype, DataType.INT64, DataType.INT64, DataType.INT64]
    values, _, which, counts = node.builtin("unique", [node.x], 4, types, axis=None, sorted=False)
    return [values, which, counts]


@operator("Inverse", domains=(RUNTIME,))
def inverse(node: Node) -> ITensor:
    return node.builtin("inverse", [node.x])


@operator("CropAndResize", domains=(RUNTIME,))
def crop_and_resize(node: Node) -> ITensor:
    """Boxes of images, each sampled as a picture of one size: a grid of places, and a number for those outside."""
    e = Expansion(node)
    height, width = (int(n) for n in node.numbers(3, "the size of a crop"))
    picked = e.op("Gather", e.given(0), e.given(2), axis=0)
    corners = e.op("Split", e.given(1), outputs=4, axis=1, **({"num_outputs": 4} if node.opset >= 18 else {}))
    ys, xs = (places(e, corners[at], corners[at + 2], n) for at, n in ((0, height), (1, width)))
    ys, xs = e.unsqueeze(ys, [2]), e.unsqueeze(xs, [1])
    zero, one, two = (e.constant(n, np.float32) for n in (0, 1, 2))
    nothing_y, nothing_x = (e.op("Mul", each, zero) for each in (ys, xs))
    over = [e.unsqueeze(e.op("Add", a, b), [3]) for a, b in ((xs, nothing_y), (ys, nothing_x))]
    grid = e.op("Sub", e.op("Mul", e.op("Concat", *over, axis=3), two), one)
    mode = "nearest" if node.attr("mode", "bilinear") == "nearest" else "linear" if node.opset >= 20 else "bilinear"
    sampled = e.op("GridSample", picked, grid, align_corners=1, mode=mode)
    inside = [e.op("And", e.op("GreaterOrEqual", each, zero), e.op("LessOrEqual", each, one)) for each in (ys, xs)]
    fill = e.constant(node.attr("extrapolation_value", 0.0), np.float32)
    return e.result(e.op("Where", e.unsqueeze(e.op("And", *inside), [1]), sampled, fill))


def places(e: Expansion, first: str, last: str, count: int) -> str:
    """`count` places from the first to the last of each row, and the middle where there is one: (rows, count)."""
    steps = np.linspace(0, 1, count, dtype=np.float32) if count > 1 else np.array([0.5], np.float32)
    return e.op("Add", first, e.op("Mul", e.op("Sub", last, first), e.constant(steps[None])))
