"""Tactics for a small batch: the sum over channels is split over blocks, as unit 18's conv_split does it; and all
tactics that ResNet-50 needs in INT8."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograder.exercises.u18_engine_kernels.conv_values import shared_bytes
from autograder.exercises.u18_engine_kernels.values import DEEP
from autograder.exercises.u19_engine_runtime.own.tactic import LINES, stored_shape
from benchmarks.capstone import int8
from benchmarks.capstone import line_kernels as kernels
from benchmarks.capstone.course import solved
from benchmarks.capstone.int8 import CELLS, OUTPUTS, Asking, Point, Strided, on_lines, packed, rest, second_places, up
from minitrt.tactics import Call, In, Out, OwnTactic, Scratch
from minitrt.tactics.geometry import Geometry, of

MULTIPROCESSORS = 132  # of the GPU that the table is measured on


class Split(OwnTactic):
    """Unit 18's conv_split, where tiles are too few for the GPU: shares of the sum, then the rest of the layer.

    everywhere: also where tiles are many, as a test wants it.
    """

    name, formats = "conv_split", (LINES,)
    layouts = staticmethod(on_lines)

    def __init__(self, everywhere: bool = False) -> None:
        self.everywhere = everywhere
        self.asked = solved("engine_runtime.own_convolution")(Asking())[0]

    def supports(self, op: Any) -> bool:
        return bool(self.asked(op)) and self.pays(of(op), of(op).size)

    def pays(self, g: Geometry, size: tuple[int, int]) -> bool:
        """Whether there are several shares, and fewer tiles than multiprocessors, for places of this size."""
        return self.everywhere or 1 < shares_of(g, size)

    def calls(self, op: Any) -> list[Call]:
        g = of(op)
        return split(op, g, g.size, nine_shares(op, g), Out(0))


class PointSplit(Split):
    """The same with one tap; with a stride of 2, every second place is taken first."""

    name = "point_split"

    def supports(self, op: Any) -> bool:
        return Point().supports(op) and self.pays(of(op), of(op).out_size)

    def calls(self, op: Any) -> list[Call]:
        g, src, before = of(op), In(0), []
        if g.stride != (1, 1):
            src = Scratch(stored_shape((g.images, g.channels, *g.out_size)), np.int8)
            before = [second_places(In(0), g, op.inputs[0].shape, src)]
        product = (kernels.point_split, kernels.POINT_BYTES, (src, packed(op, g)))
        return [*before, *split(op, g, g.out_size, product, Out(0))]


class StridedSplit(Split):
    """Nine taps with a stride of 2: the sums of every place in shares, and every second one kept."""

    name = "conv_split_of_every_second"

    def supports(self, op: Any) -> bool:
        return Strided().supports(op) and self.pays(of(op), of(op).size)

    def calls(self, op: Any) -> list[Call]:
        g = of(op)
        whole = (g.images, g.out_channels, *g.size)
        every = Scratch(stored_shape(whole), np.int8)
        return [*split(op, g, g.size, nine_shares(op, g), every), second_places(every, g, whole, Out(0))]


def shares_of(g: Geometry, size: tuple[int, int]) -> int:
    """Blocks per tile that fill the GPU, at most one for each block of channels."""
    cells = stored_shape((g.images, g.out_channels, *size))[1]
    return max(1, min(up(g.channels, DEEP), MULTIPROCESSORS // (up(cells, CELLS) * up(g.out_channels, OUTPUTS))))


def nine_shares(op: Any, g: Geometry) -> tuple:
    """conv_split, its bytes of shared memory, and its arguments but for the sums."""
    pitch = g.size[1] + 1
    return solved("engine_kernels.conv_split"), shared_bytes(pitch, 2), (In(0), packed(op, g), pitch)


def split(op: Any, g: Geometry, size: tuple[int, int], product: tuple, dst: Any) -> list[Call]:
    """Sums set to 0, the product in shares, and the rest of the layer for places of this size."""
    kernel, n_bytes, given = product
    cells = stored_shape((g.images, g.out_channels, *size))[1]
    sums = Scratch((cells, g.out_channels), np.int32)
    tiles = up(cells, CELLS), up(g.out_channels, OUTPUTS)
    along = DEEP * up(g.out_channels, DEEP)
    numbers, _ = rest(op, g, size)
    return [
        Call(kernels.clear, (up(g.out_channels, 32), up(cells, 8)), (32, 8), (sums,)),
        Call(kernel, (*tiles, shares_of(g, size)), (256, 1), (*given, sums), n_bytes),
        Call(kernels.finish_sums, (up(along, 32), up(cells, 8)), (32, 8), (sums, *numbers, dst)),
    ]


def tactics() -> list[OwnTactic]:
    """Everything that ResNet-50 needs in INT8."""
    convolutions: list[OwnTactic] = [int8.Convolution("conv_warpgroup", 128), int8.Convolution("conv_layer", 256)]
    whole = [*convolutions, Point(), Strided()]
    return [*whole, *splits(), int8.Quantise(), int8.First(), int8.MaxPool(), int8.AveragePool(), int8.Head()]


def splits(everywhere: bool = False) -> list[OwnTactic]:
    """Those that split the sum."""
    return [Split(everywhere), PointSplit(everywhere), StridedSplit(everywhere)]
