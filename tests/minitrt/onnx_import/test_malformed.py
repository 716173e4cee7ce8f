"""Malformed models: parse answers False, and an error says which node and what is wrong; nothing is thrown."""

from __future__ import annotations

import random

import numpy as np
import onnx
import pytest

import minitrt as trt
from minitrt.onnx_import.regions.control import MOST_LAYERS
from tests.minitrt.engines import STRONG, Heard, model_of, parsed, results_of
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


LOOP = """<ir_version: 8, opset_import: ["" : 17]> g (float[3] x, int64 t) => (float[3] y) {{ {before}
    y = Loop({count}, {begin}, x) <body = body (int64 i, bool ci, float[3] a) => (bool co, float[3] b)
    {{ d = Identity(ci) co = Identity(d) {step} }} > }}"""


def test_a_loop_that_never_ends_is_told():
    text = LOOP.format(before="c = Constant<value = bool {1}>()", count='""', begin="c", step="b = Neg(a)")

    assert "it never ends" in refused(onnx.parser.parse_model(text)).desc()


@pytest.mark.parametrize("inner", [False, True])
def test_a_long_loop_is_not_written_out_step_by_step(inner):
    before, step = "n = Constant<value = int64 {3000}>() c = Constant<value = bool {1}>()", "b = Neg(a)"
    if inner:
        step = """m = Constant<value = int64 {50}>()
            b = Loop(m, ci, a) <body = deep (int64 j, bool cj, float[3] e) => (bool ck, float[3] f)
            { ck = Identity(cj) f = Neg(e) } >"""
    else:
        before = before.replace("3000", str(10**12))
    logger = Heard()
    network = trt.Builder(logger).create_network(STRONG)
    model = onnx.parser.parse_model(LOOP.format(before=before, count="n", begin="c", step=step))

    assert trt.OnnxParser(network, logger).parse(model.SerializeToString()), logger.errors
    assert network.num_layers < 2 * MOST_LAYERS


def test_what_python_says_of_a_misfit_is_said_in_words_of_the_model():
    pool = node("AveragePool", ["x"], ["y"], "c", kernel_shape=[2, 2], strides=[1, 1])
    builder, network, config = parsed(model_of([pool], {"x": (np.float32, [2, 3, 8])}, ["y"]), logger := Heard())

    assert builder.build_serialized_network(network, config) is None
    assert "for another number of axes" in logger.errors[-1] and "zip" not in logger.errors[-1]


@pytest.mark.parametrize("kind", [99, 0])
def test_a_type_that_onnx_does_not_know_is_told(kind):
    model = of(node("Relu", ["x"], ["y"], "c"))
    model.graph.input[0].type.tensor_type.elem_type = kind

    assert ("type 99" if kind else "no tensor") in refused(model).desc()


def test_names_that_are_no_text_are_one_sentence():
    model = of(node("Relu", ["x"], ["y"], "AAAA")).SerializeToString().replace(b"Relu", b"Re\xff\xfe")
    logger = Heard()

    assert not trt.OnnxParser(trt.Builder(logger).create_network(STRONG), logger).parse(model)
    assert "\n" not in logger.errors[-1] and "its bytes are damaged" in logger.errors[-1]


AXES = {
    "Unsqueeze": ({}, "axes"), "Squeeze": ({}, "axes"), "ReduceSum": ({}, "axes"), "CumSum": ({}, "axes"),
    "Softmax": ({"axis": 4}, ""), "Hardmax": ({"axis": -5}, ""), "LogSoftmax": ({"axis": 9}, ""),
    "Concat": ({"axis": 4}, ""), "LayerNormalization": ({"axis": 4}, "w"), "LpNormalization": ({"axis": 4}, ""),
    "Split": ({"axis": 4, "num_outputs": 1}, ""), "Gather": ({"axis": 4}, "axes"), "ArgMax": ({"axis": 4}, ""),
    "TopK": ({"axis": 4}, "axes"), "Slice": ({}, "zero one axes"), "Pad": ({}, "pads w0 axes"),
    "ReverseSequence": ({"time_axis": 4, "batch_axis": 0}, "axes"), "Unique": ({"axis": 4}, ""),
}  # fmt: skip


@pytest.mark.parametrize("name", AXES)
def test_an_axis_that_a_tensor_does_not_have_is_refused(name):
    """ONNX Runtime refuses it, too; counted round in a circle it would be another one."""
    attrs, more = AXES[name]
    given = {"axes": np.array([7]), "w": np.ones(8, np.float32), "zero": np.array([0]), "one": np.array([1])}
    given |= {"pads": np.array([1, 1]), "w0": np.float32(0)}
    results = ["y", "places"] if name == "TopK" else ["y"]
    model = model_of(
        [node(name, ["x", *more.split()], results, "c", **attrs)], {"x": (np.float32, (1, 3, 8, 8))}, ["y"],
        {each: given[each] for each in more.split()}, opset=18,
    )  # fmt: skip
    logger = Heard()
    builder = trt.Builder(logger)
    network = builder.create_network(STRONG)
    if trt.OnnxParser(network, logger).parse(model.SerializeToString()):
        assert builder.build_serialized_network(network, builder.create_builder_config()) is None

    assert logger.errors


@pytest.mark.parametrize(("domain", "says"), [("com.microsoft", "ONNX Runtime's own"), ("", "a plugin of NVIDIA's")])
def test_whose_an_operator_is_follows_from_its_domain(domain, says):
    model = of(node("CoordConvAC", ["x", "w"], ["y"], "c", domain=domain))
    model.opset_import.append(onnx.helper.make_opsetid("com.microsoft", 1))

    assert says in refused(model).desc()
