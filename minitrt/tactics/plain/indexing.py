"""Gathering at positions and scattering by plain kernels; whole slices along an axis are in `movement.py`."""

from __future__ import annotations

import math
from functools import partial

import numpy as np

from minitrt.api.enums import DataType
from minitrt.graph.ir import LINEAR, NUMPY_TYPES, Op, Value
from minitrt.tactics.arguments import NOTHING, array, dtype_name, integers, launch, of_value, packed, strides_of
from minitrt.tactics.contract import Argument, Device, Launch, Tactic, Workspace
from minitrt.tactics.plain.movement import Axis, Move, kept, move_launch

INDICES = (DataType.INT32, DataType.INT64)
SUMMED = (DataType.FLOAT, DataType.HALF, DataType.INT32, DataType.INT64)  # what updates are combined in
ATOMIC = {  # combination -> types whose elements one instruction combines, as NumPy does: a NaN is the largest there
    "add": (DataType.FLOAT, DataType.INT32, DataType.INT64),
    "max": (DataType.INT32, DataType.INT64),
    "min": (DataType.INT32, DataType.INT64),
}
MOST = 2**31 - 1  # numbers of updates that an int32 holds


def candidates(op: Op, device: Device) -> list[Tactic]:
    """Tactics for gather by position, with shared axes or smaller indices, and for scatter."""
    make = {"gather": _gather, "scatter": _scatter}.get(op.kind)
    plain = make is not None and len(op.outputs) == 1 and op.output.size and op.inputs[1].dtype in INDICES
    return make(op) if plain and kept(op.inputs[0], op.output) else []


def table(name: str, numbers) -> tuple[Argument, ...]:
    """Numbers of each axis as an array in device memory; never an empty one."""
    return packed(name, np.asarray([*numbers] or [0], np.int64))


def _item(value: Value) -> int:
    return NUMPY_TYPES[value.dtype].itemsize


def _gather(op: Op) -> list[Tactic]:
    x, indices, attrs = op.inputs[0], op.inputs[1], op.attrs
    mode, batch = attrs.get("mode", "default"), int(attrs.get("batch_dims", 0))
    layouts = (LINEAR, LINEAR), (LINEAR,)
    if mode == "element":
        axis = attrs.get("axis", 0) % len(x.shape)
        smaller = [n != m for d, (n, m) in enumerate(zip(indices.shape, x.shape, strict=True)) if d != axis]
        return [Tactic("plain_gather_elements", _element_launches, *layouts)] if any(smaller) else []
    if mode == "nd" or batch and attrs.get("axis", 0) % len(x.shape) == batch:
        return [Tactic("plain_gather_nd", _nd_launches, *layouts)]
    return []


def _element_launches(op: Op) -> list[Launch]:
    x, indices, y = op.inputs[0], op.inputs[1], op.output
    axis = op.attrs.get("axis", 0) % len(x.shape)
    arguments = (
        *of_value("input", 0, x), *of_value("input", 1, indices), *of_value("output", 0, y),
        *table("shape", y.shape), *table("strides", strides_of(x.shape)),
        *integers(y.size, len(x.shape), axis, x.shape[axis]),
    )  # fmt: skip
    return [launch("plain_gather_elements", y.size, arguments, item_bytes=_item(x), index=dtype_name(indices))]


def _nd_launches(op: Op) -> list[Launch]:
    """Positions are rows of indices; of a batched gather of slices, single numbers."""
    x, indices, y = op.inputs[0], op.inputs[1], op.output
    batch = int(op.attrs.get("batch_dims", 0))
    depth = indices.shape[-1] if op.attrs.get("mode") == "nd" else 1
    axes = slice(batch, batch + depth)
    rows = indices.size // max(depth, 1) // max(math.prod(x.shape[:batch]), 1) if depth else math.prod(y.shape[batch:])
    arguments = (
        *of_value("input", 0, x), *of_value("input", 1, indices), *of_value("output", 0, y),
        *table("sizes", x.shape[axes]), *table("strides", strides_of(x.shape)[axes]),
        *integers(y.size, depth, math.prod(x.shape[batch + depth :]), max(rows, 1), math.prod(x.shape[batch:])),
    )  # fmt: skip
    return [launch("plain_gather_nd", y.size, arguments, item_bytes=_item(x), index=dtype_name(indices))]


def _scatter(op: Op) -> list[Tactic]:
    x, _, updates = op.inputs
    combine = op.attrs.get("combine", "none")
    if not kept(updates, x) or updates.size > MOST or combine != "none" and x.dtype not in SUMMED:
        return []
    made = [Tactic("plain_scatter_ordered", partial(_scatter_launches, how="ordered"), (LINEAR,) * 3, (LINEAR,))]
    if rows_of(op)[1] > 1 and combine == "none":
        made.append(Tactic("plain_scatter_claimed", partial(_scatter_launches, how="claimed"), (LINEAR,) * 3, (LINEAR,),
                           workspace_bytes=4 * x.size))  # fmt: skip
    if rows_of(op)[1] > 1 and x.dtype in ATOMIC.get(combine, ()):
        made.append(Tactic("plain_scatter_atomic", partial(_scatter_launches, how="atomic"), (LINEAR,) * 3, (LINEAR,)))
    return made


def rows_of(op: Op) -> tuple[int, int, int]:
    """(rows, length, stride) of updates that can meet in one element: all of a position's, or those along the axis."""
    x, indices, updates = op.inputs
    if op.attrs.get("mode", "element") == "nd":
        inner = math.prod(x.shape[indices.shape[-1] :])
        return inner, updates.size // max(inner, 1), inner
    axis = op.attrs.get("axis", 0) % max(len(x.shape), 1)
    shape = updates.shape
    stride, length = math.prod(shape[axis + 1 :]), shape[axis]
    return updates.size // max(length, 1), length, stride


def _scatter_launches(op: Op, how: str) -> list[Launch]:
    """x is copied to the output; then updates are written there."""
    x, indices, updates = op.inputs
    y, combine, mode = op.output, op.attrs.get("combine", "none"), op.attrs.get("mode", "element")
    whole = Move((Axis(x.size, 1, 0, 1, x.size, 1),))
    made = [move_launch(whole, of_value("input", 0, x), of_value("output", 0, y), _item(x))]
    if not updates.size:
        return made
    if mode == "nd":
        depth = indices.shape[-1]
        axes, last = slice(0, depth), (depth, math.prod(x.shape[depth:]))
    else:
        axes, last = slice(None), (len(x.shape), op.attrs.get("axis", 0) % len(x.shape))
    names = {"mode": mode, "index": dtype_name(indices)}
    tables = (
        *table("sizes", x.shape[axes]),
        *table("strides", strides_of(x.shape)[axes]),
        *table("shape", updates.shape),
    )
    where, claims = of_value("input", 1, indices), array(NOTHING, 1, 4)
    if how == "claimed":
        claims = array(Workspace(zeroed_bytes=4 * x.size), x.size, 4)
        arguments = (*claims, *where, *tables, *integers(updates.size, *last))
        made.append(launch("plain_claim", updates.size, arguments, **names))
        claims = array(Workspace(), x.size, 4)
    rows = rows_of(op) if how == "ordered" else (updates.size, 1, 1)
    dtype = f"uint{8 * _item(x)}" if combine == "none" else dtype_name(x)
    arguments = (
        *of_value("output", 0, y), *where, *of_value("input", 2, updates), *tables, *claims, *integers(*rows, *last),
    )  # fmt: skip
    made.append(launch("plain_scatter", rows[0], arguments, dtype=dtype, combine=combine, how=how, **names))
    return made
