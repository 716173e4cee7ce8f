"""Each rewrite of floating networks: what it fuses, what it must leave, and that results stay."""

from __future__ import annotations

import numpy as np
import pytest

from tests.minitrt.passes.graphs import floats, lowered, names, node, optimised

IMAGE = {"x": (np.float32, (1, 4, 8, 8))}
X = dict(x=floats(1, 4, 8, 8))
CONV = dict(w=floats(4, 4, 3, 3), b=floats(4))
SAME = dict(kernel_shape=[3, 3], pads=[1, 1, 1, 1])


def conv(inputs: str = "x w b", output: str = "c"):
    return node("Conv", inputs, output, **SAME)


def test_bias_residual_and_activation_become_the_convolutions():
    nodes = [conv(), node("Add", "c x", "s"), node("Relu", "s", "y")]
    graph, log = optimised(lowered(nodes, IMAGE, ["y"], CONV), **X)

    assert names(graph) == ["c + s + y"]
    assert "epilogues: fuse s into c" in log


@pytest.mark.parametrize("order", ["c x", "x c"])
def test_a_residual_fuses_whichever_operand_it_is(order):
    graph, _ = optimised(lowered([conv(), node("Add", order, "y")], IMAGE, ["y"], CONV), **X)

    assert names(graph) == ["c + y"]


def test_of_two_convolutions_that_are_added_the_first_operand_takes_the_other():
    nodes = [conv("x w", "main"), conv("x w2", "skip"), node("Add", "main skip", "s"), node("Relu", "s", "y")]
    graph, _ = optimised(lowered(nodes, IMAGE, ["y"], {**CONV, "w2": floats(4, 4, 3, 3)}), **X)

    assert names(graph) == ["skip", "main + s + y"]


def test_a_value_that_is_an_output_too_is_left_alone():
    graph, _ = optimised(lowered([conv(), node("Relu", "c", "y")], IMAGE, ["y", "c"], CONV), **X)

    assert names(graph) == ["c", "y"]


def test_a_value_with_a_second_reader_is_left_alone():
    nodes = [conv(), node("Relu", "c", "r"), node("Mul", "r c", "y")]
    graph, _ = optimised(lowered(nodes, IMAGE, ["y"], CONV), **X)

    assert names(graph) == ["c", "PWN(r, y)"]


def test_a_sum_that_broadcasts_is_no_residual():
    nodes = [conv(), node("Add", "c v", "y")]
    graph, _ = optimised(
        lowered(nodes, {**IMAGE, "v": (np.float32, (1, 4, 1, 1))}, ["y"], CONV), **X, v=floats(1, 4, 1, 1)
    )

    assert names(graph) == ["c", "y"]


def test_batch_normalisation_goes_into_weights_and_bias():
    statistics = dict(s=floats(4), o=floats(4), m=floats(4), v=np.abs(floats(4)) + 0.5)
    nodes = [conv(), node("BatchNormalization", "c s o m v", "n"), node("Relu", "n", "y")]
    graph, _ = optimised(lowered(nodes, IMAGE, ["y"], {**CONV, **statistics}), **X)

    assert names(graph) == ["c + n + y"]


@pytest.mark.parametrize(
    ("nodes", "kind"),
    [
        ([node("Relu", "c", "y")], "relu"),
        ([node("Clip", "c low high", "y")], "clip"),
        ([node("Sigmoid", "c", "g"), node("Mul", "c g", "y")], "silu"),
        ([node("HardSwish", "c", "y")], "hard_swish"),
        ([node("Gelu", "c", "y")], "gelu_erf"),
        ([node("LeakyRelu", "c", "y", alpha=0.1)], "leaky_relu"),
        ([node("Tanh", "c", "y")], "tanh"),
    ],
)
def test_activations_fuse_into_the_convolution_before_them(nodes, kind):
    weights = {**CONV, "low": np.float32(0), "high": np.float32(6)}
    graph, _ = optimised(lowered([conv(), *nodes], IMAGE, ["y"], weights), **X)

    assert len(graph.ops) == 1
    assert graph.ops[0].attrs["activation"]["type"] == kind


def test_zero_padding_before_a_convolution_becomes_its_own():
    nodes = [node("Pad", "x pads", "p"), conv("p w b")]
    pads = np.array([0, 0, 1, 2, 0, 0, 3, 4])
    graph, _ = optimised(lowered(nodes, IMAGE, ["c"], {**CONV, "pads": pads}), **X)

    assert names(graph) == ["p + c"]
    assert (graph.ops[0].attrs["pads_before"], graph.ops[0].attrs["pads_after"]) == ([2, 3], [4, 5])


