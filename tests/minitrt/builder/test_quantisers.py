"""A first convolution that quantises its own input: where it is faster, with which numbers, and its launches."""

from __future__ import annotations

import copy
from functools import cache

import numpy as np
import pytest

import minitrt as trt
from benchmarks.models.networks import resnet
from minitrt.api.enums import DataType
from minitrt.builder.build import Build
from minitrt.device import launches
from minitrt.device.tensor_map import check
from minitrt.graph.ir import LINEAR, NUMPY_TYPES, Op
from minitrt.graph.quantised import unquantised
from minitrt.kernels.compile import Cubin
from minitrt.kernels.hopper_stem.raw import ARGUMENTS
from minitrt.kernels.hopper_stem.tile import RawStemTile
from minitrt.plan.plan import Plan
from minitrt.reference import run_op
from minitrt.refit import refitter
from minitrt.refit.refitter import refit
from minitrt.shapes.inference import infer
from minitrt.tactics import candidates, tuner
from minitrt.tactics.contract import TensorMap
from tests.minitrt.builder.judging import SILENT, plan_for
from tests.minitrt.engines import Heard, parsed
from tests.minitrt.operations import H200, POOLED, QUANTISING, quantising, with_pool

CODE = Cubin(b"", "kernel", 32, 0, 0, ())
RESNETS = {
    f"ResNet, batch {n}": quantising(with_pool((n, 3, 224, 224), 64, (7, 7), (3, 3)), DataType.FLOAT)[1]
    for n in (1, 128)
}


@cache
def plan_of(joint_us: float, seed: int = 0, flag: trt.BuilderFlag | None = None) -> Plan:
    model = resnet("resnet18", int8=True, size=32, width=8, classes=10, batch=1, seed=seed, sample=32)
    return plan_for(model, flag, quantised=joint_us)


def test_a_build_that_fuses_all_it_can_compiles_in_one_go(monkeypatch):
    asked = []
    monkeypatch.setattr(
        tuner, "cubins", lambda requests, *_, **__: asked.append(len(requests)) or [CODE] * len(requests)
    )
    monkeypatch.setattr(tuner, "time_tactic", lambda *_: 1.0)
    model = resnet("resnet50", int8=True, size=32, width=64, classes=16, batch=1, sample=32)
    _, network, config = parsed(model, Heard())
    config.target = H200
    ops = Build(network, config, SILENT).plan().profiles[0].graph.ops

    assert {name for op in ops for name in op.attrs} >= {"quantised", "pool", "shortcut"}
    assert asked[0] > 20 and not any(asked[1:]), "kernels of a later step were not asked for with the others"


def first_of(plan: Plan) -> tuple[Op, str]:
    return plan.profiles[0].graph.ops[0], plan.profiles[0].choices[0].tactic


def test_the_first_convolution_quantises_its_input_where_that_is_faster():
    (faster, tactic), (slower, _) = first_of(plan_of(9.9)), first_of(plan_of(10.1))

    assert slower.kind == "reformat" and slower.name in faster.name and faster.name.endswith("conv1 + maxpool")
    assert tactic.startswith("hopper_int8_stem_of_float32_pool") and faster.inputs[0].layout == LINEAR
    assert len(plan_of(9.9).profiles[0].graph.ops) == len(plan_of(10.1).profiles[0].graph.ops) - 1


def test_a_plan_whose_convolution_quantises_takes_new_weights():
    plan, new = (plan_of(1.0, seed, trt.BuilderFlag.REFIT) for seed in (0, 1))
    refit(plan, {value.weights: value.data for value in new.original.constants() if value.weights}, SILENT)

    for mine, theirs in zip(unquantised(first_of(plan)[0]), unquantised(first_of(new)[0]), strict=True):
        assert mine.output.scale == theirs.output.scale
    np.testing.assert_array_equal(first_of(plan)[0].inputs[1].data, first_of(new)[0].inputs[1].data)


