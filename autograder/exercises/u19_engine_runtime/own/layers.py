"""Layers that unit 19's own_convolution is asked about, and the network that the engine builds of them.

Every layer stands alone between an input and an output of the network, so that each can be looked at by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass, fields
from typing import Any

import numpy as np

NONE, RELU, LEAKY, CLIP = range(4)  # activations
STEP = {"x": 2**-5, "y": 2**-3, "residual": 2**-4}  # of a layer's tensors: powers of two, so that nothing is rounded
FINEST = 2**-11  # but results: biases are multiples of it, and sums are
TOP = 6.0  # where CLIP ends


@dataclass(frozen=True)
class Layer:
    """A convolution. size: of the square window; quantised: whether its result is stored in steps; adds: whether a
    residual is added; lopsided: size, stride and dilation are those of the columns alone, and pad is that on the right
    alone: all else is as conv_layer has it."""

    images: int = 1
    channels: int = 8
    rows: int = 5
    cols: int = 6
    out: int = 8
    size: int = 3
    stride: int = 1
    dilation: int = 1
    pad: int = 1
    groups: int = 1
    quantised: int = 1
    activation: int = RELU
    adds: int = 0
    lopsided: int = 0

    def both(self, number: int, usual: int) -> tuple[int, int]:
        """A number of rows and columns."""
        return (usual if self.lopsided else number), number

    @property
    def pads(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """Zeros above and to the left; below and to the right."""
        return ((1, 1), (1, self.pad)) if self.lopsided else ((self.pad,) * 2, (self.pad,) * 2)

    @property
    def is_ours(self) -> bool:
        """Whether unit 18's conv_layer computes it."""
        window = (self.size, self.stride, self.dilation, self.pad, self.groups) == (3, 1, 1, 1, 1)
        return window and bool(self.quantised) and self.activation != LEAKY

    @property
    def out_size(self) -> tuple[int, int]:
        """Rows and columns of the result."""
        sizes, strides, dilations = self.both(self.size, 3), self.both(self.stride, 1), self.both(self.dilation, 1)
        wide = [n + before + after for n, before, after in zip((self.rows, self.cols), *self.pads, strict=True)]
        reach = [dilation * (size - 1) + 1 for dilation, size in zip(dilations, sizes, strict=True)]
        rows, cols = ((w - r) // stride + 1 for w, r, stride in zip(wide, reach, strides, strict=True))
        return rows, cols

    @property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """Of the inputs of the network that it reads."""
        read: dict[str, tuple[int, ...]] = {"x": (self.images, self.channels, self.rows, self.cols)}
        return read | ({"residual": (self.images, self.out, *self.out_size)} if self.adds else {})


def table_of(seed: int, layers: Sequence[Layer]) -> np.ndarray:
    """Some layers as numbers: the seed of their weights, then a layer after the other. int64."""
    return np.array([seed, *(number for layer in layers for number in astuple(layer))], np.int64)


def layers_of(table: np.ndarray) -> tuple[int, list[Layer]]:
    """Seed and layers of such numbers."""
    seed, *numbers = table.tolist()
    wide = len(fields(Layer))
    return seed, [Layer(*numbers[at : at + wide]) for at in range(0, len(numbers), wide)]


def feeds_of(seed: int, layers: Sequence[Layer]) -> dict[str, np.ndarray]:
    """What the network reads: name -> float32."""
    rng = np.random.default_rng(seed)
    return {
        f"{name}{i}": rng.normal(0, 2, shape).astype(np.float32)
        for i, layer in enumerate(layers)
        for name, shape in layer.shapes.items()
    }


class Network:
    """Puts layers into a network of minitrt, through its public interface. rng: draws their weights."""

    def __init__(self, network: Any, rng: np.random.Generator) -> None:
        import minitrt

        self.trt, self.network, self.rng = minitrt, network, rng

    def constant(self, array: np.ndarray) -> Any:
        array = np.ascontiguousarray(array, np.float32)
        return self.network.add_constant(array.shape, array).get_output(0)

    def steps(self, tensor: Any, scale: np.ndarray | float) -> Any:
        """A tensor that goes through INT8; scale: a number, or one per output channel of weights."""
        scales = self.constant(np.asarray(scale))
        there = self.network.add_quantize(tensor, scales, self.trt.int8)
        back = self.network.add_dequantize(there.get_output(0), scales, self.trt.float32)
        if np.ndim(scale):
            there.axis = back.axis = 0
        return back.get_output(0)

    def add(self, i: int, layer: Layer) -> None:
        """Layer i, from x<i> to y<i>."""
        ends = {n: self.network.add_input(f"{n}{i}", self.trt.float32, shape) for n, shape in layer.shapes.items()}
        x = self.steps(ends["x"], STEP["x"])
        window = layer.both(layer.size, 3)
        shape = (layer.out, layer.channels // layer.groups, *window)
        weights, scales = self.rng.normal(0, 0.3, shape), 2.0 ** -self.rng.integers(4, 7, layer.out)
        bias = np.round(self.rng.normal(0, 1, layer.out) / FINEST).astype(np.float32) * np.float32(FINEST)
        conv = self.network.add_convolution_nd(x, layer.out, window, self.trt.Weights(), bias)
        conv.set_input(1, self.steps(self.constant(weights), scales))
        conv.name, conv.num_groups = f"layer{i}", layer.groups
        conv.stride_nd, conv.dilation_nd = layer.both(layer.stride, 1), layer.both(layer.dilation, 1)
        conv.pre_padding, conv.post_padding = layer.pads
        y = conv.get_output(0)
        if layer.adds:
            added = self.steps(ends["residual"], STEP["residual"])
            y = self.network.add_elementwise(y, added, self.trt.ElementWiseOperation.SUM).get_output(0)
        y = self.activated(y, layer.activation)
        y = self.steps(y, STEP["y"]) if layer.quantised else y
        y = self.network.add_identity(y).get_output(0)
        y.name = f"y{i}"
        self.network.mark_output(y)

    def activated(self, y: Any, activation: int) -> Any:
        """A tensor after its activation."""
        kinds = self.trt.ActivationType
        kind = {RELU: kinds.RELU, LEAKY: kinds.LEAKY_RELU, CLIP: kinds.CLIP}.get(activation)
        if kind is None:
            return y
        layer = self.network.add_activation(y, kind)
        if activation != RELU:
            layer.alpha, layer.beta = (0.1, 0.0) if activation == LEAKY else (0.0, TOP)
        return layer.get_output(0)
