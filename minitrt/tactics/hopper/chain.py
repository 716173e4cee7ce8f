"""Two INT8 1x1 convolutions on Hopper, one of the other's result: which tiles to time, and how each is launched."""

from __future__ import annotations

from dataclasses import fields, replace
from functools import partial

import numpy as np

from minitrt.api.enums import DataType
from minitrt.graph.epilogue import Epilogue, folded
from minitrt.graph.ir import LINEAR, NHWC16, Op
from minitrt.graph.shortcut import RESIDUAL, X, parted
from minitrt.graph.tail import unchained
from minitrt.kernels.hopper_chain.tile import ChainTile
from minitrt.kernels.hopper_conv.tile import ConvTile
from minitrt.tactics.contract import Device, Direction, KernelKey, Launch, Packed, Scalar, Tactic, Tensor, TensorMap
from minitrt.tactics.geometry import Geometry, of, padded
from minitrt.tactics.hopper.packing import packed_constants
from minitrt.tactics.hopper_conv import input_map, output_map, supported, supported_shortcut, weights_of, whole_map

ACTIVATIONS = ("none", "relu", "clip")
LAYOUTS = (NHWC16, LINEAR, LINEAR, NHWC16, NHWC16, LINEAR, LINEAR, LINEAR, LINEAR, LINEAR)
# warpgroups, pixels, blocks of a multiprocessor: for many pixels, and for few
WIDE = ((2, 128, 1), (2, 64, 1), (2, 64, 2), (2, 32, 1), (1, 64, 2))
NARROW = ((2, 16, 1), (2, 32, 1), (1, 16, 1), (1, 32, 1))
MOST_TAIL_CHANNELS = 256  # rows of a box of the copy engine


def candidates(op: Op, device: Device) -> list[Tactic]:
    """One tactic a tile that fits."""
    head, tail = unchained(op)
    short, main = parted(head)
    first, second = supported(main, device), supported(tail, device)
    shortcut = supported_shortcut(short, main, device) if short is not None else None
    if first is None or second is None or short is not None and shortcut is None:
        return []
    typed = all(value.dtype == DataType.INT8 for value in (main.inputs[0], *op.outputs))
    known = all(activation_of(each) in ACTIVATIONS for each in (main, tail)) and activation_of(tail) != "clip"
    if not (first.pointwise and second.pointwise and typed and known) or first.out_channels % 128:
        return []
    tiles = dict.fromkeys(tiles_for(main, activation_of(tail), first, second, shortcut, device))
    return [
        Tactic(
            name=f"hopper_{tile.name}",
            make=partial(launches, tile=tile, sm_count=device.sm_count),
            inputs=LAYOUTS[: len(op.inputs)],
            outputs=(NHWC16, NHWC16),
            shared_bytes=tile.shared_bytes,
        )
        for tile in tiles
    ]


def activation_of(op: Op) -> str:
    return (op.attrs.get("activation") or {"type": "none"})["type"]


def tiles_for(
    main: Op, tail_activation: str, first: Geometry, second: Geometry, shortcut: Geometry | None, device: Device
) -> list[ChainTile]:
    """The tiles whose weights stay in shared memory beside two results and a stage of pixels.

    There are some for any number of pixels, or for none: a plan runs with other batches than it was tuned for.
    """
    widest = max(first.channels, shortcut.channels if shortcut else 0)
    k_bytes = 64 if padded(widest) <= 64 else 128
    tile = ChainTile(
        channels=first.out_channels, k_bytes=k_bytes, sub_tiles=padded(first.channels, k_bytes) // k_bytes,
        shortcut=padded(shortcut.channels, k_bytes) // k_bytes if shortcut else 0,
        shortcut_stride=shortcut.stride[0] if shortcut else 1,
        residual=main.input(RESIDUAL) is not None and shortcut is None,
        activation=activation_of(main), tail_activation=tail_activation,
        tail_channels=padded(second.out_channels, 64),
    )  # fmt: skip
    if tile.tail_channels > MOST_TAIL_CHANNELS:
        return []
    if first.pixels >= 96 * device.sm_count:
        return sound(tile, WIDE, 3) or sound(tile, NARROW, 2)
    return sound(tile, NARROW, 2) or sound(tile, WIDE, 3)


