"""A 1x1 convolution of another's result as part of that one: where it is faster, and with the same numbers."""

from __future__ import annotations

from functools import cache
from types import SimpleNamespace
from unittest.mock import patch

import numpy as np
import pytest

import minitrt as trt
from benchmarks.models import networks
from minitrt.api.enums import DataType
from minitrt.device.tensor_map import check
from minitrt.graph.ir import NHWC16, Op, Value
from minitrt.graph.shortcut import parted
from minitrt.graph.tail import chained, unchained
from minitrt.kernels.hopper_chain.kernel import ARGUMENTS
from minitrt.kernels.hopper_conv.tile import LIMITS
from minitrt.passes.editing import Editor
from minitrt.passes.tails import pairs
from minitrt.plan.plan import Plan
from minitrt.reference import run_op
from minitrt.refit.refitter import refit
from minitrt.shapes.inference import infer
from minitrt.tactics import candidates
from minitrt.tactics.contract import Packed, TensorMap
from minitrt.tactics.geometry import of
from minitrt.tactics.hopper import chain
from tests.minitrt.builder.judging import SILENT, plan_for
from tests.minitrt.builder.test_shortcuts import inputs_of
from tests.minitrt.operations import CHAINS, H200, HEADS, RELU, _residual, conv, resnet50, with_tail

INT8 = DataType.INT8
SMALL = [name for name, op in CHAINS.items() if of(op).pixels < 1000]


@cache
def plan_of(seed: int, flag: trt.BuilderFlag | None = None, **joint_us: float) -> Plan:
    """Of two stages with two blocks each."""
    with patch.dict(networks.RESNETS, small=(True, (2, 2))):
        model = networks.resnet("small", int8=True, size=32, width=32, classes=10, batch=1, seed=seed, sample=32)
    return plan_for(model, flag, **joint_us)


def chains_of(plan: Plan) -> list[Op]:
    return [op for op in plan.profiles[0].graph.ops if op.attrs.get("tail")]


@pytest.mark.parametrize("name", SMALL)
def test_one_operation_has_the_results_of_both(name):
    (head, tail), op = HEADS[name], CHAINS[name]
    given = inputs_of(op)
    first = run_op(head, given[: len(head.inputs)])[0]
    second = run_op(tail, [first, *given[8:]])[0]

    found = run_op(op, given)
    np.testing.assert_array_equal(found[0], first)
    np.testing.assert_array_equal(found[1], second)
    assert infer(op) == infer(head) + infer(tail)


def test_the_ends_and_beginnings_of_blocks_are_one_operation_where_that_is_faster():
    faster, slower = plan_of(0, tail=9.0, shortcut=100.0), plan_of(0, tail=11.0, shortcut=100.0)
    chains = chains_of(faster)

    assert [] == chains_of(slower)
    assert len(chains) == len(slower.profiles[0].graph.ops) - len(faster.profiles[0].graph.ops) > 0
    for op in chains:
        first, second = (value.shape[1] for value in op.outputs)
        assert 128 <= first == 4 * second or first == 2 * second
        readers = [each for each in faster.profiles[0].graph.ops if op.output in each.inputs]
        assert readers, "the next block still adds the first result"


def test_a_chain_takes_over_a_convolution_that_took_over_its_shortcut_and_new_weights():
    plan, new = (plan_of(seed, trt.BuilderFlag.REFIT, tail=1.0, shortcut=1.0) for seed in (0, 1))
    refit(plan, {value.weights: value.data for value in new.original.constants() if value.weights}, SILENT)

    both = [op for op in chains_of(plan) if op.attrs.get("shortcut")]
    assert both and len(both) < len(chains_of(plan))
    for mine, theirs in zip(chains_of(plan), chains_of(new), strict=True):
        for one, other in zip(mine.inputs, theirs.inputs, strict=True):
            if one is not None and one.is_constant:
                np.testing.assert_array_equal(one.data, other.data)


