"""Queries, keys and values of one input become one product: an attention reads its parts where they lie.

The joint result keeps each part's own scale, one a channel, so that INT8 numbers are those of the separate products.
"""

from __future__ import annotations

import numpy as np

from minitrt.api.enums import DataType
from minitrt.graph.ir import DATA_TYPES, Graph, Op, Value
from minitrt.graph.recipe import give_elements
from minitrt.passes.editing import Editor, Log
from minitrt.reference import run_op


def join_products(graph: Graph, log: Log) -> None:
    editor = Editor(graph, log)
    editor.until_stable(lambda op: op.kind == "attention" and join(editor, op))


def join(editor: Editor, op: Op) -> bool:
    """Put one product in place of the three behind an attention's operands."""
    products = [editor.producer(value, "gemm") for value in op.inputs[:3]]
    if not op.attrs.get("starts") or None in products or len(set(products)) != 3 or any(op.attrs["starts"]):
        return False
    first = products[0]
    if not all(fits(editor, product, first, op) for product in products):
        return False
    columns = [product.output.shape[-1] for product in products]
    result = first.output.like(
        editor.fresh(f"{first.output.name}+"), shape=(*first.output.shape[:-1], sum(columns)),
        scale=joint_scale([product.output.scale for product in products], columns),
        axis=len(first.output.shape) - 1,
    )  # fmt: skip
    bias = joint_bias(products, columns, editor)
    name = " | ".join(product.name for product in products)
    origin = [each for product in products for each in product.origin]
    inputs = [first.inputs[0], joint_weights(products, editor), bias, None]
    editor.log(f"{name}: one product, since they read the same and one attention reads them")
    editor.insert(Op("gemm", name, inputs, [result], dict(first.attrs), origin), before=first)
    op.inputs[:3] = [result] * 3
    op.attrs = {**op.attrs, "starts": [0, columns[0], columns[0] + columns[1]]}
    editor.remove(*products)
    return True


def fits(editor: Editor, product: Op, first: Op, reader: Op) -> bool:
    """A plain product with constant weights of the first one's input, whose result the attention alone reads."""
    weights, bias, y = product.inputs[1], product.input(2), product.output
    alone = editor.only_user(y) is reader and y.shape[-1] != -1 and y.shape[:-1] == first.output.shape[:-1]
    plain = product.input(3) is None and product.attrs == first.attrs and not product.attrs.get("activation")
    typed = (weights.dtype, y.dtype) == (first.inputs[1].dtype, first.output.dtype)
    constant = weights.is_constant and len(weights.shape) == 2 and (bias is None or bias.is_constant)
    scaled = y.dtype != DataType.INT8 or y.scale is not None and np.ndim(y.scale) == 0
    return product.inputs[0] is first.inputs[0] and alone and plain and typed and constant and scaled


def joint_scale(scales: list, counts: list[int]) -> np.ndarray | None:
    """One scale a channel, float32; None for values without."""
    if any(scale is None for scale in scales):
        return None
    return np.concatenate([np.full(n, 1, np.float32) * np.float32(s) for s, n in zip(scales, counts, strict=True)])


def joint_weights(products: list[Op], editor: Editor) -> Value:
    """The weights side by side along the output channels, with their scales."""
    weights = [product.inputs[1] for product in products]
    axis = 0 if products[0].attrs.get("transpose_b") else 1
    counts = [value.shape[axis] for value in weights]
    name = editor.fresh(" | ".join(value.name for value in weights))
    scale = joint_scale([value.scale for value in weights], counts)
    shape = tuple(sum(counts) if place == axis else n for place, n in enumerate(weights[0].shape))
    joint = Value(name, weights[0].dtype, shape, scale, axis)
    if scale is None:
        give_elements(joint, Op("concat", name, list(weights), [joint], {"axis": axis}), run_op)
    else:  # steps of several scales, side by side as they are
        joint.data = np.ascontiguousarray(np.concatenate([value.data for value in weights], axis=axis))
    return joint


def joint_bias(products: list[Op], columns: list[int], editor: Editor) -> Value | None:
    """The biases one after another, zeros where there is none."""
    values = [product.input(2) for product in products]
    if not any(values):
        return None
    like = next(value for value in values if value is not None)
    parts = [
        np.zeros(count, like.real.dtype) if value is None else np.broadcast_to(value.real.reshape(-1), (count,))
        for value, count in zip(values, columns, strict=True)
    ]
    data = np.ascontiguousarray(np.concatenate(parts))
    return Value(editor.fresh(f"{like.name}+"), DATA_TYPES[data.dtype], data.shape, data=data)
