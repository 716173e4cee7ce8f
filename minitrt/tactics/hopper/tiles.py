"""Which tiles of the Hopper kernel are worth timing for a layer: about ten of them, from its shape alone.

Many pixels: wide tiles, two warpgroups in turns, weights that stay where they fit. Few pixels (batch 1): narrow tiles,
so that every multiprocessor has one, and clusters that divide K.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from minitrt.api.enums import DataType
from minitrt.graph.ir import Op
from minitrt.kernels.hopper_conv.tile import ELEMENT_BYTES, ConvTile
from minitrt.tactics.contract import Device
from minitrt.tactics.geometry import Geometry, padded

RESIDENT_BYTES = 80 * 1024  # of weights a block may keep, so that a ring of three stages still fits
MOST_STAGES = 6
MOST_STAGES_NARROW = 12  # a narrow tile's stages are small, and its block is alone on its multiprocessor
CLUSTER_SIZES = (2, 3, 4, 6, 8)
MOST_RESIDENT = 16


@dataclass(frozen=True)
class Shaped:
    """A tile, the blocks of a cluster that divide K, and the multiprocessors that the grid is cut for."""

    tile: ConvTile
    split: int
    sm_count: int


def tiles_for(op: Op, geometry: Geometry, device: Device, shortcut: Geometry | None = None) -> list[Shaped]:
    """Every tile to time, each once, best guesses first. shortcut: of the 1x1 convolution that makes the residual."""
    element = "int8" if op.inputs[0].dtype == DataType.INT8 else "float16"
    widest = max(geometry.channels, shortcut.channels if shortcut else 0)
    base = ConvTile(
        element=element,
        kind="gemm" if geometry.pointwise else "conv",
        k_bytes=64 if padded(widest) * ELEMENT_BYTES[element] <= 64 else 128,
        activation=(op.attrs.get("activation") or {"type": "none"})["type"],
        residual=op.input(3) is not None and shortcut is None,
        float_output=op.output.dtype == DataType.FLOAT,
    )
    if shortcut:
        steps = padded(shortcut.channels, base.k_elements) // base.k_elements
        base = replace(base, shortcut=steps, shortcut_stride=shortcut.stride[0])
    wide = -(-geometry.pixels // 128) * -(-geometry.out_channels // 128) >= device.sm_count
    if shortcut:
        drafts = list(_with_shortcut(base, geometry, device, wide))
    else:
        drafts = [*_own_rows(base, geometry), *(_wide(base, geometry) if wide else _narrow(base, geometry, device))]
        if not wide and geometry.pixels >= 256:
            drafts += list(_wide(base, geometry))[:2]
    found = []
    for tile, split, most in drafts:
        k_tiles = _k_tiles(tile, geometry)
        steps = 1 if tile.own_rows else k_tiles // (tile.sub_tiles * split)
        rings = (
            tile.ping_pong or tile.resident or tile.row_groups > 1 or wide
        )  # serve many tiles of a block, one by one
        tile = replace(tile, split=split).fitted(most if rings else min(most, steps))
        if _allowed(tile, steps):
            found.append(Shaped(tile, split, device.sm_count))
    return list(dict.fromkeys(found))


def _allowed(tile: ConvTile, steps: int) -> bool:
    """A stage is handed back under the products of the next one, so several steps need two stages or wait for ever."""
    return tile.stages >= min(2, steps) + tile.ping_pong * (not tile.own_rows) and tile.resident <= MOST_RESIDENT


def _k_tiles(tile: ConvTile, g: Geometry) -> int:
    """Sub-tiles of K of a whole product, its shortcut's among them."""
    return tile.shortcut + g.taps * padded(g.channels, tile.k_elements) // tile.k_elements


Draft = tuple[ConvTile, int, int]  # tile without stages, split, most stages