def sound(tile: ChainTile, shapes: tuple[tuple[int, int, int], ...], most_slots: int) -> list[ChainTile]:
    """The tile in those shapes that fit, each with as many slots, then stages, as shared memory allows."""
    found = []
    for warpgroups, pixels, blocks in shapes:
        shaped = replace(tile, warpgroups=warpgroups, pixels=pixels, blocks_per_sm=blocks)
        tries = (replace(shaped, slots=count).fitted() for count in range(most_slots, 1, -1))
        fitting = next((each for each in tries if each.stages > 1), None)
        if fitting is not None and fitting.sound:
            found.append(fitting)
    return found


def key_of(tile: ChainTile) -> KernelKey:
    """The kernel of a tile: its fields that differ from the defaults. Occupancy bounds stages and compiles nothing."""
    usual = ChainTile()
    given = {f.name: getattr(tile, f.name) for f in fields(tile) if getattr(tile, f.name) != getattr(usual, f.name)}
    given.pop("blocks_per_sm", None)
    return KernelKey.of("hopper_chain", **given)


def launches(op: Op, tile: ChainTile, sm_count: int) -> list[Launch]:
    """The one launch of a chain with a tile."""
    head, tail = unchained(op)
    short, main = parted(head)
    geometry, epilogue = of(main), folded(main, tile.channels)
    tiles = -(-geometry.pixels // tile.pixels)
    numbers = (epilogue.residual_multiplier or 0.0, epilogue.low, epilogue.high)
    return [
        Launch(
            kernel=key_of(tile),
            grid=(min(tiles, sm_count * tile.blocks_per_sm), 1, 1),
            block=(tile.threads, 1, 1),
            args=(
                *maps(tile, short, main, tail),
                Packed("constants", table(tile, short, epilogue, tail)),
                *(Scalar(float(number), "float32") for number in numbers),
                *(Scalar(int(n)) for n in (tiles, geometry.out_size[1], geometry.out_size[0] * geometry.out_size[1])),
                Direction(),
            ),
            shared_bytes=tile.shared_bytes,
            dependent=True,
        )
    ]


def table(tile: ChainTile, short: Op | None, epilogue: Epilogue, tail: Op) -> np.ndarray:
    """Constants of the first convolution, its shortcut, and the second."""
    every = [
        epilogue,
        *([folded(short, tile.channels)] if short is not None else []),
        folded(tail, of(tail).out_channels),
    ]
    return np.vstack([packed_constants(each, "int8") for each in every])


def maps(tile: ChainTile, short: Op | None, main: Op, tail: Op) -> tuple[TensorMap | Scalar, ...]:
    """x, w, tail_w, other, output, tail_output."""
    first, second, g = tile.first, tile.second, of(main)
    parts = [] if short is None else [weights_of(short, first, of(short))]
    w = Packed("weights", np.hstack([*parts, weights_of(main, first, g)]))
    tail_w = Packed("tail weights", weights_of(tail, second, of(tail)))
    if short is not None:
        other = input_map(tile.of_shortcut, of(short), 16, X)
    else:
        other = output_map(first, g, Tensor("input", RESIDUAL), 16) if tile.residual else Scalar(0, "uint64")
    return (
        input_map(first, g, 16),
        weights_map(first, w, 128),
        weights_map(second, tail_w, tile.tail_channels),
        other,
        output_map(first, g, Tensor("output", 0), 16),
        output_map(second, of(tail), Tensor("output", 1), 16),
    )


def weights_map(tile: ConvTile, weights: Packed, rows: int) -> TensorMap:
    return whole_map(tile, weights, weights.data.shape[::-1], box=(tile.k_elements, rows), swizzle=tile.k_bytes)
