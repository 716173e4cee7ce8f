"""Spectra: a short-time Fourier transform as a convolution, a transform as a product, and windows as weights."""

from __future__ import annotations

import numpy as np

from minitrt.api.enums import DataType, ErrorCode
from minitrt.network.tensor import ITensor
from minitrt.onnx_import.expanding import Expansion
from minitrt.onnx_import.node import Node, NodeError, operator
from minitrt.shapes.dims import axis_of

WINDOWS = {
    "HannWindow": (0.5, 0.5, 0.0),
    "HammingWindow": (25 / 46, 21 / 46, 0.0),
    "BlackmanWindow": (0.42, 0.5, 0.08),
}


@operator(*WINDOWS)
def window(node: Node) -> ITensor:
    """a - b cos(2 pi i / n) + c cos(4 pi i / n)."""
    if node.known(0) is None:
        return window_of_open_length(node)
    (size,) = node.numbers(0, "the window's length")
    span = size if node.attr("periodic", 1) else size - 1
    a, b, c = WINDOWS[node.op_type]
    angle = 2 * np.pi * np.arange(size) / max(span, 1)
    return node.constant((a - b * np.cos(angle) + c * np.cos(2 * angle)).astype(np.float32))


def window_of_open_length(node: Node) -> ITensor:
    e, (a, b, c) = Expansion(node), WINDOWS[node.op_type]
    size = e.reshape(e.cast(e.given(0), DataType.INT64), [])
    places = e.cast(e.op("Range", e.constant(0, np.int64), size, e.constant(1, np.int64)), DataType.FLOAT)
    span = e.cast(size, DataType.FLOAT)
    if not node.attr("periodic", 1):
        span = e.op("Max", e.op("Sub", span, e.constant(1, np.float32)), e.constant(1, np.float32))
    angle = e.op("Div", e.op("Mul", places, e.constant(2 * np.pi, np.float32)), span)
    once, twice = e.op("Cos", angle), e.op("Cos", e.op("Add", angle, angle))
    parts = [e.op("Mul", wave, e.constant(factor, np.float32)) for wave, factor in ((once, -b), (twice, c))]
    return e.result(e.op("Add", e.op("Add", *parts), e.constant(a, np.float32)))


