"""A shortcut and the convolution that adds it as one operation: where it is faster, and with the same numbers."""

from __future__ import annotations

from functools import cache
from types import SimpleNamespace

import numpy as np
import pytest

import minitrt as trt
from benchmarks.models.networks import resnet
from minitrt.device.tensor_map import check
from minitrt.graph.ir import Op
from minitrt.graph.shortcut import joined, parted
from minitrt.kernels.hopper_conv.kernel import ARGUMENTS
from minitrt.kernels.hopper_conv.tile import LIMITS
from minitrt.passes.editing import Editor
from minitrt.passes.shortcuts import pairs
from minitrt.plan.plan import Plan
from minitrt.reference import run_op
from minitrt.refit.refitter import refit
from minitrt.shapes.inference import infer
from minitrt.tactics import candidates, hopper_conv
from minitrt.tactics.contract import TensorMap, signature
from minitrt.tactics.geometry import of
from minitrt.tactics.hopper.tiles import tiles_for
from tests.minitrt.builder.judging import SILENT, plan_for
from tests.minitrt.operations import H200, JOINT, PAIRS, in_float16, resnet50, with_shortcut


@cache
def plan_of(joint_us: float, seed: int = 0, flag: trt.BuilderFlag | None = None) -> Plan:
    """Of ResNet-18."""
    model = resnet("resnet18", int8=True, size=32, width=8, classes=10, batch=1, seed=seed, sample=32)
    return plan_for(model, flag, shortcut=joint_us)


def joint_of(plan: Plan) -> list[Op]:
    return [op for op in plan.profiles[0].graph.ops if op.attrs.get("shortcut")]


def inputs_of(op: Op) -> list[np.ndarray | None]:
    rng = np.random.default_rng(3)
    return [
        None if v is None else v.data if v.is_constant else rng.integers(-128, 128, v.shape).astype(np.int8)
        for v in op.inputs
    ]


@pytest.mark.parametrize("name", [name for name, op in JOINT.items() if of(op).pixels < 1000])
def test_one_operation_computes_what_the_two_do(name):
    (short, main), op = PAIRS[name], JOINT[name]
    given = inputs_of(op)
    residual = run_op(short, given[4:7])[0]
    expected = run_op(main, [*given[:3], residual])[0]

    np.testing.assert_array_equal(run_op(op, given)[0], expected)
    assert np.any(expected != run_op(main, [*given[:3], np.zeros_like(residual)])[0])
    assert infer(op) == infer(main)


def test_each_stage_of_a_residual_network_adds_its_shortcut_where_that_is_faster():
    once, twice = plan_of(9.99), plan_of(10.0)

    assert 3 == len(joint_of(once)) and [] == joint_of(twice)
    assert len(once.profiles[0].graph.ops) == len(twice.profiles[0].graph.ops) - 3
    for op in joint_of(once):
        assert "downsample" in op.name and "conv2" in op.name


def test_a_plan_with_shortcuts_takes_new_weights():
    plan, new = (plan_of(1.0, seed, trt.BuilderFlag.REFIT) for seed in (0, 1))
    refit(plan, {value.weights: value.data for value in new.original.constants() if value.weights}, SILENT)

    for mine, theirs in zip(joint_of(plan), joint_of(new), strict=True):
        for one, other in zip(parted(mine), parted(theirs), strict=True):
            np.testing.assert_array_equal(one.inputs[1].data, other.inputs[1].data)
            assert one.output.scale == other.output.scale


@pytest.mark.parametrize("name", JOINT)
def test_every_tile_has_a_launch_that_the_hardware_takes(name):
    op = JOINT[name]
    short, main = parted(op)
    tactics = candidates.device_candidates(op, H200)

    assert tactics and len({tactic.name for tactic in tactics}) == len(tactics)
    for tactic, shaped in zip(tactics, tiles_for(main, of(main), H200, of(short)), strict=True):
        (launch,), tile = tactic.make(op), shaped.tile
        words = {name: value for (name, _), value in zip(ARGUMENTS, launch.args, strict=True)}
        weights, k = words["w"].dims, tile.k_elements
        steps = weights[0] // k
        assert launch.shared_bytes <= LIMITS[tile.blocks_per_sm]
        assert steps == tile.shortcut + words["k_steps"].value and tile.resident in (0, steps)
        assert tile.shortcut * k >= of(short).channels > (tile.shortcut - 1) * k
        assert tile.stages >= 2 + tile.ping_pong, "two convolutions with one stage wait for each other for ever"
        assert len(words["table"].data) == 2 * -(-of(main).out_channels // 256) * 128
        assert words["residual"].of.index == 4 and words["x"].of.index == 0
        for argument in launch.args:
            if isinstance(argument, TensorMap):
                check(argument)


def test_equal_shapes_are_timed_once_whatever_their_scales():
    (short, main), name = PAIRS["3x3 and a shortcut at stride 2"], "3x3 and a shortcut at stride 2"
    other = joined(short, main)
    other.inputs[7].scale = 0.5

    assert signature(other) == signature(JOINT[name])


@pytest.mark.parametrize(
    "change",
    [
        lambda short, main: short.attrs.update(activation={"type": "relu"}),
        lambda short, main: short.attrs.update(groups=2),
        lambda short, main: setattr(short.inputs[1], "shape", (256, 64, 3, 3)),
        lambda short, main: short.attrs.update(pads_after=[0, 1]),
        lambda short, main: main.attrs.update(pool={"kernel": [2, 2]}),
        lambda short, main: main.inputs.__setitem__(0, short.output),
        lambda short, main: setattr(short.inputs[1], "data", None),
    ],
    ids=["activation", "groups", "3x3", "padding", "pool", "two readers", "weights that are computed"],
)
def test_another_producer_of_a_residual_stays_an_operation_of_its_own(change):
    short, main = with_shortcut(resnet50(1)["1c"], 64, 1)
    graph = SimpleNamespace(ops=[short, main], outputs=[main.output], kept=[])
    graph.producers = lambda: {op.output: op for op in graph.ops}
    values = [*short.present, *main.present]
    graph.users = lambda: {value: [op for op in graph.ops if value in op.inputs] for value in values}

    assert [(short, main)] == pairs(Editor(graph, print))
    change(short, main)
    assert [] == pairs(Editor(graph, print))


def test_a_shortcut_in_float16_stays_an_operation_of_its_own():
    assert [] == candidates.device_candidates(in_float16(JOINT["1x1 and a shortcut at stride 2"]), H200)


def test_a_shortcut_of_unequal_strides_has_no_tactic():
    op = joined(*with_shortcut(resnet50(1)["2c"], 256, 2))
    assert hopper_conv.candidates(op, H200)
    op.attrs["shortcut"] = {"stride": [2, 1]}

    assert [] == hopper_conv.candidates(op, H200) == candidates.last_resorts(op, H200)
