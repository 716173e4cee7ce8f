"""GroupQueryAttention, as ONNX Runtime's tools for language models write it: grouped heads, a cache, rotary positions.

Each sequence of a batch has a length of its own, input 5; its new keys and values go behind those of its cache.
"""

from __future__ import annotations

import numpy as np

from minitrt.api.enums import DataType, ErrorCode
from minitrt.network.tensor import ITensor
from minitrt.onnx_import.domains.runtime_operators.transformers import length
from minitrt.onnx_import.expanding import Expansion
from minitrt.onnx_import.node import RUNTIME, Node, NodeError, operator

REFUSED = {11: "a sink a head", 12: "quantised keys", 13: "quantised values", 14: "a mask of its own"}
LEAST = -np.inf


@operator("GroupQueryAttention", domains=(RUNTIME,))
def grouped(node: Node) -> list[ITensor]:
    """Queries (B,S,heads * size), keys and values (B,S,kv_heads * size), or all three in one tensor; caches
    (B,kv_heads,P,size). The result, and caches with the new keys and values."""
    refuse_what_is_not_there(node)
    e, heads, groups = Expansion(node), node.attr("num_heads"), node.attr("kv_num_heads")
    query, key, value = in_heads(e, heads, groups)
    number = e.constant
    count = length(e, e.given(0))
    lengths = e.reshape(e.cast(e.given(5), DataType.INT64), [-1, 1])  # (B,1), of keys less one
    total = e.reshape(e.cast(e.given(6), DataType.INT64), [])
    before = e.op("Sub", e.op("Add", lengths, number(1, np.int64)), count)
    before = e.op("Where", e.op("Equal", count, total), number(0, np.int64), before)  # of a first prompt nothing
    places = e.op("Add", before, upto(e, count))  # (B,S)
    if node.attr("do_rotary", 0):
        query, key = (turned(e, each, e.given(9) or places) for each in (query, key))
    if e.given(3):
        most = e.op("Max", length(e, e.given(3), 2), total)
        key, value = (with_cache(e, past, new, before, most) for past, new in ((3, key), (4, value)))
    mask = may_look(e, places, length(e, key, 2))
    if e.given(10):
        mask = e.op("Add", mask, e.op("CastLike", e.given(10), mask))
    mask = e.cast(mask, node.dtype(0))
    attrs = dict(scale=node.attr("scale") or None, softcap=node.attr("softcap", 0.0))
    out = e.op("Attention", query, key, value, mask, **attrs)
    out = e.reshape(e.transpose(out, [0, 2, 1, 3]), [0, 0, -1])
    return [e.result(each) for each in (out, key, value)]


def refuse_what_is_not_there(node: Node) -> None:
    """Raises: NodeError for a form of the operator that is not imported."""
    found = [what for place, what in REFUSED.items() if node.has(place)]
    found += [name for name in ("smooth_softmax", "qk_output", "kv_cache_bit_width") if node.attr(name, 0) > 0]
    if found:
        raise NodeError(
            f"GroupQueryAttention with {' and '.join(found)} is not supported: export it without",
            ErrorCode.UNSUPPORTED_NODE_ATTR,
        )
    node.need(not node.has(3) or node.has(4), "past keys come without past values")


def in_heads(e: Expansion, heads: int, groups: int) -> list[str]:
    """Queries, keys and values as (B,heads,S,size); how wide a head is must be known."""
    packed = not e.given(1)
    width = tuple(e.importing.tensor(e.given(0)).shape)[-1]
    e.node.need(width != -1, "how wide its queries are must be known when the engine is built")
    size = width // (heads + 2 * groups if packed else heads)
    ends = np.cumsum([0, heads, groups, groups]) * size
    if packed:
        parts = [cut(e, e.given(0), a, b) for a, b in zip(ends, ends[1:], strict=False)]
    else:
        parts = [e.given(place) for place in range(3)]
    return [
        e.transpose(e.reshape(part, [0, 0, n, size]), [0, 2, 1, 3])
        for part, n in zip(parts, (heads, groups, groups), strict=True)
    ]


def cut(e: Expansion, x: str, first: int, end: int) -> str:
    return e.op("Slice", x, *(e.constant([each], np.int64) for each in (first, end, 2)))


def upto(e: Expansion, count: str) -> str:
    return e.op("Range", e.constant(0, np.int64), count, e.constant(1, np.int64))


def turned(e: Expansion, x: str, places: str) -> str:
    half, size = (tuple(e.importing.tensor(name).shape)[-1] for name in (e.given(7), x))
    attrs = dict(interleaved=e.node.attr("rotary_interleaved", 0))
    attrs["rotary_embedding_dim"] = 2 * half if 2 * half != size else None
    return e.op("RotaryEmbedding", x, e.given(7), e.given(8), places, **attrs)


def with_cache(e: Expansion, past: int, new: str, before: str, most: str) -> str:
    """(B,heads,most,size): `before` (B,1) rows of the cache, then the new ones."""
    cache = e.given(past)
    held, count = length(e, cache, 2), length(e, new, 2)
    rows, zero, one = upto(e, most), e.constant(0, np.int64), e.constant(1, np.int64)
    added = e.op("Min", e.op("Max", e.op("Sub", rows, before), zero), e.op("Sub", count, one))
    source = e.op("Where", e.op("Less", rows, before), rows, e.op("Add", added, held))  # (B,most)
    shape = [length(e, new, 0), length(e, new, 1), most, length(e, new, 3)]
    shape = e.op("Concat", *(e.reshape(each, [1]) for each in shape), axis=0)
    both = e.op("Concat", cache, new, axis=2)
    return e.op("GatherElements", both, e.op("Expand", e.unsqueeze(source, [1, 3]), shape), axis=2)


def may_look(e: Expansion, places: str, count: str) -> str:
    """(B,1,S,count): 0 where a query may look at a key, minus infinity where not. places (B,S) of the queries."""
    keys, places = upto(e, count), e.unsqueeze(places, [1, 3])
    allowed, window = e.op("Not", e.op("Greater", keys, places)), e.node.attr("local_window_size", -1)
    if window >= 0:
        first = e.op("Sub", places, e.constant(window, np.int64))
        allowed = e.op("And", allowed, e.op("Greater", keys, first))
    return e.op("Where", allowed, e.constant(0, np.float32), e.constant(LEAST, np.float32))
