"""Resize: every axis is a matrix of interpolation weights, (out, in), applied one axis after the other.

Attributes: mode nearest, linear or cubic; sizes (one an axis); scales (one an axis, or None: sizes / input);
coordinate: one of `COORDINATES`; rounding (of nearest): half_down, half_up, floor, ceil, by_scale (floor where an axis
grows, ceil where it shrinks: operators before opset 11); cubic_a; exclude_outside; antialias; roi; extrapolation.
Places are computed in single precision, as ONNX Runtime does: of two elements equally far the same one is nearest.
Source: ONNX operator Resize, versions 10 to 19.
"""

from __future__ import annotations

import numpy as np

from minitrt.graph.ir import Op
from minitrt.reference.registry import evaluates

COORDINATES = (
    *("half_pixel", "align_corners", "asymmetric", "pytorch_half_pixel", "half_pixel_symmetric", "tf_crop_and_resize"),
    "tf_half_pixel_for_nn",
)


@evaluates("resize")
def resize(op: Op, x: np.ndarray, *_) -> np.ndarray:
    dtype, result, outside = x.dtype, x, np.zeros((), bool)
    sizes = resized(x.shape, op.attrs)
    scales = op.attrs.get("scales") or [size / n if n else 1.0 for size, n in zip(sizes, x.shape, strict=True)]
    for axis, (size, scale) in enumerate(zip(sizes, scales, strict=True)):
        if size == x.shape[axis] and scale == 1 and op.attrs.get("coordinate") != "tf_crop_and_resize":
            continue
        places = source_places(x.shape[axis], size, scale, op.attrs, axis, x.ndim)
        if op.attrs.get("coordinate") == "tf_crop_and_resize":
            out = (places < 0) | (places > x.shape[axis] - 1)
            outside = outside | out.reshape(-1, *[1] * (x.ndim - axis - 1))
        if op.attrs["mode"] == "nearest":
            result = np.take(result, nearest(places, x.shape[axis], scale, op.attrs), axis=axis)
        else:
            weights = interpolation(places, x.shape[axis], scale, op.attrs)
            result = np.moveaxis(np.tensordot(weights, result.astype(np.float64), (1, axis)), 0, axis)
    if np.any(outside):
        result = np.where(outside, op.attrs.get("extrapolation", 0.0), result)
    if np.issubdtype(dtype, np.integer) and op.attrs["mode"] != "nearest":
        result = np.clip(np.rint(result), np.iinfo(dtype).min, np.iinfo(dtype).max)
    return result.astype(dtype)


def resized(shape: tuple[int, ...], attrs: dict) -> list[int]:
    """The output's shape: attrs["sizes"], or floor(scale * input) in single precision."""
    if attrs.get("sizes") is not None:
        return [int(size) for size in attrs["sizes"]]
    return [int(np.floor(n * np.float32(scale))) for n, scale in zip(shape, attrs["scales"], strict=True)]


def source_places(n: int, size: int, scale: float, attrs: dict, axis: int, rank: int) -> np.ndarray:
    """Where in the input each of `size` outputs lies, float64 with float32 numbers; n * scale need not be whole."""
    coordinate, i, half = attrs.get("coordinate", "half_pixel"), np.arange(size, dtype=np.float32), np.float32(0.5)
    scale = np.float32(scale)
    length = n * scale
    if coordinate == "align_corners":
        places = i * np.float32(n - 1) / (length - 1) if length != 1 else np.zeros(size)
    elif coordinate == "asymmetric":
        places = i / scale
    elif coordinate == "tf_crop_and_resize":
        places = within_region(n, i, length, attrs["roi"][axis], attrs["roi"][rank + axis])
    elif coordinate == "tf_half_pixel_for_nn":
        places = (i + half) / scale
    elif coordinate == "pytorch_half_pixel" and size == 1:
        places = np.zeros(1)
    else:
        offset = n * half * (1 - size / length) if coordinate == "half_pixel_symmetric" else np.float32(0)
        places = offset + (i + half) / scale - half
    return places.astype(np.float64)


def within_region(n: int, i: np.ndarray, length: float, start: float, end: float) -> np.ndarray:
    """Places of a crop from start to end, parts of the axis."""
    if length == 1:
        return np.full(len(i), (start + end) * (n - 1) / 2)
    return start * (n - 1) + i * (end - start) * (n - 1) / (length - 1)


def nearest(places: np.ndarray, n: int, scale: float, attrs: dict) -> np.ndarray:
    """The input element each place takes."""
    rounding = attrs.get("rounding", "half_down")
    if rounding == "by_scale":
        rounding = "ceil" if scale < 1 else "floor"
    rounded = {
        "half_down": lambda: np.ceil(places - 0.5),
        "half_up": lambda: np.floor(places + 0.5),
        "floor": lambda: np.floor(places),
        "ceil": lambda: np.ceil(places),
    }[rounding]()
    return np.clip(rounded, 0, n - 1).astype(np.int64)


def interpolation(places: np.ndarray, n: int, scale: float, attrs: dict) -> np.ndarray:
    """float64 weights (out, n). Beyond the edges the edge is repeated, or left out with exclude_outside."""
    kernel, reach = (linear, 1) if attrs["mode"] == "linear" else (cubic(attrs.get("cubic_a", -0.75)), 2)
    squeeze = min(scale, 1.0) if attrs.get("antialias") else 1.0
    width = int(np.ceil(reach / squeeze)) + 1
    neighbours = np.floor(places)[:, None] + np.arange(-width, width + 1)
    coefficients = kernel((neighbours - places[:, None]) * squeeze)
    if attrs.get("exclude_outside"):
        coefficients = np.where((neighbours < 0) | (neighbours > n - 1), 0, coefficients)
    coefficients = coefficients / coefficients.sum(axis=1, keepdims=True)
    weights = np.zeros((len(places), n))
    np.add.at(weights, (np.arange(len(places))[:, None], np.clip(neighbours, 0, n - 1).astype(int)), coefficients)
    return weights


def linear(distance: np.ndarray) -> np.ndarray:
    return np.clip(1 - np.abs(distance), 0, 1)


def cubic(a: float):
    """Keys' cubic convolution kernel with parameter a."""

    def kernel(distance: np.ndarray) -> np.ndarray:
        d = np.abs(distance)
        near = (a + 2) * d**3 - (a + 3) * d**2 + 1
        far = a * d**3 - 5 * a * d**2 + 8 * a * d - 4 * a
        return np.where(d <= 1, near, np.where(d < 2, far, 0))

    return kernel