def test_padding_with_another_value_stays():
    nodes = [node("Pad", "x pads one", "p"), conv("p w b")]
    weights = {**CONV, "pads": np.array([0, 0, 1, 1, 0, 0, 1, 1]), "one": np.float32(1)}
    graph, _ = optimised(lowered(nodes, IMAGE, ["c"], weights), **X)

    assert names(graph) == ["p", "c"]


def test_a_mean_over_both_axes_of_an_image_is_a_pool():
    nodes = [node("ReduceMean", "x axes", "y", keepdims=1)]
    graph, _ = optimised(lowered(nodes, IMAGE, ["y"], {"axes": np.array([2, 3])}), **X)

    assert (graph.ops[0].kind, graph.ops[0].attrs["kernel"]) == ("pool", [8, 8])


def test_a_chain_of_pointwise_operations_is_one_with_all_names():
    nodes = [node("Add", "x x", "a"), node("Exp", "a", "b"), node("Mul", "b x", "y")]
    graph, _ = optimised(lowered(nodes, IMAGE, ["y"]), **X)

    assert names(graph) == ["PWN(a, b, y)"]
    assert [step[0] for step in graph.ops[0].attrs["program"]] == ["add", "exp", "mul"]
    assert len(graph.ops[0].inputs) == 1


@pytest.mark.parametrize("scale", ["Div", "Mul"])
def test_gelu_spelt_out_is_recognised(scale):
    root = np.float32(2**0.5 if scale == "Div" else 0.5**0.5)
    nodes = [
        node(scale, "x root", "a"), node("Erf", "a", "e"), node("Add", "e one", "o"),
        node("Mul", "x o", "p"), node("Mul", "p half", "y"),
    ]  # fmt: skip
    constants = dict(root=root, one=np.float32(1), half=np.float32(0.5))
    graph, _ = optimised(lowered(nodes, IMAGE, ["y"], constants), **X)

    assert [step[0] for op in graph.ops for step in op.attrs["program"]] == ["gelu_erf"]


def test_layer_normalisation_spelt_out_is_recognised():
    nodes = [
        node("ReduceMean", "x axes", "m"), node("Sub", "x m", "d"), node("Pow", "d two", "q"),
        node("ReduceMean", "q axes", "v"), node("Add", "v tiny", "e"), node("Sqrt", "e", "r"), node("Div", "d r", "y"),
    ]  # fmt: skip
    constants = dict(axes=np.array([-1]), two=np.float32(2), tiny=np.float32(1e-5))
    graph, _ = optimised(lowered(nodes, {"x": (np.float32, (2, 16))}, ["y"], constants), x=floats(2, 16))

    assert [op.kind for op in graph.ops] == ["norm"]


def test_constants_fold_dead_layers_and_no_ops_go_and_twins_are_computed_once():
    nodes = [
        node("Add", "two two", "four"), node("Mul", "x four", "a"), node("Mul", "x four", "b"),
        node("Identity", "a", "c"),
        node("Exp", "x", "dead"), node("Transpose", "c", "t", perm=[0, 1, 2, 3]), node("Sub", "t b", "y"),
    ]  # fmt: skip
    graph, log = optimised(lowered(nodes, IMAGE, ["y"], {"two": np.float32(2)}), **X)

    assert names(graph) == ["a", "y"]  # y reads a twice, in place of its twin
    for said in ("fold four", "remove dead: no output needs it", "remove c: it does nothing", "computes what a does"):
        assert any(said in line for line in log), said


def test_transposes_and_reshapes_in_a_row_are_one():
    nodes = [node("Transpose", "x", "a", perm=[0, 2, 3, 1]), node("Transpose", "a", "y", perm=[0, 3, 1, 2])]
    assert names(optimised(lowered([*nodes, node("Relu", "y", "z")], IMAGE, ["z"]), **X)[0]) == ["z"]


def test_shape_arithmetic_is_gone_after_lowering():
    nodes = [
        node("Shape", "x", "s"), node("Gather", "s zero", "n"), node("Concat", "n rest", "shape", axis=0),
        node("Reshape", "x shape", "y"),
    ]  # fmt: skip
    constants = dict(zero=np.array([0]), rest=np.array([-1]))
    graph, _ = optimised(lowered(nodes, IMAGE, ["y"], constants), **X)

    assert [op.kind for op in graph.ops] == ["shuffle"]


def test_matmul_add_and_relu_are_one_product_and_its_bias_is_a_vector():
    nodes = [node("MatMul", "x w", "m"), node("Add", "m b", "a"), node("Relu", "a", "y")]
    weights = dict(w=floats(8, 5), b=floats(5))
    graph, _ = optimised(lowered(nodes, {"x": (np.float32, (3, 8))}, ["y"], weights), x=floats(3, 8))

    assert names(graph) == ["m + a + y"]
    assert graph.ops[0].inputs[2].shape == (5,)
