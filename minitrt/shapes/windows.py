"""Shapes of what windows slide over: convolutions, pools, and the way back."""

from __future__ import annotations

from collections.abc import Sequence

from minitrt.api.enums import DataType
from minitrt.graph.ir import Op
from minitrt.graph.tail import WEIGHTS
from minitrt.reference.pooling import pooled_size
from minitrt.shapes.choices import above
from minitrt.shapes.dims import Shape, fit, is_open, surely_below
from minitrt.shapes.misfits import TooSmall
from minitrt.shapes.size import Number

Result = tuple[Shape, DataType]


def conv(op: Op) -> list[Result]:
    x, weights, a = op.inputs[0].shape, op.inputs[1].shape, op.attrs
    space = len(x) - 2
    if not fit(x[1], weights[1] * a.get("groups", 1)):
        raise ValueError(f"{x[1]} channels meet weights for {weights[1] * a.get('groups', 1)}")
    per_axis = zip(x[2:], weights[2:], *spatial(a, space), strict=True)
    sizes = [windows(*one, False) for one in per_axis]
    if a.get("pool"):
        per_axis = zip(sizes, a["pool"]["kernel"], *spatial(a["pool"], space), strict=True)
        sizes = [windows(*one, False) for one in per_axis]
    fitting(x, sizes)
    channels = [weights[0], *([op.inputs[WEIGHTS].shape[0]] if a.get("tail") else [])]
    return [((x[0], count, *sizes), value.dtype) for count, value in zip(channels, op.outputs, strict=True)]


def pool(op: Op) -> list[Result]:
    x, a = op.inputs[0].shape, op.attrs
    per_axis = zip(x[2:], a["kernel"], *spatial(a, len(x) - 2), strict=True)
    shape = (*x[:2], *(windows(*one, bool(a.get("ceil_mode"))) for one in per_axis))
    fitting(x, shape[2:])
    return [(shape, op.output.dtype), (shape, DataType.INT64)][: len(op.outputs)]


def deconv(op: Op) -> list[Result]:
    x, weights, a = op.inputs[0].shape, op.inputs[1].shape, op.attrs
    space = len(x) - 2
    strides, dilations, before, after = spatial(a, space)
    extra = a.get("output_padding") or [0] * space
    sizes = [
        (n - 1) * s + (r - 1) * d + 1 + e - b - f
        for n, r, s, d, b, f, e in zip(x[2:], weights[2:], strides, dilations, before, after, extra, strict=True)
    ]
    fitting(x, sizes)
    return [((x[0], weights[1] * a.get("groups", 1), *sizes), op.output.dtype)]


def windows(size: Number, kernel: int, stride: int, dilation: int, before: Number, after: Number, ceil: bool) -> Number:
    """Windows along one axis. With ceil, a last window that would start in the right padding is dropped."""
    if not is_open(size, before, after):
        return pooled_size(size, kernel, stride, dilation, before, after, ceil)
    span = size + before + after - ((kernel - 1) * dilation + 1)
    if not ceil:
        return span // stride + 1
    count = -(-span // stride) + 1
    return count - above((count - 1) * stride + 1, size + before)


def fitting(x: Shape, sizes: Sequence[Number]) -> None:
    """Raises: TooSmall where an image of some size leaves a window no place."""
    if all(n != 0 for n in x[2:]) and any(surely_below(n, 1) for n in sizes):
        raise TooSmall(f"the window is larger than the image and its padding: {tuple(sizes)} would come out")


def spatial(a: dict, space: int) -> list[list[int]]:
    """stride, dilations, pads_before, pads_after, one an axis."""
    one, zero = [1] * space, [0] * space
    defaults = (("stride", one), ("dilations", one), ("pads_before", zero), ("pads_after", zero))
    return [a.get(key) or default for key, default in defaults]
