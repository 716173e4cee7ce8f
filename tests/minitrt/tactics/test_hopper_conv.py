"""Tiles, packing and launches of the Hopper convolution, checked as data: no GPU is needed."""

from __future__ import annotations

import numpy as np
import pytest

from minitrt.api.enums import DataType
from minitrt.device.tensor_map import check
from minitrt.kernels.hopper_conv.kernel import ARGUMENTS
from minitrt.kernels.hopper_conv.tile import LIMITS
from minitrt.tactics import hopper_conv
from minitrt.tactics.contract import Device, Scalar, TensorMap
from minitrt.tactics.geometry import of, weights_by_channel
from minitrt.tactics.hopper import packing
from minitrt.tactics.hopper.tiles import tiles_for
from tests.minitrt.operations import H200, RAGGED, RELU, blocks16, conv, resnet50

OPERATIONS = {**RAGGED, **{f"{name}, batch {n}": op for n in (1, 128) for name, op in resnet50(n).items()}}


@pytest.mark.parametrize("name", OPERATIONS)
def test_every_layer_has_a_tile_and_every_tile_a_launch_that_the_hardware_takes(name):
    op, geometry = OPERATIONS[name], of(OPERATIONS[name])
    tactics = hopper_conv.candidates(op, H200)

    assert tactics
    for tactic, shaped in zip(tactics, tiles_for(op, geometry, H200), strict=True):
        (launch,), tile = tactic.make(op), shaped.tile
        numbers = {
            argument[0]: value.value
            for argument, value in zip(ARGUMENTS, launch.args, strict=True)
            if isinstance(value, Scalar)
        }
        assert launch.shared_bytes <= LIMITS[tile.blocks_per_sm] <= H200.shared_bytes
        assert 1 <= launch.grid[0] <= numbers["tiles"] * shaped.split, "a block without a tile"
        assert launch.grid[0] % launch.cluster[0] == 0
        assert launch.cluster == (tile.split, 1, 1) == (shaped.split, 1, 1), "sums would not arrive, or be waited for"
        if tile.resident:
            assert launch.grid[0] % numbers["channel_tiles"] == 0, "a block would meet other channels than its weights'"
        if not tile.own_rows:
            covered = numbers["k_steps"] * tile.sub_tiles * shaped.split * tile.k_elements
            assert covered == geometry.taps * numbers["channels"]
            assert tile.stages >= min(2, numbers["k_steps"]), "one stage and several steps wait for each other for ever"
        for argument in launch.args:
            if isinstance(argument, TensorMap):
                check(argument)


@pytest.mark.parametrize("name", [name for name in OPERATIONS if "batch" not in name])
def test_tiles_of_a_layer_are_different_from_each_other(name):
    names = [tactic.name for tactic in hopper_conv.candidates(OPERATIONS[name], H200)]

    assert len(set(names)) == len(names)


def test_the_shape_of_a_tile_covers_every_output_pixel_and_channel():
    for op in OPERATIONS.values():
        geometry = of(op)
        for shaped in tiles_for(op, geometry, H200):
            tile, counts = shaped.tile, hopper_conv.Counts(shaped.tile, geometry, shaped.split)
            rows = counts.image_tiles * tile.rows
            pixels = counts.tiles // counts.channel_tiles * tile.pixels
            assert counts.channel_tiles * tile.channels >= geometry.out_channels
            assert rows >= geometry.out_size[0] if tile.own_rows else pixels >= geometry.pixels
            if tile.own_rows:  # the last pixel of the last row lies in the tile
                assert tile.pixels >= (tile.rows - 1) * tile.pitch + geometry.out_size[1]


def test_row_g_of_a_warp_holds_channel_2g_and_row_8_plus_g_the_next_one():
    rows = packing.permuted_rows(64)

    assert [0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15] == rows[:16].tolist()
    assert list(range(64)) == sorted(rows)


def test_packing_adds_only_zeros():
    weights = np.random.default_rng(0).integers(-127, 128, (40, 3, 3, 20)).astype(np.int8)
    packed = packing.packed_weights(weights, 128)

    assert (64, 9 * 128) == packed.shape
    assert np.count_nonzero(packed) == np.count_nonzero(weights)
    assert weights[4, 1, 2].tolist() == packed[2].reshape(9, 128)[5, :20].tolist()


@pytest.mark.parametrize(("kernel", "pad"), [(7, 3), (5, 2), (3, 1), (3, 0), (4, 1)])
def test_a_stem_over_blocks_sums_the_same_numbers(kernel, pad):
    rng = np.random.default_rng(kernel)
    after = kernel - 2 - pad  # so that an image of 12 x 16 gives 6 x 8
    op = conv((1, 3, 12, 16), 5, (kernel, kernel), (2, 2), (pad, pad), (after, after))
    x = rng.integers(-128, 128, op.inputs[0].shape).astype(np.int8)
    weights, blocks = weights_by_channel(op).astype(int), blocks16(x).astype(int)
    stem = packing.stem_weights(weights_by_channel(op), of(op)).astype(int)
    image = np.pad(x.astype(int), ((0, 0), (0, 0), (pad, after), (pad, after)))

    for row, column in np.ndindex(6, 8):
        window = image[0, :, 2 * row : 2 * row + kernel, 2 * column : 2 * column + kernel]
        direct = np.einsum("crs,krsc->k", window, weights)
        assert direct.tolist() == np.einsum("ijc,kijc->k", blocks[0, row : row + 4, column : column + 4], stem).tolist()


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda op: op.attrs.update(groups=2), "groups"),
        (
            lambda op: op.attrs.update(activation={"type": "softplus"}),
            "an activation without a curve",
        ),
        (lambda op: setattr(op.inputs[0], "dtype", DataType.FLOAT), "floats"),
        (lambda op: setattr(op.inputs[1], "data", None), "weights that are computed"),
        (lambda op: setattr(op.inputs[3], "dtype", DataType.FLOAT), "a residual that is not quantised"),
        (lambda op: op.attrs.update(pads_before=[120, 1]), "a corner that im2col cannot encode"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_the_kernel_cannot_do_has_no_tactic(change, why):
    op = conv((2, 64, 20, 20), 64, (3, 3), before=(1, 1), activation=RELU, residual=True)
    assert hopper_conv.candidates(op, H200)
    change(op)

    assert hopper_conv.candidates(op, H200) == [], why


def test_other_architectures_have_no_hopper_tactic():
    ada = Device("NVIDIA L4", (8, 9), 58, 101376)

    assert hopper_conv.candidates(RAGGED["1x1, stride 2"], ada) == []


def test_making_a_launch_twice_gives_the_same_bytes():
    op = RAGGED["3x3, dilation 2, residual"]
    for tactic in hopper_conv.candidates(op, H200):
        one, two = tactic.make(op)[0], tactic.make(op)[0]
        assert one.kernel == two.kernel
        assert one.args[1].of.data.tobytes() == two.args[1].of.data.tobytes()
        assert one.args[4].data.tobytes() == two.args[4].data.tobytes()
