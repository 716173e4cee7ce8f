"""A first convolution and its max pool as one operation: where it is faster, its launches, how a row is pooled."""

from __future__ import annotations

import copy
from functools import cache

import numpy as np
import pytest

from benchmarks.models.networks import resnet
from minitrt.builder.build import Build
from minitrt.device.tensor_map import check
from minitrt.graph.ir import BLOCKS16, Op
from minitrt.kernels.hopper_stem import pooling
from minitrt.kernels.hopper_stem.kernel import ARGUMENTS
from minitrt.kernels.hopper_stem.tile import StemTile
from minitrt.shapes.inference import infer
from minitrt.tactics import candidates
from minitrt.tactics.contract import TensorMap
from tests.minitrt.builder.judging import SILENT
from tests.minitrt.builder.test_joins import Quick
from tests.minitrt.engines import Heard, parsed
from tests.minitrt.operations import H200, POOLED, with_pool

RESNETS = {f"ResNet, batch {n}": with_pool((n, 3, 224, 224), 64, (7, 7), (3, 3)) for n in (1, 128)}


class Judging(Quick):
    """A tuner for which a pooled convolution takes this many microseconds, every other operation 5 or more."""

    def __init__(self, pooled_us: float) -> None:
        super().__init__()
        self.pooled_us = pooled_us

    def choose(self, op: Op, tactics):
        joint = "shortcut" in op.attrs or "quantised" in op.attrs
        time_us = 100.0 if joint else self.pooled_us if op.attrs.get("pool") else None
        return [(time_us, tactic) for tactic in tactics] if time_us else super().choose(op, tactics)


@cache
def layers_of(pooled_us: float) -> list[tuple[Op, str]]:
    model = resnet("resnet18", int8=True, size=32, width=8, classes=10, batch=1, sample=32)
    _, network, config = parsed(model, Heard())
    config.target = H200
    build = Build(network, config, SILENT)
    build.tuner = Judging(pooled_us)
    profile = build.plan().profiles[0]
    return [(op, choice.tactic) for op, choice in zip(profile.graph.ops, profile.choices, strict=True)]


def test_the_first_convolution_takes_over_its_pool_where_that_is_faster():
    faster, slower = layers_of(9.9), layers_of(10.1)

    assert ["pool" in op.attrs for op, _ in slower] == [False] * len(slower)
    ((op, tactic),) = [(op, tactic) for op, tactic in faster if "pool" in op.attrs]
    assert tactic.startswith("hopper_int8_stem_pool") and op.name.endswith("conv1 + maxpool")
    assert len(faster) == len(slower) - 1


@pytest.mark.parametrize("name", [*POOLED, *RESNETS])
def test_every_tile_has_a_launch_that_the_hardware_takes(name):
    op = {**POOLED, **RESNETS}[name]
    tactics = candidates.device_candidates(op, H200)
    height, width = op.output.shape[2:]

    assert tactics and infer(op) == [(op.output.shape, op.output.dtype)]
    for tactic in tactics:
        (launch,) = tactic.make(op)
        tile = StemTile(**dict(launch.kernel.constants))
        words = {name: value for (name, _), value in zip(ARGUMENTS, launch.args, strict=True)}
        assert BLOCKS16 == tactic.inputs[0] and 256 == words["w"].dims[0]
        assert tile.pitch * 16 == words["row_bytes"].value and tile.pixels >= 2 * width
        assert words["bands"].value * tile.pooled_rows == height
        assert 1 <= launch.grid[0] <= words["units"].value == words["bands"].value * op.output.shape[0]
        assert words["output"].box[1] * 2 == tile.pixels and launch.shared_bytes <= H200.shared_bytes // 2
        for argument in launch.args:
            if isinstance(argument, TensorMap):
                check(argument)


@pytest.mark.parametrize(
    "change",
    [
        lambda op: op.attrs["pool"].update(kernel=[2, 2]),
        lambda op: op.attrs["pool"].update(stride=[1, 1]),
        lambda op: op.attrs["pool"].update(pads_before=[0, 0]),
        lambda op: op.attrs.update(activation=None),
        lambda op: op.attrs.update(stride=[1, 1]),
        lambda op: setattr(op.inputs[0], "shape", (2, 3, 64, 600)),
        lambda op: setattr(op.output, "shape", (2, 64, 16, 11)),
    ],
    ids=["2x2", "stride", "padding", "no ReLU", "a convolution's stride", "a wide image", "an uneven row"],
)
def test_another_window_or_image_has_no_tactic(change):
    op = copy.deepcopy(POOLED["7x7 of 3 channels and its pool"])
    change(op)

    assert [] == candidates.device_candidates(op, H200) == candidates.last_resorts(op, H200)


class Lanes:
    """What the intrinsic asks of LLVM's builder, on 32 lanes at once."""

    def __getattr__(self, name):
        operations = {
            "and_": np.bitwise_and, "or_": np.bitwise_or, "add": np.add, "sub": np.subtract,
            "lshr": np.right_shift, "select": np.where,
        }  # fmt: skip
        return lambda *values: operations[name](*map(number, values))

    def not_(self, value):
        return ~value

    def icmp_unsigned(self, sign, one, other):
        return number(one) == number(other)


def number(value):
    return np.uint32(value.constant & 0xFFFFFFFF) if hasattr(value, "constant") else value


def prmt(builder, kind, text, values, constraints):
    """Four bytes of two words, by the digits of the selector."""
    low, high = (np.broadcast_to(number(value), 32).astype(np.uint32) for value in values)
    eight = np.stack(
        [*(low >> shift & 255 for shift in (0, 8, 16, 24)), *(high >> shift & 255 for shift in (0, 8, 16, 24))]
    )
    order = [int(digit, 16) for digit in reversed(text.split("0x")[1].rstrip(";"))]
    return sum(eight[digit].astype(np.uint32) << np.uint32(8 * i) for i, digit in enumerate(order))


def test_a_row_is_pooled_across_fragments_and_lanes(monkeypatch):
    monkeypatch.setattr(pooling, "emit_pure", prmt)
    monkeypatch.setattr(pooling, "emit", lambda b, kind, text, values, _: values[0][values[1].astype(int)])
    row = np.random.default_rng(0).integers(0, 128, (112, 16)).astype(np.uint32)  # pixels, a warp's channels
    row[row < 30], row[40:44] = 0, 127
    lane = np.arange(32, dtype=np.uint32)
    g, t = lane // 4, lane % 4
    words = [
        sum(row[8 * f + 2 * t + pixel, 2 * g + channel] << np.uint32(16 * pixel + 8 * channel)
            for pixel in (0, 1) for channel in (0, 1))
        for f in range(14)
    ]  # fmt: skip
    found = np.zeros((56, 16), np.uint32)
    for matrix, word in enumerate(pooling._along(Lanes(), words, lane)):
        for half in (0, 1):  # after the transposition, column 2 t + half goes where that lane's address says
            pixel = 8 * matrix + pooling.pixel_of(2 * t + half)
            for channel in (0, 1):
                found[pixel, 2 * g + channel] = word >> np.uint32(16 * half + 8 * channel) & 255

    padded = np.vstack([np.zeros((1, 16), np.uint32), row])
    np.testing.assert_array_equal(found, np.maximum.reduce([padded[0:112:2], padded[1:113:2], padded[2:114:2]]))