def test_a_refit_that_a_kernel_refuses_changes_nothing(monkeypatch):
    plan, new = copy.deepcopy(plan_of(1.0, 2, trt.BuilderFlag.REFIT)), plan_of(1.0, 3, trt.BuilderFlag.REFIT)
    weights = {value.weights: value.data for value in new.original.constants() if value.weights}
    before = first_of(plan)[0].inputs[1].data.copy()
    monkeypatch.setattr(refitter, "candidates", lambda *_: [])
    monkeypatch.setattr(refitter, "last_resorts", lambda *_: [])

    with pytest.raises(refitter.RefitRefused, match="build the engine again"):
        refit(plan, weights, SILENT)
    np.testing.assert_array_equal(first_of(plan)[0].inputs[1].data, before)


@pytest.mark.parametrize("dtype", [DataType.FLOAT, DataType.UINT8], ids=["float32", "uint8"])
def test_one_operation_computes_what_the_two_do(dtype):
    conv = POOLED["7x7 of 3 channels and its pool"]
    quantize, joint = quantising(copy.deepcopy(conv), dtype)
    images = np.random.default_rng(0).integers(0, 256, conv.inputs[0].shape).astype(NUMPY_TYPES[dtype])
    constants = [v if v is None else v.data for v in joint.inputs[1:]]
    pixels = run_op(quantize, [images])[0]

    np.testing.assert_array_equal(run_op(joint, [images, *constants])[0], run_op(conv, [pixels, *constants[:3]])[0])
    assert infer(joint) == infer(conv)


@pytest.mark.parametrize("name", [*QUANTISING, *RESNETS])
def test_every_tile_has_a_launch_that_the_hardware_takes(name):
    op = {**QUANTISING, **RESNETS}[name]
    x, (height, width) = op.inputs[0], op.output.shape[2:]
    tactics = candidates.device_candidates(op, H200)

    assert len(tactics) == len({tactic.name for tactic in tactics})
    assert tactics or 2 * x.shape[3] * NUMPY_TYPES[x.dtype].itemsize % 16, "no tactic, but lines that could be copied"
    for tactic in tactics:
        (launch,) = tactic.make(op)
        tile = RawStemTile(**dict(launch.kernel.constants))
        words = {name: value for (name, _), value in zip(ARGUMENTS, launch.args, strict=True)}
        assert tactic.inputs[0] == LINEAR and len(tactic.inputs) == len(op.inputs) and launch.block[0] == tile.threads
        assert tile.stage_traffic == x.shape[1] * 2 * x.shape[3] * NUMPY_TYPES[x.dtype].itemsize
        assert tile.pixels >= 2 * width == tile.width and words["height"].value == 2 * height
        assert words["bands"].value * tile.pooled_rows == height
        assert 1 <= launch.grid[0] <= words["units"].value == words["bands"].value * op.output.shape[0]
        assert words["limit"].value * (words["high"].value + words["low"].value) == pytest.approx(256, rel=1e-12)
        assert launch.shared_bytes <= H200.shared_bytes // 2
        assert tile.blocks_at + tile.block_rows * tile.block_row_bytes <= tile.slots_at
        for argument in launch.args:
            if isinstance(argument, TensorMap):
                check(argument)


def test_images_that_the_copy_engine_cannot_take_are_refused_before_a_launch():
    (launch,) = candidates.device_candidates(RESNETS["ResNet, batch 1"], H200)[0].make(RESNETS["ResNet, batch 1"])

    with pytest.raises(ValueError, match="input 0 of a kernel lies at 0x1008, .* multiples of 16 bytes"):
        launches.aligned(0x1008, launch.args[0])
    assert launches.aligned(0x1010, launch.args[0]) == 0x1010


@pytest.mark.parametrize(
    "change",
    [
        lambda op: setattr(op.inputs[0], "dtype", DataType.HALF),
        lambda op: setattr(op.inputs[4], "scale", 1e-39),
        lambda op: setattr(op.inputs[4], "scale", 1e31),
        lambda op: op.attrs.pop("pool"),
        lambda op: op.attrs.update(activation=None),
    ],
    ids=["halves", "a scale without a reciprocal", "a scale too large", "no pool", "no ReLU"],
)
def test_what_the_kernel_cannot_do_has_no_tactic(change):
    op = copy.deepcopy(RESNETS["ResNet, batch 1"])
    change(op)

    assert [] == candidates.device_candidates(op, H200) == candidates.last_resorts(op, H200)
