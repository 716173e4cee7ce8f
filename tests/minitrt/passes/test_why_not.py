"""Why layers do not share a kernel, on graphs as people ask about them: the rule, and the node in the way."""

from __future__ import annotations

import numpy as np
import onnx
import pytest

import minitrt as trt
from minitrt.trtexec import main
from tests.minitrt.engines import Heard, engine_of, model_of, parsed

NODE = onnx.helper.make_node
rng = np.random.default_rng(0)
KERNEL = (rng.standard_normal((8, 8, 3, 3)) / 9).astype(np.float32)
SAME = dict(pads=[1, 1, 1, 1])
QUANTISED = {"s": np.float32(0.1), "z": np.int8(0), "q": rng.integers(-9, 9, (8, 8, 3, 3)).astype(np.int8)}


def conv(source, target, name, weights="w", **more):
    return NODE("Conv", [source, weights], [target], name, **(SAME | more))


def act(kind, source, target, name, **more):
    return NODE(kind, source.split(), [target], name, **more)


def qdq(source, target, scale="s"):
    return [
        NODE("QuantizeLinear", [source, scale, "z"], [f"{target}q"], f"{target}_Q"),
        NODE("DequantizeLinear", [f"{target}q", scale, "z"], [target], f"{target}_DQ"),
    ]


def weights_dq():
    return NODE("DequantizeLinear", ["q", "s", "z"], ["wd"], "w_DQ")


def graph(nodes, outputs="y", more=None, **inputs):
    declared = {"x": (np.float32, [1, 8, 8, 8])} | {name: (np.float32, shape) for name, shape in inputs.items()}
    return model_of(nodes, declared, outputs.split(), {"w": KERNEL, **QUANTISED, **(more or {})})


def int8_conv(source, target, name):
    return [*qdq(source, f"{target}_in"), conv(f"{target}_in", target, name, "wd")]


