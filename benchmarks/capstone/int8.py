"""Tactics of ResNet-50 in INT8: unit 19's own_convolution with unit 18's kernels, and what stands around it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autograder.exercises.u18_engine_kernels.conv_values import shared_bytes
from autograder.exercises.u18_engine_kernels.values import DEEP
from autograder.exercises.u19_engine_runtime.own.engine import JudgedEngine
from autograder.exercises.u19_engine_runtime.own.tactic import LINE, LINES, LineTactic, channel_blocks, stored_shape
from benchmarks.capstone import line_kernels as kernels
from benchmarks.capstone.course import solved
from minitrt.graph.epilogue import folded
from minitrt.tactics import Call, In, Out, OwnTactic, Scratch
from minitrt.tactics.geometry import Geometry, of, weights_by_channel

CELLS, OUTPUTS, THREADS = 256, 64, 256  # of a block
NOTHING = np.zeros((1, 1, DEEP), np.int8)


class Asking(JudgedEngine):
    """An engine that builds nothing: it hands out what own_convolution wrote."""

    def __init__(self) -> None:
        super().__init__(0, ())

    def tries(self, supports: Callable, arguments: Callable) -> tuple:
        return supports, arguments


def up(n: int, multiple: int) -> int:
    """How many of `multiple` hold n."""
    return -(-n // multiple)


def pitch_and_height(size: tuple[int, int]) -> tuple[int, int]:
    return size[1] + 1, size[0] + 1


class Convolution(LineTactic):
    """A layer of nine taps on one of unit 18's kernels."""

    def __init__(self, kernel: str, threads: int) -> None:
        supports, arguments = solved("engine_runtime.own_convolution")(Asking())
        super().__init__(supports, arguments, solved(f"engine_kernels.{kernel}"))
        self.name, self.threads = kernel, threads

    def launch_of(self, op: Any) -> tuple:
        return nine_taps(op.output.shape, op.output.shape[3] + 1, self.threads)


def nine_taps(shape: tuple[int, ...], pitch: int, threads: int) -> tuple:
    """Grid, block and bytes of shared memory for a result of this shape."""
    cells = stored_shape(shape)[1]
    return (up(cells, CELLS), up(shape[1], OUTPUTS)), (threads, 1), shared_bytes(pitch, 2)


def is_int8(op: Any) -> bool:
    """Whether all tensors of a convolution are, and its activation has two ends."""
    tensors = (op.inputs[0], op.inputs[1], op.input(3), op.output)
    activation = (op.attrs.get("activation") or {}).get("type")
    return all(v is None or v.dtype.name == "INT8" for v in tensors) and activation in (None, "relu", "clip")


def geometry_of(op: Any) -> Geometry | None:
    """The sizes of a convolution in INT8 without groups and holes, else None."""
    g = of(op) if op.kind == "conv" and is_int8(op) else None
    return g if g is not None and g.groups == 1 and g.dilation == (1, 1) else None


def packed(op: Any, g: Geometry) -> np.ndarray:
    """Weights as (n_blocks, taps, n_out, 32)."""
    weights = weights_by_channel(op).reshape(g.out_channels, g.taps, g.channels)
    wide = np.zeros((g.out_channels, g.taps, DEEP * up(g.channels, DEEP)), np.int8)
    wide[:, :, : g.channels] = weights
    return np.ascontiguousarray(wide.reshape(g.out_channels, g.taps, -1, DEEP).transpose(2, 1, 0, 3))


def rest(op: Any, g: Geometry, size: tuple[int, int]) -> tuple[tuple, tuple]:
    """The arguments around a layer's weights: pitch to residual_multiplier, and the ends."""
    e = folded(op, g.out_channels)
    numbers = np.zeros((2, DEEP * up(g.out_channels, DEEP)), np.float32)
    numbers[:, : g.out_channels] = e.multiplier, e.addend
    adds = e.residual_multiplier is not None
    residual = In(3) if adds else NOTHING
    times = np.float32(e.residual_multiplier if adds else 0)
    return (*pitch_and_height(size), numbers[0], numbers[1], residual, times, e.low, e.high), ()


def on_lines(op: Any) -> tuple[Sequence[str], Sequence[str]]:
    return tuple(LINE if v is not None and not v.is_constant else "linear" for v in op.inputs), (LINE,)


