"""Shapes of attention's results from those of its operands: to run it for them took a second of every start."""

from __future__ import annotations

from minitrt.api.enums import DataType
from minitrt.graph.ir import Op, Value
from minitrt.reference.attention import is_fused
from minitrt.shapes.choices import largest
from minitrt.shapes.dims import Shape, all_fit, broadcast, fit, product, surely_below

Q, K, V, MASK, PAST_KEY, PAST_VALUE, LENGTHS = range(7)


def attention(op: Op) -> list[tuple[Shape, DataType]]:
    """(shape, dtype) of the result, the keys, the values and the scores, as many as the operation has.

    Raises: ValueError where operands do not fit together.
    """
    q, k, v = (by_heads(op, index) for index in (Q, K, V))
    keys, values = cached(op.input(PAST_KEY), k), cached(op.input(PAST_VALUE), v)
    need(fit(q[3], keys[3]), f"queries of {q[3]} features meet keys of {keys[3]}")
    need(all_fit(keys[:3], values[:3]), f"keys {keys} meet values {values}")
    need(fit(q[1] % keys[1], 0), f"{q[1]} heads of queries do not divide into {keys[1]} of keys")
    scores = (*broadcast(q[:1], keys[:1]), *q[1:3], keys[2])
    for seen in (mask_shape(op.input(MASK), keys[2]), lengths_shape(op.input(LENGTHS))):
        scores = broadcast(scores, seen)
    whole = *scores[:3], values[3]
    result = (whole[0], whole[2], whole[1] * whole[3]) if len(op.inputs[Q].shape) == 3 else whole
    if is_fused(op):
        return [(result, op.output.dtype)]
    dtypes = (op.inputs[index].dtype for index in (Q, K, V, Q))
    return list(zip((result, keys, values, scores), dtypes, strict=True))[: len(op.outputs)]


def by_heads(op: Op, index: int) -> Shape:
    """Queries, keys or values as (batch, heads, length, size)."""
    shape, a = tuple(op.inputs[index].shape), op.attrs
    need(len(shape) in (3, 4), f"{'QKV'[index]} has {len(shape)} axes")
    if len(shape) == 4:
        return shape
    heads, (batch, length, features) = a["q_heads" if index == Q else "kv_heads"], shape
    if a.get("starts"):
        last = a["starts"][index] + heads * a["size"]
        need(not surely_below(features, last), f"{'QKV'[index]} has {features} features, and {last} are read")
        return batch, heads, length, a["size"]
    need(fit(features % heads, 0), f"{features} features do not divide into {heads} heads")
    return batch, heads, length, features // heads


def cached(past: Value | None, now: Shape) -> Shape:
    """Keys or values behind those of a cache."""
    if past is None:
        return now
    before = tuple(past.shape)
    need(all_fit((*before[:2], before[3]), (*now[:2], now[3])), f"a cache of {before} meets {now}")
    return *now[:2], before[2] + now[2], now[3]


def mask_shape(mask: Value | None, n_keys: int) -> Shape:
    """A mask may be shorter than the keys, which nobody then looks at."""
    return () if mask is None else (*mask.shape[:-1], largest(n_keys, mask.shape[-1]))


def lengths_shape(lengths: Value | None) -> Shape:
    return () if lengths is None else (product(lengths.shape), 1, 1, 1)


def need(holds: bool, why: str) -> None:
    if not holds:
        raise ValueError(why)
