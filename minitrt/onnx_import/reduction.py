"""Reductions, extremes and running sums."""

from __future__ import annotations

import numpy as np

from minitrt.api.enums import DataType, ReduceOperation, TopKOperation
from minitrt.network.tensor import ITensor
from minitrt.onnx_import.movement import as_input
from minitrt.onnx_import.node import Node, operator
from minitrt.shapes.dims import axis_of

NATIVE = {"ReduceSum": "SUM", "ReduceProd": "PROD", "ReduceMax": "MAX", "ReduceMin": "MIN", "ReduceMean": "AVG"}
OTHER = dict(
    ReduceL1="l1", ReduceL2="l2", ReduceLogSum="logsum", ReduceLogSumExp="logsumexp", ReduceSumSquare="sumsquare"
)


@operator(*NATIVE, *OTHER)
def reduce(node: Node) -> ITensor:
    """Axes as attribute (up to opset 17, sums 12), as known input, or as input read at run time."""
    keep, noop = bool(node.attr("keepdims", 1)), bool(node.attr("noop_with_empty_axes", 0))
    rank = node.rank()
    known = node.attr("axes") if not node.has(1) else node.known(1)
    if node.has(1) and known is None:
        attrs, inputs = dict(keep_dims=keep, noop=noop), [node.x]
        as_input(node, 1, "axes", attrs, inputs)
        name = OTHER.get(node.op_type) or NATIVE[node.op_type].lower()
        return node.builtin("reduce", inputs, op=name, **attrs)
    axes = [axis_of(axis, rank) for axis in np.ravel(known if known is not None else [])]
    if not axes and noop and node.op_type in NATIVE:
        return node.network.add_identity(node.x).get_output(0)
    axes = axes if axes or noop else list(range(rank))
    if node.op_type in OTHER:
        return node.builtin("reduce", [node.x], op=OTHER[node.op_type], axes=axes, keep_dims=keep)
    mask = sum(1 << axis for axis in axes)
    return node.network.add_reduce(node.x, ReduceOperation[NATIVE[node.op_type]], mask, keep).get_output(0)


@operator("ArgMax", "ArgMin")
def arg(node: Node) -> ITensor:
    attrs = dict(
        axis=axis_of(node.attr("axis", 0), node.rank()),
        largest=node.op_type == "ArgMax",
        last=bool(node.attr("select_last_index", 0)),
        keep_dims=bool(node.attr("keepdims", 1)),
    )
    return node.builtin("arg", [node.x], types=[DataType.INT64], **attrs)


@operator("TopK")
def topk(node: Node) -> list[ITensor]:
    axis = axis_of(node.attr("axis", -1), node.rank())
    largest = bool(node.attr("largest", 1))
    k = node.attr("k") if node.opset < 10 else node.known(1)
    if k is not None:
        node.need(int(np.ravel(k)[0]) >= 0, f"k is {int(np.ravel(k)[0])}, but must not be negative")
        which = TopKOperation.MAX if largest else TopKOperation.MIN
        layer = node.network.add_topk(node.x, which, int(np.ravel(k)[0]), 1 << axis, DataType.INT64)
        return [layer.get_output(0), layer.get_output(1)]
    types = [node.x.dtype, DataType.INT64]
    attrs = dict(axis=axis, largest=largest, dynamic={"k": 1})
    return node.builtin("topk", [node.x, node.tensor(1)], 2, types, **attrs)


@operator("CumSum")
def cumsum(node: Node) -> ITensor:
    attrs, inputs = dict(op="sum", exclusive=bool(node.attr("exclusive", 0)), reverse=bool(node.attr("reverse", 0))), []
    inputs.append(node.x)
    as_input(node, 1, "axis", attrs, inputs)
    return node.builtin("cumulative", inputs, **attrs)


@operator("Det")
def determinant(node: Node) -> ITensor:
    return node.builtin("determinant", [node.x])
