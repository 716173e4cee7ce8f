"""Rotary position embedding by one plain kernel."""

from __future__ import annotations

from minitrt.api.enums import DataType
from minitrt.graph.ir import LINEAR, Op
from minitrt.tactics.arguments import NOTHING, array, dtype_name, integers, launch, of_value
from minitrt.tactics.contract import Device, Launch, Tactic

FLOATING, INDICES = (DataType.FLOAT, DataType.HALF), (DataType.INT32, DataType.INT64)


def candidates(op: Op, device: Device) -> list[Tactic]:
    """One tactic, where tables have a row for each token, or for each position that is looked up."""
    if op.kind != "rotary" or not op.output.size:
        return []
    x, cosines, sines = op.inputs[:3]
    positions, (images, tokens, _, size) = op.input(3), form(op)
    known = x.dtype == op.output.dtype and {x.dtype, cosines.dtype, sines.dtype} <= set(FLOATING)
    if not known or cosines.dtype != sines.dtype or tuple(cosines.shape) != tuple(sines.shape):
        return []
    rows = (images, tokens) if positions is None else cosines.shape[:1]
    looked_up = positions is None or positions.dtype in INDICES and tuple(positions.shape) == (images, tokens)
    whole = tuple(cosines.shape[:-1]) == tuple(rows) and 2 * cosines.shape[-1] == turned(op) <= size
    return [Tactic("plain_rotary", launches, (LINEAR,) * len(op.inputs), (LINEAR,))] if whole and looked_up else []


def form(op: Op) -> tuple[int, int, int, int]:
    """Images, tokens, heads and size of a head."""
    shape = op.inputs[0].shape
    if len(shape) == 4:
        return shape[0], shape[2], shape[1], shape[3]
    heads = int(op.attrs["heads"])
    return shape[0], shape[1], heads, shape[2] // heads


def turned(op: Op) -> int:
    """Elements of a head that are rotated."""
    return int(op.attrs.get("size") or form(op)[3])


def launches(op: Op) -> list[Launch]:
    x, cosines, sines = op.inputs[:3]
    positions, (_, tokens, heads, size) = op.input(3), form(op)
    by_heads = len(x.shape) == 4
    strides = (size, tokens * size) if by_heads else (heads * size, size)
    looked_up = array(NOTHING, 1, 4) if positions is None else of_value("input", 3, positions)
    arguments = (
        *of_value("input", 0, x), *of_value("input", 1, cosines), *of_value("input", 2, sines), *looked_up,
        *of_value("output", 0, op.output),
        *integers(x.size, tokens, heads, size, turned(op), *strides, heads * tokens * size, cosines.shape[-1]),
        *integers(cosines.shape[0]),
    )  # fmt: skip
    names = {"source": dtype_name(x), "table": dtype_name(cosines), "index": dtype_name(positions) if positions else ""}
    return [launch("plain_rotary", x.size, arguments, interleaved=bool(op.attrs.get("interleaved")), **names)]
