"""INT8 convolutions and matrix products on Hopper: how each tile of `minitrt.kernels.int8_conv` is launched."""

from __future__ import annotations

from dataclasses import fields
from functools import partial

from minitrt.api.enums import DataType
from minitrt.graph.epilogue import COMMUTING, folded
from minitrt.graph.ir import BLOCKS16, LINEAR, NHWC16, Op
from minitrt.kernels.int8_conv.tile import ConvTile
from minitrt.tactics import int8_packing as packing
from minitrt.tactics.contract import Device, KernelKey, Launch, Packed, Scalar, Tactic, Tensor, TensorMap
from minitrt.tactics.geometry import Geometry, of, padded, weights_by_channel
from minitrt.tactics.int8_tiles import Shaped, tiles_for

HOPPER = (9, 0)
L2_PROMOTION = 256


def supported(op: Op, device: Device) -> Geometry | None:
    """The geometry of an operation that the kernel can run, else None."""
    geometry = of(op)
    if device.compute_capability != HOPPER or geometry is None or geometry.groups != 1:
        return None
    x, weights, bias, residual = (op.input(i) for i in range(4))
    y, activation = op.output, op.attrs.get("activation")
    quantised = x.dtype == weights.dtype == DataType.INT8 and weights.is_constant and geometry.pixels > 0
    folds = (activation["type"] if activation else None) in COMMUTING and (
        bias is None or bias.is_constant and bias.size in (1, geometry.out_channels)
    )
    if not (quantised and folds) or max(*geometry.pads_before, *geometry.pads_after) > 100:
        return None
    if y.dtype == DataType.FLOAT:
        return geometry if residual is None and geometry.pointwise and geometry.size == (1, 1) else None
    if y.dtype != DataType.INT8 or residual is not None and (residual.dtype, residual.shape) != (y.dtype, y.shape):
        return None
    if op.kind == "gemm" and len(x.shape) != 2 and (geometry.channels % 16 or geometry.out_channels % 16):
        return None  # rows as they lie must be a multiple of 16 bytes
    return geometry


def candidates(op: Op, device: Device) -> list[Tactic]:
    """One tactic a tile that fits."""
    geometry = supported(op, device)
    if geometry is None:
        return []
    return [_tactic(op, shaped) for shaped in tiles_for(op, geometry, device)]


def _tactic(op: Op, shaped: Shaped) -> Tactic:
    tile = shaped.tile
    rows_as_they_lie = op.kind == "gemm" and len(op.inputs[0].shape) != 2
    inside = LINEAR if rows_as_they_lie else NHWC16
    first = BLOCKS16 if tile.kind == "stem" else inside
    layouts = [first, LINEAR, LINEAR, inside][: len(op.inputs)]
    return Tactic(
        name=f"int8_hopper_{tile.name}" + (f"_split{shaped.split}" if shaped.split > 1 else ""),
        make=partial(launches, shaped=shaped),
        inputs=tuple(layouts),
        outputs=(LINEAR if tile.float_output or rows_as_they_lie else NHWC16,),
        shared_bytes=tile.shared_bytes,
    )


def key_of(tile: ConvTile) -> KernelKey:
    """The kernel of a tile: its fields that differ from the defaults. Occupancy bounds stages and compiles nothing."""
    usual = ConvTile()
    given = {f.name: getattr(tile, f.name) for f in fields(tile) if getattr(tile, f.name) != getattr(usual, f.name)}
    given.pop("blocks_per_sm", None)
    return KernelKey.of("int8_conv", **given)


def launches(op: Op, shaped: Shaped) -> list[Launch]:
    """The one launch of an operation with a tile."""
    tile, geometry = shaped.tile, of(op)
    weights, epilogue = weights_by_channel(op), folded(op, geometry.out_channels)
    if tile.kind == "stem":
        matrix = packing.packed_weights(packing.stem_weights(weights, geometry), 16)
    else:
        matrix = packing.packed_weights(weights, tile.k_bytes)
    matrix, table = Packed("weights", matrix), Packed("constants", packing.packed_constants(epilogue))
    residual = epilogue.residual_multiplier
    counts = Counts(tile, geometry, shaped.split)
    output = Tensor("output", 0) if tile.float_output else _output_map(tile, geometry, Tensor("output", 0))
    arguments = (
        _input_map(tile, geometry),
        TensorMap(matrix, "int8", matrix.data.shape[::-1], (matrix.data.shape[1],), (tile.k_bytes, tile.channels),
                  swizzle=tile.k_bytes, l2_promotion=L2_PROMOTION),
        Scalar(0, "uint64") if residual is None else _output_map(tile, geometry, Tensor("input", 3)),
        output,
        table,
        *(Scalar(float(v), "float32") for v in (residual or 0.0, epilogue.low, epilogue.high)),
        *(Scalar(int(v)) for v in counts.arguments()),
    )  # fmt: skip
    return [
        Launch(
            kernel=key_of(tile),
            grid=(counts.blocks(shaped.sm_count), 1, 1),
            block=(tile.threads, 1, 1),
            args=arguments,
            shared_bytes=tile.shared_bytes,
            cluster=(shaped.split, 1, 1),
            dependent=True,
        )
    ]


