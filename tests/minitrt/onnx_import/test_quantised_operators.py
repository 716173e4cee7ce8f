"""Operators on quantised tensors, ONNX's and those of ONNX Runtime's own domain, against ONNX Runtime."""

from __future__ import annotations

import numpy as np
import onnx
import pytest

from tests.minitrt.engines import Heard, engine_of, expected_of, layers_of, model_of, results_of

rng = np.random.default_rng(0)
NODE = onnx.helper.make_node
MICROSOFT = "com.microsoft"


def quantised(shape, dtype=np.uint8):
    """INT8 in 7 bits: on processors without VNNI ONNX Runtime's sums of larger ones times UINT8 saturate."""
    low, high = (0, 255) if dtype == np.uint8 else (-63, 63)
    return rng.integers(low, high + 1, shape).astype(dtype)


def scales(prefix, scale, zero, dtype=np.uint8):
    """Initializers {prefix}s and {prefix}z."""
    kind = zero.astype(dtype) if isinstance(zero, np.ndarray) else dtype(zero)
    return {f"{prefix}s": np.float32(scale), f"{prefix}z": kind}


def contrib(kind, inputs, feeds, initializers, outputs=1, domain=MICROSOFT, opset=17, **attrs):
    """A model of one node, and its inputs."""
    names = [f"y{index}" for index in range(outputs)]
    node = NODE(kind, inputs.split(), names, domain=domain, **attrs)
    model = model_of(
        [node], {name: (a.dtype, list(a.shape)) for name, a in feeds.items()}, names, initializers, opset=opset
    )
    if domain:
        model.opset_import.append(onnx.helper.make_opsetid(domain, 1))
    return model, feeds


def image(dtype=np.uint8):
    return quantised((2, 4, 6, 6), dtype)


def with_(*parts):
    return {key: value for part in parts for key, value in part.items()}


def unary_case(kind, **attrs):
    initializers = with_(scales("x", 0.02, 120), scales("y", 0.0137, 7))  # a ratio at which no mean lies on a tie
    return contrib(kind, "x xs xz ys yz", {"x": image()}, initializers, **attrs)


def binary_case(kind, dtype=np.uint8, zero=(120, 90, 100)):
    parts = [scales(p, s, z, dtype) for p, s, z in zip("aby", (0.02, 0.03, 0.05), zero, strict=True)]
    return contrib(kind, "a as az b bs bz ys yz", {"a": image(dtype), "b": quantised((4, 1, 6), dtype)}, with_(*parts))


def conv_case(dtype, zero, per_channel, domain="", **attrs):
    weights = quantised((8, 4, 3, 3), np.int8)
    scale = np.linspace(0.01, 0.02, 8).astype(np.float32) if per_channel else 0.015
    weight_zero = np.zeros(8) if per_channel else 0
    initializers = with_(scales("x", 0.02, zero, dtype), {"w": weights}, scales("w", scale, weight_zero, np.int8))
    initializers |= scales("y", 0.06, zero, dtype) | {"b": rng.integers(-5000, 5000, 8).astype(np.int32)}
    x = image(dtype)
    x = x.transpose(0, 2, 3, 1) if attrs.get("channels_last") else x
    return contrib("QLinearConv", "x xs xz w ws wz ys yz b", {"x": x}, initializers, domain=domain, **attrs)


def gemm_case(dtype=np.uint8, zero=120, out=True, **attrs):
    parts = [scales("a", 0.02, zero, dtype), scales("b", 0.03, 0, np.int8), scales("y", 0.3, zero, dtype)]
    shape = (7, 5) if attrs.get("transB") else (5, 7)
    initializers = with_(*parts, {"b": quantised(shape, np.int8), "c": rng.integers(-900, 900, 7).astype(np.int32)})
    inputs = "a as az b bs bz c ys yz" if out else "a as az b bs bz c"
    return contrib("QGemm", inputs, {"a": quantised((3, 5), dtype)}, initializers, **attrs)


