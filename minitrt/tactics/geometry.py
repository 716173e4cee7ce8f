"""A convolution or a matrix product as one picture: images of pixels with channels, a window, output pixels.

A gemm (M, K) x (K, N) is a 1x1 convolution of M images of one pixel with K channels to N channels.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from minitrt.graph.ir import Op


def padded(channels: int, multiple: int = 16) -> int:
    """Channels as NHWC16 stores them."""
    return -(-channels // multiple) * multiple


@dataclass(frozen=True)
class Geometry:
    """Sizes of a convolution over two space axes (a missing one has size 1). Pairs are (rows, columns)."""

    images: int
    channels: int
    size: tuple[int, int]
    out_channels: int
    out_size: tuple[int, int]
    kernel: tuple[int, int] = (1, 1)
    stride: tuple[int, int] = (1, 1)
    pads_before: tuple[int, int] = (0, 0)
    pads_after: tuple[int, int] = (0, 0)
    dilation: tuple[int, int] = (1, 1)
    groups: int = 1

    @property
    def pixels(self) -> int:
        """Output pixels of the batch."""
        return self.images * self.out_size[0] * self.out_size[1]

    @property
    def taps(self) -> int:
        return self.kernel[0] * self.kernel[1]

    @property
    def pointwise(self) -> bool:
        """True where output pixel i reads input pixel i and no other."""
        return self.taps == 1 and self.stride == (1, 1) and self.pads_before == (0, 0) and self.size == self.out_size

    @property
    def operations(self) -> int:
        """Multiplications and additions."""
        return 2 * self.pixels * self.out_channels * self.taps * self.channels // self.groups


def of_conv(op: Op) -> Geometry | None:
    """The geometry of a `conv` of one or two space axes, else None."""
    x, y, attrs = op.inputs[0], op.output, op.attrs
    axes = len(x.shape) - 2
    if axes not in (1, 2):
        return None

    def pair(values, fill):
        return (fill, int(values[0])) if axes == 1 else (int(values[0]), int(values[1]))

    ones, zeros = [1] * axes, [0] * axes
    return Geometry(
        images=x.shape[0],
        channels=x.shape[1],
        size=pair(x.shape[2:], 1),
        out_channels=y.shape[1],
        out_size=pair(y.shape[2:], 1),
        kernel=pair(op.inputs[1].shape[2:], 1),
        stride=pair(attrs.get("stride") or ones, 1),
        pads_before=pair(attrs.get("pads_before") or zeros, 0),
        pads_after=pair(attrs.get("pads_after") or zeros, 0),
        dilation=pair(attrs.get("dilations") or ones, 1),
        groups=int(attrs.get("groups", 1)),
    )


def of_gemm(op: Op) -> Geometry | None:
    """The geometry of a `gemm` with a matrix on the right that is shared by every row of the left, else None."""
    a, b = op.inputs[0], op.inputs[1]
    if len(b.shape) != 2 or len(a.shape) < 2 or op.attrs.get("transpose_a"):
        return None
    rows = int(np.prod(a.shape[:-1], dtype=np.int64))
    columns = b.shape[0] if op.attrs.get("transpose_b") else b.shape[1]
    return Geometry(images=rows, channels=a.shape[-1], size=(1, 1), out_channels=columns, out_size=(1, 1))


def of(op: Op) -> Geometry | None:
    """The geometry of an operation of either kind, else None."""
    return {"conv": of_conv, "gemm": of_gemm}.get(op.kind, lambda _: None)(op)


def weights_by_channel(op: Op) -> np.ndarray:
    """The constant weights as (K, R, S, C / groups), whatever the operation."""
    data = op.inputs[1].data
    if op.kind == "gemm":
        rows = data if op.attrs.get("transpose_b") else data.T
        return np.ascontiguousarray(rows).reshape(rows.shape[0], 1, 1, rows.shape[1])
    four = data.reshape(data.shape[0], data.shape[1], *((1,) * (4 - data.ndim)), *data.shape[2:])
    return np.ascontiguousarray(four.transpose(0, 2, 3, 1))
