"""Vertical fusion: what follows a convolution or matrix product becomes part of its epilogue.

In this order, each only while the value between has no other reader and no broadcasting happens: a scale into the
weights, a bias, a residual, an activation, a quantisation. Names follow TensorRT: "conv1 + relu1".
"""

from __future__ import annotations

import numpy as np

from minitrt.api.enums import DataType
from minitrt.graph.ir import Graph, Op, Value
from minitrt.graph.kinds import EPILOGUE_KINDS
from minitrt.passes.editing import Editor, Log, constant, is_step, per_channel, scalar

ACTIVATIONS = (
    "relu clip leaky_relu sigmoid tanh silu gelu_erf gelu_tanh elu hard_sigmoid hard_swish".split()
)  # what the epilogue knows: kinds.py


def fuse_epilogues(graph: Graph, log: Log) -> None:
    editor = Editor(graph, log)
    rules = (fuse_padding, fuse_scale, fuse_bias, fuse_residual, fuse_activation)
    editor.until_stable(lambda op: op.kind in EPILOGUE_KINDS and any(rule(editor, op) for rule in rules))
    graph.sort()


def channel_axis(op: Op) -> int:
    """The axis of the output that channels are along."""
    return -1 if op.kind == "gemm" else 1


def channels_of(op: Op) -> int:
    return op.output.shape[channel_axis(op)] if op.output.shape else 1


def bare(op: Op) -> bool:
    """No residual, no activation yet, and a floating result."""
    return op.input(3) is None and not op.attrs.get("activation") and op.output.dtype in (DataType.FLOAT, DataType.HALF)


def operand_beside(op: Op, value: Value) -> Value:
    """The other operand of an operation of two."""
    return op.inputs[1] if op.inputs[0] is value else op.inputs[0]


def fuse_padding(editor: Editor, op: Op) -> bool:
    """Zeros around the input are the convolution's own padding."""
    pad = editor.producer(op.inputs[0], "pad") if op.kind == "conv" else None
    if pad is None or editor.only_user(pad.output) is not op or "before" not in pad.attrs:
        return False
    a = pad.attrs
    if a.get("mode", "constant") != "constant" or a.get("value", 0) != 0 or any(a["before"][:2] + a["after"][:2]):
        return False
    if min(*a["before"], *a["after"]) < 0 or op.attrs.get("auto_pad"):
        return False
    for mine, theirs in (("pads_before", "before"), ("pads_after", "after")):
        op.attrs[mine] = [m + t for m, t in zip(op.attrs[mine], a[theirs][2:], strict=True)]
    editor.log(f"fuse {pad.name} into {op.name}")
    op.name, op.origin, op.inputs[0] = f"{pad.name} + {op.name}", [*pad.origin, *op.origin], pad.inputs[0]
    editor.remove(pad)
    return True


def fuse_scale(editor: Editor, op: Op) -> bool:
    """x * scale [+ shift] a channel (batch normalisation) goes into weights and bias."""
    after = editor.only_user(op.output, "pointwise")
    if after is None or not bare(op) or not op.inputs[1].is_constant or after.inputs[0] is not op.output:
        return False
    steps = [step[0] for step in after.attrs["program"]]
    args = [step[1] for step in after.attrs["program"]]
    if steps not in (["mul"], ["mul", "add"]) or args[0] != ["x0", "x1"] or args[1:] not in ([], [["t0", "x2"]]):
        return False
    rank, axis, count = len(op.output.shape), channel_axis(op), channels_of(op)
    numbers = [per_channel(value, count, rank, axis) for value in after.inputs[1:]]
    if any(each is None for each in numbers) or not scale_weights(op, numbers[0].astype(np.float64)):
        return False
    bias = op.input(2)
    old = bias.real.astype(np.float64).reshape(-1) if bias is not None else np.zeros(count)
    new = old * numbers[0] + (numbers[1] if len(numbers) > 1 else 0)
    set_bias(op, new, bias)
    editor.absorb(op, after)
    return True


