"""Concatenations without a copy: who makes an input writes it into the result, where that is one run of bytes."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import onnx
import pytest

import minitrt as trt
from minitrt.builder.build import Build
from minitrt.builder.views import CHANNELS
from minitrt.graph.ir import LINEAR, NHWC16, Graph, Op, Value
from minitrt.plan.encoding import decode, encode
from minitrt.plan.memory import place
from minitrt.refit.refitter import launches_of
from minitrt.tactics.contract import REFERENCE, VIEW, Tensor
from minitrt.tactics.view import joins
from tests.minitrt.engines import Heard, model_of, parsed
from tests.minitrt.operations import H200

F = trt.DataType.FLOAT
node = onnx.helper.make_node


class Quick:
    """A tuner that measures nothing: views cost nothing, everything else alike; no kernel is compiled."""

    device, failed, cache = H200, {}, None

    def __init__(self, joining_us: float = 5.0):
        self.joining_us, self.compiled = joining_us, {}

    def needed(self, asked):
        return []

    def compile(self, keys, done=None):
        self.compiled = {key.digest: SimpleNamespace(code=b"", entry="") for key in keys}

    def keep(self, keys):
        pass

    def choose(self, op, tactics):
        timed = [
            (0.0 if t.name.startswith(VIEW) else self.joining_us if t.name == CHANNELS else 5.0, t) for t in tactics
        ]
        return sorted(timed, key=lambda pair: (pair[0], pair[1].id))


def plan_of(model: onnx.ModelProto, level: int = 3, joining_us: float = 5.0):
    builder, network, config = parsed(model, Heard())
    config.target, config.builder_optimization_level = H200, level
    build = Build(network, config, SimpleNamespace(**dict.fromkeys(("info", "verbose", "warning"), lambda *_: None)))
    build.tuner = Quick(joining_us)
    return build.plan()


def branches(batch: int = 1, axis: int = 1, again: bool = False) -> onnx.ModelProto:
    """Three poolings of one image beside each other, and something behind them. again: one is joined twice."""
    kinds = [("MaxPool", "a"), ("AveragePool", "b"), ("MaxPool", "c")]
    nodes = [node(kind, ["x"], [n], n, kernel_shape=[k, k], pads=[k // 2] * 4)
             for k, (kind, n) in zip((1, 3, 5), kinds, strict=True)]  # fmt: skip
    nodes.append(node("Concat", ["a", "b", "a" if again else "c"], ["j"], "join", axis=axis))
    nodes.append(node("ReduceMean", ["j"], ["y"], "mean", axes=[2, 3]))
    return model_of(nodes, {"x": (np.float32, (batch, 8, 6, 6))}, ["y"])


def join_of(plan):
    profile = plan.profiles[0]
    at = next(i for i, op in enumerate(profile.graph.ops) if op.kind == "concat")
    return profile.graph, profile.graph.ops[at], profile.choices[at]


def test_branches_of_one_image_are_written_side_by_side():
    graph, concat, choice = join_of(plan_of(branches()))
    offsets = place(graph).offsets
    starts = [offsets[value] - offsets[concat.output] for value in concat.inputs]

    assert choice.tactic.startswith(VIEW) and [] == choice.launches
    assert [0, 8 * 36 * 4, 16 * 36 * 4] == starts


@pytest.mark.parametrize("how", [dict(batch=2), dict(again=True)], ids=["channels of two images", "one input twice"])
def test_what_is_no_run_of_bytes_or_has_two_places_is_copied(how):
    assert not join_of(plan_of(branches(**how)))[2].tactic.startswith(VIEW)


def test_images_are_joined_without_a_copy_at_any_batch():
    assert join_of(plan_of(branches(batch=2, axis=0)))[2].tactic.startswith(VIEW)


def concat(shape, channels, axis, dtype=F) -> Op:
    parts = [tuple(n if a == axis else s for a, s in enumerate(shape)) for n in channels]
    out = tuple(sum(channels) if a == axis else s for a, s in enumerate(shape))
    inputs = [Value(f"v{i}", dtype, part) for i, part in enumerate(parts)]
    return Op("concat", "join", inputs, [Value("y", dtype, out)], {"axis": axis})


@pytest.mark.parametrize(
    ("operation", "layout", "fits"),
    [
        (concat((1, 0, 4, 4), (3, 5), 1), LINEAR, True),
        (concat((2, 0, 4, 4), (3, 5), 1), LINEAR, False),
        (concat((1, 0, 4, 4), (16, 32), 1), NHWC16, False),
        (concat((1, 0, 1, 1), (16, 32), 1), NHWC16, True),
        (concat((1, 0, 1, 1), (16, 8), 1), NHWC16, False),
        (concat((0, 16, 4, 4), (1, 2), 0), NHWC16, True),
        (concat((1, 16, 0, 4), (1, 2), 2), NHWC16, True),
        (concat((1, 0), (3, 5), 1), LINEAR, False),
    ],
    ids=["one image", "two images", "channels last", "one pixel", "padded channels", "images", "rows", "unaligned"],
)
def test_an_input_must_be_one_run_at_an_aligned_address(operation, layout, fits):
    assert fits == joins(operation, layout)


def test_a_constant_beside_a_branch_has_a_place_of_its_own():
    operation = concat((1, 0, 4, 4), (4, 4), 1)
    operation.inputs[1].data = np.zeros((1, 4, 4, 4), np.float32)

    assert not joins(operation, LINEAR)


def test_what_lies_in_a_result_lives_as_long_as_all_of_it():
    a, b, y, z = (
        Value(name, F, shape) for name, shape in (("a", (1, 64)), ("b", (1, 64)), ("y", (1, 128)), ("z", (1, 64)))
    )
    x, out = Value("x", F, (1, 64)), Value("out", F, (1, 1))
    ops = [
        Op("pointwise", "a", [x], [a]),
        Op("pointwise", "z", [a], [z]),
        Op("pointwise", "b", [z], [b]),
        Op("concat", "join", [a, b], [y], {"axis": 1, "view": True}),
        Op("reduce", "out", [y], [out]),
    ]
    placement = place(Graph("g", ops, [x], [out]))
    offsets = placement.offsets

    assert (offsets[y], offsets[y] + 256) == (offsets[a], offsets[b])
    assert offsets[z] >= offsets[y] + 512 or offsets[z] + 256 <= offsets[y]
    assert placement.arena_bytes == placement.bound_bytes == 768


def inception(skip: bool = False) -> onnx.ModelProto:
    """Two INT8 convolutions and a pooling of one image, joined along channels; skip: one is read elsewhere, too."""
    arrays = {"s": np.float32(0.02), "z": np.int8(0)}
    nodes = []

    def fake(name: str) -> str:
        nodes.append(node("QuantizeLinear", [name, "s", "z"], [f"{name}.q"], f"{name}.quantize"))
        nodes.append(node("DequantizeLinear", [f"{name}.q", "s", "z"], [f"{name}.d"], f"{name}.dequantize"))
        return f"{name}.d"

    def conv(x: str, name: str, channels: int, depth: int, size: int) -> str:
        arrays[f"{name}.w"] = np.random.default_rng(size).standard_normal((channels, depth, size, size)).astype("f") / 8
        nodes.append(node("Conv", [x, fake(f"{name}.w")], [name], name, kernel_shape=[size] * 2, pads=[size // 2] * 4))
        return fake(name)

    x = fake("x")
    a, b = conv(x, "a", 32, 32, 1), conv(x, "b", 48, 32, 3)
    nodes.append(node("MaxPool", [x], ["p"], "pool", kernel_shape=[3, 3], pads=[1] * 4))
    nodes.append(node("Concat", [a, b, "p"], ["j"], "join", axis=1))
    y = conv("j", "y", 16, 112, 1)
    outputs = [y, conv(a, "again", 16, 32, 1)] if skip else [y]
    return model_of(nodes, {"x": (np.float32, (2, 32, 6, 6))}, outputs, arrays)


def all_inside() -> tuple:
    """The parts of the same model without its pooling: every input of the join is a convolution's."""
    graph = inception().graph
    nodes = [each for each in graph.node if each.name != "pool"]
    next(each for each in nodes if each.name == "join").input.remove("p")
    arrays = {each.name: onnx.numpy_helper.to_array(each) for each in graph.initializer}
    return nodes, {"x": (np.float32, (2, 32, 6, 6))}, ["y.d"], arrays | {"y.w": arrays["y.w"][:, :80]}