def second_places(src: Any, g: Geometry, of_shape: tuple[int, ...], dst: Any) -> Call:
    """Every second row and column of a line of pictures `of_shape`."""
    images, channels, rows, cols = of_shape
    there = images, channels, *g.out_size
    grid = up(stored_shape(there)[1], THREADS), 2 * up(channels, DEEP)
    sizes = (*pitch_and_height((rows, cols)), images), pitch_and_height(g.out_size)
    return Call(kernels.every_second, grid, (THREADS, 1), (src, *sizes[0], dst, *sizes[1]))


class Point(OwnTactic):
    """A layer of one tap; with a stride of 2, every second place is taken first."""

    name, formats = "point_warpgroup", (LINES,)
    layouts = staticmethod(on_lines)

    def supports(self, op: Any) -> bool:
        g = geometry_of(op)
        return (
            g is not None
            and g.kernel == (1, 1)
            and g.pads_before == g.pads_after == (0, 0)
            and g.stride in ((1, 1), (2, 2))
        )

    def calls(self, op: Any) -> list[Call]:
        g = of(op)
        if g.stride == (1, 1):
            return [point(op, g, In(0), packed(op, g))]
        fewer = Scratch(stored_shape((g.images, g.channels, *g.out_size)), np.int8)
        return [second_places(In(0), g, op.inputs[0].shape, fewer), point(op, g, fewer, packed(op, g))]


def point(op: Any, g: Geometry, src: Any, weights: np.ndarray) -> Call:
    """The launch of point_warpgroup for a layer whose input is `src`."""
    before, _ = rest(op, g, g.out_size)
    grid = up(g.out_channels, OUTPUTS), up(stored_shape(op.output.shape)[1], CELLS)
    return Call(kernels.point_warpgroup, grid, (128, 1), (src, weights, *before, Out(0)), kernels.POINT_BYTES)


class Quantise(OwnTactic):
    """Real numbers to steps where the network begins: unit 17's quantise, as a tactic of kind reformat."""

    name = "quantise"

    def supports(self, op: Any) -> bool:
        if op.kind != "reformat" or op.inputs[0].dtype.name != "FLOAT" or op.output.dtype.name != "INT8":
            return False
        return np.ndim(op.output.scale) == 0 and op.output.scale is not None

    def calls(self, op: Any) -> list[Call]:
        n = op.output.size
        arguments = In(0, (n,)), np.float32(op.output.scale), Out(0, (n,))
        return [Call(solved("engine_int8.quantise"), up(n, THREADS), THREADS, arguments)]


class Strided(OwnTactic):
    """A layer of nine taps with a stride of 2: every place is worked out, and every second one kept."""

    name, formats = "conv_warpgroup_of_every_second", (LINES,)
    layouts = staticmethod(on_lines)

    def supports(self, op: Any) -> bool:
        g = geometry_of(op)
        window = g is not None and g.kernel == (3, 3) and g.stride == (2, 2) and op.input(3) is None
        return window and g.pads_before == (1, 1)

    def calls(self, op: Any) -> list[Call]:
        g, kernel = of(op), solved("engine_kernels.conv_warpgroup")
        whole = (g.images, g.out_channels, *g.size)
        every = Scratch(stored_shape(whole), np.int8)
        grid, block, shared = nine_taps(whole, g.size[1] + 1, 128)
        before, _ = rest(op, g, g.size)
        layer = Call(kernel, grid, block, (In(0), packed(op, g), *before, every), shared)
        return [layer, second_places(every, g, whole, Out(0))]


class First(OwnTactic):
    """The first layer: each window becomes the channels of one cell, and then it is a layer of one tap."""

    name, formats = "first_window", (LINES,)

    def supports(self, op: Any) -> bool:
        g = geometry_of(op)
        sizes = g is not None and (g.kernel, g.stride, g.channels, g.pads_before) == ((7, 7), (2, 2), 3, (3, 3))
        return bool(sizes) and op.input(3) is None

    def layouts(self, op: Any) -> tuple[Sequence[str], Sequence[str]]:
        return ("linear",) * len(op.inputs), (LINE,)

    def calls(self, op: Any) -> list[Call]:
        g = of(op)
        blocks, cells = up(kernels.FIRST_DEEP, DEEP), stored_shape(op.output.shape)[1]
        windows = Scratch((blocks, cells, DEEP), np.int8)
        gather = Call(
            kernels.first_window,
            (up(cells, THREADS), 2 * blocks),
            (THREADS, 1),
            (In(0), g.images, windows, *pitch_and_height(g.out_size)),
        )
        wide = np.zeros((g.out_channels, DEEP * blocks), np.int8)
        wide[:, : kernels.FIRST_DEEP] = weights_by_channel(op).reshape(g.out_channels, -1)
        weights = np.ascontiguousarray(wide.reshape(g.out_channels, 1, blocks, DEEP).transpose(2, 1, 0, 3))
        return [gather, point(op, g, windows, weights)]