def to_float_case(bias):
    parts = [scales("a", 0.02, 120), {"b": quantised((5, 7), np.int8)}, scales("b", 0.03, 0, np.int8)]
    initializers = with_(*parts, {"c": rng.standard_normal(7).astype(np.float32)})
    inputs = "a b as bs az bz c" if bias else "a b as bs az bz"
    return contrib("MatMulIntegerToFloat", inputs, {"a": quantised((3, 5))}, initializers)


def float_product_case():
    initializers = {"b": quantised((5, 7), np.int8), "c": rng.standard_normal(7).astype(np.float32)}
    feeds = {"a": rng.standard_normal((3, 5)).astype(np.float32)}
    return contrib("DynamicQuantizeMatMul", "a b bs bz c", feeds, initializers | scales("b", 0.03, 0, np.int8))


def integer_case(kind, weights, zero=True):
    initializers = {"w": weights, "xz": np.uint8(120), "wz": np.uint8(9)}
    feeds = {"x": image() if kind == "ConvInteger" else quantised((3, 5))}
    return contrib(kind, "x w xz wz" if zero else "x w", feeds, initializers, domain="")


def concat_case():
    parts = [scales(p, s, z) for p, s, z in (("y", 0.03, 100), ("a", 0.02, 120), ("b", 0.05, 90))]
    return contrib("QLinearConcat", "ys yz a as az b bs bz", {"a": image(), "b": image()}, with_(*parts), axis=1)


def where_case():
    parts = [scales(p, s, z) for p, s, z in (("a", 0.02, 120), ("b", 0.05, 90), ("y", 0.03, 100))]
    feeds = {"c": rng.integers(0, 2, (2, 4, 6, 6)).astype(bool), "a": image(), "b": image()}
    return contrib("QLinearWhere", "c a as az b bs bz ys yz", feeds, with_(*parts))


def matmul_case(dtype=np.uint8, zero=120):
    parts = [scales("a", 0.02, zero, dtype), scales("b", 0.03, 0, np.int8), scales("y", 0.3, zero, dtype)]
    initializers = with_(*parts, {"b": quantised((5, 7), np.int8)})
    return contrib(
        "QLinearMatMul", "a as az b bs bz ys yz", {"a": quantised((2, 3, 5), dtype)}, initializers, domain=""
    )


def softmax_case():
    initializers = with_(scales("x", 0.02, 120), scales("y", 1 / 256, 0))
    node = NODE("QLinearSoftmax", "x xs xz ys yz".split(), ["y0"], domain=MICROSOFT, axis=-1, opset=13)
    model = model_of([node], {"x": (np.uint8, [2, 4, 6, 6])}, ["y0"], initializers)
    model.opset_import.append(onnx.helper.make_opsetid(MICROSOFT, 1))
    return model, {"x": image()}


