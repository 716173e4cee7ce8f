"""INT8 and FP16 convolutions and matrix products on Hopper: how each tile of the kernel is launched."""

from __future__ import annotations

import math
from dataclasses import fields
from functools import partial

import numpy as np

from minitrt.api.enums import DataType
from minitrt.graph.epilogue import COMMUTING, folded
from minitrt.graph.ir import BLOCKS16, LINEAR, NHWC16, Op
from minitrt.graph.shortcut import RESIDUAL, X, parted
from minitrt.kernels.hopper_conv.curves import CURVES
from minitrt.kernels.hopper_conv.tile import ELEMENT_BYTES, STEM_TAPS, ConvTile
from minitrt.tactics.contract import Device, Direction, KernelKey, Launch, Packed, Scalar, Tactic, Tensor, TensorMap
from minitrt.tactics.geometry import Geometry, of, padded, weights_by_channel
from minitrt.tactics.hopper import packing
from minitrt.tactics.hopper.tiles import Shaped, tiles_for

HOPPER = (9, 0)
L2_PROMOTION = 256
PACKED = packing.Remembered()
ELEMENTS = {DataType.INT8: "int8", DataType.HALF: "float16"}


def supported(op: Op, device: Device) -> Geometry | None:
    """The geometry of an operation that the kernel can run, else None."""
    geometry = of(op)
    if device.compute_capability != HOPPER or geometry is None or geometry.groups != 1:
        return None
    x, weights, bias, residual = (op.input(i) for i in range(4))
    y, activation = op.output, op.attrs.get("activation")
    element = ELEMENTS.get(x.dtype) if x.dtype == weights.dtype and weights.is_constant else None
    kind = activation["type"] if activation else None
    known = kind in COMMUTING or kind in CURVES and y.dtype != DataType.FLOAT
    folds = known and (bias is None or bias.is_constant and bias.size in (1, geometry.out_channels))
    if element is None or not folds or geometry.pixels == 0 or max(*geometry.pads_before, *geometry.pads_after) > 100:
        return None
    if y.dtype == DataType.FLOAT:
        return geometry if residual is None and geometry.pointwise and geometry.size == (1, 1) else None
    if y.dtype != x.dtype or residual is not None and (residual.dtype, residual.shape) != (y.dtype, y.shape):
        return None
    lie = 16 // ELEMENT_BYTES[element]
    if rows_as_they_lie(op) and (geometry.channels % lie or geometry.out_channels % lie):
        return None  # rows must be a multiple of 16 bytes
    return geometry


def rows_as_they_lie(op: Op) -> bool:
    """True for a matrix product whose rows are in LINEAR: of more than two axes, or with nothing to pad."""
    if op.kind != "gemm":
        return False
    multiple = 16 // ELEMENT_BYTES[ELEMENTS[op.inputs[0].dtype]]
    whole = op.output.dtype == DataType.FLOAT or op.output.shape[-1] % multiple == 0
    return len(op.inputs[0].shape) != 2 or op.inputs[0].shape[-1] % multiple == 0 and whole


def candidates(op: Op, device: Device) -> list[Tactic]:
    """One tactic a tile that fits."""
    short, main = parted(op)
    geometry, shortcut = supported(main, device), supported_shortcut(short, main, device) if short else None
    if geometry is None or short is not None and shortcut is None:
        return []
    return [_tactic(op, shaped) for shaped in tiles_for(main, geometry, device, shortcut)]


def supported_shortcut(short: Op, main: Op, device: Device) -> Geometry | None:
    """The geometry of a convolution that makes the residual of `main`, where the kernel can make it there."""
    here, there = of(main), supported(short, device)
    if there is None or any(v.dtype != DataType.INT8 for v in (main.output, main.inputs[0], short.inputs[0])):
        return None
    same = (here.images, here.out_size, here.out_channels) == (there.images, there.out_size, there.out_channels)
    return there if same and there.stride[0] == there.stride[1] else None


def _tactic(op: Op, shaped: Shaped) -> Tactic:
    tile = shaped.tile
    inside = LINEAR if rows_as_they_lie(op) else NHWC16
    first = BLOCKS16 if tile.kind in ("stem", "strip") else inside
    layouts = [first, LINEAR, LINEAR, inside, inside, LINEAR, LINEAR, LINEAR][: len(op.inputs)]
    return Tactic(
        name=f"hopper_{tile.name}" + (f"_split{shaped.split}" if shaped.split > 1 else ""),
        make=partial(launches, shaped=shaped),
        inputs=tuple(layouts),
        outputs=(LINEAR if tile.float_output else inside,),
        shared_bytes=tile.shared_bytes,
        notes={"pitched": True},
    )


def key_of(tile: ConvTile) -> KernelKey:
    """The kernel of a tile: its fields that differ from the defaults. Occupancy bounds stages and compiles nothing."""
    usual = ConvTile()
    given = {f.name: getattr(tile, f.name) for f in fields(tile) if getattr(tile, f.name) != getattr(usual, f.name)}
    given.pop("blocks_per_sm", None)
    return KernelKey.of("hopper_conv", **given)


def weights_of(op: Op, tile: ConvTile, geometry: Geometry) -> np.ndarray:
    """The weights of one convolution as the tile reads them."""
    how = (
        tile.kind in ("stem", "strip"),
        tile.k_elements,
        op.kind,
        bool(op.attrs.get("transpose_b")),
        geometry.pads_before,
    )
    return PACKED.of(op.inputs[1].data, how, lambda: _packed(op, tile, geometry))


