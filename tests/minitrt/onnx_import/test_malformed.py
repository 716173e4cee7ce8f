"""Malformed models: parse answers False, and an error says which node and what is wrong; nothing is thrown."""

from __future__ import annotations

import random

import numpy as np
import onnx
import pytest

import minitrt as trt
from tests.minitrt.engines import STRONG, Heard, model_of, results_of
from tests.minitrt.passes.exported import bert_like

node = onnx.helper.make_node


def refused(model: onnx.ModelProto) -> trt.ParserError:
    logger = Heard()
    parser = trt.OnnxParser(trt.Builder(logger).create_network(STRONG), logger)

    assert not parser.parse(model.SerializeToString()) and parser.num_errors == 1
    assert str(parser.get_error(0)) in logger.errors[0]
    return parser.get_error(0)


def of(*nodes: onnx.NodeProto, dtype=np.float32) -> onnx.ModelProto:
    return model_of(nodes, {"x": (dtype, (1, 3, 8, 8)), "w": (np.float32, (4, 3, 3, 3))}, ["y"])


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        (of(node("Conv", ["x"], ["y"], "c")), r"input 1 \(W\) is missing"),
        (of(node("Conv", ["", "w"], ["y"], "c")), r"input 0 \(X\) is missing"),
        (of(node("Max", ["x", ""], ["y"], "c")), r"input 1 \(data_0\) is missing"),
        (of(node("Relu", ["x", "w"], ["y"], "c")), "2 inputs, but at most 1"),
        (of(node("Concat", ["x", "x"], ["y"], "c")), "attribute 'axis' is missing"),
        (of(node("Softmax", ["x"], ["y"], "c", axis="one")), "attribute 'axis' is STRING, but must be INT"),
        (of(node("Conv", ["x", "w"], ["y"], "c"), dtype=np.bool_), "'x', has type BOOL, but must be floating"),
        (of(node("BitShift", ["x", "x"], ["y"], "c", direction="LEFT")), "has type FLOAT, but must be integer"),
        (of(node("Relu", ["nobody"], ["y"], "c")), "tensor 'nobody' is used before anything makes it"),
    ],
)
def test_a_node_that_its_schema_forbids_is_named_with_what_is_wrong(bad, says):
    error = refused(bad)

    assert (0, "c") == (error.node(), error.node_name())
    with pytest.raises(AssertionError, match=says):
        raise AssertionError(error.desc())


def test_an_output_that_nothing_makes_is_named():
    assert "output 'y'" in refused(of(node("Relu", ["x"], ["z"], "c"))).desc()


@pytest.mark.parametrize("seed", range(3))
def test_whatever_is_changed_about_a_model_nothing_is_thrown(seed):
    change, model = random.Random(seed), bert_like().SerializeToString()
    for _ in range(12):
        damaged = bytearray(model)
        for _ in range(3):
            damaged[change.randrange(len(damaged))] = change.randrange(256)
        logger = Heard()
        builder = trt.Builder(logger)
        network = builder.create_network(STRONG)
        parser = trt.OnnxParser(network, logger)
        if parser.parse(bytes(damaged)):
            assert (
                builder.build_serialized_network(network, builder.create_builder_config()) is None or not logger.errors
            )
        else:
            assert parser.num_errors and logger.errors


def test_nodes_may_stand_in_any_order_in_branches_too():
    """ONNX asks for one in which each finds what it reads; ONNX Runtime and TensorRT sort."""
    node = onnx.helper.make_node
    branch = onnx.helper.make_graph(
        [node("Neg", ["inner"], ["chosen"]), node("Add", ["t", "t"], ["inner"])], "branch", [],
        [onnx.helper.make_tensor_value_info("chosen", onnx.TensorProto.FLOAT, [3])],
    )  # fmt: skip
    nodes = [
        node("If", ["c"], ["y"], then_branch=branch, else_branch=branch),
        node("Exp", ["r"], ["t"]), node("Relu", ["x"], ["r"]),
    ]  # fmt: skip
    model = model_of(nodes, {"x": (np.float32, [3]), "c": (np.bool_, [])}, ["y"])
    x = np.array([-1, 0, 2], np.float32)

    found = results_of(model, {"x": x, "c": np.array(True)})["y"]
    np.testing.assert_allclose(-2 * np.exp(np.maximum(x, 0)), found, rtol=1e-6)


def test_nodes_that_wait_for_each_other_are_told():
    model, logger = (
        model_of(
            [onnx.helper.make_node("Add", ["x", name], [of]) for name, of in ("ab", "ba")],
            {"x": (np.float32, [3])},
            ["a"],
        ),
        Heard(),
    )

    assert not trt.OnnxParser(trt.Builder(logger).create_network(STRONG), logger).parse(model.SerializeToString())
    assert "is used before anything makes it" in logger.errors[-1]


def test_an_input_without_a_shape_is_named_with_what_to_do():
    model, logger = model_of([onnx.helper.make_node("Relu", ["x"], ["y"])], {"x": (np.float32, None)}, ["y"]), Heard()

    assert not trt.OnnxParser(trt.Builder(logger).create_network(STRONG), logger).parse(model.SerializeToString())
    assert "input 'x' has no shape in the model, not even a number of axes: write one" in logger.errors[-1]
