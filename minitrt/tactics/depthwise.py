"""INT8 and FP16 depthwise convolutions in NHWC16, on every architecture that has dp4a."""

from __future__ import annotations

import numpy as np

from minitrt.api.enums import DataType
from minitrt.graph.epilogue import COMMUTING, bias_folds, folded
from minitrt.graph.ir import LINEAR, NHWC16, Op
from minitrt.tactics.contract import Device, KernelKey, Launch, Packed, Scalar, Tactic, Tensor
from minitrt.tactics.geometry import of_conv, padded, weights_by_channel

THREADS, MOST_TAPS = 256, 49
ELEMENTS = {DataType.INT8: "int8", DataType.HALF: "float16"}
HAS_DP4A, HAS_DEPENDENT_LAUNCH = (6, 1), (9, 0)


def candidates(op: Op, device: Device) -> list[Tactic]:
    """One tactic, for a convolution with one input and one output channel a group."""
    geometry = of_conv(op) if op.kind == "conv" else None
    if geometry is None or device.compute_capability < HAS_DP4A or op.input(3) is not None:
        return []
    x, weights, y, activation = op.inputs[0], op.inputs[1], op.output, op.attrs.get("activation")
    single = geometry.groups == geometry.channels == geometry.out_channels and geometry.taps <= MOST_TAPS
    alike = x.dtype == weights.dtype == y.dtype and x.dtype in ELEMENTS and weights.is_constant and geometry.pixels > 0
    folds = (activation["type"] if activation else None) in COMMUTING
    bias = op.input(2) is None or bias_folds(op, geometry.out_channels)
    if not (single and alike and folds and bias):
        return []
    dependent = device.compute_capability >= HAS_DEPENDENT_LAUNCH
    layouts = (NHWC16, LINEAR, LINEAR, LINEAR)[: len(op.inputs)]
    return [Tactic(f"{ELEMENTS[x.dtype]}_depthwise", lambda op: launches(op, dependent), layouts, (NHWC16,))]


def launches(op: Op, dependent: bool) -> list[Launch]:
    """The one launch: a thread for 16 bytes of an output pixel's channels."""
    g, stored, element = of_conv(op), padded(op.inputs[0].shape[1]), ELEMENTS[op.inputs[0].dtype]
    weights = np.zeros((g.taps, stored), element)
    weights[:, : g.channels] = weights_by_channel(op).reshape(g.channels, g.taps).T
    e = folded(op, g.out_channels)
    table = np.zeros((2, stored), np.float32)
    table[0, : g.channels], table[1, : g.channels] = e.multiplier, e.addend
    table = np.ascontiguousarray(table.reshape(2, -1, 4).swapaxes(0, 1))
    low, high = float(e.low), float(e.high)
    if element == "int8":
        low, high = max(low, -128.0), min(high, 127.0)  # saturation would clip there anyway
    numbers = (g.images, *g.size, stored, *g.out_size, *g.stride, *g.pads_before, *g.dilation)
    arguments = (
        Tensor("input", 0), Packed("weights", weights), Packed("constants", table), Tensor("output", 0),
        Scalar(low, "float32"), Scalar(high, "float32"), *(Scalar(int(n)) for n in numbers),
    )  # fmt: skip
    key = KernelKey.of("depthwise", kernel_h=g.kernel[0], kernel_w=g.kernel[1], dependent=dependent, element=element)
    threads = g.pixels * stored * weights.itemsize // 16
    blocks = -(-threads // THREADS)
    return [Launch(key, (blocks, 1, 1), (THREADS, 1, 1), arguments, dependent=dependent)]
