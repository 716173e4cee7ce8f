"""Quantise, dequantise and reformat: between types and between LINEAR and NHWC16."""

from __future__ import annotations

import math
from functools import partial

import numpy as np

from minitrt.api.enums import DataType
from minitrt.graph.ir import HWC, LINEAR, NHWC16, Op
from minitrt.tactics.arguments import dtype_name, floats, integers, launch, of_value, packed, whole_scale
from minitrt.tactics.contract import Device, Launch, Tactic
from minitrt.tactics.plain import movement

KINDS = ("quantize", "dequantize", "reformat")
CONVERTED = (DataType.FLOAT, DataType.HALF, DataType.INT8)
TILE, ROWS = 32, 8
MOST_IMAGES = 65535  # blocks along the third axis of a grid


def candidates(op: Op, device: Device) -> list[Tactic]:
    """A tactic for each pair of layouts; a scale a channel only where nothing changes place."""
    if op.kind not in KINDS:
        return []
    x, y = op.inputs[0], op.output
    if op.kind == "reformat" and HWC in (x.layout, y.layout):
        return _at_an_end(op, device)
    plain = x.dtype in CONVERTED and y.dtype in CONVERTED and op.input(2) is None and x.size == y.size > 0
    if not plain or op.input(1) is not None and not op.input(1).is_constant:
        return []
    layouts = (LINEAR,) * len(op.inputs)
    found = [Tactic("plain_convert_linear", partial(_convert, layout=LINEAR), layouts, (LINEAR,))]
    if np.size(scale_of(op)) > 1 or not (whole_scale(x) and whole_scale(y)) or len(x.shape) < 2:
        return found
    if x.shape[1] % 16 == 0:
        both = (NHWC16, *layouts[1:])
        found.append(Tactic("plain_convert_nhwc16", partial(_convert, layout=NHWC16), both, (NHWC16,)))
    if x.shape[0] <= MOST_IMAGES:
        found.append(Tactic("plain_to_nhwc16", partial(_transpose, to=NHWC16), layouts, (NHWC16,)))
        found.append(Tactic("plain_to_linear", partial(_transpose, to=LINEAR), (NHWC16, *layouts[1:]), (LINEAR,)))
    return found


def _at_an_end(op: Op, device: Device) -> list[Tactic]:
    """From HWC to LINEAR or back: a transpose of what lies in memory."""
    return [
        Tactic(f"{tactic.name}_{x}_{y}", partial(_transposed, device=device), (x,), (y,))
        for tactic in movement.candidates(_as_transpose(op), device)[:1]
        for x, y in [(op.inputs[0].layout, op.output.layout)]
    ]


def _transposed(op: Op, device: Device) -> list[Launch]:
    moved = _as_transpose(op)
    return movement.candidates(moved, device)[0].make(moved)


def _as_transpose(op: Op) -> Op:
    x, y = op.inputs[0], op.output
    axes = list(range(len(x.shape)))
    order = [*axes[:-3], *((axes[-1], axes[-3], axes[-2]) if x.layout == HWC else (axes[-2], axes[-1], axes[-3]))]
    ends = [value.like(value.name, shape=value.stored_shape, layout=LINEAR) for value in (x, y)]
    return Op("shuffle", op.name, ends[:1], ends[1:], {"first": order})


def scale_of(op: Op) -> np.ndarray | float:
    """The scale of the int8 side: the operation's own, else its value's."""
    if op.input(1) is not None:
        return op.inputs[1].data
    quantised = op.output if op.output.dtype == DataType.INT8 else op.inputs[0]
    return 1.0 if quantised.scale is None else quantised.scale


def scales_of(op: Op) -> tuple[np.ndarray, np.ndarray]:
    """(of x, of y) as float32 arrays, 1 for a side that is not int8."""
    own = np.asarray(scale_of(op), np.float32).reshape(-1)
    one = np.ones(1, np.float32)
    if op.kind == "reformat":
        sides = [
            np.asarray(v.scale if v.scale is not None else 1.0, np.float32).reshape(-1)
            for v in (op.inputs[0], op.output)
        ]
        return sides[0], sides[1]
    return (one, own) if op.kind == "quantize" else (own, one)


def _convert(op: Op, layout: str) -> list[Launch]:
    x, y, (x_scale, y_scale) = op.inputs[0], op.output, scales_of(op)
    axis, count = int(op.attrs.get("axis") or 0), max(x_scale.size, y_scale.size)
    inner = math.prod(x.shape[axis + 1 :]) if count > 1 else 1
    scales = [packed(name, np.broadcast_to(s, (count,))) for name, s in (("x_scale", x_scale), ("y_scale", y_scale))]
    arguments = (
        *of_value("input", 0, x, layout), *of_value("output", 0, y, layout), *scales[0], *scales[1],
        *integers(x.size, inner, count),
    )  # fmt: skip
    return [launch("plain_convert", x.size, arguments, source=dtype_name(x), target=dtype_name(y))]


def _transpose(op: Op, to: str) -> list[Launch]:
    x, y, (x_scale, y_scale) = op.inputs[0], op.output, scales_of(op)
    images, channels, space = x.shape[0], x.shape[1], math.prod(x.shape[2:])
    stored = -(-channels // 16) * 16
    if to == NHWC16:
        numbers, grid = (channels, space, space, stored, stored), (-(-space // TILE), -(-stored // TILE), images)
    else:
        numbers, grid = (space, channels, stored, space, space), (-(-channels // TILE), -(-space // TILE), images)
    arguments = (
        *of_value("input", 0, x, LINEAR if to == NHWC16 else NHWC16), *of_value("output", 0, y, to),
        *floats(x_scale[0], y_scale[0]), *integers(*numbers),
    )  # fmt: skip
    names = {"source": dtype_name(x), "target": dtype_name(y)}
    return [launch("plain_transpose", 0, arguments, block=(TILE, ROWS, 1), grid=grid, **names)]
