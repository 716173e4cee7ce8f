"""Convolution, deconvolution and matrix product, with their epilogue.

Integer products are summed by the float matrix product that holds them exactly: float32 up to 1024 terms of at most
128 * 128 (2^24), float64 beyond (2^53).
"""

from __future__ import annotations

import math

import numpy as np

from minitrt.api.enums import DataType
from minitrt.graph.epilogue import bias_folds, folded
from minitrt.graph.ir import Op, Value
from minitrt.graph.quantised import unquantised
from minitrt.graph.shortcut import RESIDUAL, RESULT, X, parted
from minitrt.graph.tail import WEIGHTS, unchained
from minitrt.reference.pointwise import activate
from minitrt.reference.quantise import reformat
from minitrt.reference.registry import evaluates, real, saturate, to_stored

EXACT_IN_FLOAT32 = 1024  # terms


@evaluates("conv", stored=True)
def conv(op: Op, *arrays) -> np.ndarray | tuple[np.ndarray, ...]:
    """x (N,C,*space), weights (K,C/groups,*kernel), ... -> (N,K,*space); two results where there is a tail."""
    head, tail = unchained(op)
    if tail is not None:
        result = conv(head, *arrays[: len(head.inputs)])
        return result, conv(tail, result, *arrays[WEIGHTS:])
    quantiser, rest = unquantised(op)
    if quantiser is not None:
        return one_conv(rest, reformat(quantiser, arrays[0]), *arrays[1:RESIDUAL])
    short, main = parted(op)
    if short is not None:
        return one_conv(main, *arrays[:RESIDUAL], conv(short, *arrays[X:RESULT]))
    return one_conv(op, *arrays)


def one_conv(op: Op, x, weights, bias=None, residual=None) -> np.ndarray:
    """A convolution that took over no other."""
    terms = int(np.prod(weights.shape[1:]))
    left, right, integer = operands(op, x, weights, terms)
    result = finish(op, convolve(left, right, op.attrs), 1, bias, residual, integer)
    return pooled(result, op.attrs["pool"]) if op.attrs.get("pool") else result


def pooled(x: np.ndarray, window: dict) -> np.ndarray:
    """The maximum of every window; padding never wins."""
    floor = np.iinfo(x.dtype).min if np.issubdtype(x.dtype, np.integer) else -np.inf
    views, space = windows(x, window["kernel"], window, floor)
    return views.max(axis=tuple(range(2 + len(space), views.ndim)))


@evaluates("deconv", stored=True)
def deconv(op: Op, x, weights, bias=None, residual=None) -> np.ndarray:
    """The transposed convolution: x (N,C,*space), weights (C,K/groups,*kernel) -> (N,K,*space)."""
    left, right, integer = operands(op, x, weights, x.shape[1] * int(np.prod(weights.shape[2:])))
    return finish(op, deconvolve(left, right, op.attrs), 1, bias, residual, integer)


@evaluates("gemm", stored=True)
def gemm(op: Op, a, b, bias=None, residual=None) -> np.ndarray:
    """a (...,M,K) @ b (...,K,N), either transposed first; vectors as in numpy.matmul."""
    left, right, integer = operands(op, a, b, a.shape[-1])
    left = np.swapaxes(left, -1, -2) if op.attrs.get("transpose_a") else left
    right = np.swapaxes(right, -1, -2) if op.attrs.get("transpose_b") else right
    return finish(op, np.matmul(left, right), -1, bias, residual, integer)


def operands(op: Op, x: np.ndarray, weights: np.ndarray, terms: int):
    """Both factors as floats that sum exactly, and whether the product counts in steps of both scales."""
    both = [op.inputs[0], op.inputs[1]]
    if all(value.dtype == DataType.INT8 and value.scale is not None for value in both):
        exact = np.float32 if terms <= EXACT_IN_FLOAT32 else np.float64
        return x.astype(exact), weights.astype(exact), True
    left, right = (real(array, value) for array, value in zip((x, weights), both, strict=True))
    if np.issubdtype(left.dtype, np.integer) or left.dtype == np.bool_:
        return left.astype(np.float64), right.astype(np.float64), False
    return left, right, False


def finish(op: Op, acc: np.ndarray, axis: int, bias, residual, integer: bool) -> np.ndarray:
    """The epilogue of `epilogue.py`: each line rounds once to float32, as a fused multiply-add does."""
    out = op.output
    if not integer and out.dtype in (DataType.INT32, DataType.INT64, DataType.UINT8):
        return acc.astype(np.int64 if out.dtype == DataType.INT64 else np.int32)
    channels = acc.shape[axis] if acc.ndim else 1
    e = folded(op, channels, integer)
    shape = [1] * acc.ndim
    if acc.ndim:
        shape[axis] = channels
    v = acc.astype(np.float32)
    v = fma(v, e.multiplier.reshape(shape), e.addend.reshape(shape))
    step = np.float64(out.scale) if e.output_scale is None and out.dtype == DataType.INT8 else np.float64(1)
    if bias is not None and not bias_folds(op, channels):
        shaped = bias.reshape(shape) if bias.ndim == 1 and axis == 1 else bias
        v = v + (real(shaped, op.inputs[2]) / step).astype(np.float32)
    if residual is not None:
        v = fma(residual.astype(np.float32), e.residual_multiplier, v)
    if np.isfinite(e.low) or np.isfinite(e.high):
        v = np.minimum(np.maximum(v, e.low), e.high)
    v = activate(e.activation, v)
    if out.dtype == DataType.INT8 and e.output_scale is None and out.scale is not None:
        return saturate(v)
    return to_stored(v, out)


