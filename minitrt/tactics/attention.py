"""Attention as one kernel: on tensor cores for INT8 and FP16, by plain loops for everything else."""

from __future__ import annotations

import math
from functools import partial

import numpy as np

from minitrt.api.enums import DataType
from minitrt.graph.ir import LINEAR, NUMPY_TYPES, Op, Value
from minitrt.kernels.attention.fragments import ROWS
from minitrt.kernels.attention.kernel import CHUNK, shared_bytes
from minitrt.tactics.arguments import THREADS, array, dtype_name, floats, integers, launch, of_value
from minitrt.tactics.contract import Device, KernelKey, Launch, Scalar, Tactic, Tensor, Workspace

HAS_MMA, HAS_DEPENDENT_LAUNCH = (8, 0), (9, 0)
WARPS = (1, 2, 4, 8)
LARGEST_HEAD = 128
WARP = 32
MOST_BLOCKS = 65535  # along the second and third axis of a grid


def candidates(op: Op, device: Device) -> list[Tactic]:
    """Tactics for the form that `passes/heads.py` writes: flat tensors, and where each head begins."""
    if op.kind != "attention" or not op.attrs.get("starts") or not op.output.size:
        return []
    layouts = (LINEAR,) * len(op.inputs)
    if device.compute_capability >= HAS_MMA and _in_fragments(op):
        dependent = device.compute_capability >= HAS_DEPENDENT_LAUNCH
        return [
            Tactic(
                f"mma_attention_{dtype_name(op.inputs[0])}_{ROWS * warps}x{op.attrs['size']}",
                partial(launches, warps=warps, dependent=dependent),
                layouts,
                (LINEAR,),
                shared_bytes=shared_bytes(op.attrs["size"], warps),
            )
            for warps in WARPS
            if ROWS * warps < op.output.shape[1] + ROWS * max(warps // 2, 1)
        ]
    if any(not _whole(op, index) for index in range(3)):
        return []
    room = 4 * op.output.shape[0] * op.output.shape[1] * op.attrs["q_heads"] * op.inputs[1].shape[1]
    return [Tactic("plain_attention", plain_launches, layouts, (LINEAR,), workspace_bytes=room)]


def _in_fragments(op: Op) -> bool:
    """Heads of whole steps, rows that begin at multiples of 16 bytes, and types that float16 holds."""
    size, inputs, y = op.attrs["size"], op.inputs, op.output
    kinds = {value.dtype for value in inputs}
    known = kinds in ({DataType.INT8}, {DataType.HALF}) and y.dtype in (DataType.INT8, DataType.HALF)
    grid = max(y.shape[0], op.attrs["q_heads"]) <= MOST_BLOCKS
    if not known or not grid or size % 16 or size > LARGEST_HEAD or op.attrs["scale"] <= 0:
        return False
    item = NUMPY_TYPES[inputs[0].dtype].itemsize
    numbers = [n for value, start in zip(inputs, op.attrs["starts"], strict=True) for n in (value.shape[2], start)]
    scaled = all(v.dtype != DataType.INT8 or v.scale is not None for v in (*inputs, y)) and np.ndim(y.scale or 0) == 0
    return scaled and all(number * item % CHUNK == 0 for number in numbers)


def scale_of(op: Op, index: int) -> float:
    """The scale of input `index`; of a tensor that holds several, of the part that is read."""
    value = op.inputs[index]
    scale = np.asarray(1.0 if value.scale is None else value.scale, np.float64).reshape(-1)
    return float(scale[op.attrs["starts"][index]] if scale.size > 1 else scale[0])


def _whole(op: Op, index: int) -> bool:
    value = op.inputs[index]
    return value.dtype in (DataType.FLOAT, DataType.HALF) or value.dtype == DataType.INT8 and value.scale is not None


def _out_scale(y: Value) -> float:
    return float(y.scale) if y.scale is not None else 1.0


def launches(op: Op, warps: int, dependent: bool) -> list[Launch]:
    """The one launch on tensor cores."""
    a, y = op.attrs, op.output
    batch, queries, _ = y.shape
    item = [NUMPY_TYPES[value.dtype].itemsize for value in (*op.inputs, y)]
    q, k, v = (Tensor("input", i, a["starts"][i] * item[i]) for i in range(3))
    factor = a["scale"] * math.log2(math.e) * scale_of(op, 0) * scale_of(op, 1)
    numbers = [value.shape[2] * bytes_of for value, bytes_of in zip((*op.inputs, y), item, strict=True)]
    key = KernelKey.of(
        "attention", size=a["size"], source=dtype_name(op.inputs[0]), target=dtype_name(y), warps=warps,
        dependent=dependent,
    )  # fmt: skip
    arguments = (
        q, k, v, Tensor("output", 0), *floats(factor, scale_of(op, 2) / _out_scale(y)),
        *(Scalar(int(n)) for n in (queries, op.inputs[1].shape[1], *numbers)),
    )  # fmt: skip
    grid = (-(-queries // (ROWS * warps)), a["q_heads"], batch)
    return [Launch(key, grid, (32 * warps, 1, 1), arguments, shared_bytes(a["size"], warps), dependent=dependent)]


def plain_launches(op: Op) -> list[Launch]:
    """The one launch of plain loops."""
    a, y, keys = op.attrs, op.output, op.inputs[1].shape[1]
    rows = y.shape[0] * y.shape[1] * a["q_heads"]
    arguments = (
        *(word for i in range(3) for word in of_value("input", i, op.inputs[i])), *of_value("output", 0, y),
        *array(Workspace(), rows * keys, 4), *floats(*(scale_of(op, i) for i in range(3)), _out_scale(y), a["scale"]),
        *integers(rows, y.shape[1], keys, a["q_heads"], a["size"], *(v.shape[2] for v in op.inputs), *a["starts"]),
    )  # fmt: skip
    names = {"source": dtype_name(op.inputs[0]), "target": dtype_name(y)}
    return [launch("plain_attention", rows * WARP, arguments, block=(THREADS, 1, 1), **names)]
