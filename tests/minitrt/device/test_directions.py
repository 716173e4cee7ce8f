"""Every second kernel of a plan walks over its tiles backwards: it begins with what L2 still has of the one before."""

from __future__ import annotations

import pytest

from minitrt.device import launches
from minitrt.kernels.hopper_conv import order
from minitrt.kernels.hopper_conv.tile import ConvTile
from minitrt.tactics import hopper_conv
from minitrt.tactics.contract import Direction, Scalar
from tests.minitrt.operations import CHAINS, H200, POOLED, RAGGED


class NoGpu:
    """Stands for kernels and for tensor maps where nothing is launched."""

    def __init__(self, *_):
        self.rows = []

    def function(self, key, shared_bytes):
        return key

    def add(self, described, address):
        return 0

    def send(self):
        pass


def test_launches_of_a_plan_take_turns_in_their_direction(monkeypatch):
    monkeypatch.setattr(launches, "MapTable", NoGpu)
    monkeypatch.setattr(launches, "configuration", lambda launch: None)
    (launch,) = hopper_conv.candidates(RAGGED["3x3 of 128 channels"], H200)[0].make(RAGGED["3x3 of 128 channels"])
    bound, _ = launches.bind([(launch, lambda argument: 0)] * 4, NoGpu())

    assert [one.values[-1] for one in bound] == [0, -1, 0, -1]


@pytest.mark.parametrize("op", [RAGGED["1x1, stride 2"], *CHAINS.values(), *POOLED.values()], ids=lambda op: op.name)
def test_every_persistent_kernel_is_told_a_direction(op):
    from minitrt.tactics.candidates import device_candidates

    walking = [t.make(op)[0] for t in device_candidates(op, H200) if t.name.startswith("hopper_")]

    assert walking
    assert all([a for a in launch.args if not isinstance(a, Scalar)][-1] == Direction() for launch in walking)


@pytest.mark.parametrize("raster", [0, 2])
def test_backwards_every_tile_is_met_once_and_a_block_keeps_its_channels(raster, monkeypatch):
    monkeypatch.setattr(order, "directed", order.directed.py_func)
    monkeypatch.setattr(order, "udiv", lambda a, b: a // b)
    place, tiles, channel_tiles, blocks = order.make_order(ConvTile(raster=raster)).py_func, 24, 4, 8
    forwards, backwards = ([place(t, tiles, channel_tiles, way) for t in range(tiles)] for way in (0, -1))

    assert backwards == forwards[::-1] and len(set(forwards)) == tiles
    if not raster:  # weights stay in shared memory only where all channel tiles are walked over together
        for block in range(blocks):
            assert len({channel for _, channel in backwards[block::blocks]}) == 1
