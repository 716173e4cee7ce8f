"""An image network's first INT8 convolution with its max pool on Hopper: when one kernel does both, and its launch."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from minitrt.api.enums import DataType
from minitrt.graph.epilogue import folded
from minitrt.graph.ir import BLOCKS16, LINEAR, NHWC16, Op
from minitrt.kernels.hopper_stem.tile import StemTile
from minitrt.tactics.contract import Device, Direction, KernelKey, Launch, Packed, Scalar, Tactic, Tensor
from minitrt.tactics.geometry import Geometry, of, padded
from minitrt.tactics.hopper.packing import packed_constants
from minitrt.tactics.hopper.tiles import rows_that_divide, stem_fits
from minitrt.tactics.hopper_conv import supported, weights_of, whole_map

MOST_PIXELS, MOST_ROWS, CHANNELS = 128, 14, 64  # of which two rows of sums fit into registers


def candidates(op: Op, device: Device) -> list[Tactic]:
    """Tactics for a convolution with a pool, as bands of different heights; none where the kernel does not fit."""
    pool = op.attrs.get("pool")
    geometry = supported(op, device) if pool else None
    if geometry is None or len(op.inputs) > 3 and op.input(3) is not None or op.inputs[0].dtype != DataType.INT8:
        return []
    rows = replace(geometry, out_size=(geometry.size[0] // 2, geometry.size[1] // 2))  # of the convolution alone
    relu = (op.attrs.get("activation") or {}).get("type") == "relu"
    if not (relu and stem_fits(rows) and pools_by_two(pool, rows, geometry)):
        return []
    if rows.out_channels > CHANNELS or rows.out_size[1] > MOST_PIXELS or op.output.dtype != DataType.INT8:
        return []
    return [
        Tactic(
            name=f"hopper_{tile.name}",
            make=partial(launches, tile=tile, sm_count=device.sm_count),
            inputs=(BLOCKS16, LINEAR, LINEAR, NHWC16)[: len(op.inputs)],
            outputs=(NHWC16,),
            shared_bytes=tile.shared_bytes,
        )
        for tile in tiles_for(rows, device)
    ]


def pools_by_two(pool: dict, rows: Geometry, pooled: Geometry) -> bool:
    """True for windows of 3x3 at stride 2 of an even image, the first one row and column above and left of it."""
    window = pool["kernel"] == [3, 3] and pool["stride"] == [2, 2] and pool["pads_before"] == [1, 1]
    return window and pooled.out_size == (rows.out_size[0] // 2, rows.out_size[1] // 2) and not any(
        size % 2 for size in rows.out_size
    )  # fmt: skip


def tiles_for(rows: Geometry, device: Device) -> list[StemTile]:
    """Bands of two heights: high ones compute fewer rows twice, low ones give every multiprocessor some."""
    height, width = (size // 2 for size in rows.out_size)
    tile = StemTile(pixels=padded(rows.out_size[1]), pitch=rows.out_size[1] + 3)
    tall = rows_that_divide(height, MOST_ROWS)
    heights = [tall if rows.images * height // tall >= device.sm_count else 1]
    if rows_that_divide(height, 7) > 1:
        heights.append(rows_that_divide(height, 7 if heights == [tall] else 2))
    found = [replace(tile, pooled_rows=rows).fitted() for rows in dict.fromkeys(heights)]
    return [each for each in found if each.stages > 1]


def launches(op: Op, tile: StemTile, sm_count: int) -> list[Launch]:
    """The one launch of a convolution and its pool."""
    geometry, row = of(op), tile.row
    (height, width), channels = geometry.out_size, padded(geometry.out_channels)
    w = Packed("weights", weights_of(op, row, geometry))
    y = whole_map(
        row, Tensor("output", 0), (channels, width, height, geometry.images), box=(CHANNELS, tile.pixels // 2, 1, 1),
        swizzle=row.output_row,
    )  # fmt: skip
    bands, row_bytes = height // tile.pooled_rows, (geometry.size[1] // 2 + 3) * 16
    numbers = (geometry.images * bands, bands, (geometry.size[0] // 2 + 3) * row_bytes, row_bytes)
    constants = {"pixels": tile.pixels, "pitch": tile.pitch, "pooled_rows": tile.pooled_rows, "stages": tile.stages}
    return [
        Launch(
            kernel=KernelKey.of("hopper_stem", **constants),
            grid=(min(numbers[0], sm_count * tile.blocks_per_sm), 1, 1),
            block=(tile.threads, 1, 1),
            args=(
                Tensor("input", 0),
                whole_map(row, w, w.data.shape[::-1], box=(row.k_elements, CHANNELS), swizzle=row.k_bytes),
                y,
                Packed("constants", packed_constants(folded(op, geometry.out_channels), "int8")),
                *(Scalar(int(number)) for number in numbers),
                Direction(),
            ),
            shared_bytes=tile.shared_bytes,
            dependent=True,
        )
    ]
