"""Resize, one axis after the other: nearest, linear and cubic differ only in the table of an axis."""

from __future__ import annotations

import math

import numpy as np

from minitrt.api.enums import DataType
from minitrt.graph.ir import LINEAR, Op
from minitrt.reference.resize import interpolation, nearest, source_places
from minitrt.tactics.arguments import (
    array,
    dtype_name,
    floats,
    integers,
    launch,
    of_value,
    packed,
    real_scale,
    whole_scale,
)  # fmt: skip
from minitrt.tactics.contract import Device, Launch, Tactic, Workspace

FLOAT_BYTES, ALIGNMENT = 4, 256


def candidates(op: Op, device: Device) -> list[Tactic]:
    """One tactic, for floats and for int8 with one scale; crops (tf_crop_and_resize) are left to the reference."""
    if op.kind != "resize" or op.attrs.get("sizes") is None or len(op.present) > 1:
        return []
    x, y = op.inputs[0], op.output
    floating = all(
        value.dtype in (DataType.FLOAT, DataType.HALF)
        or value.dtype == DataType.INT8
        and value.scale is not None
        and whole_scale(value)
        for value in (x, y)
    )
    if not floating or op.attrs.get("coordinate") == "tf_crop_and_resize" or not x.size or not y.size:
        return []
    return [Tactic("plain_resize", launches, (LINEAR,), (LINEAR,), workspace_bytes=2 * _room(op))]


def changed_axes(op: Op) -> list[int]:
    """The axes to resize; one of them where none changes, so that the elements are copied."""
    x, y, scales = op.inputs[0], op.output, op.attrs.get("scales")
    axes = [a for a, (n, m) in enumerate(zip(x.shape, y.shape, strict=True)) if n != m or scales and scales[a] != 1]
    return axes or [0]


def _room(op: Op) -> int:
    """Bytes of the largest tensor between two axes."""
    shape, most = list(op.inputs[0].shape), 0
    for axis in changed_axes(op)[:-1]:
        shape[axis] = op.output.shape[axis]
        most = max(most, math.prod(shape) * FLOAT_BYTES)
    return -(-most // ALIGNMENT) * ALIGNMENT


def table(op: Op, axis: int) -> tuple[np.ndarray, np.ndarray]:
    """(places int32, weights float32), both (outputs, taps), of one axis."""
    n, size, attrs = op.inputs[0].shape[axis], op.output.shape[axis], op.attrs
    scales = attrs.get("scales")
    scale = scales[axis] if scales else size / n
    where = source_places(n, size, scale, attrs, axis, len(op.inputs[0].shape))
    if attrs["mode"] == "nearest":
        return nearest(where, n, scale, attrs).astype(np.int32)[:, None], np.ones((size, 1), np.float32)
    matrix = interpolation(where, n, scale, attrs)
    taps = max(1, int((matrix != 0).sum(axis=1).max()))
    places = np.argsort(matrix == 0, axis=1, kind="stable")[:, :taps]  # those that count first, in order
    return places.astype(np.int32), np.take_along_axis(matrix, places, 1).astype(np.float32)


def launches(op: Op) -> list[Launch]:
    """A launch an axis, with float32 between them in the two halves of the workspace."""
    x, y, axes, room = op.inputs[0], op.output, changed_axes(op), _room(op)
    shape, made = list(x.shape), []
    source, source_name, source_scale = of_value("input", 0, x), dtype_name(x), real_scale(x)
    for step, axis in enumerate(axes):
        n, shape[axis] = shape[axis], y.shape[axis]
        count, inner, last = math.prod(shape), math.prod(shape[axis + 1 :]), step == len(axes) - 1
        between = array(Workspace(step % 2 * room), count, FLOAT_BYTES)
        target = of_value("output", 0, y) if last else between
        target_name, target_scale = (dtype_name(y), real_scale(y)) if last else ("float32", 1.0)
        places, weights = table(op, axis)
        arguments = (
            *source, *packed(f"places{axis}", places), *packed(f"weights{axis}", weights), *target,
            *floats(source_scale, target_scale), *integers(count, shape[axis], n, inner, places.shape[1]),
        )  # fmt: skip
        made.append(launch("plain_interpolate", count, arguments, source=source_name, target=target_name))
        source, source_name, source_scale = between, "float32", 1.0
    return made
