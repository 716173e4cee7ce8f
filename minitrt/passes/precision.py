"""INT8 where scales are known and the builder may choose types (weak typing): Q and DQ, as an export has them."""

from __future__ import annotations

import numpy as np

from minitrt.api.enums import DataType
from minitrt.graph.ir import Graph, Op, Value
from minitrt.graph.kinds import EPILOGUE_KINDS
from minitrt.passes.editing import Editor, Log, constant, is_step
from minitrt.passes.qdq import commutes, data_inputs


def quantise_weakly(graph: Graph, scales: dict[str, float], log: Log, allowed) -> None:
    """Put Q and DQ around products and poolings, as a quantised export has them; the other passes fuse them.

    scales: by tensor name. allowed(op): whether an operation may run in INT8. The graph is fused already, without
    types.
    """
    unify(graph, scales)
    editor = Editor(graph, log)
    pairs: dict[Value, Value] = {}
    for op in editor.each():
        if not allowed(op) or not all(v.name in scales for v in [op.output] if op.kind == "pool"):
            continue
        if op.kind in EPILOGUE_KINDS and op.inputs[1].is_constant and op.inputs[1].dtype == DataType.FLOAT:
            places = [0, 3] if op.input(3) is not None else [0]
            if op.inputs[0].name not in scales or (op.kind == "gemm" and len(op.inputs[1].shape) != 2):
                continue
            op.inputs[1] = weights_of(editor, op)
        elif op.kind == "pool" and op.attrs["mode"] in ("max", "average"):
            places = [0]
        elif op.kind == "attention" and op.attrs.get("starts") and op.output.name in scales:
            places = range(3)
        elif op.kind == "concat" or is_step(op, "add"):
            places = range(len(op.inputs))
        else:
            continue
        for place in places:
            value = op.inputs[place]
            if value.name in scales and value.dtype == DataType.FLOAT and not value.is_constant:
                op.inputs[place] = pairs.get(value) or pair(editor, value, scales[value.name], pairs)
    for op in editor.each():  # a layer of INT8 without weights needs its result in INT8, too
        if op.kind in ("pool", "concat", "attention") and op.output.name in scales and op.output not in pairs:
            made = editor.producer(op.inputs[0], "dequantize")
            if made is not None and op.output not in graph.outputs:
                old = op.output
                users = set(editor.readers(old))
                new = pair(editor, old, scales[old.name], pairs)
                for user in users:
                    if user.kind != "quantize":
                        user.inputs = [new if value is old else value for value in user.inputs]
    graph.sort()


def unify(graph: Graph, scales: dict[str, float]) -> None:
    """One scale for tensors between which elements only move: the inputs of a concatenation, both ends of a max
    pool."""
    for op in graph.ops:
        if commutes(op) and op.kind != "concat" and op.inputs[0].name in scales and not is_step(op, "relu"):
            scales[op.output.name] = scales[op.inputs[0].name]
    for op in reversed(graph.ops):
        if op.kind == "concat" and all(op.inputs[i].name in scales for i in data_inputs(op)):
            common = max(scales[value.name] for value in op.inputs)
            scales.update({value.name: common for value in [*op.inputs, op.output]})


def weights_of(editor: Editor, op: Op) -> Value:
    """Weights in INT8, one scale a channel, [-127, 127], half towards plus infinity, behind a DQ."""
    weights = op.inputs[1]
    axis = {"conv": 0, "deconv": 1, "gemm": 0 if op.attrs.get("transpose_b") else 1}[op.kind]
    if op.kind == "deconv" and op.attrs.get("groups", 1) != 1:
        axis = None
    others = tuple(i for i in range(len(weights.shape)) if i != axis)
    amax = np.abs(weights.data.astype(np.float64)).max(axis=others if axis is not None else None, keepdims=True)
    scale = np.where(amax > 0, amax / 127, 1.0).astype(np.float32)  # a channel of zeros takes any scale
    stored = np.clip(np.floor(weights.data / scale + np.float32(0.5)), -127, 127).astype(np.int8)
    held = constant(weights.name, stored, weights)
    held.scale, held.axis = scale.reshape(-1) if axis is not None else float(scale.reshape(-1)[0]), axis or 0
    real = weights.like(editor.fresh(f"{weights.name}/dequantised"))
    name = f"{op.name}/weights"
    numbers = constant(f"{weights.name}/scale", scale.reshape(-1) if axis is not None else scale.reshape(()))
    editor.insert(Op("dequantize", name, [held, numbers], [real], {"axis": axis, "to": "FLOAT"}, []), before=op)
    return real


def pair(editor: Editor, value: Value, scale: float, pairs: dict[Value, Value]) -> Value:
    """value -> Q -> DQ, entered in `pairs`; the DQ's result."""
    number = constant(f"{value.name}/scale", np.float32(scale))
    stored = value.like(editor.fresh(f"{value.name}/int8"), dtype=DataType.INT8, scale=scale)
    real = value.like(editor.fresh(f"{value.name}/real"))
    attrs = {"axis": None, "to": "INT8"}
    ops = [
        Op("quantize", f"{value.name}/quantize", [value, number], [stored], dict(attrs), []),
        Op("dequantize", f"{value.name}/dequantize", [stored, number], [real], {**attrs, "to": "FLOAT"}, []),
    ]
    maker = editor.producer(value)
    for op in reversed(ops):
        editor.insert(op, after=maker, before=None if maker else editor.graph.ops[0])
    pairs[value] = real
    return real