@pytest.mark.parametrize("level", [0, 3])
@pytest.mark.parametrize(("skip", "inside"), [(False, [0, 1]), (True, [1])], ids=["all", "one is read elsewhere"])
def test_convolutions_write_their_channels_into_the_joint_pixels(skip, inside, level):
    graph, concat, choice = join_of(plan_of(inception(skip), level))
    offsets = place(graph).offsets
    starts = [offsets[concat.inputs[i]] - offsets[concat.output] for i in inside]

    assert [0, 32][-len(inside) :] == starts and concat.attrs["inside"] == inside
    assert 3 - len(inside) == len(choice.launches), "what is left is copied"
    assert {112} == {concat.inputs[i].pitch for i in inside}


def test_a_join_is_not_charged_for_copies_that_its_makers_save():
    """Copying all is slower here than three conversions to rows and one back, copying the pooling's share is not."""
    assert join_of(plan_of(inception(), joining_us=30.0))[2].tactic == CHANNELS
    assert join_of(plan_of(inception(True), joining_us=300.0))[2].tactic == "plain_concat_linear"


def test_no_layer_runs_on_the_host_because_the_first_tactics_disagree_on_layouts():
    choices = plan_of(inception(), level=0).profiles[0].choices

    assert not [choice.op for choice in choices if choice.tactic == REFERENCE]