def waves(length: int, bins: int, size: int, inverse: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """Cosines and sines, float64 (bins, size): what an element adds to a bin's real and imaginary part."""
    turns = np.outer(np.arange(bins), np.arange(size)) % length  # whole turns are left out while they are exact
    angle = 2 * np.pi * turns / length
    return np.cos(angle), np.sin(angle) if inverse else -np.sin(angle)


@operator("STFT")
def short_time(node: Node) -> ITensor:
    """signal (batch, length, 1), or (batch, length, 2) of complex numbers -> (batch, frames, bins, 2).

    Raises: NodeError where the step, the window or the frame's length come from an input.
    """
    (step,) = node.numbers(1, "frame_step")
    shape = np.asarray(node.numbers(2, "the window")) if node.has(2) else None
    size = int(node.numbers(3, "frame_length")[0]) if node.has(3) else len(shape) if shape is not None else 0
    node.need(size > 0, "it needs a window, or frame_length")
    parts = node.shape()[-1] if node.rank() == 3 else 1
    one_sided = bool(node.attr("onesided", 1))
    if parts not in (1, 2) or parts == 2 and one_sided:
        why = f"a signal of shape {node.shape()} with onesided = {int(one_sided)}: (batch, length, 1), or 2 and 0"
        raise NodeError(why, ErrorCode.UNSUPPORTED_NODE_SHAPE)
    bins = size // 2 + 1 if one_sided else size
    real, imaginary = (wave * (1 if shape is None else shape) for wave in waves(size, bins, size))
    kernel = np.stack([real, imaginary])[:, :, None]  # (2, bins, 1, size)
    if parts == 2:
        kernel = np.concatenate([kernel, np.stack([-imaginary, real])[:, :, None]], axis=2)
    e = Expansion(node)
    x = e.given(0)
    x = e.transpose(x, [0, 2, 1]) if node.rank() == 3 else e.op("Unsqueeze", x, e.constant([1], np.int64))
    weights = e.constant(kernel.reshape(2 * bins, parts, size), np.float32)
    found = e.op("Conv", x, weights, strides=[int(step)], kernel_shape=[size])
    split = e.op("Reshape", found, e.constant([0, 2, bins, -1], np.int64))
    return e.result(e.transpose(split, [0, 3, 2, 1]))


@operator("DFT")
def transform(node: Node) -> ITensor:
    """x (..., n, ..., 1 or 2) along an axis whose length is known -> (..., bins, ..., 2).

    One-sided and inverse, it takes the half of a spectrum whose signal is real, and gives that: (..., length, ..., 1).
    """
    rank = node.rank()
    axis = node.attr("axis", 1) if node.opset < 20 else int(node.numbers(2, "axis")[0]) if node.has(2) else rank - 2
    axis, inverse = axis_of(axis, rank), bool(node.attr("inverse", 0))
    size, parts = node.shape()[axis], node.shape()[-1]
    node.need(parts in (1, 2), f"its last axis is the real and imaginary part, 1 or 2, and not {parts}")
    half, results = bool(node.attr("onesided", 0)), 2
    if size == -1 or node.has(1) and node.known(1) is None:
        return transform_of_open_length(node, axis, inverse, half)
    length = int(node.numbers(1, "dft_length")[0]) if node.has(1) else 2 * (size - 1) if half and inverse else size
    bins = length // 2 + 1 if half and not inverse else length
    used = min(size, length // 2 + 1 if half and inverse else length)
    real, imaginary = (wave / (length if inverse else 1) for wave in waves(length, bins, used, inverse))
    if half and inverse:  # every bin but the first and the middle one stands for its mirror image, too
        twice = np.where(np.arange(used) * 2 % length == 0, 1, 2)
        real, imaginary, results = real * twice, imaginary * twice, 1
    rows = [np.stack([real, imaginary], axis=-1)]  # of real elements: (bins, used, 2)
    rows += [np.stack([-imaginary, real], axis=-1)] if parts == 2 else []
    matrix = np.stack(rows, axis=-2)[..., :results].transpose(1, 2, 0, 3).reshape(used * parts, bins * results)
    e = Expansion(node)
    order = [each for each in range(rank - 1) if each != axis]
    x = e.transpose(e.given(0), [*order, axis, rank - 1])
    if used < size:
        names = (e.constant([n], np.int64) for n in (0, used, rank - 2))
        x = e.op("Slice", x, *names)
    flat = e.op("Reshape", x, e.constant([0] * len(order) + [used * parts], np.int64))
    found = e.op("MatMul", flat, e.constant(matrix, np.float32))
    split = e.op("Reshape", found, e.constant([0] * len(order) + [bins, results], np.int64))
    back = [*range(axis), rank - 2, *range(axis, rank - 2), rank - 1]
    return e.result(e.transpose(split, back))


def transform_of_open_length(node: Node, axis: int, inverse: bool, half: bool) -> ITensor:
    """DFT where sizes say how long it is: cosines and sines are computed in the run, by operators that a GPU has."""
    e, rank, parts = Expansion(node), node.rank(), node.shape()[-1]

    def whole(*numbers: int) -> str:
        return e.constant(numbers[0] if len(numbers) == 1 else numbers, np.int64)

    size = e.op("Gather", e.op("Shape", e.given(0)), whole(axis), axis=0)
    length = e.op("Reshape", e.given(1), e.constant([], np.int64)) if node.has(1) else size
    if half and inverse and not node.has(1):
        length = e.op("Mul", e.op("Sub", size, whole(1)), whole(2))
    folded = e.op("Add", e.op("Div", length, whole(2)), whole(1))
    bins, most = (folded, length) if half and not inverse else (length, folded if half else length)
    used = e.op("Min", size, most)
    steps, waves = (e.op("Range", whole(0), count, whole(1)) for count in (used, bins))
    turns = e.op("Mul", e.unsqueeze(steps, [1]), e.unsqueeze(waves, [0]))
    share = e.op("Div", e.cast(e.op("Mod", turns, length), DataType.FLOAT), e.cast(length, DataType.FLOAT))
    angle = e.op("Mul", share, e.constant(2 * np.pi if inverse else -2 * np.pi, np.float32))
    cosines, sines = e.op("Cos", angle), e.op("Sin", angle)
    order = [each for each in range(rank - 1) if each != axis]
    x = e.op("Slice", e.transpose(e.given(0), [*order, axis, rank - 1]), *map(e.lists, (0, used, rank - 2)))
    x = e.cast(x, DataType.FLOAT)
    if inverse:
        x = e.op("Div", x, e.cast(length, DataType.FLOAT))
    if half and inverse:  # every bin but the first and the middle one stands for its mirror image, too
        alone = e.op("Equal", e.op("Mod", e.op("Mul", steps, whole(2)), length), whole(0))
        twice = e.op("Where", alone, e.constant(1, np.float32), e.constant(2, np.float32))
        x = e.op("Mul", x, e.unsqueeze(twice, [1]))
    real, *imaginary = (e.op("Gather", x, whole(part), axis=rank - 1) for part in range(parts))
    sums = [e.op("MatMul", real, cosines), e.op("MatMul", real, sines)]
    for each in imaginary:
        sums = [e.op("Sub", sums[0], e.op("MatMul", each, sines)), e.op("Add", sums[1], e.op("MatMul", each, cosines))]
    wide = [e.unsqueeze(each, [rank - 1]) for each in sums[: 1 if half and inverse else 2]]
    found = e.op("Concat", *wide, axis=rank - 1)
    found = e.cast(e.transpose(found, [*range(axis), rank - 2, *range(axis, rank - 2), rank - 1]), node.dtype())
    return e.result(found)


@operator("MelWeightMatrix")
def mel_weights(node: Node) -> ITensor:
    """(bins of a spectrum, bands): triangles whose corners lie equally far apart on the mel scale, all as weights."""
    bands, length, rate, low, high = (float(node.numbers(index, "what it is made of")[0]) for index in range(5))
    ends = 2595 * np.log10(1 + np.array([low, high]) / 700)
    mels = ends[0] + np.arange(bands + 2) * (ends[1] - ends[0]) / (bands + 2)
    corners = np.floor((length + 1) * 700 * (10 ** (mels / 2595) - 1) / rate)[:, None]
    first, middle, last = corners[:-2], corners[1:-1], corners[2:]
    bins = np.arange(length // 2 + 1)
    rising = np.where((bins >= first) & (bins <= middle), (bins - first) / np.maximum(middle - first, 1), 0)
    rising = np.where(middle == first, bins == middle, rising)
    falling = np.where((bins >= middle) & (bins < last), (last - bins) / np.maximum(last - middle, 1), 0)
    return node.constant(np.where((bins >= middle) & (last > middle), falling, rising).T, np.float32)
