"""The k largest of rows, running sums, triangles and one-hot rows by plain kernels."""

from __future__ import annotations

import math

from minitrt.api.enums import DataType
from minitrt.graph.ir import LINEAR, NUMPY_TYPES, Op
from minitrt.tactics.arguments import dtype_name, integers, launch, of_value
from minitrt.tactics.contract import Device, Launch, Tactic
from minitrt.tactics.plain.movement import kept
from minitrt.tactics.plain.rows import WARP, row_of

NUMBERS = (DataType.FLOAT, DataType.HALF, DataType.INT32, DataType.INT64)
INDICES = (DataType.INT32, DataType.INT64)


def candidates(op: Op, device: Device) -> list[Tactic]:
    """One tactic for each kind, where its types are those that the kernel has."""
    fits, make = KINDS.get(op.kind, (None, None))
    if fits is None or not op.inputs[0].size or not op.output.size or not fits(op):
        return []
    return [Tactic(f"plain_{op.kind}", make, (LINEAR,) * len(op.inputs), (LINEAR,) * len(op.outputs))]


def _sorts(op: Op) -> bool:
    return op.inputs[0].dtype in NUMBERS and "k" in op.attrs and len(op.outputs) == 2


def _sums(op: Op) -> bool:
    return op.inputs[0].dtype in NUMBERS and op.attrs.get("axis") is not None and op.attrs.get("op", "sum") == "sum"


def _cuts(op: Op) -> bool:
    return kept(op.inputs[0], op.output) and "k" not in op.attrs.get("dynamic", {})


def _marks(op: Op) -> bool:
    indices, values = op.inputs[:2]
    return indices.dtype in INDICES and kept(values, op.output) and op.attrs.get("depth") is not None


def _topk(op: Op) -> list[Launch]:
    x = op.inputs[0]
    _, length, stride = row_of(x.shape, (op.attrs.get("axis", -1),))
    arguments = (
        *of_value("input", 0, x), *of_value("output", 0, op.outputs[0]), *of_value("output", 1, op.outputs[1]),
        *integers(x.size, length, stride, op.attrs["k"]),
    )  # fmt: skip
    return [launch("plain_topk", x.size, arguments, dtype=dtype_name(x), largest=bool(op.attrs.get("largest", True)))]


def _cumulative(op: Op) -> list[Launch]:
    x, row = op.inputs[0], row_of(op.inputs[0].shape, (op.attrs["axis"],))
    arguments = (*of_value("input", 0, x), *of_value("output", 0, op.output), *integers(*row))
    names = {name: bool(op.attrs.get(name)) for name in ("exclusive", "reverse")}
    return [launch("plain_cumulative", row[0] * WARP, arguments, dtype=dtype_name(x), **names)]


def _triangle(op: Op) -> list[Launch]:
    x, item = op.inputs[0], NUMPY_TYPES[op.inputs[0].dtype].itemsize
    arguments = (
        *of_value("input", 0, x), *of_value("output", 0, op.output),
        *integers(x.size, *x.shape[-2:], op.attrs.get("k", 0)),
    )  # fmt: skip
    return [launch("plain_triangle", x.size, arguments, item_bytes=item, upper=bool(op.attrs.get("upper", True)))]


def _one_hot(op: Op) -> list[Launch]:
    (indices, values), y = op.inputs[:2], op.output
    axis = op.attrs.get("axis", -1) % len(y.shape)
    arguments = (
        *of_value("input", 0, indices), *of_value("input", 1, values), *of_value("output", 0, y),
        *integers(y.size, op.attrs["depth"], math.prod(y.shape[axis + 1 :])),
    )  # fmt: skip
    item = NUMPY_TYPES[y.dtype].itemsize
    return [launch("plain_one_hot", y.size, arguments, item_bytes=item, index=dtype_name(indices))]


KINDS = {  # kind -> whether a kernel fits, its launches
    "topk": (_sorts, _topk),
    "cumulative": (_sums, _cumulative),
    "triangle": (_cuts, _triangle),
    "one_hot": (_marks, _one_hot),
}
