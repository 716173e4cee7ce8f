"""An image network's first INT8 convolution with its max pool on Hopper: when one kernel does both, and its launch."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial

import numpy as np

from minitrt.api.enums import DataType
from minitrt.graph.epilogue import folded
from minitrt.graph.ir import BLOCKS16, LINEAR, NHWC16, NUMPY_TYPES, Op
from minitrt.graph.quantised import unquantised
from minitrt.kernels.hopper_stem.tile import SOURCE_BYTES, RawStemTile, StemTile
from minitrt.tactics.contract import Device, Direction, KernelKey, Launch, Packed, Scalar, Tactic, Tensor
from minitrt.tactics.geometry import Geometry, of, padded
from minitrt.tactics.hopper.packing import packed_constants
from minitrt.tactics.hopper.reciprocal import parts, rounds_alike
from minitrt.tactics.hopper.tiles import rows_that_divide, stem_fits
from minitrt.tactics.hopper_conv import supported, weights_of, whole_map

MOST_PIXELS, MOST_ROWS, CHANNELS = 128, 14, 64  # of which two rows of sums fit into registers
MOST_RAW_ROWS = 28  # each band quantises three rows of blocks that the next one quantises, too
LINE = 16  # bytes, of which the copy engine takes multiples


def candidates(op: Op, device: Device) -> list[Tactic]:
    """Tactics for a convolution with a pool, as bands of different heights; none where the kernel does not fit."""
    quantize, conv = unquantised(op)
    pool = conv.attrs.get("pool")
    geometry = supported(conv, device) if pool else None
    if geometry is None or conv.input(3) is not None or conv.inputs[0].dtype != DataType.INT8:
        return []
    rows = replace(geometry, out_size=(geometry.size[0] // 2, geometry.size[1] // 2))  # of the convolution alone
    relu = (conv.attrs.get("activation") or {}).get("type") == "relu"
    if not (relu and stem_fits(rows) and pools_by_two(pool, rows, geometry)):
        return []
    if rows.out_channels > CHANNELS or rows.out_size[1] > MOST_PIXELS or op.output.dtype != DataType.INT8:
        return []
    if quantize is not None and not can_quantise(quantize):
        return []
    return [
        Tactic(
            name=f"hopper_{tile.name}",
            make=partial(launches, tile=tile, sm_count=device.sm_count),
            inputs=(BLOCKS16 if quantize is None else LINEAR, LINEAR, LINEAR, NHWC16, LINEAR)[: len(op.inputs)],
            outputs=(NHWC16,),
            shared_bytes=tile.shared_bytes,
        )
        for tile in (tiles_for(rows, device) if quantize is None else raw_tiles_for(rows, device, quantize))
    ]


def can_quantise(quantize: Op) -> bool:
    """Whether the kernel knows the images' type, the copy engine takes two of their lines, and each number becomes what
    a division would make of it."""
    x = quantize.inputs[0]
    size = SOURCE_BYTES.get(NUMPY_TYPES[x.dtype].name, 0)
    whole = size and 2 * x.shape[3] * size % LINE == 0 == x.shape[2] * x.shape[3] * size % LINE
    return bool(whole) and rounds_alike(quantize.output.scale)


def pools_by_two(pool: dict, rows: Geometry, pooled: Geometry) -> bool:
    """True for windows of 3x3 at stride 2 of an even image, the first one row and column above and left of it."""
    window = pool["kernel"] == [3, 3] and pool["stride"] == [2, 2] and pool["pads_before"] == [1, 1]
    return window and pooled.out_size == (rows.out_size[0] // 2, rows.out_size[1] // 2) and not any(
        size % 2 for size in rows.out_size
    )  # fmt: skip


def tiles_for(rows: Geometry, device: Device) -> list[StemTile]:
    """Bands of two heights: high ones compute fewer rows twice, low ones give every multiprocessor some."""
    tile = StemTile(pixels=padded(rows.out_size[1]), pitch=rows.out_size[1] + 3)
    return fitting(replace(tile, pooled_rows=height) for height in heights(rows, device, MOST_ROWS))


def raw_tiles_for(rows: Geometry, device: Device, quantize: Op) -> list[StemTile]:
    """The same for images that are not quantised yet."""
    source, width = NUMPY_TYPES[quantize.inputs[0].dtype].name, rows.out_size[1]
    tile = RawStemTile(pixels=padded(width), pitch=width + 3, source=source, channels=rows.channels)
    return fitting(replace(tile, pooled_rows=height) for height in heights(rows, device, MOST_RAW_ROWS))


def heights(rows: Geometry, device: Device, most: int) -> list[int]:
    """Pooled rows of a band."""
    height = rows.out_size[0] // 2
    tall = rows_that_divide(height, most)
    found = [tall if rows.images * height // tall >= device.sm_count else 1]
    if rows_that_divide(height, 7) > 1:
        found.append(rows_that_divide(height, most // 2 if found == [tall] else 2))
    return list(dict.fromkeys(found))


def fitting(tiles: Iterable[StemTile]) -> list[StemTile]:
    """Those for which shared memory holds a ring."""
    return [tile for tile in (each.fitted() for each in tiles) if tile.stages > 1]


def launches(op: Op, tile: StemTile, sm_count: int) -> list[Launch]:
    """The one launch of a convolution and its pool."""
    quantize, op = unquantised(op)
    geometry, row = of(op), tile.row
    (height, width), channels = geometry.out_size, padded(geometry.out_channels)
    w = Packed("weights", weights_of(op, row, geometry))
    y = whole_map(
        row, Tensor("output", 0), (channels, width, height, geometry.images), box=(CHANNELS, tile.pixels // 2, 1, 1),
        swizzle=row.output_row,
    )  # fmt: skip
    bands = height // tile.pooled_rows
    units = geometry.images * bands
    names = ("pixels", "pitch", "pooled_rows", "stages", *(("source", "channels") if quantize else ()))
    numbers = [units, bands, *(image_numbers(quantize) if quantize else block_numbers(geometry))]
    return [
        Launch(
            kernel=KernelKey.of(
                "hopper_raw_stem" if quantize else "hopper_stem", **{name: getattr(tile, name) for name in names}
            ),
            grid=(min(units, sm_count * tile.blocks_per_sm), 1, 1),
            block=(tile.threads, 1, 1),
            args=(
                Tensor("input", 0, alignment=LINE if quantize else 1),
                whole_map(row, w, w.data.shape[::-1], box=(row.k_elements, CHANNELS), swizzle=row.k_bytes),
                y,
                Packed("constants", packed_constants(folded(op, geometry.out_channels), "int8")),
                *(scales(quantize) if quantize else ()),
                *(Scalar(int(number)) for number in numbers),
                Direction(),
            ),
            shared_bytes=tile.shared_bytes,
            dependent=True,
        )
    ]


def block_numbers(geometry: Geometry) -> tuple[int, int]:
    """Bytes of an image of blocks, and of a row of it."""
    row_bytes = (geometry.size[1] // 2 + 3) * 16
    return (geometry.size[0] // 2 + 3) * row_bytes, row_bytes


def image_numbers(quantize: Op) -> tuple[int, int]:
    """Bytes of one channel of an image, and rows of blocks of it."""
    x = quantize.inputs[0]
    height, width = x.shape[2:]
    return height * width * NUMPY_TYPES[x.dtype].itemsize, height // 2


def scales(quantize: Op) -> tuple[Scalar, ...]:
    """The reciprocal of the scale in two parts, and 256 scales, as float32."""
    scale = np.float32(quantize.output.scale)
    return tuple(Scalar(float(number), "float32") for number in (*parts(scale), np.float32(256) * scale))
