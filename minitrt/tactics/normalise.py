"""Layer normalisation over the last axes, whole rows at a time."""

from __future__ import annotations

import math
from functools import partial

import numpy as np

from minitrt.api.enums import DataType
from minitrt.graph.ir import LINEAR, Op, Value
from minitrt.kernels.normalise import LANE_ELEMENTS, THREADS
from minitrt.tactics.arguments import dtype_name, floats, whole_scale
from minitrt.tactics.contract import Device, KernelKey, Launch, Packed, Scalar, Tactic, Tensor

HAS_DP4A, HAS_DEPENDENT_LAUNCH = (6, 1), (9, 0)
FEW_THREADS = 64  # of a block where rows are few
FLOATING = (DataType.FLOAT, DataType.HALF)
LONGEST = 131071  # of int8 squares that an int32 sum holds


def candidates(op: Op, device: Device) -> list[Tactic]:
    """One tactic, where rows are whole eights and scale and bias are constants along them."""
    if op.kind != "norm" or len(op.outputs) != 1 or device.compute_capability < HAS_DP4A or not op.output.size:
        return []
    length = row_length(op)
    plain = int(op.attrs.get("groups", 1)) == 1 and not op.attrs.get("per_channel") and op.attrs.get("mean", True)
    if length is None or not plain or length % LANE_ELEMENTS or length > LONGEST:
        return []
    if not (_known(op.inputs[0]) and _known(op.output)) or any(not _along(v, op, length) for v in op.inputs[1:3]):
        return []
    dependent = device.compute_capability >= HAS_DEPENDENT_LAUNCH
    make = partial(launches, dependent=dependent, sm_count=device.sm_count)
    return [Tactic("rows_norm", make, (LINEAR,) * len(op.inputs), (LINEAR,))]


def row_length(op: Op) -> int | None:
    """Elements that are normalised together, if they are the last axes."""
    rank = len(op.inputs[0].shape)
    axes = sorted(int(axis) % rank for axis in op.attrs["axes"])
    return math.prod(op.inputs[0].shape[axes[0] :]) if axes == list(range(axes[0], rank)) else None


def _known(value: Value) -> bool:
    return value.dtype in FLOATING or value.dtype == DataType.INT8 and value.scale is not None and whole_scale(value)


def _along(value: Value | None, op: Op, length: int) -> bool:
    """Whether a scale or bias is a constant with a number for each element of a row."""
    if value is None:
        return True
    x = op.inputs[0].shape
    own = (1,) * (len(x) - len(value.shape)) + tuple(value.shape)
    varies = [axis for axis, size in enumerate(own) if size > 1]
    axes = [int(axis) % len(x) for axis in op.attrs["axes"]]
    return value.is_constant and value.size == length and all(axis in axes for axis in varies)


def launches(op: Op, dependent: bool, sm_count: int) -> list[Launch]:
    """The one launch: a warp a row."""
    x, y, length = op.inputs[0], op.output, row_length(op)
    rows, step = x.size // length, float(y.scale) if y.scale is not None else 1.0
    numbers = [
        np.full(length, usual) if value is None else value.real.reshape(-1).astype(np.float64)
        for value, usual in ((op.input(1), 1.0), (op.input(2), 0.0))
    ]
    table = np.stack([each.reshape(-1, LANE_ELEMENTS) / step for each in numbers], axis=1).astype(np.float32)
    x_scale = float(x.scale) if x.scale is not None else 1.0
    threads = THREADS if rows * 32 > THREADS * sm_count else FEW_THREADS
    key = KernelKey.of("rows_norm", source=dtype_name(x), target=dtype_name(y), dependent=dependent)
    arguments = (
        Tensor("input", 0), Tensor("output", 0), Packed("table", np.ascontiguousarray(table)),
        *floats(x_scale, op.attrs["epsilon"]), Scalar(int(rows)), Scalar(int(length)),
    )  # fmt: skip
    return [Launch(key, (-(-rows * 32 // threads), 1, 1), (threads, 1, 1), arguments, dependent=dependent)]
