"""TensorRT's rules for Q and DQ, one test a rule, and the pitfalls of INT8 that a pass can fall into."""

from __future__ import annotations

import numpy as np
import pytest

from minitrt.api.enums import DataType
from minitrt.runtime.reference import execute
from tests.minitrt.passes.graphs import floats, lowered, names, node

IMAGE = {"x": (np.float32, (1, 4, 8, 8))}
X = dict(x=floats(1, 4, 8, 8))
SAME = dict(kernel_shape=[3, 3], pads=[1, 1, 1, 1])
BASE = dict(w=floats(4, 4, 3, 3), ws=np.full(4, 0.02, np.float32), wz=np.zeros(4, np.int8), zero=np.int8(0))
SCALES = {f"s{i}": np.float32(scale) for i, scale in enumerate((0.03, 0.05, 0.11))}


def pair(source: str, output: str, scale: str):
    """source -> Q -> DQ -> output."""
    return [
        node("QuantizeLinear", f"{source} {scale} zero", f"{output}_q"),
        node("DequantizeLinear", f"{output}_q {scale} zero", output),
    ]


def weights(output: str = "wd"):
    return [
        node("QuantizeLinear", "w ws wz", f"{output}_q", axis=0),
        node("DequantizeLinear", f"{output}_q ws wz", output, axis=0),
    ]


def optimise(nodes, outputs=("y",), inputs=IMAGE, more=None, **feeds):
    graph = lowered(nodes, inputs, list(outputs), {**BASE, **SCALES, **(more or {})})
    return optimised_within_steps(graph, **(feeds or X))


def optimised_within_steps(graph, **feeds):
    """As `optimised`, but quantised results may differ by one step where a sum was rounded in another order."""
    from minitrt.graph.copying import copy_graph
    from minitrt.passes import optimise as run

    log: list[str] = []
    after = run(copy_graph(graph), log.append)
    before = execute(graph, feeds)
    for name, array in execute(after, feeds).items():
        far = np.abs(array.astype(np.float64) - before[name]) > 1e-4 * np.abs(before[name]).max()
        assert far.mean() <= 2e-2, name
    return after, log


def test_a_convolution_between_q_and_dq_is_one_int8_layer_with_its_weights_name():
    nodes = [
        *pair("x", "a", "s0"),
        *weights(),
        node("Conv", "a wd", "c", **SAME),
        node("Relu", "c", "r"),
        *pair("r", "y", "s1"),
    ]
    graph, _ = optimise(nodes)

    assert names(graph) == ["a_q", "w + wd_q + c", "y"]
    conv = graph.ops[1]
    assert [conv.inputs[0].dtype, conv.inputs[1].dtype, conv.output.dtype] == [DataType.INT8] * 3
    assert conv.attrs["activation"]["type"] == "relu"
    assert conv.inputs[1].scale.shape == (4,)


def test_without_a_q_behind_it_the_layer_gives_floats():
    graph, _ = optimise([*pair("x", "a", "s0"), *weights(), node("Conv", "a wd", "y", **SAME)])

    assert (names(graph), graph.ops[1].output.dtype) == (["a_q", "w + wd_q + y"], DataType.FLOAT)


def test_a_quantised_skip_fuses_and_a_floating_one_is_added_as_it_is():
    head = [*pair("x", "a", "s0"), *weights(), node("Conv", "a wd", "c", **SAME)]
    tail = [node("Relu", "s", "r"), *pair("r", "y", "s1")]
    quantised, _ = optimise([*head, node("Add", "c a", "s"), *tail])
    floating, _ = optimise([*head, node("Add", "c x", "s"), *tail])

    assert names(quantised) == names(floating) == ["a_q", "w + wd_q + c + s + r", "y"]
    assert quantised.ops[1].inputs[3].dtype == DataType.INT8
    assert floating.ops[1].inputs[3].dtype == DataType.FLOAT


def test_the_relu_is_not_moved_across_the_sum():
    """relu(conv) + skip is not relu(conv + skip)."""
    nodes = [
        *pair("x", "a", "s0"), *weights(), node("Conv", "a wd", "c", **SAME), node("Relu", "c", "r"),
        node("Add", "r a", "s"), *pair("s", "y", "s1"),
    ]  # fmt: skip
    graph, _ = optimise(nodes)

    conv = next(op for op in graph.ops if op.kind == "conv")
    assert conv.input(3) is None


