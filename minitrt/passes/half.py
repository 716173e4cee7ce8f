"""FP16 for what is floating, where the builder may choose types (weak typing)."""

from __future__ import annotations

import numpy as np

from minitrt.api.enums import DataType
from minitrt.graph.ir import Graph, Op, Value
from minitrt.graph.kinds import EPILOGUE_KINDS
from minitrt.passes.editing import Log, constant

MOVED = "slice concat shuffle expand pad gather tile".split()
IN_HALF = (*EPILOGUE_KINDS, *"pool pointwise reduce softmax norm attention resize reformat".split(), *MOVED)

MASK = "attention", 3  # may hold the lowest float32, which is minus infinity in FP16


def to_half(graph: Graph, log: Log, allowed) -> None:
    """Let floating operations compute in FP16. Inputs and outputs of the graph keep their types; biases stay FLOAT."""
    inside: dict[Value, Value] = {}
    ops: list[Op] = []
    outputs = set(graph.outputs)
    for op in graph.ops:
        half = op.kind in IN_HALF and allowed(op) and not any(value.host for value in op.outputs)
        for place, value in enumerate(op.inputs):
            if value is None or value.host or value.dtype not in (DataType.FLOAT, DataType.HALF):
                continue
            keep = op.kind in EPILOGUE_KINDS and place == 2 or (op.kind, place) == MASK
            wanted = DataType.HALF if half and (op.kind, place) != MASK else DataType.FLOAT
            if value.is_constant:
                op.inputs[place] = value if keep or not half else as_half(value, inside)
            elif value.dtype != wanted:
                op.inputs[place] = converted(value, wanted, inside, ops)
        if half:
            retype(op)
            for place, value in enumerate(op.outputs):
                if value.dtype != DataType.FLOAT:
                    continue
                if value in outputs or value in graph.kept:
                    op.outputs[place] = value.like(f"{value.name}/half", dtype=DataType.HALF)
                    ops.append(op)
                    name = f"Reformatting CopyNode for Output Tensor {place} to {op.name}"
                    ops.append(Op("reformat", name, [op.outputs[place]], [value], {}, list(op.origin)))
                    inside[value] = op.outputs[place]
                else:
                    value.dtype = DataType.HALF
            log(f"{op.name} computes in FP16")
        if op not in ops[-2:]:
            ops.append(op)
    graph.ops = ops


def retype(op: Op) -> None:
    """Let the steps of a pointwise program round to half, too."""
    if op.kind == "pointwise":
        steps = [[name, args, "HALF" if dtype == "FLOAT" else dtype] for name, args, dtype in op.attrs["program"]]
        op.attrs = {**op.attrs, "program": steps}


def as_half(value: Value, made: dict[Value, Value]) -> Value:
    """A constant in FP16, once."""
    if value not in made:
        made[value] = constant(value.name, value.data.astype(np.float16), value)
    return made[value]


def converted(value: Value, wanted: DataType, made: dict[Value, Value], ops: list[Op]) -> Value:
    """`value` in the wanted type, by a reformat, once."""
    if value not in made:
        made[value] = value.like(f"{value.name}/{wanted.name.lower()}", dtype=wanted)
        ops.append(Op("reformat", f"Reformatting CopyNode for {value.name}", [value], [made[value]], {}, []))
    return made[value]
