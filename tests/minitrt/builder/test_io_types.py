"""Inputs and outputs of a weakly typed network: of the type that the user says, FP16 and INT8, with and without the
builder's FP16."""

from __future__ import annotations

import numpy as np
import onnx
import pytest

import minitrt as trt
from minitrt.runtime.session import Session
from tests.minitrt.engines import STRONG, Heard, expected_of, model_of, parsed

pytestmark = pytest.mark.filterwarnings("ignore:.*removed in TensorRT 11:DeprecationWarning")
rng = np.random.default_rng(0)
NODE = onnx.helper.make_node
X = rng.standard_normal((2, 3, 8, 8)).astype(np.float32)
KERNEL = (rng.standard_normal((4, 3, 3, 3)) / 5).astype(np.float32)


def convolution():
    nodes = [NODE("Conv", ["x", "w"], ["c"], pads=[1, 1, 1, 1]), NODE("Relu", ["c"], ["y"])]
    return model_of(nodes, {"x": (np.float32, X.shape)}, ["y"], {"w": KERNEL})


def addition():
    return model_of([NODE("Add", ["x", "k"], ["y"])], {"x": (np.float32, X.shape)}, ["y"], {"k": np.float32([2])})


def passing():
    return model_of([NODE("Identity", ["x"], ["y"])], {"x": (np.float32, X.shape)}, ["y"])


def run(model, ends: dict[str, trt.DataType], flags=(), ranges=None):
    """The session's output, the types of the engine's ends, and the engine."""
    logger = Heard()
    builder, network, config = parsed(model, logger, 0)
    tensors = {"x": network.get_input(0), "y": network.get_output(0)}
    for name, dtype in ends.items():
        tensors[name].dtype = dtype
    for name, largest in (ranges or {}).items():
        tensors[name].set_dynamic_range(-largest, largest)
    for flag in flags:
        config.set_flag(flag)
    data = builder.build_serialized_network(network, config)
    assert data is not None, logger.errors
    engine = trt.Runtime(logger).deserialize_cuda_engine(data)
    kinds = {name: engine.get_tensor_dtype(name) for name in "xy"}
    feed = X.astype(trt.nptype(kinds["x"])) if kinds["x"] != trt.int8 else np.rint(X * 127 / ranges["x"])
    return Session(engine, logger).run({"x": feed})["y"], kinds, engine


@pytest.mark.parametrize("model", [convolution, addition, passing])
@pytest.mark.parametrize("fp16", [True, False])
@pytest.mark.parametrize("ends", [["x"], ["y"], ["x", "y"]])
def test_ends_may_be_fp16(model, fp16, ends):
    found, kinds, _ = run(model(), dict.fromkeys(ends, trt.float16), [trt.BuilderFlag.FP16] if fp16 else [])

    assert {"x": trt.float32, "y": trt.float32} | dict.fromkeys(ends, trt.float16) == kinds
    np.testing.assert_allclose(found, expected_of(model(), {"x": X})["y"], rtol=5e-3, atol=5e-3)


def test_an_fp16_input_of_an_fp16_layer_needs_no_conversion():
    _, _, engine = run(convolution(), {"x": trt.float16, "y": trt.float16}, [trt.BuilderFlag.FP16])

    assert 1 == engine.num_layers


@pytest.mark.parametrize("model", [convolution, addition, passing])
@pytest.mark.parametrize("ends", [["x"], ["y"], ["x", "y"]])
def test_ends_may_be_int8_by_their_dynamic_range(model, ends):
    largest = {"x": float(np.abs(X).max()), "y": 6.0}
    found, kinds, _ = run(model(), dict.fromkeys(ends, trt.int8), [trt.BuilderFlag.INT8], largest)
    real = found * (largest["y"] / 127) if "y" in ends else found

    assert all(kinds[name] == trt.int8 for name in ends)
    np.testing.assert_allclose(real, expected_of(model(), {"x": X})["y"], atol=0.12)


def test_int8_without_a_range_or_a_scale_is_refused_with_what_to_call():
    logger = Heard()
    builder, network, config = parsed(passing(), logger, 0)
    network.get_input(0).dtype = trt.int8

    assert builder.build_serialized_network(network, config) is None
    assert "set_dynamic_range" in logger.errors[-1]


def test_a_refitted_engine_keeps_its_ends():
    logger = Heard()
    builder, network, config = parsed(convolution(), logger, 0)
    network.get_input(0).dtype = network.get_output(0).dtype = trt.float16
    config.set_flag(trt.BuilderFlag.REFIT)
    engine = trt.Runtime(logger).deserialize_cuda_engine(builder.build_serialized_network(network, config))
    refitter = trt.Refitter(engine, logger)
    assert refitter.set_named_weights("w", 2 * KERNEL) and refitter.refit_cuda_engine(), logger.errors
    found = Session(engine, logger).run({"x": X.astype(np.float16)})["y"]

    assert np.float16 == found.dtype
    np.testing.assert_allclose(found, 2 * expected_of(convolution(), {"x": X})["y"], rtol=1e-2, atol=1e-2)


def test_the_type_of_a_strongly_typed_network_s_output_cannot_be_set():
    logger = Heard()
    _, network, _ = parsed(addition(), logger, STRONG)
    network.get_output(0).dtype = trt.float16

    assert "strongly typed" in logger.errors[-1] and trt.float32 == network.get_output(0).dtype


def test_a_cast_to_int8_quantises_by_the_range_of_its_output():
    logger = Heard()
    builder = trt.Builder(logger)
    network = builder.create_network(0)
    x = network.add_input("x", trt.float32, (5,))
    layer = network.add_cast(x, trt.int8)
    layer.get_output(0).set_dynamic_range(-300, 300)
    layer.get_output(0).name = "y"
    network.mark_output(layer.get_output(0))
    config = builder.create_builder_config()
    config.target = None
    engine = trt.Runtime(logger).deserialize_cuda_engine(builder.build_serialized_network(network, config))
    found = Session(engine, logger).run({"x": np.array([-300, -290, 0, 10, 290], np.float32)})["y"]

    assert [-127, -123, 0, 4, 123] == found.tolist()


def test_operands_of_fp16_and_fp32_mix_in_a_weakly_typed_network_alone():
    for flags, built in ((0, True), (STRONG, False)):
        logger = Heard()
        builder = trt.Builder(logger)
        network = builder.create_network(flags)
        x = network.add_input("x", trt.float16, (3,))
        k = network.add_constant((3,), np.ones(3, np.float32)).get_output(0)
        network.mark_output(network.add_elementwise(x, k, trt.ElementWiseOperation.SUM).get_output(0))
        data = builder.build_serialized_network(network, builder.create_builder_config())

        assert built == (data is not None), logger.errors
