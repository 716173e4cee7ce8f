"""Convolutions and matrix products by mma.sync or dp4a: INT8 and FP16 from sm_75 on, and whatever Hopper's tiles leave.

Images are NHWC16; a matrix product whose rows are a multiple of 16 bytes reads and writes them as they lie.
"""

from __future__ import annotations

from dataclasses import asdict
from functools import partial

import numpy as np

from minitrt.api.enums import DataType
from minitrt.graph.epilogue import COMMUTING, bias_folds, folded
from minitrt.graph.ir import LINEAR, NHWC16, NUMPY_TYPES, Op, Value
from minitrt.kernels.plain.activations import FUNCTIONS
from minitrt.kernels.tensor_conv.tile import WARP_CHANNELS, Tile
from minitrt.tactics.arguments import NOTHING, array
from minitrt.tactics.contract import Device, KernelKey, Launch, Packed, Scalar, Tactic, Tensor
from minitrt.tactics.geometry import Geometry, of, padded, weights_by_channel
from minitrt.tactics.hopper.packing import Remembered

TURING, AMPERE = (7, 5), (8, 0)
ELEMENTS = {DataType.INT8: "int8", DataType.HALF: "float16"}
OUTPUTS = {**ELEMENTS, DataType.FLOAT: "float32"}
SHAPES = (  # warps_m, warps_n, row_groups: from large to small
    (2, 4, 4), (2, 2, 4), (4, 1, 2), (2, 2, 2), (2, 1, 1),
)  # fmt: skip
MOST_TILES, MOST_STAGES = 3, {"ampere": 3, "turing": 2, "dp4a": 2}
CHUNK, STEP = 16, 64  # bytes
MOST_CHANNELS_OF_TILE = 128
PACKED = Remembered()


def candidates(op: Op, device: Device, instruction: str | None = None) -> list[Tactic]:
    """One tactic a tile. instruction: ampere, turing or dp4a in place of the device's own."""
    geometry = supported(op, device)
    if geometry is None:
        return []
    instructions = [instruction] if instruction else instructions_of(op, device)
    return [_tactic(op, tile) for name in instructions for tile in tiles_for(op, geometry, device, name)]


def instructions_of(op: Op, device: Device) -> list[str]:
    """What the device multiplies with. Some of sm_75 have no tensor cores; dp4a is faster there."""
    if device.compute_capability >= AMPERE:
        return ["ampere"]
    return ["turing", "dp4a"] if op.inputs[0].dtype == DataType.INT8 else ["turing"]


def supported(op: Op, device: Device) -> Geometry | None:
    """The geometry of an operation that the kernel can run, else None."""
    geometry = of(op)
    if device.compute_capability < TURING or geometry is None or geometry.groups != 1 or geometry.pixels == 0:
        return None
    x, weights, bias, residual = (op.input(i) for i in range(4))
    y, activation = op.output, op.attrs.get("activation")
    known = activation is None or activation["type"] in FUNCTIONS
    folds = bias is None or bias_folds(op, geometry.out_channels)
    scaled = all(v is None or v.dtype != DataType.INT8 or v.scale is not None for v in (x, weights, residual, y))
    typed = x.dtype == weights.dtype and x.dtype in ELEMENTS and y.dtype in OUTPUTS and weights.is_constant
    alike = residual is None or residual.dtype in ELEMENTS and residual.shape == y.shape and not residual.is_constant
    if not (typed and known and folds and alike and scaled) or op.attrs.get("pool"):
        return None
    if as_it_lies(op) and not all(_is_whole(v) for v in (x, residual, y) if v is not None):
        return None
    return geometry


def as_it_lies(op: Op) -> bool:
    """True for a matrix product that reads and writes LINEAR."""
    rows = [op.inputs[0], op.output, *([op.input(3)] if op.input(3) else [])]
    return op.kind == "gemm" and (len(op.inputs[0].shape) != 2 or all(_is_whole(value) for value in rows))


def _is_whole(value: Value) -> bool:
    """Whether the rows of a matrix begin at multiples of what one request moves."""
    return value.dtype == DataType.FLOAT or value.shape[-1] * NUMPY_TYPES[value.dtype].itemsize % CHUNK == 0