def fma(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    """a * b + c of float32, rounded once: the float64 product is exact, the sum nearly always."""
    if np.all(b == 1):
        return (a + c).astype(np.float32)
    return (a.astype(np.float64) * b + c).astype(np.float32)


def convolve(x: np.ndarray, weights: np.ndarray, attrs: dict) -> np.ndarray:
    """The sums of a convolution, in the operands' type."""
    groups = attrs.get("groups", 1)
    n, c, k = x.shape[0], x.shape[1], weights.shape[0]
    patches, out_space = windows(x, weights.shape[2:], attrs, pad_value=0)
    if groups == c and weights.shape[1] == 1 and k == c:  # depthwise: one product an element
        taps = patches.reshape(n, c, *out_space, weights[0].size)
        return np.einsum("nc...t,ct->nc...", taps, weights.reshape(c, -1), optimize=False)
    kernel_axes = tuple(range(2 + len(out_space), patches.ndim))
    order = (0, *range(2, 2 + len(out_space)), 1, *kernel_axes)  # (N, *out, C, *kernel)
    places = math.prod(out_space)
    rows = patches.transpose(order).reshape(n, places, groups, weights[0].size)
    if groups == 1:
        sums = rows.reshape(n * places, weights[0].size) @ weights.reshape(k, -1).T
    else:
        sums = np.matmul(rows.transpose(2, 0, 1, 3), weights.reshape(groups, 1, k // groups, -1).swapaxes(-1, -2))
        sums = sums.transpose(1, 2, 0, 3)
    return np.moveaxis(sums.reshape(n, *out_space, k), -1, 1)


def windows(x: np.ndarray, kernel, attrs: dict, pad_value) -> tuple[np.ndarray, tuple[int, ...]]:
    """A view (N, C, *out, *kernel) of every window of the padded input, and *out."""
    space = len(kernel)
    before = attrs.get("pads_before") or [0] * space
    after = attrs.get("pads_after") or [0] * space
    strides = attrs.get("stride") or [1] * space
    dilations = attrs.get("dilations") or [1] * space
    if any(before) or any(after):
        if min(*before, *after) < 0:  # a negative pad crops
            x = x[
                (..., *(slice(max(-b, 0), s - max(-a, 0)) for b, a, s in zip(before, after, x.shape[2:], strict=True)))
            ]
        widths = [(0, 0), (0, 0), *((max(b, 0), max(a, 0)) for b, a in zip(before, after, strict=True))]
        x = np.pad(x, widths, constant_values=pad_value)
    spans = [(size - 1) * d + 1 for size, d in zip(kernel, dilations, strict=True)]
    views = np.lib.stride_tricks.sliding_window_view(x, spans, axis=tuple(range(2, 2 + space)))
    views = views[(slice(None), slice(None), *(slice(None, None, s) for s in strides))]
    views = views[(..., *(slice(None, None, d) for d in dilations))]
    return views, views.shape[2 : 2 + space]


def deconvolve(x: np.ndarray, weights: np.ndarray, attrs: dict) -> np.ndarray:
    """Each input element adds its multiple of the kernel to the output."""
    space, groups = x.ndim - 2, attrs.get("groups", 1)
    strides = attrs.get("stride") or [1] * space
    dilations = attrs.get("dilations") or [1] * space
    before = attrs.get("pads_before") or [0] * space
    after = attrs.get("pads_after") or [0] * space
    extra = attrs.get("output_padding") or [0] * space
    kernel = weights.shape[2:]
    n, c, k = x.shape[0], x.shape[1], weights.shape[1] * groups
    full = [
        (i - 1) * s + (r - 1) * d + 1 + e
        for i, s, r, d, e in zip(x.shape[2:], strides, kernel, dilations, extra, strict=True)
    ]
    out = np.zeros((n, k, *full), x.dtype)
    per_group = weights.reshape(groups, c // groups, k // groups, *kernel)
    grouped = x.reshape(n, groups, c // groups, math.prod(x.shape[2:]))
    for tap in np.ndindex(*kernel):
        product = np.einsum("ngcp,gck->ngkp", grouped, per_group[(..., *tap)])
        at = tuple(
            slice(t * d, t * d + (i - 1) * s + 1, s)
            for t, d, i, s in zip(tap, dilations, x.shape[2:], strides, strict=True)
        )
        out[(slice(None), slice(None), *at)] += product.reshape(n, k, *x.shape[2:])
    widths = [(0, 0), (0, 0), *((max(-b, 0), max(-a, 0)) for b, a in zip(before, after, strict=True))]
    out = np.pad(out, widths)
    crop = tuple(slice(max(b, 0), size - max(a, 0)) for b, a, size in zip(before, after, out.shape[2:], strict=True))
    return out[(slice(None), slice(None), *crop)]


def scale_of(value: Value | None) -> float:
    """A whole tensor's scale, 1.0 where there is none."""
    return float(value.scale) if value is not None and value.scale is not None else 1.0