def test_a_result_that_is_also_an_output_stays_floating_and_correct():
    nodes = [*pair("x", "a", "s0"), *weights(), node("Conv", "a wd", "c", **SAME), *pair("c", "y", "s1")]
    graph, _ = optimise(nodes, ("y", "c"))

    assert next(op for op in graph.ops if op.kind == "conv").output.dtype == DataType.FLOAT


def test_q_moves_up_over_a_max_pool_and_dq_down_over_a_reshape():
    nodes = [
        *pair("x", "a", "s0"), *weights(), node("Conv", "a wd", "c", **SAME),
        node("MaxPool", "c", "p", kernel_shape=[2, 2], strides=[2, 2]), *pair("p", "d", "s1"),
        node("Reshape", "d shape", "f"), *pair("f", "e", "s1"), node("Relu", "e", "y"),
    ]  # fmt: skip
    graph, _ = optimise(nodes, more={"shape": np.array([1, -1])})

    assert [op.kind for op in graph.ops][:4] == ["reformat", "conv", "pool", "shuffle"]
    assert all(op.output.dtype == DataType.INT8 for op in graph.ops[:4])


def test_an_average_pool_between_dq_and_q_works_on_int8_and_rounds_once():
    nodes = [
        *pair("x", "a", "s0"),
        node("AveragePool", "a", "p", kernel_shape=[2, 2], strides=[2, 2]),
        *pair("p", "y", "s1"),
    ]
    graph, _ = optimise(nodes)

    assert [(op.kind, op.output.dtype) for op in graph.ops[:2]] == [
        ("reformat", DataType.INT8),
        ("pool", DataType.INT8),
    ]


def test_dq_and_q_of_one_scale_vanish_and_of_two_scales_are_one_requantisation():
    equal, _ = optimise([*pair("x", "a", "s0"), *pair("a", "y", "s0")])
    different, _ = optimise([*pair("x", "a", "s0"), *pair("a", "y", "s1")])

    assert [op.kind for op in equal.ops] == ["reformat"] * 2
    assert [(op.kind, op.inputs[0].dtype.name, op.output.dtype.name) for op in different.ops] == [
        ("reformat", "FLOAT", "INT8"),
        ("reformat", "INT8", "INT8"),
        ("reformat", "INT8", "FLOAT"),
    ]


def test_concatenating_two_scales_requantises_each_input():
    nodes = [*pair("x", "a", "s0"), *pair("x", "b", "s2"), node("Concat", "a b", "c", axis=1), *pair("c", "y", "s1")]
    graph, _ = optimise(nodes)
    concat = next(op for op in graph.ops if op.kind == "concat")

    assert len({*concat.inputs}) == 2
    assert [value.scale for value in (*concat.inputs, concat.output)] == pytest.approx([0.05] * 3)


def test_scales_follow_their_channels_when_they_differ_by_ten_thousand():
    scale = np.array([1e-4, 1.0, 1e-2, 1e-3], np.float32)
    w = floats(4, 4, 3, 3) * 100 * scale.reshape(-1, 1, 1, 1)
    nodes = [*pair("x", "a", "s0"), *weights(), node("Conv", "a wd", "y", **SAME)]
    graph, _ = optimise(nodes, more={"w": w, "ws": scale})

    np.testing.assert_array_equal(graph.ops[1].inputs[1].scale, scale)


@pytest.mark.parametrize("transposed", [0, 1])
def test_a_products_scales_lie_along_its_columns(transposed):
    w = floats(5, 8) if transposed else floats(8, 5)
    nodes = [
        *pair("x", "a", "s0"),
        node("QuantizeLinear", "w ws wz", "wq", axis=1 - transposed),
        node("DequantizeLinear", "wq ws wz", "wd", axis=1 - transposed),
        node("Gemm", "a wd", "y", transB=transposed),
    ]
    more = dict(w=w, ws=np.linspace(0.01, 0.05, 5, dtype=np.float32), wz=np.zeros(5, np.int8))
    graph, _ = optimise(nodes, inputs={"x": (np.float32, (3, 8))}, more=more, x=floats(3, 8))

    assert [op.kind for op in graph.ops] == ["reformat", "gemm"]
    assert graph.ops[1].inputs[1].dtype == DataType.INT8


def test_scales_along_the_wrong_axis_do_not_fuse_and_stay_correct():
    nodes = [
        *pair("x", "a", "s0"),
        node("QuantizeLinear", "w ws wz", "wq", axis=1),
        node("DequantizeLinear", "wq ws wz", "wd", axis=1),
        node("Conv", "a wd", "y", **SAME),
    ]
    graph, _ = optimise(nodes)

    assert next(op for op in graph.ops if op.kind == "conv").inputs[1].dtype == DataType.FLOAT
