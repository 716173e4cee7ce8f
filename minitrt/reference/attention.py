"""Scaled dot-product attention with masks, caches and grouped heads, and rotary position embedding.

Source: ONNX operators Attention (versions 23 to 25) and RotaryEmbedding (23); the arithmetic of HALF inputs is HALF's.
"""

from __future__ import annotations

import numpy as np

from minitrt.api.enums import DataType
from minitrt.graph.ir import NUMPY_TYPES, Op
from minitrt.reference.registry import evaluates, real, to_stored

AS_ONE_KERNEL = {"starts", "fill", "zeros"}  # attributes that passes give, and no ONNX operator has


@evaluates("attention", stored=True)
def attention(op: Op, q, k, v, mask=None, past_key=None, past_value=None, lengths=None) -> tuple[np.ndarray, ...]:
    """q (batch, heads, queries, size), k and v likewise, or all (batch, length, heads * size) with q_heads and
    kv_heads; with starts and size: heads * size features of each, from this one on (q, k and v may be one tensor).

    Attributes: scale [1 / sqrt(size)]; causal; softcap; q_heads, kv_heads; scores: which matrix the fourth output is (0
    after the product, 1 after the softcap, 2 with the mask, 3 after softmax); precision: dtype of the softmax; left,
    right: window sizes [-1]. Outputs: the result, the keys and the values including the cache, and the scores.
    """
    flat, a = q.ndim == 3, op.attrs
    if is_fused(op):
        return fused(op, q, k, v, mask, past_key, past_value, lengths)
    q, k, v = (cut(op, index, x) for index, x in enumerate((q, k, v)))
    keys = k if past_key is None else np.concatenate((past_key, k), axis=2)
    values = v if past_value is None else np.concatenate((past_value, v), axis=2)
    past = past_key.shape[2] if past_key is not None else 0
    bias = masked(a, q, keys.shape[2], mask, past, lengths)
    groups = q.shape[1] // keys.shape[1]
    wide_keys, wide_values = (np.repeat(x, groups, axis=1) for x in (keys, values))

    root = q.dtype.type(np.sqrt(a["scale"] if a.get("scale") is not None else 1 / np.sqrt(q.shape[-1])))
    scores = np.matmul(q * root, wide_keys.swapaxes(-1, -2) * root)
    shown = scores
    if a.get("softcap"):
        scores = np.tanh(scores / a["softcap"]) * a["softcap"]
        shown = scores if a.get("scores", 0) >= 1 else shown
        scores = scores.astype(q.dtype)
    biased = scores + bias
    shown = biased if a.get("scores", 0) == 2 else shown
    if a.get("precision"):
        biased = biased.astype(NUMPY_TYPES_BY_NAME[a["precision"]])
    weights = np.where(np.isneginf(bias.max(axis=-1, keepdims=True)), 0, softmax(biased))
    shown = weights if a.get("scores", 0) == 3 else shown
    result = np.matmul(weights.astype(q.dtype), wide_values)
    if flat:
        result = result.transpose(0, 2, 1, 3).reshape(result.shape[0], result.shape[2], -1)
    return result.astype(q.dtype), keys, values, shown.astype(q.dtype)


def is_fused(op: Op) -> bool:
    """Whether passes made it, or what it reads is quantised: then it has one result."""
    return op.inputs[0].dtype == DataType.INT8 or bool(AS_ONE_KERNEL & set(op.attrs))