def _wide(base: ConvTile, g: Geometry) -> Iterator[Draft]:
    k_tiles = _k_tiles(base, g)
    channels = padded(g.out_channels, 64)

    def stays(tile: ConvTile) -> int:
        return k_tiles if k_tiles * tile.weight_bytes <= RESIDENT_BYTES else 0

    pairs = replace(base, row_groups=2, ping_pong=True, pixels=128, slots=4 if base.residual else 2)
    if channels > 64:
        yield pairs, 1, MOST_STAGES
        if stays(pairs):
            yield replace(pairs, resident=k_tiles), 1, MOST_STAGES
            alone = replace(pairs, warpgroups=1, ping_pong=False, resident=k_tiles, slots=2, blocks_per_sm=2)
            yield alone, 1, MOST_STAGES
        together = replace(base, pixels=192)
        yield together, 1, MOST_STAGES
        yield replace(base, row_groups=2, pixels=96), 1, MOST_STAGES
        yield replace(base, row_groups=2, pixels=128, resident=stays(replace(base, row_groups=2))), 1, MOST_STAGES
        yield replace(base, pixels=128, blocks_per_sm=2), 1, MOST_STAGES
        yield from _large(base, g, k_tiles)
    for pixels in (192, 256) if channels <= 64 else (192,):
        narrow = replace(base, ping_pong=True, pixels=pixels, slots=2)
        yield replace(narrow, resident=stays(narrow)), 1, MOST_STAGES
        if channels <= 64 and stays(narrow):
            yield replace(narrow, warpgroups=1, ping_pong=False, pixels=128, resident=k_tiles, blocks_per_sm=2), 1, 4


def _large(base: ConvTile, g: Geometry, k_tiles: int) -> Iterator[Draft]:
    """The tiles with the most products for each byte of shared memory, in bands of channels that stay in L2."""
    if k_tiles < 16:
        return
    tiles = padded(g.out_channels, 128) // 128
    for raster in sorted({band for band in (0, 8, 16) if band == 0 or tiles % band == 0 and tiles > band}):
        yield replace(base, pixels=256, raster=raster), 1, MOST_STAGES
    if tiles % 2 == 0:
        yield replace(base, row_groups=2, pixels=128, raster=8 if tiles % 16 == 0 and tiles > 16 else 0), 1, MOST_STAGES


