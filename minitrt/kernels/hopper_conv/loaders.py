"""How the pixels of one sub-tile come into shared memory: one loader a kind, all with the same arguments.

load(destination, source, channel, pixel, column, row, image, tap_column, tap_row, image_bytes, row_bytes, barrier)
    source is a tensor map's address (stem: the tensor's); pixel counts in the order of the output; column, row and
    image are where the window of the tile's first pixel begins.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import uint64

from minitrt.kernels.hopper import tma
from minitrt.kernels.hopper_conv.tile import ConvTile
from minitrt.kernels.inline import inline


def make_loader(tile: ConvTile) -> Any:
    """The loader of a tile's kind."""
    return LOADERS[tile.kind](tile)


def _gemm(tile: ConvTile) -> Any:
    """A box of rows: a 1x1 convolution reads its pixels as they lie."""

    @inline
    def load(
        destination, source, channel, pixel, column, row, image, tap_column, tap_row, image_bytes, row_bytes, full
    ):
        tma.load_2d(destination, source, channel, pixel, full)

    return load


def _conv(tile: ConvTile) -> Any:
    """An im2col box: the copy engine walks the windows, and fills what lies outside the image with zeros."""

    @inline
    def load(
        destination, source, channel, pixel, column, row, image, tap_column, tap_row, image_bytes, row_bytes, full
    ):
        tma.load_im2col(destination, source, channel, column, row, image, full, tap_column, tap_row)

    return load


def _halo(tile: ConvTile) -> Any:
    """A padded tile of whole rows: the nine taps are nine start addresses in it, so each pixel is loaded once."""

    @inline
    def load(
        destination, source, channel, pixel, column, row, image, tap_column, tap_row, image_bytes, row_bytes, full
    ):
        tma.load_4d(destination, source, channel, -1, row - 1, image, full)

    return load


def _stem(tile: ConvTile) -> Any:
    """Whole rows of 16-byte pixels in one plain copy: their tensor is padded in memory."""
    traffic = tile.pixel_bytes

    @inline
    def load(
        destination, source, channel, pixel, column, row, image, tap_column, tap_row, image_bytes, row_bytes, full
    ):
        tma.load_bytes(destination, source + uint64(image * image_bytes + row * row_bytes), traffic, full)

    return load


def _strip(tile: ConvTile) -> Any:
    """Rows of whole windows, through a map in which neighbouring pixels overlap."""

    @inline
    def load(
        destination, source, channel, pixel, column, row, image, tap_column, tap_row, image_bytes, row_bytes, full
    ):
        tma.load_4d(destination, source, channel, 0, row, image, full)

    return load


LOADERS: dict[str, Callable[[ConvTile], Any]] = {
    "gemm": _gemm, "conv": _conv, "halo": _halo, "stem": _stem, "strip": _strip,
}  # fmt: skip