CASES = {
    "add": lambda: binary_case("QLinearAdd"),
    "add, symmetric": lambda: binary_case("QLinearAdd", np.int8, (0, 0, 0)),
    "mul": lambda: binary_case("QLinearMul"),
    "sigmoid": lambda: unary_case("QLinearSigmoid"),
    "leaky relu": lambda: unary_case("QLinearLeakyRelu", alpha=0.2),
    "softmax": softmax_case,
    "global average": lambda: unary_case("QLinearGlobalAveragePool", channels_last=0),
    "global average, channels last": lambda: unary_case("QLinearGlobalAveragePool", channels_last=1),
    "average": lambda: unary_case("QLinearAveragePool", kernel_shape=[2, 2], strides=[2, 2]),
    "concat": concat_case,
    "where": where_case,
    "conv": lambda: conv_case(np.uint8, 120, False, pads=[1, 1, 1, 1]),
    "conv, a scale a channel": lambda: conv_case(np.uint8, 120, True, strides=[2, 2]),
    "conv, INT8 with a zero point": lambda: conv_case(np.int8, 5, True, pads=[1, 1, 1, 1]),
    "add, INT8 with zero points": lambda: binary_case("QLinearAdd", np.int8, (3, -9, 20)),
    "conv, symmetric": lambda: conv_case(np.int8, 0, True, pads=[1, 1, 1, 1]),
    "matmul": matmul_case,
    "matmul, symmetric": lambda: matmul_case(np.int8, 0),
    "gemm": gemm_case,
    "gemm, transposed": lambda: gemm_case(transB=1),
    "gemm, symmetric": lambda: gemm_case(np.int8, 0),
    "gemm to float": lambda: gemm_case(out=False, alpha=0.5),
    "matmul to float": lambda: to_float_case(False),
    "matmul to float, with a bias": lambda: to_float_case(True),
    "matmul of floats": float_product_case,
    "matmul of integers": lambda: integer_case("MatMulInteger", quantised((5, 7))),
    "matmul of integers without zero points": lambda: integer_case("MatMulInteger", quantised((5, 7)), False),
    "conv of integers": lambda: integer_case("ConvInteger", quantised((8, 4, 3, 3))),
    "dynamically quantised": lambda: contrib(
        "DynamicQuantizeLinear", "x", {"x": rng.standard_normal((3, 5)).astype(np.float32)}, {}, 3, domain=""
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_quantised_operator_is_onnx_runtimes_to_a_step(name):
    model, feeds = CASES[name]()
    found, expected = results_of(model, feeds), expected_of(model, feeds)

    for key, array in expected.items():
        assert (array.shape, array.dtype) == (found[key].shape, found[key].dtype), key
        step = 1 if array.dtype in (np.uint8, np.int8) else 0
        wide = array.astype(np.float64)
        np.testing.assert_allclose(found[key].astype(np.float64), wide, rtol=1e-5, atol=max(step, 1e-5))
        assert np.mean(found[key] != array) < 0.05 or not step


@pytest.mark.parametrize("name", ["conv, symmetric", "matmul, symmetric"])
def test_a_symmetric_product_is_computed_in_int8(name):
    model, _ = CASES[name]()
    products = [
        layer for layer in layers_of(engine_of(model)) if layer["LayerType"].startswith(("Cask", "gemm", "Mat"))
    ]

    assert products and all("Int8" in layer["Inputs"][0]["Format/Datatype"] for layer in products)


@pytest.mark.parametrize("direction", ["forward", "bidirectional"])
@pytest.mark.parametrize("per_channel", [False, True])
def test_an_lstm_with_quantised_weights_quantises_what_they_are_multiplied_with(direction, per_channel):
    ways, hidden, size = 2 if direction == "bidirectional" else 1, 4, 3
    feeds = {"x": 4 * rng.standard_normal((5, 1, size)).astype(np.float32)}
    weights = {"w": quantised((ways, size, 4 * hidden), np.int8), "r": quantised((ways, hidden, 4 * hidden), np.int8)}
    count = (ways, 4 * hidden) if per_channel else (ways,)
    factors = {f"{p}s": rng.uniform(0.004, 0.008, count).astype(np.float32) for p in "wr"}
    zeros = {f"{p}z": np.zeros(count, np.int8) for p in "wr"}
    bias = {"b": rng.standard_normal((ways, 8 * hidden)).astype(np.float32)}
    inputs = ["x", "w", "r", "b", "", "", "", "", "ws", "wz", "rs", "rz"]
    attrs = dict(hidden_size=hidden, direction=direction)
    node = NODE("DynamicQuantizeLSTM", inputs, ["y", "h", "c"], domain=MICROSOFT, **attrs)
    declared = {"x": (np.float32, [5, 1, size])}
    model = model_of([node], declared, ["y", "h", "c"], {**weights, **factors, **zeros, **bias})
    model.opset_import.append(onnx.helper.make_opsetid(MICROSOFT, 1))
    found, theirs = results_of(model, feeds), expected_of(model, feeds)

    for name, array in theirs.items():
        np.testing.assert_allclose(
            found[name], array, atol=1e-4
        )  # one sequence: ONNX Runtime's threads share out several


def test_an_asymmetric_int8_model_is_computed_and_told_the_options_that_make_a_symmetric_one():
    nodes = [NODE("QuantizeLinear", ["x", "s", "z"], ["q"]), NODE("DequantizeLinear", ["q", "s", "z"], ["y"])]
    model = model_of(nodes, {"x": (np.float32, [2])}, ["y"], {"s": np.float32(0.1), "z": np.int8(3)})
    logger = Heard()
    engine_of(model, logger)

    assert 'extra_options={"ActivationSymmetric": True}' in logger.of(logger.WARNING)[0]
