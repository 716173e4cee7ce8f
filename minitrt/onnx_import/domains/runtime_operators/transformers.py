"""What ONNX Runtime's optimiser for transformers writes: embeddings, attention in its forms, rotary positions."""

from __future__ import annotations

import numpy as np

from minitrt.api.enums import DataType, ErrorCode
from minitrt.network.tensor import ITensor
from minitrt.onnx_import.domains.runtime_operators.quantised import real
from minitrt.onnx_import.expanding import Expansion
from minitrt.onnx_import.node import RUNTIME, Node, NodeError, operator

MASKED = -10000.0  # added to the score of a key that a mask leaves out, where the node gives no number


@operator("EmbedLayerNormalization", domains=(RUNTIME,))
def embedding(node: Node) -> list[ITensor | None]:
    """Rows of words, positions and segments, summed and normalised; how many tokens a mask keeps; the sum itself."""
    e = Expansion(node)
    places = e.given(8) or positions(e, e.given(0))
    total = e.op("Add", e.op("Gather", e.given(2), e.given(0)), e.op("Gather", e.given(3), places))
    total = e.op("Add", total, e.op("Gather", e.given(4), e.given(1))) if e.given(1) else total
    out = e.op("LayerNormalization", total, e.given(5), e.given(6), axis=-1, epsilon=node.attr("epsilon", 1e-12))
    kept = e.cast(e.given(7) or e.given(0), DataType.INT32)
    kept = kept if e.given(7) else e.op("Mul", kept, e.constant(0, np.int32))
    return [e.result(out), e.result(e.reduce("ReduceSum", kept, [1], 0)), e.result(total)]


def positions(e: Expansion, tokens: str) -> str:
    """0 to the length of tokens (B,S)."""
    return e.op("Range", e.constant(0, np.int64), length(e, tokens), e.constant(1, np.int64))


def length(e: Expansion, x: str, axis: int = 1) -> str:
    """A size of x as a scalar."""
    return e.op("Gather", e.op("Shape", x), e.constant(axis, np.int64))