SPARE = {"k": np.full((1, 8, 1, 1), 2, np.float32), "m": np.ones((8, 8), np.float32)}
ASKED = {
    "a second reader": (
        graph([conv("x", "c", "conv3"), act("Relu", "c", "r", "relu3"), act("Add", "c r", "y", "add7")]),
        ["conv3 + relu3: conv3 has a second reader, add7"],
    ),
    "three readers": (
        graph(
            [
                conv("x", "c", "conv"),
                *(act(kind, "c", o, o) for kind, o in zip(("Relu", "Tanh", "Abs"), "abd", strict=True)),
            ],
            "a b d",
        ),
        ["conv + a: conv has other readers, b, d"],
    ),
    "an output between": (
        graph([conv("x", "c", "conv"), act("Relu", "c", "y", "relu")], "y c"),
        ["conv + relu: c, between them, is an output of the network"],
    ),
    "two activations": (
        graph([conv("x", "c", "conv"), act("Relu", "c", "r", "relu"), act("Sigmoid", "r", "y", "sig")]),
        ["conv + relu + sig: conv + relu has the activation relu already"],
    ),
    "an activation that no epilogue has": (
        graph([conv("x", "c", "conv"), act("Cos", "c", "y", "cos")]),
        ["conv + cos: no product's epilogue computes cos; it takes relu, clip"],
    ),
    "two residuals": (
        graph([conv("x", "c", "conv"), act("Add", "c x", "a", "one"), act("Add", "a u", "y", "two")], u=[1, 8, 8, 8]),
        ["conv + one + two: conv + one has a residual already, x"],
    ),
    "a residual that is broadcast": (
        graph([conv("x", "c", "conv"), act("Add", "c u", "y", "add")], u=[1, 8, 1, 1]),
        ["conv + add: u is (1, 8, 1, 1), and c is (1, 8, 8, 8): one is broadcast"],
    ),
    "a sum of two convolutions": (
        graph(
            [conv("x", "a", "left"), conv("x", "b", "right", "v"), act("Add", "a b", "y", "add")],
            more={"v": KERNEL[::-1]},
        ),
        [],
    ),
    "a constant that is no bias": (
        graph([conv("x", "c", "conv"), act("Add", "c m", "y", "add")], more=SPARE),
        ["conv + add: m, (8, 8), is no bias a channel of (1, 8, 8, 8)"],
    ),
    "a gate": (
        graph([conv("x", "c", "conv"), act("Mul", "c u", "y", "gate")], u=[1, 8, 8, 8]),
        ["conv + gate: gate multiplies by what is no constant a channel"],
    ),
    "a deconvolution's residual": (
        graph([NODE("ConvTranspose", ["x", "w"], ["c"], "up", **SAME), act("Add", "c x", "y", "add")]),
        ["up + add: a deconvolution takes no residual"],
    ),
    "a chain over a broadcast": (
        graph([act("Cos", "u", "c", "cos"), act("Mul", "x c", "y", "mul")], u=[1, 8, 1, 1]),
        ["cos + mul: (1, 8, 1, 1) is broadcast to (1, 8, 8, 8): cos would be computed again and again"],
    ),
    "a chain with a second reader": (
        graph(
            [
                act("Cos", "x", "c", "cos"),
                act("Abs", "c", "y", "abs"),
                act("MaxPool", "c", "p", "pool", kernel_shape=[2, 2]),
            ],
            "y p",
        ),
        ["cos + abs: cos has a second reader, pool"],
    ),
    "the network's input": (
        graph([weights_dq(), *int8_conv("x", "c", "conv"), act("Relu", "c", "y", "relu")]),
        ["c_in_Q: it quantises the network's input x"],
    ),
    "a Q between a convolution and its activation": (
        graph(
            [weights_dq(), *int8_conv("x", "c", "conv"), *qdq("c", "d"), act("Relu", "d", "r", "relu"), *qdq("r", "y")]
        ),
        ["is quantised before relu: a Q stands between them"],
    ),
    "no quantisers on an input": (
        graph(
            [weights_dq(), *int8_conv("x", "c", "one"), act("Sigmoid", "c", "g", "sig"), conv("g", "y", "two", "wd")]
        ),
        ["stays in FLOAT: its"],
    ),
    "no quantisers on weights": (
        graph([*qdq("x", "d"), conv("d", "y", "conv")]),
        ["conv stays in FLOAT: its input was INT8, but its weights"],
    ),
    "an output that is dequantised": (
        graph([*qdq("x", "d"), act("MaxPool", "d", "p", "pool", kernel_shape=[2, 2]), *qdq("p", "y")]),
        ["gives the network's output y in FLOAT"],
    ),
    "a reader that takes no INT8": (
        graph([*qdq("x", "d"), act("Softmax", "d", "y", "soft", axis=-1)]),
        ["its reader takes no INT8 here: soft (softmax)"],
    ),
    "a maker without an INT8 result": (
        graph([weights_dq(), act("Softmax", "x", "s1", "soft", axis=-1), *int8_conv("s1", "y", "conv")]),
        ["soft before it has no INT8 result (softmax)"],
    ),
    "a maker that others read in floats": (
        graph(
            [
                weights_dq(),
                act("Sigmoid", "x", "g", "sig"),
                *int8_conv("g", "c", "conv"),
                act("Softmax", "g", "t", "soft", axis=-1),
            ],
            "c t",
        ),
        ["sig before it has other readers, soft, which need its floating result"],
    ),
}


@pytest.mark.parametrize("name", ASKED)
def test_it_says_the_rule_and_the_node_in_the_way(name):
    model, expected = ASKED[name]
    found = engine_of(model).why_not()

    for fragment in expected:
        assert any(fragment in sentence for sentence in found), "\n".join(found)
    assert expected or not found


def test_there_are_twenty_at_least_and_a_network_that_fuses_whole_says_nothing():
    assert len(ASKED) >= 20
    assert [] == engine_of(graph([conv("x", "c", "conv"), act("Relu", "c", "y", "relu")])).why_not()


def test_a_logger_hears_it_while_building_and_a_loaded_engine_knows_it():
    logger = Heard()
    model = ASKED["a second reader"][0]
    builder, network, config = parsed(model, logger)
    data = builder.build_serialized_network(network, config)
    engine = trt.Runtime(Heard()).deserialize_cuda_engine(bytes(data))

    assert [f"why not: {each}" for each in engine.why_not()] == [
        text for text in logger.of(trt.ILogger.VERBOSE) if text.startswith("why not: ")
    ]


def test_the_command_line_tells_it(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("MINITRT_BACKEND", "reference")
    onnx.save(ASKED["a second reader"][0], tmp_path / "net.onnx")

    assert main([f"--onnx={tmp_path / 'net.onnx'}", "--whyNot", "--buildOnly"]) == 0
    assert "conv3 + relu3: conv3 has a second reader, add7" in capsys.readouterr().out
