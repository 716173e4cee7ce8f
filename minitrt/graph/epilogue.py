"""The epilogue of a convolution or matrix product, folded to what a kernel computes per element.

Folded, where the activation commutes with a positive scale (none, relu, clip) and the output is INT8:

    v = fma(float32(acc), multiplier[k], addend[k])
    v = fma(residual, residual_multiplier, v)            if there is one (stored value, as float32)
    v = min(max(v, low), high)                           the activation, in steps of the output's scale
    y = saturate(rint(v))                                half to even, to [-128, 127]; NaN gives 0

Otherwise the same sums are made in real units, the activation is applied, and an INT8 output is
``saturate(rint(act(v) / scale))``.
Source: epilogue of TensorRT's fused Q/DQ convolutions (developer guide, "Q/DQ Fusion").
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from minitrt.api.enums import DataType
from minitrt.graph.ir import Op, Value

COMMUTING = (None, "relu", "clip")


@dataclass(frozen=True)
class Epilogue:
    """Constants of one fused operation.

    multiplier, addend:  float32 (K,), K output channels; rounded once from float64.
    residual_multiplier: float32, or None without a residual.
    low, high:           float32 limits in the unit of v; minus and plus infinity where there is none.
    activation:          the activation to apply in real units, or None when low and high say it all.
    output_scale:        of an INT8 output, when it was not folded in; else None.
    """

    multiplier: np.ndarray
    addend: np.ndarray
    residual_multiplier: np.float32 | None
    low: np.float32
    high: np.float32
    activation: dict | None
    output_scale: np.float32 | None


def folded(op: Op, channels: int, integer: bool = True) -> Epilogue:
    """The constants of `op` (conv, deconv or gemm) with `channels` output channels (gemm: columns).

    integer: whether the accumulator counts in steps of both factors' scales; False where they were dequantised first.
    """
    x, weights, bias, residual = (op.input(index) for index in range(4))
    activation = op.attrs.get("activation")
    kind = activation["type"] if activation else None
    out_scale = np.asarray(op.output.scale, np.float64) if is_quantised(op.output) else np.float64(1)
    fold = kind in COMMUTING
    step = out_scale if fold else np.float64(1)  # one a channel where products were joined
    product = real_scale(x) * real_scale(weights) if integer else np.float64(1)
    addend = bias.real.astype(np.float64).reshape(-1) / step if bias_folds(op, channels) else 0.0
    low, high = limits(activation, step) if fold else (-np.inf, np.inf)
    multiplier = np.asarray(product * float(op.attrs.get("alpha", 1.0)) / step, np.float32).reshape(-1)
    return Epilogue(
        multiplier=np.broadcast_to(multiplier, (channels,)).copy(),
        addend=np.broadcast_to(np.asarray(addend, np.float32), (channels,)).copy(),
        residual_multiplier=np.float32(real_scale(residual) / step) if residual is not None else None,
        low=np.float32(low),
        high=np.float32(high),
        activation=None if fold else activation,
        output_scale=np.float32(out_scale) if not fold and is_quantised(op.output) else None,
    )


def bias_folds(op: Op, channels: int) -> bool:
    """True when the bias is a constant per output channel, so that `addend` holds it; else it is added from memory."""
    bias = op.input(2)
    if bias is None or not bias.is_constant:
        return False
    return bias.size == 1 or (bias.size == channels and bias.shape[-1] == channels)


def is_quantised(value: Value | None) -> bool:
    return value is not None and value.dtype == DataType.INT8 and value.scale is not None


def real_scale(value: Value | None) -> np.ndarray:
    """What one step of a stored value means: its scale as float64, 1 for a value that is not quantised."""
    return np.asarray(value.scale, np.float64) if is_quantised(value) else np.float64(1.0)


def limits(activation: dict | None, step: float) -> tuple[float, float]:
    """Lower and upper limit of relu or clip, in units of `step`."""
    if activation is None:
        return -np.inf, np.inf
    if activation["type"] == "relu":
        return 0.0, np.inf
    return activation["alpha"] / step, activation["beta"] / step
