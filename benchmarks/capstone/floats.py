"""Tactics of ResNet-50 in FP32 and FP16, as far as the course's kernels reach: unit 13's conv_implicit for nine taps in
FP32, unit 12's matmul_warpgroup for one tap in FP16, and its matmul_tensor on gathered rows for any window in FP16.

The first two give sums, and a second launch does the rest of the layer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numba import cuda, float32

from benchmarks.capstone import half_kernels
from benchmarks.capstone.course import solved
from benchmarks.capstone.int8 import up
from minitrt.graph.epilogue import folded
from minitrt.graph.ir import NHWC16
from minitrt.tactics import Call, In, Out, OwnTactic, Scratch
from minitrt.tactics.geometry import Geometry, of, weights_by_channel

THREADS, float16 = 256, np.float16
STAGES_OF_HALVES = 4 * 2 * (128 * 64 + 64 * 256)  # bytes of matmul_warpgroup's shared memory


@cuda.jit
def finish_pictures(dst, addend, n_places, residual, adds, low):
    """dst = max(dst + addend of the channel + residual, low), channel after channel of n_places each. All flat."""
    i = cuda.grid(1)
    if i < dst.size:
        v = dst[i] + addend[i // n_places % addend.size]
        if adds:
            v += residual[i]
        dst[i] = max(v, low)


@cuda.jit
def finish_rows(sums, addend, residual, adds, low, dst):
    """dst = max(sums + addend of the column + residual, low), stored in float16. sums: (rows, columns); dst flat."""
    i = cuda.grid(1)
    if i < dst.size:
        row, col = i // addend.size, i % addend.size
        v = sums[row, col] + addend[col]
        if adds:
            v += float32(residual[i])
        dst[i] = float16(max(v, low))


def window_of(op: Any, dtype: str) -> Geometry | None:
    """The sizes of a convolution all of whose tensors are of one type, with a ReLU or nothing behind it; else None."""
    if op.kind != "conv" or (op.attrs.get("activation") or {"type": "relu"})["type"] != "relu":
        return None
    tensors = (op.inputs[0], op.inputs[1], op.input(3), op.output)
    g = of(op) if all(v is None or v.dtype.name == dtype for v in tensors) else None
    return g if g is not None and g.groups == 1 and g.dilation == (1, 1) else None


def sizes_of(op: Any, dtype: str) -> Geometry | None:
    """The same with a stride of 1."""
    g = window_of(op, dtype)
    return g if g is not None and g.stride == (1, 1) else None


def around(op: Any, g: Geometry, dtype: Any) -> tuple:
    """What the second launch adds and cuts at: addend; residual, whether there is one, low."""
    e, adds = folded(op, g.out_channels, integer=False), op.input(3) is not None
    return e.addend, (In(3, (op.output.size,)) if adds else np.zeros(1, dtype), int(adds), e.low)


class Implicit(OwnTactic):
    """Nine taps in FP32."""

    name = "conv_implicit"

    def supports(self, op: Any) -> bool:
        g = sizes_of(op, "FLOAT")
        return g is not None and g.kernel == (3, 3) and g.pads_before == g.pads_after == (1, 1)

    def calls(self, op: Any) -> list[Call]:
        g, n = of(op), op.output.size
        grid = up(g.pixels, 64), up(g.out_channels, 64)
        layer = Call(solved("convolution.conv_implicit"), grid, (16, 16), (In(0), op.inputs[1].data, Out(0)))
        addend, rest = around(op, g, np.float32)
        places = g.out_size[0] * g.out_size[1]
        return [layer, Call(finish_pictures, up(n, THREADS), THREADS, (Out(0, (n,)), addend, places, *rest))]


class Product(OwnTactic):
    """One tap in FP16, channels last: pixels times channels, times weights."""

    name = "matmul_warpgroup"

    def supports(self, op: Any) -> bool:
        g = sizes_of(op, "HALF")
        return g is not None and g.pointwise and g.channels % 16 == g.out_channels % 16 == 0

    def layouts(self, op: Any) -> tuple[Sequence[str], Sequence[str]]:
        return tuple(NHWC16 if v is not None and not v.is_constant else "linear" for v in op.inputs), (NHWC16,)

    def calls(self, op: Any) -> list[Call]:
        g = of(op)
        n, sums = g.pixels * g.out_channels, Scratch((g.pixels, g.out_channels), np.float32)
        weights = np.ascontiguousarray(weights_by_channel(op).reshape(g.out_channels, g.channels).T)
        grid = up(g.out_channels, 256), up(g.pixels, 128)
        factors = In(0, (g.pixels, g.channels)), weights
        product = Call(solved("matmul.matmul_warpgroup"), grid, (256, 1), (*factors, sums), STAGES_OF_HALVES)
        addend, rest = around(op, g, np.float16)
        return [product, Call(finish_rows, up(n, THREADS), THREADS, (sums, addend, *rest, Out(0, (n,))))]


class Taps(OwnTactic):
    """Any window in FP16, channels last, in one launch."""

    name = "conv_taps"
    layouts = Product.layouts

    def supports(self, op: Any) -> bool:
        g = window_of(op, "HALF")
        return g is not None and g.stride[0] == g.stride[1] and g.channels % 16 == g.out_channels % 16 == 0

    def calls(self, op: Any) -> list[Call]:
        g = of(op)
        tile = (256, 64) if g.out_channels <= 64 else (128, 128)
        weights = weights_by_channel(op).reshape(g.out_channels, g.taps * g.channels)
        sizes = np.array((*g.size, *g.out_size, *g.kernel, g.stride[0], *g.pads_before), np.int32)
        e, adds = folded(op, g.out_channels, integer=False), op.input(3) is not None
        results = g.pixels, g.out_channels
        residual = In(3, results) if adds else np.zeros((1, 8), np.float16)
        source = In(0, (g.images * g.size[0] * g.size[1], g.channels))
        rest = residual, int(adds), np.float32(e.low), Out(0, results)
        arguments = source, sizes, np.ascontiguousarray(weights.T), np.float32(e.addend), *rest
        grid = up(g.out_channels, tile[1]), up(g.pixels, tile[0])
        kernel, n_bytes = half_kernels.conv_taps(*tile), half_kernels.shared_bytes(*tile)
        return [Call(kernel, grid, (half_kernels.THREADS, 1), arguments, n_bytes)]