@pytest.mark.parametrize("shape", [(0, 3, 4), (2, 3, 4)])
def test_a_reshape_between_two_ends_of_the_network_builds_also_without_elements(shape):
    """It cannot be a view there; with nothing to move no kernel is left, and no kernel is needed."""
    model = model_of([node("Reshape", ["x", "s"], ["y"], "reshape", allowzero=1)], {"x": (np.float32, shape)}, ["y"],
                     {"s": np.array([3, 4, shape[0]])})  # fmt: skip
    (choice,) = plan_of(model).profiles[0].choices

    assert choice.tactic == ("plain_shuffle" if all(shape) else REFERENCE)


def test_a_pitched_result_is_written_with_the_distance_of_joint_pixels():
    profile = plan_of(inception()).profiles[0]
    choice = next(c for op, c in zip(profile.graph.ops, profile.choices, strict=True) if op.output.pitch)
    (output,) = (each for each in choice.launches[0].args if getattr(each, "of", None) == Tensor("output", 0))

    assert 112 == output.strides[0] and output.dims[0] in (32, 48)


def test_a_refit_makes_the_same_launches_around_joint_pixels():
    plan = plan_of(inception())
    before = {one.op: [(each.kernel, each.grid) for each in one.launches] for one in plan.profiles[0].choices}
    remade = launches_of(plan, plan.profiles[0], plan.profiles[0].graph)

    assert remade and {op: [(each.kernel, each.grid) for each in made] for op, made in remade.items()} == {
        op: before[op] for op in remade
    }
    nothing_left = plan_of(model_of(*all_inside()))
    assert join_of(nothing_left)[2].tactic == "view_pixels"
    assert join_of(nothing_left)[2].op not in launches_of(
        nothing_left, nothing_left.profiles[0], nothing_left.profiles[0].graph
    )


def test_a_plan_keeps_the_distance_of_joint_pixels():
    plan = decode(encode(plan_of(inception())))

    assert [112, 112] == [value.pitch for value in plan.profiles[0].graph.values() if value.pitch]
