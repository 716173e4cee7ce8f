"""Operations that move elements and never compute with them: an INT8 value passes as it is stored."""

from __future__ import annotations

import numpy as np

from minitrt.graph.ir import Op, Value
from minitrt.reference.registry import evaluates, real, to_stored


def kept(array: np.ndarray, source: Value, target: Value) -> np.ndarray:
    """The same elements for another value: requantised where the scales differ."""
    if source.scale is None and target.scale is None and source.dtype == target.dtype:
        return array
    if source.dtype == target.dtype and np.array_equal(source.scale, target.scale):
        return array
    return to_stored(real(array, source), target)


@evaluates("shuffle", stored=True)
def shuffle(op: Op, x: np.ndarray, *_) -> np.ndarray:
    """Transpose, reshape, transpose. In the shape 0 copies a dimension (zero_is_placeholder [True]) and -1 is
    inferred."""
    x = kept(x, op.inputs[0], op.output)
    if op.attrs.get("first") is not None:
        x = x.transpose(op.attrs["first"])
    if op.attrs.get("shape") is not None:
        x = x.reshape(resolved_shape(x.shape, op.attrs["shape"], op.attrs.get("zero_is_placeholder", True)))
    return x if op.attrs.get("second") is None else x.transpose(op.attrs["second"])


def resolved_shape(shape: tuple[int, ...], wanted: list[int], zero_copies: bool) -> list[int]:
    return [shape[i] if size == 0 and zero_copies and i < len(shape) else int(size) for i, size in enumerate(wanted)]


@evaluates("slice", stored=True)
def slice_(op: Op, x: np.ndarray, *_) -> np.ndarray:
    """Element starts[i] + j * strides[i] for j < sizes[i] of each axis; mode says what lies outside."""
    starts, sizes, strides = (op.attrs[key] for key in ("starts", "sizes", "strides"))
    mode = op.attrs.get("mode", "default")
    outside = np.zeros((), bool)
    for axis, (start, size, stride) in enumerate(zip(starts, sizes, strides, strict=True)):
        index, n = start + stride * np.arange(size), x.shape[axis]
        if mode == "default":
            x = np.take(x, index, axis=axis)
            continue
        out = (index < 0) | (index >= n)
        outside = outside | out.reshape(-1, *[1] * (len(starts) - axis - 1))
        x = np.take(x, wrapped(index, n, mode), axis=axis)
    if mode == "fill" and outside.any():
        x = np.where(outside, np.asarray(op.attrs.get("fill", 0), x.dtype), x)
    return kept(x, op.inputs[0], op.output)


def wrapped(index: np.ndarray, n: int, mode: str) -> np.ndarray:
    """Indices brought into range as `mode` says: wrap, reflect (without the edge), else clamp."""
    if mode == "wrap":
        return index % n
    if mode == "reflect" and n > 1:
        folded = np.abs(index) % (2 * n - 2)
        return np.minimum(folded, 2 * n - 2 - folded)
    return np.clip(index, 0, n - 1)


@evaluates("pad", stored=True)
def pad(op: Op, x: np.ndarray, *_) -> np.ndarray:
    """before and after elements an axis; negative ones crop. mode: constant (value), edge, reflect, wrap."""
    before, after = op.attrs["before"], op.attrs["after"]
    crop = tuple(slice(max(-b, 0), n - max(-a, 0)) for b, a, n in zip(before, after, x.shape, strict=True))
    x, widths = x[crop], [(max(b, 0), max(a, 0)) for b, a in zip(before, after, strict=True)]
    mode = op.attrs.get("mode", "constant")
    if mode == "constant":
        x = np.pad(x, widths, constant_values=np.asarray(op.attrs.get("value", 0)).astype(x.dtype))
    else:
        x = np.pad(x, widths, mode=mode)
    return kept(x, op.inputs[0], op.output)


@evaluates("concat", stored=True)
def concat(op: Op, *inputs: np.ndarray) -> np.ndarray:
    """The inputs one behind the other along attrs["axis"], each requantised to the output's scale if its own
    differs."""
    return np.concatenate(
        [kept(x, v, op.output) for x, v in zip(inputs, op.inputs, strict=True)], axis=op.attrs["axis"]
    )


@evaluates("expand", stored=True)
def expand(op: Op, x: np.ndarray, *_) -> np.ndarray:
    """x broadcast to attrs["shape"]; a 1 there keeps the input's dimension."""
    shape = np.broadcast_shapes(x.shape, tuple(int(size) for size in op.attrs["shape"]))
    return kept(np.broadcast_to(x, shape).copy(), op.inputs[0], op.output)


@evaluates("tile", stored=True)
def tile(op: Op, x: np.ndarray, *_) -> np.ndarray:
    """x repeated attrs["repeats"] times along each axis."""
    return kept(np.tile(x, op.attrs["repeats"]), op.inputs[0], op.output)


@evaluates("triangle", stored=True)
def triangle(op: Op, x: np.ndarray, *_) -> np.ndarray:
    """The last two axes' upper (upper [True]) or lower triangle from diagonal attrs["k"] [0]; zeros elsewhere."""
    keep = np.triu if op.attrs.get("upper", True) else np.tril
    mask = keep(np.ones(x.shape[-2:], bool), int(op.attrs.get("k", 0)))
    return np.where(mask, x, np.zeros((), x.dtype))


@evaluates("reverse_sequence", stored=True)
def reverse_sequence(op: Op, x: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """The first lengths[b] elements along sequence_axis reversed for each b along batch_axis."""
    batch, time = op.attrs.get("batch_axis", 1), op.attrs.get("sequence_axis", 0)
    result = x.copy()
    for b, length in enumerate(lengths):
        at = [slice(None)] * x.ndim
        at[batch], at[time] = b, slice(0, int(length))
        axis = time - (batch < time)
        result[tuple(at)] = np.flip(x[tuple(at)], axis)
    return result
