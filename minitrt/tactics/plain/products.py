"""Convolutions, deconvolutions and matrix products by plain kernels: every shape and type, on every architecture."""

from __future__ import annotations

import math
from functools import partial

from minitrt.api.enums import DataType
from minitrt.graph.epilogue import bias_folds, folded
from minitrt.graph.ir import LINEAR, NHWC16, Op
from minitrt.kernels.plain.activations import FUNCTIONS
from minitrt.tactics.arguments import (
    NOTHING,
    array,
    dtype_name,
    floats,
    integers,
    launch,
    of_value,
    packed,
    space_strides,
    strides_of,
    three,
)  # fmt: skip
from minitrt.tactics.contract import Device, Launch, Tactic

TILE = 16
FLOATS = (DataType.FLOAT, DataType.HALF)
MOST_BATCHES = 65535  # blocks along the third axis of a grid


def candidates(op: Op, device: Device) -> list[Tactic]:
    """Plain tactics for conv, deconv and gemm, in each layout that they can read."""
    if op.kind not in ("conv", "deconv", "gemm") or not _supported(op):
        return []
    if op.kind == "gemm":
        return _matmul(op)
    if len(op.output.shape) > 5 or not op.output.size:
        return []
    name = "plain_convolution" if op.kind == "conv" else "plain_deconvolution"
    return [
        Tactic(f"{name}_{layout}", partial(_window_launches, layout=layout), _layouts(op, layout), (layout,))
        for layout in (LINEAR, NHWC16)
        if layout == LINEAR or op.output.shape[1] % 16 == 0  # the kernel writes no padding
    ]


def _supported(op: Op) -> bool:
    x, weights, bias, residual = (op.input(index) for index in range(4))
    activation = op.attrs.get("activation")
    types = x.dtype == weights.dtype and (x.dtype in FLOATS or x.dtype == DataType.INT8 and x.scale is not None)
    out = op.output.dtype in FLOATS or op.output.dtype == DataType.INT8 and op.output.scale is not None
    known = activation is None or activation["type"] in FUNCTIONS
    added = bias is None or bias_folds(op, _channels(op))
    same = residual is None or residual.shape == op.output.shape and residual.dtype in (*FLOATS, DataType.INT8)
    return types and out and known and added and same


def _channels(op: Op) -> int:
    """Output channels: the axis that scales and biases go along."""
    return op.output.shape[-1] if op.kind == "gemm" else op.output.shape[1]


def _layouts(op: Op, layout: str) -> tuple[str, ...]:
    return (layout, LINEAR, LINEAR, layout)[: len(op.inputs)]


def _constants(op: Op) -> dict[str, str]:
    activation, residual = op.attrs.get("activation"), op.input(3)
    kind = activation["type"] if activation else "none"
    return {
        "output": dtype_name(op.output),
        "residual": "none" if residual is None else dtype_name(residual),
        "name": "none" if kind in ("relu", "clip") else kind,
    }


def _epilogue(op: Op, layout: str = LINEAR) -> tuple:
    """The arguments from the residual on, up to the output's scale."""
    e, residual, activation = folded(op, _channels(op)), op.input(3), op.attrs.get("activation") or {}
    r = array(NOTHING, 1, 4) if residual is None else of_value("input", 3, residual, layout)
    numbers = floats(
        e.residual_multiplier or 0.0, activation.get("alpha") or 0.0, activation.get("beta") or 0.0, e.low, e.high,
        1.0 if e.output_scale is None else e.output_scale,
    )  # fmt: skip
    return (*r, *packed("multiplier", e.multiplier), *packed("addend", e.addend), *numbers)


def _window_launches(op: Op, layout: str) -> list[Launch]:
    x, weights, y, attrs = op.inputs[0], op.inputs[1], op.output, op.attrs
    axes, groups = len(x.shape) - 2, int(attrs.get("groups", 1))
    group_channels = x.shape[1] // groups
    size = lambda shape: [1] * (3 - axes) + list(shape[2:])  # noqa: E731
    arguments = (
        *of_value("input", 0, x, layout), *of_value("input", 1, weights), *of_value("output", 0, y, layout),
        *_epilogue(op, layout),
        *integers(
            y.size, y.shape[1], *size(y.shape), groups, group_channels, *size(x.shape), *size(weights.shape),
            *three(attrs.get("stride"), 1, axes), *three(attrs.get("pads_before"), 0, axes),
            *three(attrs.get("dilations"), 1, axes), *space_strides(x, layout), *space_strides(y, layout),
        ),
    )  # fmt: skip
    factory = "plain_convolution" if op.kind == "conv" else "plain_deconvolution"
    made = launch(factory, y.size, arguments, x=dtype_name(x), w=dtype_name(weights), **_constants(op))
    return [made]


def _matmul(op: Op) -> list[Tactic]:
    a, b = op.inputs[0], op.inputs[1]
    if min(len(a.shape), len(b.shape)) < 2 or not op.output.size or _batches(op) is None:
        return []
    return [Tactic("plain_matmul", _matmul_launches, (LINEAR,) * len(op.inputs), (LINEAR,))]


def _batches(op: Op) -> tuple | None:
    """(outer, inner, strides of a, strides of b) of the batch axes joined to two; None where two do not suffice."""
    shape = op.output.shape[:-2]
    operands = []
    for value in op.inputs[:2]:
        own = (1,) * (len(shape) + 2 - len(value.shape)) + tuple(value.shape)
        strides = strides_of(own)[:-2]
        operands.append([0 if own[axis] == 1 else strides[axis] for axis in range(len(shape))])
    joined: list[list[int]] = []  # size, stride of a, stride of b
    for axis, size in enumerate(shape):
        if size == 1:
            continue
        now = [size, operands[0][axis], operands[1][axis]]
        if joined and all(joined[-1][i] == now[i] * size for i in (1, 2)):
            joined[-1] = [joined[-1][0] * size, now[1], now[2]]
        else:
            joined.append(now)
    if len(joined) > 2 or math.prod(shape) > MOST_BATCHES:
        return None
    outer, inner = ([[1, 0, 0]] * 2 + joined)[-2:]
    return outer[0], inner[0], (outer[1], inner[1]), (outer[2], inner[2])


def _matmul_launches(op: Op) -> list[Launch]:
    a, b, y = op.inputs[0], op.inputs[1], op.output
    outer, inner, a_batch, b_batch = _batches(op)
    rows, columns = y.shape[-2:]
    terms = a.shape[-2] if op.attrs.get("transpose_a") else a.shape[-1]
    a_strides = (1, a.shape[-1]) if op.attrs.get("transpose_a") else (a.shape[-1], 1)
    b_strides = (1, b.shape[-1]) if op.attrs.get("transpose_b") else (b.shape[-1], 1)
    arguments = (
        *of_value("input", 0, a), *of_value("input", 1, b), *of_value("output", 0, y), *_epilogue(op),
        *integers(rows, columns, terms, inner, *a_batch, *a_strides, *b_batch, *b_strides),
    )  # fmt: skip
    grid = (-(-columns // TILE), -(-rows // TILE), outer * inner)
    names = {"a": dtype_name(a), "b": dtype_name(b), **_constants(op)}
    return [launch("plain_matmul", 0, arguments, block=(TILE, TILE, 1), grid=grid, **names)]