def scale_weights(op: Op, factor: np.ndarray) -> bool:
    """Multiply output channels of constant weights: their elements, or the scales of INT8 ones; False if it cannot
    be."""
    weights, groups = op.inputs[1], op.attrs.get("groups", 1)
    factor = np.broadcast_to(factor, (channels_of(op),))
    if op.kind == "deconv" and groups != 1:
        return False
    axis = {"conv": 0, "deconv": 1, "gemm": -2 if op.attrs.get("transpose_b") else -1}[op.kind]
    if op.kind == "gemm" and len(weights.shape) != 2:
        return False
    if weights.dtype == DataType.INT8:
        if not np.all(factor > 0):
            return False
        scaled = np.asarray(np.asarray(weights.scale, np.float64) * factor, np.float32)
        op.inputs[1] = Value(
            weights.name, weights.dtype, weights.shape, scaled, axis % len(weights.shape), weights.data
        )
        op.inputs[1].weights = weights.weights
        return True
    shape = [1] * len(weights.shape)
    shape[axis] = -1
    data = (weights.data.astype(np.float64) * factor.reshape(shape)).astype(weights.data.dtype)
    op.inputs[1] = constant(weights.name, data, weights)
    return True


def set_bias(op: Op, values: np.ndarray, like: Value | None) -> None:
    """A constant bias, float32 (K,)."""
    values = np.broadcast_to(np.asarray(values, np.float64), (channels_of(op),)).astype(np.float32)
    name = like.name if like is not None else f"{op.name} BIAS"
    op.inputs = [*op.inputs, None, None][:4]
    op.inputs[2] = constant(name, values, like)


def fuse_bias(editor: Editor, op: Op) -> bool:
    """A constant added a channel."""
    add = editor.only_user(op.output, "pointwise")
    if not is_step(add, "add") or not bare(op):
        return False
    other = operand_beside(add, op.output)
    bias, old = per_channel(other, channels_of(op), len(op.output.shape), channel_axis(op)), op.input(2)
    if bias is None or (old is not None and not old.is_constant) or not add.output.as_large_as(op.output):
        return False
    if old is not None and old.size not in (1, channels_of(op)):
        return False
    before = old.real.astype(np.float64).reshape(-1) if old is not None else 0.0
    set_bias(op, before + bias.astype(np.float64), other if old is None else None)
    editor.absorb(op, add)
    return True


def fuse_residual(editor: Editor, op: Op) -> bool:
    """A tensor of the same shape added; of two products that are added, the sum's first operand takes it."""
    add = editor.only_user(op.output, "pointwise")
    if not is_step(add, "add") or not bare(op) or op.kind == "deconv":
        return False
    other = operand_beside(add, op.output)
    if other.is_constant or not other.as_large_as(op.output) or not add.output.as_large_as(op.output):
        return False
    if other.dtype != op.output.dtype:
        return False
    rival = editor.producer(other)
    if add.inputs[1] is op.output and rival is not None and rival.kind in EPILOGUE_KINDS:
        if editor.only_user(other) is add and bare(rival) and rival.kind != "deconv":
            return False
    op.inputs = [*op.inputs, None, None][:3] + [other]
    editor.absorb(op, add)
    return True


def fuse_activation(editor: Editor, op: Op) -> bool:
    after = editor.only_user(op.output, "pointwise")
    activation = activation_of(after)
    if activation is None or op.attrs.get("activation") or op.output.dtype not in (DataType.FLOAT, DataType.HALF):
        return False
    op.attrs["activation"] = activation
    editor.absorb(op, after)
    return True


def activation_of(op: Op | None) -> dict | None:
    """The activation that a pointwise operation is, as attribute of an epilogue; None if it is something else."""
    if op is None or op.kind != "pointwise" or len(op.attrs["program"]) != 1:
        return None
    name, (first, *rest), _ = op.attrs["program"][0]
    numbers = [scalar(op.inputs[int(a[1:])]) if isinstance(a, str) else a for a in rest]
    if name not in ACTIVATIONS or first != "x0" or any(number is None for number in numbers):
        return None
    alpha, beta = [*numbers, 0.0, 0.0][:2]
    return {"type": name, "alpha": float(alpha), "beta": float(beta)}