def _packed(op: Op, tile: ConvTile, geometry: Geometry) -> np.ndarray:
    weights = weights_by_channel(op)
    if tile.kind in ("stem", "strip"):  # a row of taps is one run of K
        stem = packing.stem_weights(weights, geometry)
        return packing.packed_weights(stem.reshape(*stem.shape[:2], 1, -1), 64)
    return packing.packed_weights(weights, tile.k_elements)


def launches(op: Op, shaped: Shaped) -> list[Launch]:
    """The one launch of an operation with a tile."""
    short, op = parted(op)
    tile, geometry = shaped.tile, of(op)
    epilogue = folded(op, geometry.out_channels)
    matrix, table = weights_of(op, tile, geometry), packing.packed_constants(epilogue, tile.element)
    if short is not None:  # its weights come first, as its stages do, and its constants last
        other = packing.packed_constants(folded(short, geometry.out_channels), tile.element)
        matrix, table = np.hstack([weights_of(short, tile, of(short)), matrix]), np.vstack([table, other])
    matrix, table = Packed("weights", matrix), Packed("constants", table)
    residual, multiple = epilogue.residual_multiplier, 1 if rows_as_they_lie(op) else 16
    low = epilogue.low if epilogue.output_scale is None else 1 / np.float64(epilogue.output_scale)
    counts = Counts(tile, geometry, shaped.split)
    y = Tensor("output", 0)
    arguments = (
        input_map(tile, geometry, multiple),
        whole_map(tile, matrix, matrix.data.shape[::-1], box=(tile.k_elements, tile.channels), swizzle=tile.k_bytes),
        _residual_map(tile, geometry, multiple, short),
        y if tile.float_output else output_map(tile, geometry, y, multiple, op.output.pitch),
        table,
        *(Scalar(float(v), "float32") for v in (residual or 0.0, low, epilogue.high)),
        *(Scalar(int(v)) for v in counts.arguments()),
        Direction(),
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
        k_tiles = geometry.taps * padded(geometry.channels, tile.k_elements) // tile.k_elements
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
            self.tiles, self.channel_tiles, self.k_steps, padded(g.channels, self.tile.k_elements), g.kernel[1],
            g.out_size[1], self.image_tiles or g.out_size[0] * g.out_size[1], *g.stride, *g.pads_before, *g.dilation,
            blocks_h * blocks_w * 16, blocks_w * 16, g.out_channels, g.pixels,
        )  # fmt: skip


def whole_map(tile: ConvTile, of: Tensor | Packed, dims: tuple[int, ...], pitch: int = 0, **more) -> TensorMap:
    """A map of a tensor without gaps but for those between pixels; dims: elements, innermost first."""
    lying = (pitch or dims[0], *dims[1:])
    strides = tuple(math.prod(lying[: axis + 1]) * tile.element_bytes for axis in range(len(dims) - 1))
    return TensorMap(of, tile.element, tuple(dims), strides, l2_promotion=L2_PROMOTION, **more)


def _residual_map(tile: ConvTile, g: Geometry, multiple: int, short: Op | None) -> TensorMap | Scalar:
    """Of the residual; of the pixels of the convolution that makes it; nothing."""
    if short is not None:
        return input_map(tile.of_shortcut, of(short), multiple, X)
    return output_map(tile, g, Tensor("input", RESIDUAL), multiple) if tile.residual else Scalar(0, "uint64")


def input_map(tile: ConvTile, g: Geometry, multiple: int, index: int = 0) -> TensorMap | Tensor:
    x, channels = Tensor("input", index), padded(g.channels, multiple)
    if tile.kind == "stem":
        return x
    if tile.kind == "gemm":
        return whole_map(tile, x, (channels, g.pixels), box=(tile.k_elements, tile.pixels), swizzle=tile.k_bytes)
    if tile.kind == "strip":  # four pixels of 16 channels are a row; the next row begins one pixel further
        height, width, item = g.size[0] // 2 + 3, g.size[1] // 2 + 3, tile.element_bytes
        strides = (16 * item, 16 * item * width, 16 * item * width * height)
        dims, box = (64, g.out_size[1], height, g.images), (64, tile.pitch, tile.rows + STEM_TAPS - 1, 1)
        return TensorMap(x, tile.element, dims, strides, box, swizzle=tile.k_bytes, l2_promotion=L2_PROMOTION)
    dims = (channels, g.size[1], g.size[0], g.images)
    if tile.kind == "halo":
        return whole_map(tile, x, dims, box=(tile.k_elements, tile.pitch, tile.rows + 2, 1), swizzle=tile.k_bytes)
    lower = [-g.pads_before[1], -g.pads_before[0]]
    upper = [g.pads_after[axis] - (g.kernel[axis] - 1) * g.dilation[axis] for axis in (1, 0)]
    corners = {"lower": lower, "upper": upper, "channels": tile.k_elements, "pixels": tile.pixels}
    steps = (1, g.stride[1], g.stride[0], 1)
    return whole_map(tile, x, dims, box=(), element_strides=steps, im2col=corners, swizzle=tile.k_bytes)


def output_map(tile: ConvTile, g: Geometry, of_tensor: Tensor, multiple: int, pitch: int = 0) -> TensorMap:
    """One panel of one warpgroup a box: rows of output_row bytes. pitch: from a pixel to the next, if not channels."""
    channels, row = padded(g.out_channels, multiple), tile.output_row // tile.element_bytes
    if tile.own_rows:
        dims, box = (channels, g.out_size[1], g.out_size[0], g.images), (row, tile.pitch, tile.rows, 1)
        return whole_map(tile, of_tensor, dims, pitch, box=box, swizzle=tile.output_row)
    return whole_map(tile, of_tensor, (channels, g.pixels), pitch, box=(row, tile.pixels), swizzle=tile.output_row)
