"""Quantise, dequantise, reformat: ``saturate(rint(x / scale) + zero_point)`` and back."""

from __future__ import annotations

import numpy as np

from minitrt.graph.ir import NUMPY_TYPES, Op
from minitrt.reference.movement import kept
from minitrt.reference.registry import along, evaluates


@evaluates("quantize", stored=True)
def quantize(op: Op, x: np.ndarray, scale: np.ndarray, zero_point: np.ndarray | None = None) -> np.ndarray:
    """x float -> INT8 (or UINT8 with a zero point); half to even."""
    dtype, axis = NUMPY_TYPES[op.output.dtype], op.attrs.get("axis")
    limits = np.iinfo(dtype)
    steps = np.rint(x.astype(np.float32) / along(scale, axis or 0, x.ndim))
    if zero_point is not None:
        steps = steps + along(zero_point, axis or 0, x.ndim)
    return np.nan_to_num(np.clip(steps, limits.min, limits.max), nan=0.0).astype(dtype)


@evaluates("dequantize", stored=True)
def dequantize(op: Op, x: np.ndarray, scale: np.ndarray, zero_point: np.ndarray | None = None) -> np.ndarray:
    """x INT8 or UINT8 -> float: (x - zero_point) * scale."""
    axis = op.attrs.get("axis") or 0
    centred = x.astype(np.int32)
    if zero_point is not None:
        centred = centred - along(zero_point, axis, x.ndim).astype(np.int32)
    return (centred.astype(np.float32) * along(scale, axis, x.ndim)).astype(NUMPY_TYPES[op.output.dtype])


@evaluates("reformat", stored=True)
def reformat(op: Op, x: np.ndarray) -> np.ndarray:
    """The same logical elements as the output stores them; layouts are a matter of device memory."""
    return kept(x, op.inputs[0], op.output)
