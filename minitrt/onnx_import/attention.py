"""Attention, rotary position embedding, and caches that are written into."""

from __future__ import annotations

import numpy as np

from minitrt.network.tensor import ITensor
from minitrt.onnx_import.expanding import Expansion
from minitrt.onnx_import.node import Node, operator
from minitrt.shapes.dims import axis_of


@operator("Attention")
def attention(node: Node) -> list[ITensor]:
    attrs = dict(
        scale=node.attr("scale"),
        causal=bool(node.attr("is_causal", 0)),
        softcap=node.attr("softcap", 0.0),
        q_heads=node.attr("q_num_heads"),
        kv_heads=node.attr("kv_num_heads"),
        scores=node.attr("qk_matmul_output_mode", 0),
        left=node.attr("left_window_size", -1),
        right=node.attr("right_window_size", -1),
    )
    if node.attr("softmax_precision"):
        attrs["precision"] = node.type_of(node.attr("softmax_precision")).name
    attrs = {key: value for key, value in attrs.items() if value is not None}
    count = max(1, node.num_outputs)
    types = [node.dtype(0), node.dtype(1), node.dtype(2), node.dtype(0)]
    inputs = [node.tensor(index) for index in range(7)]
    made = node.builtin("attention", inputs, count, types, **attrs)
    return made if isinstance(made, list) else [made]


@operator("RotaryEmbedding")
def rotary(node: Node) -> ITensor:
    attrs = dict(
        heads=node.attr("num_heads", 0),
        interleaved=bool(node.attr("interleaved", 0)),
        size=node.attr("rotary_embedding_dim", 0),
    )
    return node.builtin("rotary", [node.tensor(index) for index in range(4)], **attrs)


@operator("TensorScatter")
def written(node: Node) -> ITensor:
    """A cache with an update in its places from write_indices (batch,) on [0], around its end where it is circular."""
    e, rank, axis = Expansion(node), node.rank(), axis_of(node.attr("axis", -2), node.rank())
    cache, update = e.given(0), e.given(1)
    length, count = (e.op("Gather", e.op("Shape", x), e.constant(axis, np.int64)) for x in (cache, update))
    places = e.op("Range", e.constant(0, np.int64), count, e.constant(1, np.int64))
    places = e.reshape(places, [-1 if each == axis else 1 for each in range(rank)])
    if e.given(2):
        first = e.reshape(e.given(2), [-1, *[1] * (rank - 1)])
        places = e.op("Add", first, places)
    if node.attr("mode", "linear") == "circular":
        places = e.op("Mod", places, length)
    places = e.op("Expand", places, e.op("Shape", update))
    return e.result(e.op("ScatterElements", cache, places, update, axis=axis))
