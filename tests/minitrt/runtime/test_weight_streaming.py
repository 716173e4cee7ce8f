"""Budgets of weights: what lies on the device, what is refused, and equal weights that are kept once."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import onnx

import minitrt as trt
from minitrt.plan.encoding import decode, encode
from minitrt.runtime.session import Session
from minitrt.runtime.streaming import Places
from tests.minitrt.engines import Heard, engine_of, model_of, parsed

rng = np.random.default_rng(8)
W = rng.standard_normal((40, 40)).astype(np.float32)
node = onnx.helper.make_node


def model(second: np.ndarray) -> onnx.ModelProto:
    nodes = [node("MatMul", ["x", "a"], ["h"]), node("Tanh", ["h"], ["t"]), node("MatMul", ["t", "b"], ["y"])]
    return model_of(nodes, {"x": (np.float32, (3, 40))}, ["y"], {"a": W, "b": second})


def streaming_engine(logger: Heard) -> trt.ICudaEngine:
    builder, network, config = parsed(model(2 * W), logger)
    config.set_flag(trt.BuilderFlag.WEIGHT_STREAMING)
    return trt.Runtime(logger).deserialize_cuda_engine(builder.build_serialized_network(network, config))


def test_constants_go_to_the_device_until_the_budget_is_spent_and_each_once():
    plan = SimpleNamespace(weight_budget=1000)
    device, host = [], []
    places = Places(
        plan,
        lambda array: device.append(array.nbytes) or SimpleNamespace(address=len(device)),
        lambda array: host.append(array.nbytes) or SimpleNamespace(address=-len(host)),
    )
    arrays = [np.zeros(n, np.uint8) for n in (600, 500, 400, 1)]

    assert [1, -1, 2, -2] == [places.address(array) for array in arrays]
    assert [1, -1, 2, -2] == [places.address(array) for array in arrays]
    assert ([600, 400], [500, 1]) == (device, host)


def test_without_a_budget_everything_lies_on_the_device():
    places = Places(SimpleNamespace(weight_budget=None), lambda array: SimpleNamespace(address=7), None)

    assert 7 == places.address(np.zeros(1 << 20, np.uint8))


def test_a_budget_can_be_set_before_contexts_exist_and_results_stay():
    engine = streaming_engine(Heard())
    x = rng.standard_normal((3, 40)).astype(np.float32)
    assert 2 * W.nbytes == engine.streamable_weights_size == engine.weight_streaming_budget_v2
    engine.weight_streaming_budget_v2 = 100

    assert 100 == engine.weight_streaming_budget_v2
    np.testing.assert_allclose(Session(engine).run({"x": x})["y"], np.tanh(x @ W) @ (2 * W), rtol=1e-4, atol=1e-4)


def test_a_budget_is_refused_while_contexts_exist_and_without_the_flag():
    logger = Heard()
    engine = streaming_engine(logger)
    context = engine.create_execution_context()
    engine.weight_streaming_budget_v2 = 100
    plain = engine_of(model(2 * W))
    plain.weight_streaming_budget_v2 = 100

    assert context is not None and engine.streamable_weights_size == engine.weight_streaming_budget_v2
    assert "while contexts exist" in logger.errors[-1]
    assert 0 == plain.streamable_weights_size == plain.weight_streaming_budget_v2


def test_equal_weights_are_kept_once_in_the_file_and_in_memory():
    shared, apart = (engine_of(model(second))._plan for second in (W.copy(), 2 * W))
    again = decode(encode(shared))
    found = [value.data for value in again.profiles[0].graph.constants() if value.size == W.size]

    assert len(encode(apart)) - len(encode(shared)) >= W.nbytes
    assert 2 >= len(found) >= 1 and 1 == len({id(array) for array in found})