def _narrow(base: ConvTile, g: Geometry, device: Device) -> Iterator[Draft]:
    k_tiles = _k_tiles(base, g)
    one = replace(base, warpgroups=1, row_groups=1, slots=1)
    groups = padded(g.out_channels, 64) // 64
    for pixels in (16, 32, 48, 64, 96, 128):
        tiles = -(-g.pixels // pixels) * groups
        few = tiles * 9 < device.sm_count or pixels > padded(g.pixels)
        if tiles > 3 * device.sm_count and pixels < 96 or pixels > 16 and few:
            continue
        narrow = replace(one, pixels=pixels)
        for split in (1, *CLUSTER_SIZES):
            if split == 1 or (k_tiles % split == 0 and tiles * split <= device.sm_count and k_tiles >= 2 * split):
                yield narrow, split, MOST_STAGES_NARROW if split == 1 else 9
        if base.k_bytes == 64 and k_tiles % 3 == 0:
            yield replace(narrow, sub_tiles=3), 1, 3
        elif k_tiles == 2:
            yield replace(narrow, sub_tiles=2), 1, 1
        if groups > 1 and tiles >= device.sm_count:
            yield replace(narrow, warpgroups=2), 1, MOST_STAGES


def _with_shortcut(base: ConvTile, g: Geometry, device: Device, wide: bool) -> Iterator[Draft]:
    """Tiles for two convolutions, one of which makes the other's residual: few, since each costs two to compile.

    Stages of one sub-tile, no clusters, and blocks that multiply while a neighbour requantises the shortcut.
    """
    k_tiles, groups = _k_tiles(base, g), padded(g.out_channels, 64) // 64
    if not wide:
        for pixels in (16, 32, 48, 64):
            tiles = -(-g.pixels // pixels) * groups
            if tiles <= 3 * device.sm_count or pixels == 64:
                yield replace(base, warpgroups=1, pixels=pixels), 1, MOST_STAGES_NARROW
                if groups > 1 and tiles >= device.sm_count:
                    yield replace(base, pixels=pixels), 1, MOST_STAGES
        return
    if groups == 1:
        yield replace(base, warpgroups=1, pixels=128, blocks_per_sm=2), 1, MOST_STAGES
        yield replace(base, ping_pong=True, pixels=192, slots=2), 1, MOST_STAGES
        return
    pair = replace(base, row_groups=2, pixels=128, slots=2)
    for draft in (
        replace(pair, ping_pong=True),
        replace(pair, warpgroups=1, pixels=128 if base.k_bytes == 64 else 96, blocks_per_sm=2),
        replace(pair, slots=1),
        replace(base, pixels=192),
    ):
        stays = k_tiles * draft.weight_bytes * draft.blocks_per_sm <= RESIDENT_BYTES
        yield replace(draft, resident=k_tiles if stays else 0), 1, MOST_STAGES


def _own_rows(base: ConvTile, g: Geometry) -> Iterator[Draft]:
    """Tiles of whole rows: the halo for 3x3 of few channels, the stem for the first layer."""
    if base.residual or base.float_output:
        return
    plain = replace(base, row_groups=1, slots=2)
    if stem_fits(g):
        yield from _strips(plain, g)
    if stem_fits(g) and base.element == "int8":
        pitch = g.out_size[1] + 3
        for rows, change in ((1, {"warpgroups": 1, "blocks_per_sm": 4}), (2, {"ping_pong": True})):
            pixels = padded(pitch * rows - 3)
            if pixels <= 256:
                stem = replace(plain, kind="stem", k_bytes=128, resident=2, pixels=pixels, pitch=pitch, rows=rows)
                yield replace(stem, **change), 1, 4
    three = g.kernel == (3, 3) and (*g.stride, *g.dilation, *g.pads_before, *g.pads_after) == (1,) * 8
    if three and padded(g.channels) * base.element_bytes <= 128:
        pitch = g.size[1] + 2
        rows = min((256 + 2) // pitch, g.size[0]) if pitch <= 256 else 0
        for most in {rows, rows_that_divide(g.size[0], rows)} - {0}:
            pixels = padded(pitch * most - 2)
            halo = replace(plain, kind="halo", resident=9, ping_pong=True, pixels=pixels, pitch=pitch, rows=most)
            yield halo, 1, 4


def _strips(plain: ConvTile, g: Geometry) -> Iterator[Draft]:
    """Whole rows of the first layer, four taps of 16 channels in a row of K."""
    width = g.out_size[1]
    most = min(256 // width, g.out_size[0]) if width <= 256 else 0
    for rows in {1, rows_that_divide(g.out_size[0], most)} if most else ():
        strip = replace(plain, kind="strip", k_bytes=64 * plain.element_bytes, resident=4, pitch=width, rows=rows)
        strip = replace(strip, pixels=padded(width * rows))
        yield replace(strip, ping_pong=True), 1, 4
        yield replace(strip, warpgroups=1, blocks_per_sm=2), 1, 4


def rows_that_divide(height: int, most: int) -> int:
    """The most rows, up to `most`, that divide an image into equal tiles; 0 where `most` is 0."""
    return max((rows for rows in range(1, most + 1) if height % rows == 0), default=0)


def stem_fits(g: Geometry) -> bool:
    """True for a first convolution that `stem_weights` can express: stride 2, few channels, an even image."""
    even = g.size[0] % 2 == g.size[1] % 2 == 0
    halves = (g.size[0] // 2, g.size[1] // 2) == g.out_size
    windows = all(pad <= 4 and 4 - pad + size <= 8 for pad, size in zip(g.pads_before, g.kernel, strict=True))
    return (
        g.channels <= 4
        and g.stride == (2, 2)
        and g.dilation == (1, 1)
        and g.groups == 1
        and even
        and halves
        and windows
    )