class MaxPool(OwnTactic):
    """3 x 3 with a stride of 2 and one place of padding, on lines."""

    name, formats = "largest_of_nine", (LINES,)
    layouts = staticmethod(on_lines)

    def supports(self, op: Any) -> bool:
        if op.kind != "pool" or op.attrs["mode"] != "max" or len(op.outputs) > 1 or len(op.inputs[0].shape) != 4:
            return False
        x, y, a = op.inputs[0], op.output, op.attrs
        alike = x.dtype.name == y.dtype.name == "INT8" and x.scale == y.scale
        window = [
            list(a.get(name) or one) for name, one in (("kernel", [1, 1]), ("stride", [1, 1]), ("pads_before", [0, 0]))
        ]
        return alike and window == [[3, 3], [2, 2], [1, 1]] and not any(n != 1 for n in a.get("dilations") or [1, 1])

    def calls(self, op: Any) -> list[Call]:
        images, channels, rows, cols = op.inputs[0].shape
        size = op.output.shape[2:]
        grid = up(stored_shape(op.output.shape)[1], THREADS), 2 * channel_blocks(op.output)
        sizes = (*pitch_and_height((rows, cols)), images, rows, cols)
        return [Call(kernels.largest_of_nine, grid, (THREADS, 1), (In(0), *sizes, Out(0), *pitch_and_height(size)))]


class AveragePool(OwnTactic):
    """The average of all places, from a line to (images, channels)."""

    name, formats = "average", (LINES,)

    def supports(self, op: Any) -> bool:
        x, y = op.inputs[0], op.output
        whole = op.kind == "pool" and op.attrs["mode"] == "average" and list(op.attrs["kernel"]) == list(x.shape[2:])
        pads = [*(op.attrs.get("pads_before") or [0]), *(op.attrs.get("pads_after") or [0])]
        return whole and x.dtype.name == y.dtype.name == "INT8" and y.shape[2:] == (1, 1) and not any(pads)

    def layouts(self, op: Any) -> tuple[Sequence[str], Sequence[str]]:
        return (LINE,), ("linear",)

    def calls(self, op: Any) -> list[Call]:
        images, channels, rows, cols = op.inputs[0].shape
        times = np.float32(op.inputs[0].scale / op.output.scale / (rows * cols))
        sizes = *pitch_and_height((rows, cols)), rows, cols
        return [
            Call(
                kernels.average, (up(channels, 64), images), (64, 1), (In(0), *sizes, times, Out(0, (images, channels)))
            )
        ]


class Head(OwnTactic):
    """The last product, on unit 12's matmul_int8, and its sums in real units."""

    name = "matmul_int8"

    def supports(self, op: Any) -> bool:
        g = of(op) if op.kind == "gemm" else None
        types = g is not None and [v.dtype.name for v in (*op.inputs[:2], op.output)] == ["INT8", "INT8", "FLOAT"]
        return bool(types) and len(op.inputs[0].shape) == 2 and op.input(3) is None and not op.attrs.get("activation")

    def calls(self, op: Any) -> list[Call]:
        g, e = of(op), folded(op, of(op).out_channels)
        weights = np.ascontiguousarray(weights_by_channel(op).reshape(g.out_channels, g.channels))
        sums = Scratch((g.images, g.out_channels), np.int32)
        product = Call(
            solved("matmul.matmul_int8"),
            (up(g.out_channels, 128), up(g.images, 128)),
            (128, 1),
            (In(0), weights, sums),
        )
        grid = up(g.out_channels, 32), up(g.images, 8)
        return [product, Call(kernels.in_real_units, grid, (32, 8), (sums, e.multiplier, e.addend, Out(0)))]
