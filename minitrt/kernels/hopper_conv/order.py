"""In which order blocks walk over tiles: neighbours share what they read, so that it is read from memory once."""

from __future__ import annotations

from typing import Any

from numba import int32

from minitrt.kernels.hopper_conv.tile import ConvTile
from minitrt.kernels.inline import inline
from minitrt.kernels.ptx import udiv


@inline
def directed(t, tiles, direction):
    """The t-th of all tiles; from the last one where direction is -1, from the first where it is 0."""
    return int32((int32(t) ^ direction) + (direction & tiles))


def make_order(tile: ConvTile) -> Any:
    """place(t, tiles, channel_tiles, direction) -> (pixel tile, channel tile).

    Channels run fastest: neighbouring blocks share pixels. Where the weights of all channel tiles together are more
    than L2 likes, `raster` of them (a divisor of their number) are walked over all pixels before the next ones.
    """
    RASTER = tile.raster

    @inline
    def place(t, tiles, channel_tiles, direction):
        t = directed(t, tiles, direction)
        if RASTER:
            band_tiles = int32(udiv(tiles, channel_tiles)) * RASTER
            band = int32(udiv(t, band_tiles))
            inside = int32(t - band * band_tiles)
            pixel_tile = int32(udiv(inside, RASTER))
            channel_tile = int32(band * RASTER + inside - pixel_tile * RASTER)
        else:
            pixel_tile = int32(udiv(t, channel_tiles))
            channel_tile = int32(t - pixel_tile * channel_tiles)
        return pixel_tile, channel_tile

    return place