@operator("Attention", "QAttention", domains=(RUNTIME,))
def self_attention(node: Node) -> list[ITensor]:
    """x (B,S,D) times weights (D, 3 * hidden) makes queries, keys and values; QAttention's are quantised."""
    e, quantised = Expansion(node), node.op_type == "QAttention"
    x, weights = e.given(0), e.given(1)
    if quantised:
        x, weights = real(e, x, e.given(3), e.given(6)), real(e, weights, e.given(4), e.given(7), axis=1)
    matrix, heads = e.known(weights), node.attr("num_heads")
    if matrix is None:
        raise NodeError(f"{node.op_type}: its weights must be known when the engine is built")
    widths = node.attr("qkv_hidden_sizes") or [matrix.shape[1] // 3] * 3
    mask, past = (e.given(5), e.given(8)) if quantised else (e.given(3), e.given(4))
    ends = np.cumsum([0, *widths])
    parts = [projected(e, x, matrix, e.given(2), slice(a, b)) for a, b in zip(ends, ends[1:], strict=False)]
    bias = summed(e, key_mask(e, mask, x), "" if quantised else e.given(5))
    caches = [e.op("Gather", past, e.constant(which, np.int64), axis=0) for which in (0, 1)] if past else []
    return attended(e, parts, bias, heads, caches, together=True)


def projected(e: Expansion, x: str, matrix: np.ndarray, bias: str, columns: slice) -> str:
    """x times some columns of the weights, and their part of the bias."""
    out = e.op("MatMul", x, e.constant(matrix[:, columns]))
    return e.op("Add", out, e.constant(e.known(bias)[columns])) if bias else out


@operator("MultiHeadAttention", domains=(RUNTIME,))
def cross_attention(node: Node) -> list[ITensor]:
    """Queries (B,S,D), keys and values (B,T,D), or (B,heads,T,size) where another step has made them."""
    e, heads = Expansion(node), node.attr("num_heads")
    if not e.given(1) or not e.given(2) or 5 in (e.rank(e.given(0)), e.rank(e.given(1))):
        raise NodeError(
            "MultiHeadAttention of packed queries, keys and values is not supported: export it with three inputs",
            ErrorCode.UNSUPPORTED_NODE_INPUT,
        )
    parts = [e.given(place) for place in range(3)]
    parts = with_bias(e, parts, e.known(e.given(3))) if e.given(3) else parts
    if e.rank(parts[1]) == 4:  # all have the same rank to ONNX's operator
        parts[1:] = [e.reshape(e.transpose(part, [0, 2, 1, 3]), [0, 0, -1]) for part in parts[1:]]
    bias = summed(e, key_mask(e, e.given(4), parts[1]), e.given(5))
    return attended(e, parts, bias, heads, [name for name in (e.given(6), e.given(7)) if name], together=False)


def with_bias(e: Expansion, parts: list[str], bias: np.ndarray) -> list[str]:
    """Each of queries, keys and values with its part of one bias: queries are as wide as keys."""
    width = tuple(e.importing.tensor(parts[0]).shape)[-1]
    width = len(bias) // 3 if width == -1 else width
    split = np.split(bias, [width, 2 * width])
    return [e.op("Add", part, e.constant(each)) for part, each in zip(parts, split, strict=True)]


def key_mask(e: Expansion, mask: str, keys: str) -> str:
    """What is added to scores: 0 for a key that the mask keeps. mask: (B,T) or (B,S,T) of 1 and 0, or (B,) lengths."""
    if not mask:
        return ""
    rank = e.rank(mask)
    if rank not in (1, 2, 3):
        raise NodeError(f"{e.node.op_type} with a mask of {rank} axes is not supported")
    if rank == 1:
        lengths = e.reshape(e.cast(mask, DataType.INT32), [-1, 1])
        places = e.cast(positions(e, keys), DataType.INT32)
        mask, rank = e.op("Less", places, lengths), 2
    kept = e.op("Cast", mask, to=1)
    masked = e.constant(e.node.attr("mask_filter_value", MASKED), np.float32)
    out = e.op("Mul", e.op("Sub", e.constant(1, np.float32), kept), masked)
    return e.unsqueeze(out, [1, 2] if rank == 2 else [1])


def summed(e: Expansion, *some: str) -> str:
    """The sum of those that are there; "" where none is."""
    first, *rest = [each for each in some if each] or [""]
    return e.op("Add", first, rest[0]) if rest else first


def attended(e: Expansion, parts: list[str], bias: str, heads: int, caches: list[str], together: bool) -> list[ITensor]:
    """ONNX's Attention of queries, keys, values; behind it the keys and values of this step and those before it, one
    tensor or two."""
    node, wanted = e.node, any(e.node.wants(place) for place in (1, 2))
    attrs = dict(q_num_heads=heads, kv_num_heads=heads, scale=node.attr("scale") or None)
    attrs["is_causal"] = node.attr("unidirectional", 0)
    made = e.op("Attention", *parts, bias, *caches, outputs=3 if caches or wanted else 1, **attrs)
    if not (caches or wanted):
        return [e.result(made)]
    out, *kept = made
    if together:
        kept = [e.op("Concat", *(e.unsqueeze(each, [0]) for each in kept), axis=0)]
    return [e.result(name) for name in (out, *kept)]


@operator("RotaryEmbedding", domains=(RUNTIME,))
def rotary(node: Node) -> ITensor:
    """ONNX's, with its inputs in another order. positions: (B,S), or one that the first token has."""
    e = Expansion(node)
    x, places, cosine, sine = (e.given(index) for index in range(4))
    if node.attr("scale", 1.0) != 1 or node.attr("is_packed_batching", 0):
        raise NodeError("RotaryEmbedding with a scale, or of packed batches, is not supported")
    attrs = {name: node.attr(name) for name in ("interleaved", "num_heads", "rotary_embedding_dim")}
    if e.rank(x) == 3 and not attrs["num_heads"]:
        width, half = (tuple(e.importing.tensor(name).shape)[-1] for name in (x, cosine))
        node.need(width != -1, "how wide its input is must be known when the engine is built, or num_heads be given")
        attrs["num_heads"] = width // (2 * half)
    if e.rank(places) == 1:
        counted = e.op("Range", e.constant(0, np.int64), length(e, x, e.rank(x) - 2), e.constant(1, np.int64))
        row = e.unsqueeze(e.op("Add", e.cast(places, DataType.INT64), counted), [0])
        batch = e.op("Concat", e.reshape(length(e, x, 0), [1]), e.constant([1], np.int64), axis=0)
        places = e.op("Expand", row, batch)
    return e.result(e.op("RotaryEmbedding", x, cosine, sine, places, **attrs))
