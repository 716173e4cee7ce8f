"""Pointwise chains as one generated kernel, in any layout that all the inputs share."""

from __future__ import annotations

import json
from functools import partial

from minitrt.api.enums import DataType
from minitrt.graph.ir import LINEAR, NHWC16, Op, Value
from minitrt.kernels.plain.pointwise import AXES, ELEMENTS_PER_THREAD, NoExpression, steps_source
from minitrt.tactics.arguments import (
    dtype_name,
    floats,
    integers,
    launch,
    of_value,
    real_scale,
    strides_of,
    whole_scale,
)
from minitrt.tactics.contract import Device, Launch, Tactic


def candidates(op: Op, device: Device) -> list[Tactic]:
    """A tactic a layout: LINEAR always, NHWC16 where channels are whole 16s, so that no padding is computed with."""
    if op.kind != "pointwise" or len(op.outputs) != 1 or not op.output.size or not _computable(op):
        return []
    found = []
    for layout in (LINEAR, NHWC16):
        if _fits(op, layout) and joined_axes(op, layout) is not None:
            inputs = tuple(LINEAR if value.is_constant else layout for value in op.inputs)
            found.append(Tactic(f"pointwise_{layout}", partial(launches, layout=layout), inputs, (layout,)))
    return found


def _computable(op: Op) -> bool:
    """False where a step has no expression or a value has a scale a channel: the reference computes it then."""
    try:
        steps_source(op.attrs["program"], ["FLOAT" if v.dtype == DataType.INT8 else v.dtype.name for v in op.inputs])
    except NoExpression:
        return False
    quantised = all(value.dtype != DataType.INT8 or value.scale is not None for value in (*op.inputs, op.output))
    return quantised and all(whole_scale(value) for value in (*op.inputs, op.output))


def _fits(op: Op, layout: str) -> bool:
    if layout == LINEAR:
        return True
    rank = len(op.output.shape)
    variables = [value for value in op.inputs if not value.is_constant]
    full = rank >= 3 and all(len(value.shape) == rank and value.shape[1] % 16 == 0 for value in (*variables, op.output))
    return full and bool(variables)


def joined_axes(op: Op, layout: str) -> tuple[list[int], list[list[int]]] | None:
    """(sizes, strides of each input) of the output's axes as stored, neighbours joined; None if there are too many."""
    rank = len(op.output.shape)
    order = list(range(rank)) if layout == LINEAR else [0, *range(2, rank), 1]
    every = [_strides(value, op.output.shape, layout) for value in op.inputs]
    sizes: list[int] = []
    strides: list[list[int]] = [[] for _ in every]
    for axis in order:
        size = op.output.shape[axis]
        if size == 1:
            continue
        if sizes and all(mine[-1] == of[axis] * size for mine, of in zip(strides, every, strict=True)):
            sizes[-1] *= size
            for mine, of in zip(strides, every, strict=True):
                mine[-1] = of[axis]
            continue
        sizes.append(size)
        for mine, of in zip(strides, every, strict=True):
            mine.append(of[axis])
    return (sizes, strides) if len(sizes) <= AXES else None


def _strides(value: Value, shape: tuple[int, ...], layout: str) -> list[int]:
    """Elements from one index of the output to the next, 0 along an axis that is broadcast."""
    own = (1,) * (len(shape) - len(value.shape)) + tuple(value.shape)
    if layout == NHWC16 and not value.is_constant:
        image, *space, channel = strides_of(value.like("x", layout=NHWC16).stored_shape)
        strides = [image, channel, *space]
    else:
        strides = strides_of(own)
    return [0 if size == 1 else stride for size, stride in zip(own, strides, strict=True)]


def launches(op: Op, layout: str) -> list[Launch]:
    """The one launch."""
    sizes, strides = joined_axes(op, layout)
    y, flat = op.output, strides_of(tuple(sizes))
    inputs, arguments = [], []
    for index, (value, own) in enumerate(zip(op.inputs, strides, strict=True)):
        where = "one" if value.size == 1 else "flat" if own == flat else "wrapped" if wraps(own, flat) else "strided"
        inputs.append((dtype_name(value), where))
        arguments += [*of_value("input", index, value, layout), *floats(real_scale(value))]
        if where == "wrapped":
            arguments += integers(value.size)
        if where == "strided":
            arguments += integers(*[0] * (AXES - len(own)), *own)
    outer = integers(*([1] * (AXES - len(sizes)) + sizes)[1:])
    arguments = (*of_value("output", 0, y, layout), *integers(y.size), *floats(real_scale(y)), *outer, *arguments)
    constants = {
        "program": json.dumps(op.attrs["program"]),
        "inputs": tuple(inputs),
        "output": dtype_name(y),
        "scaled": y.dtype == DataType.INT8,
    }
    return [launch("pointwise", -(-y.size // ELEMENTS_PER_THREAD), tuple(arguments), **constants)]


def wraps(own: list[int], flat: list[int]) -> bool:
    """True where an input lies as the last axes of the output do, and is broadcast along all before them."""
    outer = next((axis for axis, stride in enumerate(own) if stride), len(own))
    return own[outer:] == flat[outer:] and outer < len(own)