@pytest.mark.parametrize("name", CHAINS)
def test_every_tile_of_a_chain_has_a_launch_that_the_hardware_takes(name):
    head, tail = unchained(CHAINS[name])
    short, main = parted(head)
    tactics = candidates.device_candidates(CHAINS[name], H200)

    assert tactics and len({tactic.name for tactic in tactics}) == len(tactics)
    for tactic in tactics:
        (launch,), tile = tactic.make(CHAINS[name]), tactic.make.keywords["tile"]
        words = {name: value for (name, _), value in zip(ARGUMENTS, launch.args, strict=True)}
        assert tactic.inputs[0] == tactic.inputs[3] == tactic.outputs[1] == NHWC16
        assert launch.shared_bytes <= LIMITS[tile.blocks_per_sm]
        assert 1 <= launch.grid[0] <= words["tiles"].value == -(-of(main).pixels // tile.pixels)
        assert words["w"].dims == (tile.k_sub_tiles * tile.k_bytes, tile.channels)
        assert words["tail_w"].dims == (tile.channels, tile.tail_channels)
        assert [0, 1] == [words[name].of.index for name in ("output", "tail_output")]
        assert len(words["table"].data) == 128 * (-(-tile.channels // 256) * (2 if short else 1) + 1)
        loaded = tile.panels * (tile.k_sub_tiles * words["w"].box[0] * words["w"].box[1] + 128 * tile.tail_channels)
        assert tile.weight_traffic == loaded, "the barrier of the weights counts other bytes than come"
        assert tile.stage_bytes == words["x"].box[0] * words["x"].box[1] * tile.k_sub_tiles
        assert [chain.activation_of(each) for each in (main, tail)] == [tile.activation, tile.tail_activation]
        shares = 1 if tile.halves else tile.warpgroups
        assert tile.tail_channels == shares * words["tail_output"].box[0]
        for argument in launch.args:
            if isinstance(argument, TensorMap):
                check(argument)


@pytest.mark.parametrize("tail", [64, 128, 256])
@pytest.mark.parametrize(("channels", "width"), [(64, 256), (128, 512), (256, 1024)])
def test_a_chain_that_one_batch_can_run_every_batch_can_run(channels, width, tail):
    """A plan for batches 1 to 512 is tuned at one of them."""
    runs = set()
    for batch in (1, 3, 17, 128, 512):
        head = Op("conv", "h", *_outlines(batch, channels, width, True))
        op = chained(head, Op("conv", "t", [head.output, *_outlines(batch, width, tail, False)[0][1:]],
                              [Value("z", INT8, (batch, tail, 14, 14), 0.1)], _POINT))  # fmt: skip
        runs.add(bool(candidates.device_candidates(op, H200)))

    assert runs == {width < 1024}


_POINT = {"kernel": [1, 1], "stride": [1, 1], "pads_before": [0, 0], "pads_after": [0, 0], "activation": RELU}


def _outlines(batch: int, channels: int, width: int, residual: bool) -> tuple:
    """Inputs, outputs and attributes of a 1x1 convolution, with zeros for weights."""
    y = (batch, width, 14, 14)
    weights = Value("w", INT8, (width, channels, 1, 1), 0.01, data=np.zeros((width, channels, 1, 1), np.int8))
    inputs = [Value("x", INT8, (batch, channels, 14, 14), 0.1), weights, None]
    return [*inputs, *([Value("r", INT8, y, 0.1)] if residual else [])], [Value("y", INT8, y, 0.1)], _POINT


def test_constants_of_a_launch_have_names_of_their_own():
    op = CHAINS["a shortcut of its size, then 64"]
    (launch,) = candidates.device_candidates(op, H200)[0].make(op)
    constants = [getattr(argument, "of", argument) for argument in launch.args]

    assert 3 == len({each.name for each in constants if isinstance(each, Packed)})


@pytest.mark.parametrize(
    "change",
    [
        lambda head, tail: tail.attrs.update(stride=[2, 2]),
        lambda head, tail: head.attrs.update(stride=[2, 2]),
        lambda head, tail: tail.attrs.update(activation={"type": "clip", "alpha": 0.0, "beta": 6.0}),
        lambda head, tail: tail.inputs.__setitem__(3, head.output),
        lambda head, tail: tail.attrs.update(pads_before=[1, 0]),
        lambda head, tail: tail.attrs.update(pool={"kernel": [2, 2]}),
        lambda head, tail: setattr(tail.inputs[1], "data", None),
    ],
    ids=["stride", "a first one's stride", "clip", "residual", "padding", "pool", "weights that are computed"],
)
def test_another_reader_stays_an_operation_of_its_own(change):
    head, tail = with_tail(_residual((1, 64, 8, 8), 256), 64)
    graph = SimpleNamespace(ops=[head, tail], outputs=[tail.output], kept=[])
    graph.producers = lambda: {op.output: op for op in graph.ops}
    graph.users = lambda: {head.output: [tail]}

    assert [(head, tail)] == pairs(Editor(graph, print))
    change(head, tail)
    assert [] == pairs(Editor(graph, print))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (resnet50(1)["3c"], 256),
        (conv((1, 64, 8, 8), 192, (1, 1)), 64),
        (conv((1, 64, 8, 8), 256, (1, 1)), 264),
        (conv((1, 64, 8, 8), 256, (3, 3), before=(1, 1)), 64),
    ],
    ids=["weights that do not fit", "channels that no warpgroup divides", "a wide second result", "3x3"],
)
def test_what_no_block_holds_has_no_tactic(first, second):
    op = chained(*with_tail(first, second))
    assert [] == chain.candidates(op, H200) == candidates.last_resorts(op, H200)
