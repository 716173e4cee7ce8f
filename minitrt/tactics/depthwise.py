"""INT8 and FP16 depthwise convolutions in NHWC16, on every architecture that has dp4a."""

from __future__ import annotations

from functools import partial

import numpy as np

from minitrt.api.enums import DataType
from minitrt.graph.epilogue import COMMUTING, bias_folds, folded
from minitrt.graph.ir import LINEAR, NHWC16, NUMPY_TYPES, Op
from minitrt.tactics.contract import Argument, Device, KernelKey, Launch, Packed, Scalar, Tactic, Tensor
from minitrt.tactics.geometry import Geometry, of_conv, padded, weights_by_channel

THREADS, FEW_THREADS, MOST_TAPS = 256, 64, 49
WALKERS, PARTS = 64, (1, 2, 4, 8, 16)  # threads of a block that walk, and into how many parts they may divide an image
ELEMENTS = {DataType.INT8: "int8", DataType.HALF: "float16"}
HAS_DP4A, HAS_DEPENDENT_LAUNCH = (6, 1), (9, 0)


def candidates(op: Op, device: Device) -> list[Tactic]:
    """Tactics for a convolution with one input and one output channel a group."""
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
    name, found = f"{ELEMENTS[x.dtype]}_depthwise", []
    if walkable(geometry):
        for rows in rows_of_walks(geometry.out_size[0]):
            make = partial(walks, dependent=dependent, rows=rows)
            found.append(Tactic(f"{name}_walk_{rows}", make, layouts, (NHWC16,)))
    make = partial(launches, dependent=dependent, few=device.sm_count)
    return [*found, Tactic(name, make, layouts, (NHWC16,))]


def walkable(g: Geometry) -> bool:
    """True for windows that walking threads know: 3 x 3, one stride of 1 or 2, no dilation."""
    return g.kernel == (3, 3) and g.stride[0] == g.stride[1] in (1, 2) and g.dilation == (1, 1)


def rows_of_walks(height: int) -> list[int]:
    """How many rows of the result a thread may walk over: few where there are few images, all where there are many."""
    return sorted({-(-height // parts) for parts in PARTS})


def rows_of_window(weights: np.ndarray, g: Geometry, stored: int) -> np.ndarray:
    """(channels, taps) of a window of 3 x 3 -> int8 (rows, stored, 4): three weights and a 0."""
    words = np.zeros((3, stored, 4), np.int8)
    words[:, : g.channels, :3] = weights.reshape(g.channels, 3, 3).swapaxes(0, 1)
    return words


def arguments(op: Op, g: Geometry, weights: np.ndarray, numbers: tuple[int, ...]) -> tuple[Argument, ...]:
    """Input, weights, scales and biases, output, limits, then numbers: as all kernels of this module take them."""
    stored, element = padded(op.inputs[0].shape[1]), ELEMENTS[op.inputs[0].dtype]
    e = folded(op, g.out_channels)
    table = np.zeros((2, stored), np.float32)
    table[0, : g.channels], table[1, : g.channels] = e.multiplier, e.addend
    table = np.ascontiguousarray(table.reshape(2, -1, 4).swapaxes(0, 1))
    low, high = float(e.low), float(e.high)
    if element == "int8":
        low, high = max(low, -128.0), min(high, 127.0)  # saturation would clip there anyway
    return (
        Tensor("input", 0), Packed("weights", weights), Packed("constants", table), Tensor("output", 0),
        Scalar(low, "float32"), Scalar(high, "float32"), *(Scalar(int(n)) for n in numbers),
    )  # fmt: skip


def walks(op: Op, dependent: bool, rows: int) -> list[Launch]:
    """The one launch: a thread for 8 bytes of channels of two columns of the result, and so many rows."""
    g, stored, element = of_conv(op), padded(op.inputs[0].shape[1]), ELEMENTS[op.inputs[0].dtype]
    weights = packed_weights(op, g, stored, element, in_words=element == "int8")
    numbers = (g.images, *g.size, stored, *g.out_size, *g.pads_before, rows)
    height, width = g.out_size
    groups = stored * NUMPY_TYPES[op.inputs[0].dtype].itemsize // 8
    blocks = -(-g.images * -(-height // rows) * -(-width // 2) * groups // WALKERS)
    key = KernelKey.of("depthwise_walk", element=element, stride=g.stride[0], dependent=dependent)
    return [Launch(key, (blocks, 1, 1), (WALKERS, 1, 1), arguments(op, g, weights, numbers), dependent=dependent)]


def packed_weights(op: Op, g: Geometry, stored: int, element: str, in_words: bool = False) -> np.ndarray:
    """(taps, stored), or words of a row of the window."""
    by_channel = weights_by_channel(op).reshape(g.channels, g.taps)
    if in_words:
        return rows_of_window(by_channel, g, stored)
    weights = np.zeros((g.taps, stored), element)
    weights[:, : g.channels] = by_channel.T
    return weights


def launches(op: Op, dependent: bool, few: int) -> list[Launch]:
    """The one launch: a thread for 16 bytes of an output pixel's channels.

    few: multiprocessors; where they would not all have a full block, blocks are small.
    """
    g, stored, element = of_conv(op), padded(op.inputs[0].shape[1]), ELEMENTS[op.inputs[0].dtype]
    numbers = (g.images, *g.size, stored, *g.out_size, *g.stride, *g.pads_before, *g.dilation)
    given = arguments(op, g, packed_weights(op, g, stored, element), numbers)
    key = KernelKey.of("depthwise", kernel_h=g.kernel[0], kernel_w=g.kernel[1], dependent=dependent, element=element)
    threads = g.images * g.out_size[0] * g.out_size[1] * stored * NUMPY_TYPES[op.inputs[0].dtype].itemsize // 16
    block = THREADS if threads > few * THREADS else FEW_THREADS
    return [Launch(key, (-(-threads // block), 1, 1), (block, 1, 1), given, dependent=dependent)]