def tiles_for(op: Op, geometry: Geometry, device: Device, instruction: str) -> list[Tile]:
    """The tiles worth timing: little waste at the edges, and work for every SM where that can be."""
    element, stages = ELEMENTS[op.inputs[0].dtype], MOST_STAGES[instruction]

    def cost(tile: Tile) -> float:
        rows, columns = -(-geometry.pixels // tile.pixels), -(-geometry.out_channels // tile.channels)
        rounds = -(-rows * columns // (2 * device.sm_count))
        per_block = tile.pixels * tile.channels + 16 * (tile.pixels + tile.channels)  # products, and what they wait for
        return rounds * per_block

    tiles = [Tile(element, instruction, *shape, stages) for shape in SHAPES]
    return sorted((tile for tile in tiles if tile.fits), key=cost)[:MOST_TILES]


def _layouts(op: Op) -> tuple[tuple[str, ...], tuple[str, ...]]:
    inside = LINEAR if as_it_lies(op) else NHWC16
    return (inside, LINEAR, LINEAR, inside)[: len(op.inputs)], (inside,)


def _tactic(op: Op, tile: Tile) -> Tactic:
    layouts = _layouts(op)
    return Tactic(
        f"tensor_{tile.name}", partial(launches, tile=tile), *layouts, shared_bytes=4 * tile.stage_words * tile.stages
    )


def stored_channels(op: Op, channels: int) -> int:
    return channels if as_it_lies(op) else padded(channels)


def channel_order() -> np.ndarray:
    """Which of 32 channels each row of B is: a lane's columns of four neighbouring products become 8 in a row."""
    row = np.arange(WARP_CHANNELS)
    product, column = row // 8, row % 8
    return column // 2 * 8 + 2 * product + column % 2


def packed_weights(op: Op, stored: int) -> np.ndarray:
    """(channels up to 128s, bytes of K up to 64s) as uint32, rows in `channel_order`; what was added is 0."""
    weights = weights_by_channel(op)
    channels, rows, columns, own = weights.shape
    full = np.zeros((channels, rows * columns, stored), weights.dtype)
    full[:, :, :own] = weights.reshape(channels, rows * columns, own)
    flat = full.reshape(channels, -1).view(np.uint8)
    made = np.zeros((padded(channels, MOST_CHANNELS_OF_TILE), padded(flat.shape[1], STEP)), np.uint8)
    made[:channels, : flat.shape[1]] = flat
    groups = made.reshape(-1, WARP_CHANNELS, made.shape[1])[:, channel_order()]
    return np.ascontiguousarray(groups).view(np.uint32)


def packed_table(op: Op, channels: int) -> np.ndarray:
    """float32 (channels up to 128s, 2): scale and bias."""
    e = folded(op, channels, integer=op.inputs[0].dtype == DataType.INT8)
    table = np.zeros((padded(channels, MOST_CHANNELS_OF_TILE), 2), np.float32)
    table[:channels, 0], table[:channels, 1] = e.multiplier, e.addend
    return table


def _words(of: Tensor | Packed, nbytes: int) -> tuple:
    return array(of, nbytes // 4, 4)


def _stored_bytes(value: Value, op: Op) -> int:
    return value.like(value.name, layout=_layouts(op)[1][0]).nbytes


def launches(op: Op, tile: Tile) -> list[Launch]:
    """The one launch of an operation with a tile."""
    g, x, y, residual = of(op), op.inputs[0], op.output, op.input(3)
    activation = op.attrs.get("activation") or {}
    kind = activation.get("type", "none")
    e = folded(op, g.out_channels)
    stored = stored_channels(op, g.channels)
    how = ("tensor", op.kind, bool(op.attrs.get("transpose_b")), stored)
    weights = Packed("weights", PACKED.of(op.inputs[1].data, how, lambda: packed_weights(op, stored)))
    chunks = stored * NUMPY_TYPES[x.dtype].itemsize // CHUNK
    steps = weights.data.shape[-1] * 4 // STEP
    channel_tiles = -(-g.out_channels // tile.channels)
    nothing, out = array(NOTHING, 1, 4), Tensor("output", 0)
    is_float = y.dtype == DataType.FLOAT
    numbers = (e.residual_multiplier or 0.0, activation.get("alpha") or 0.0, activation.get("beta") or 0.0, e.low,
               e.high, 1.0 if e.output_scale is None else e.output_scale)  # fmt: skip
    counts = (g.pixels, g.out_channels, stored_channels(op, g.out_channels), channel_tiles, steps, chunks, steps * 4,
              g.taps, g.kernel[1], *g.size, *g.out_size, *g.stride, *g.pads_before, *g.dilation)  # fmt: skip
    arguments = (
        *_words(Tensor("input", 0), _stored_bytes(x, op)),
        *_words(weights, weights.data.nbytes),
        *array(table := Packed("constants", packed_table(op, g.out_channels)), table.data.size, 4),
        *(nothing if residual is None else _words(Tensor("input", 3), _stored_bytes(residual, op))),
        *(nothing if is_float else _words(out, _stored_bytes(y, op))),
        *(_words(out, _stored_bytes(y, op)) if is_float else nothing),
        *(Scalar(float(number), "float32") for number in numbers),
        *(Scalar(int(number), "int32") for number in counts),
    )
    key = KernelKey.of(
        "tensor_conv",
        pointwise=g.pointwise,
        output=OUTPUTS[y.dtype],
        residual="none" if residual is None else ELEMENTS[residual.dtype],
        name="none" if kind in COMMUTING else kind,
        **asdict(tile),
    )
    blocks = channel_tiles * -(-g.pixels // tile.pixels)
    return [Launch(key, (blocks, 1, 1), (tile.threads, 1, 1), arguments)]
