"""A size that is computed from an ordinary input is known when that has run: the input stays on the device."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("onnx", reason="the extra engine is not installed: these engines are built from ONNX files")

import minitrt as trt
from minitrt.builder.target import default_target
from minitrt.runtime.session import Session
from tests.minitrt import stand_in
from tests.minitrt.engines import Heard

X = np.random.default_rng(0).permutation(60).astype(np.float32).reshape(3, 4, 5)


def engine_of(target) -> trt.ICudaEngine:
    """The k largest along axis 1, where k is the sum of an input of open length."""
    logger = Heard()
    builder = trt.Builder(logger)
    network, config = builder.create_network(0), builder.create_builder_config()
    x, parts = network.add_input("x", trt.float32, X.shape), network.add_input("parts", trt.int32, (-1,))
    k = network.add_reduce(parts, trt.ReduceOperation.SUM, 1, False).get_output(0)
    layer = network.add_topk(x, trt.TopKOperation.MAX, 1, 2)
    layer.set_input(1, k)
    layer.get_output(0).name = "y"
    network.mark_output(layer.get_output(0))
    profile = builder.create_optimization_profile()
    profile.set_shape("parts", (1,), (2,), (3,))
    config.add_optimization_profile(profile)
    config.target = target
    data = builder.build_serialized_network(network, config)
    assert data is not None, logger.errors
    return trt.Runtime(logger).deserialize_cuda_engine(data)


def check(engine: trt.ICudaEngine) -> None:
    context = engine.create_execution_context()
    assert context.set_input_shape("parts", (2,))
    assert trt.TensorLocation.DEVICE == engine.get_tensor_location("parts")
    assert [] == context.infer_shapes() and not engine.is_shape_inference_io("parts")
    assert (3, -1, 5) == engine.get_tensor_shape("y")
    for parts in ([3, -1], [1], [1, 1, 1]):
        found = Session(engine).run({"x": X, "parts": np.array(parts, np.int32)})["y"]
        np.testing.assert_array_equal(found, -np.sort(-X, axis=1)[:, : sum(parts)])


def test_on_the_host():
    check(engine_of(None))


def test_on_a_device_that_is_a_stand_in(monkeypatch):
    stand_in.install(monkeypatch)
    check(engine_of(stand_in.DEVICE))


@pytest.mark.gpu
def test_on_a_gpu():
    check(engine_of(default_target()))