def fused(op: Op, q, k, v, mask=None, past_key=None, past_value=None, lengths=None) -> tuple[np.ndarray, ...]:
    """As one kernel computes it: operands as float32, and one rounding at the end; the result alone.

    mask: added to the scores, or booleans: where it is False a score is attrs["fill"] [-inf]. A row of minus infinities
    gives NaN, or zeros with attrs["zeros"], which is usual where heads are not cut out of features (no starts).
    """
    a, flat, past = op.attrs, q.ndim == 3, 0 if past_key is None else past_key.shape[2]
    q, k, v = (cut(op, i, real(x, value)) for i, (x, value) in enumerate(zip((q, k, v), op.inputs, strict=False)))
    if past_key is not None:
        k, v = np.concatenate((past_key, k), axis=2), np.concatenate((past_value, v), axis=2)
    k, v = (np.repeat(x, q.shape[1] // x.shape[1], axis=1) for x in (k, v))
    scale = a["scale"] if a.get("scale") is not None else 1 / np.sqrt(q.shape[-1])
    scores = np.matmul(q * np.float32(scale), k.swapaxes(-1, -2))
    if a.get("softcap"):
        scores = np.tanh(scores / np.float32(a["softcap"])) * np.float32(a["softcap"])
    mask = None if mask is None else widened(mask, k.shape[2])
    if mask is not None and mask.dtype == np.bool_:
        scores = np.where(mask, scores, np.float32(a.get("fill", -np.inf)))
    elif mask is not None:
        scores = scores + mask.astype(np.float32)
    scores = scores + masked(a, q, k.shape[2], None, past, lengths)
    weights = softmax(scores)
    if not a.get("zeros", not a.get("starts")):
        weights = np.where(np.isneginf(scores.max(axis=-1, keepdims=True)), np.float32(np.nan), weights)
    result = np.matmul(weights, v)
    result = result.transpose(0, 2, 1, 3).reshape(*result.shape[:1], result.shape[2], -1) if flat else result
    return (to_stored(result, op.output),)


def cut(op: Op, index: int, x: np.ndarray) -> np.ndarray:
    """Input `index` as (batch, heads, length, size)."""
    if x.ndim == 4:
        return x
    a, count = op.attrs, op.attrs["q_heads" if index == 0 else "kv_heads"]
    if a.get("starts"):
        x = x[..., a["starts"][index] : a["starts"][index] + count * a["size"]]
    return heads(x, count)


def widened(mask: np.ndarray, n_keys: int) -> np.ndarray:
    """The mask for all keys: none may look at those that it does not reach."""
    short, never = n_keys - mask.shape[-1], False if mask.dtype == np.bool_ else -np.inf
    return np.pad(mask, [(0, 0)] * (mask.ndim - 1) + [(0, short)], constant_values=never) if short > 0 else mask


NUMPY_TYPES_BY_NAME = {dtype.name: numpy_type for dtype, numpy_type in NUMPY_TYPES.items()}


def heads(x: np.ndarray, count: int) -> np.ndarray:
    """(batch, length, count * size) -> (batch, count, length, size)."""
    return x.reshape(*x.shape[:2], count, -1).swapaxes(1, 2)


def masked(a: dict, q: np.ndarray, n_keys: int, mask, past: int, lengths) -> np.ndarray:
    """What is added to the scores: the mask, and minus infinity where a query may not look, broadcast to (..,
    queries, keys)."""
    zero, never = q.dtype.type(0), q.dtype.type(-np.inf)
    n_queries = q.shape[2]
    bias = np.zeros((n_queries, n_keys), q.dtype)
    if mask is not None:
        mask = widened(mask, n_keys)
        bias = bias + (np.where(mask, zero, never) if mask.dtype == np.bool_ else mask)
    # A query's place among the keys: after the cache, or at the end of the batch's own length.
    place = np.arange(n_queries)[:, None] + past
    if lengths is not None and not past:
        place = (np.arange(n_queries)[:, None] + lengths.reshape(-1, 1, 1) - n_queries)[:, None]
    ahead = np.arange(n_keys) - place
    allowed = np.ones_like(ahead, bool)
    if a.get("causal"):
        allowed &= ahead <= 0
    if a.get("left", -1) >= 0:
        allowed &= ahead >= -a["left"]
    if a.get("right", -1) >= 0:
        allowed &= ahead <= a["right"]
    if not allowed.all():
        bias = bias + np.where(allowed, zero, never)
    if lengths is not None:
        bias = bias + np.where(np.arange(n_keys) < lengths.reshape(-1, 1, 1, 1), zero, never)
    return bias


def softmax(x: np.ndarray) -> np.ndarray:
    """Over the last axis; a row of minus infinities gives zeros."""
    most = x.max(axis=-1, keepdims=True)
    exponentials = np.exp(x - np.where(np.isneginf(most), x.dtype.type(0), most))
    total = exponentials.sum(axis=-1, keepdims=True)
    return exponentials / np.where(total == 0, x.dtype.type(1), total)


@evaluates("rotary")
def rotary(op: Op, x: np.ndarray, cosines: np.ndarray, sines: np.ndarray, positions=None) -> np.ndarray:
    """Rotate pairs of the first attrs["size"] [all] elements of each head. x (batch, heads, length, size), or
    (batch, length, heads * size) with attrs["heads"]; interleaved: pairs are neighbours, else halves.
    """
    shape, flat = x.shape, x.ndim == 3
    x = x.reshape(*shape[:2], op.attrs["heads"], -1) if flat else x.swapaxes(1, 2)  # (batch, length, heads, size)
    if positions is not None:
        cosines, sines = cosines[positions], sines[positions]
    cosines, sines = cosines[:, :, None], sines[:, :, None]
    size = op.attrs.get("size") or x.shape[-1]
    turned, rest = x[..., :size], x[..., size:]
    if op.attrs.get("interleaved"):
        a, b = turned[..., 0::2], turned[..., 1::2]
    else:
        a, b = np.split(turned, 2, axis=-1)
    pair = cosines * a - sines * b, sines * a + cosines * b
    turned = np.stack(pair, axis=-1).reshape(turned.shape) if op.attrs.get("interleaved") else np.concatenate(pair, -1)
    result = np.concatenate((turned, rest), axis=-1)
    return result.reshape(shape) if flat else result.swapaxes(1, 2)
