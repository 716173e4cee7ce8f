"""Pooling over any number of space axes: maximum (with indices), average, Lp, and blends of maximum and average."""

from __future__ import annotations

import math

import numpy as np

from minitrt.api.enums import DataType
from minitrt.graph.ir import Op
from minitrt.reference.convolution import windows
from minitrt.reference.registry import evaluates, real, saturate, to_stored


@evaluates("pool", stored=True)
def pool(op: Op, x: np.ndarray) -> np.ndarray | tuple[np.ndarray, np.ndarray]:
    """x (N,C,*space) -> (N,C,*out). max keeps stored values; the others sum INT8 exactly and round once."""
    mode = op.attrs["mode"]
    if mode == "max":
        return maximum(op, x)
    if mode == "average":
        return average(op, x)
    values = real(x, op.inputs[0])
    if mode == "lp":
        p = op.attrs.get("p", 2)
        views = padded_windows(np.abs(values) ** p, op.attrs, 0)
        return to_stored(views.sum(axis=space_axes(views, values.ndim)) ** (1 / p), op.output)
    blend = op.attrs.get("blend", 0.0)
    views = padded_windows(values, op.attrs, -np.inf)
    most = views.max(axis=space_axes(views, values.ndim))
    return to_stored((1 - blend) * most + blend * mean(values, op.attrs), op.output)


def maximum(op: Op, x: np.ndarray) -> np.ndarray | tuple[np.ndarray, np.ndarray]:
    """The largest element of every window; padding never wins. Indices count into the flattened (N,C,*space) input."""
    floor = -np.inf if np.issubdtype(x.dtype, np.floating) else np.iinfo(x.dtype).min
    views = padded_windows(x, op.attrs, floor)
    flat = views.reshape(*views.shape[: x.ndim], math.prod(views.shape[x.ndim :]))
    values = flat.max(axis=-1)
    if op.output.scale is not None and op.output.scale != op.inputs[0].scale:
        values = to_stored(real(values, op.inputs[0]), op.output)
    if len(op.outputs) == 1:
        return values
    numbers = np.arange(x.size, dtype=np.float64).reshape(x.shape)
    if op.attrs.get("storage_order"):  # column major: the last axis of the space first
        plane = np.arange(math.prod(x.shape[2:])).reshape(x.shape[2:][::-1]).T
        numbers = numbers - numbers % plane.size + plane
    where = padded_windows(numbers, op.attrs, -1).reshape(flat.shape)
    best = np.where(
        flat == values[..., None] if values.dtype == x.dtype else flat.max(-1, keepdims=True) == flat, where, -1
    )
    first = np.argmax(flat == flat.max(axis=-1, keepdims=True), axis=-1)
    return values, np.take_along_axis(best, first[..., None], -1)[..., 0].astype(np.int64)


def average(op: Op, x: np.ndarray) -> np.ndarray:
    """The mean of every window; INT8 sums as integers, one multiplication by scale_in / (count * scale_out)."""
    value, out = op.inputs[0], op.output
    if value.dtype == DataType.INT8 and value.scale is not None and out.dtype == DataType.INT8:
        views = padded_windows(x.astype(np.float32), op.attrs, 0)
        sums = views.sum(axis=space_axes(views, x.ndim))  # exact: at most 2^17 elements a window
        return saturate(sums * (np.float64(value.scale) / out.scale / counts(x, op.attrs)).astype(np.float32))
    return to_stored(mean(real(x, value), op.attrs), out)


def mean(x: np.ndarray, attrs: dict) -> np.ndarray:
    views = padded_windows(x, attrs, 0)
    return views.sum(axis=space_axes(views, x.ndim), dtype=x.dtype) / counts(x, attrs).astype(x.dtype)


def counts(x: np.ndarray, attrs: dict) -> np.ndarray:
    """How many elements each window's mean divides by: all of it that lies in the input, or in the declared padding."""
    inside = np.ones((1, 1, *x.shape[2:]))
    if attrs.get("count_include_pad"):
        before, after = attrs.get("pads_before"), attrs.get("pads_after")
        if before:
            inside = np.pad(inside, [(0, 0), (0, 0), *zip(before, after, strict=True)], constant_values=1)
        attrs = {**attrs, "pads_before": None, "pads_after": None, "beyond": beyond(x, attrs)}
    views = padded_windows(inside, attrs, 0)
    return np.maximum(views.sum(axis=space_axes(views, x.ndim)), 1)


def padded_windows(x: np.ndarray, attrs: dict, value) -> np.ndarray:
    """Windows of the padded input; with ceil_mode the right is padded so far that the last window fits."""
    extra = beyond(x, attrs)
    after = [a + e for a, e in zip(attrs.get("pads_after") or [0] * len(extra), extra, strict=True)]
    before = attrs.get("pads_before") or [0] * len(extra)
    return windows(x, attrs["kernel"], {**attrs, "pads_before": before, "pads_after": after}, value)[0]


def beyond(x: np.ndarray, attrs: dict) -> list[int]:
    """Elements past the declared padding that the last window reaches with ceil_mode, per space axis."""
    if "beyond" in attrs:
        return attrs["beyond"]
    space = len(attrs["kernel"])
    if not attrs.get("ceil_mode"):
        return [0] * space
    found = []
    for axis in range(space):
        size, kernel = x.shape[2 + axis], attrs["kernel"][axis]
        stride = (attrs.get("stride") or [1] * space)[axis]
        dilation = (attrs.get("dilations") or [1] * space)[axis]
        before = (attrs.get("pads_before") or [0] * space)[axis]
        after = (attrs.get("pads_after") or [0] * space)[axis]
        out = pooled_size(size, kernel, stride, dilation, before, after, True)
        found.append(max(0, (out - 1) * stride + (kernel - 1) * dilation + 1 - (size + before + after)))
    return found


def pooled_size(size: int, kernel: int, stride: int, dilation: int, before: int, after: int, ceil: bool) -> int:
    """Windows along one axis. With ceil, a last window that would start in the right padding is dropped."""
    span = size + before + after - ((kernel - 1) * dilation + 1)
    if not ceil:
        return span // stride + 1
    out = -(-span // stride) + 1
    return out - 1 if (out - 1) * stride >= size + before else out


def space_axes(views: np.ndarray, rank: int) -> tuple[int, ...]:
    return tuple(range(rank, views.ndim))