class Counts:
    """Tiles, steps and the numbers that the kernel takes, in the order of `kernel.ARGUMENTS`."""

    def __init__(self, tile: ConvTile, geometry: Geometry, split: int) -> None:
        self.tile, self.geometry, self.split = tile, geometry, split
        self.channel_tiles = -(-padded(geometry.out_channels, 64) // tile.channels)
        self.image_tiles = -(-geometry.out_size[0] // tile.rows) if tile.own_rows else 0
        pixel_tiles = self.image_tiles * geometry.images if tile.own_rows else -(-geometry.pixels // tile.pixels)
        self.tiles = pixel_tiles * self.channel_tiles
        k_tiles = geometry.taps * padded(geometry.channels, tile.k_bytes) // tile.k_bytes
        self.k_steps = 1 if tile.own_rows else k_tiles // (tile.sub_tiles * split)

    def blocks(self, sm_count: int) -> int:
        """Never more than tiles; whole rounds of channel tiles where a block keeps its channels' weights."""
        if self.split > 1:
            return self.tiles * self.split
        grid = min(self.tiles, sm_count * self.tile.blocks_per_sm)
        return max(grid // self.channel_tiles, 1) * self.channel_tiles if self.tile.resident else grid

    def arguments(self) -> tuple[int, ...]:
        g = self.geometry
        blocks_h, blocks_w = g.size[0] // 2 + 3, g.size[1] // 2 + 3
        return (
            self.tiles, self.channel_tiles, self.k_steps, padded(g.channels, self.tile.k_bytes), g.kernel[1],
            g.out_size[1], self.image_tiles or g.out_size[0] * g.out_size[1], *g.stride, *g.pads_before, *g.dilation,
            blocks_h * blocks_w * 16, blocks_w * 16, g.out_channels, g.pixels,
        )  # fmt: skip


def _input_map(tile: ConvTile, g: Geometry) -> TensorMap | Tensor:
    x, channels = Tensor("input", 0), padded(g.channels)
    if tile.kind == "stem":
        return x
    common = {"of": x, "type": "int8", "swizzle": tile.k_bytes, "l2_promotion": L2_PROMOTION}
    if tile.kind == "gemm":
        return TensorMap(dims=(channels, g.pixels), strides=(channels,), box=(tile.k_bytes, tile.pixels), **common)
    dims = (channels, g.size[1], g.size[0], g.images)
    strides = (channels, channels * g.size[1], channels * g.size[1] * g.size[0])
    if tile.kind == "halo":
        return TensorMap(dims=dims, strides=strides, box=(tile.k_bytes, tile.pitch, tile.rows + 2, 1), **common)
    lower = [-g.pads_before[1], -g.pads_before[0]]
    upper = [g.pads_after[axis] - (g.kernel[axis] - 1) * g.dilation[axis] for axis in (1, 0)]
    return TensorMap(
        dims=dims,
        strides=strides,
        box=(),
        element_strides=(1, g.stride[1], g.stride[0], 1),
        im2col={"lower": lower, "upper": upper, "channels": tile.k_bytes, "pixels": tile.pixels},
        **common,
    )


def _output_map(tile: ConvTile, g: Geometry, of_tensor: Tensor) -> TensorMap:
    channels, row = padded(g.out_channels), tile.output_row
    common = {"of": of_tensor, "type": "int8", "swizzle": row, "l2_promotion": L2_PROMOTION}
    if tile.own_rows:
        height, width = g.out_size
        strides = (channels, channels * width, channels * width * height)
        return TensorMap(
            dims=(channels, width, height, g.images), strides=strides, box=(row, tile.pitch, tile.rows, 1), **common
        )
    return TensorMap(dims=(channels, g.pixels), strides=(channels,), box=(row, tile.pixels), **common)
