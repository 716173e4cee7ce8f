"""Inputs and outputs whose channels come last: what the caller's memory holds, what the engine says of it, kernels."""

from __future__ import annotations

import numpy as np
import onnx
import pytest

import minitrt as trt
from minitrt.graph.ir import HWC, LINEAR, Op, Value
from minitrt.runtime.host import address_of, array_at
from minitrt.tactics.candidates import device_candidates
from tests.minitrt.engines import Heard, model_of, parsed
from tests.minitrt.interpreted import run
from tests.minitrt.operations import H200

F = trt.DataType.FLOAT
HWC_ONLY = 1 << int(trt.TensorFormat.HWC)
rng = np.random.default_rng(4)
WEIGHTS = rng.standard_normal((6, 3, 3, 3)).astype(np.float32)
NODES = [
    onnx.helper.make_node("Conv", ["x", "w"], ["c"], "conv", pads=[1] * 4),
    onnx.helper.make_node("Relu", ["c"], ["y"], "relu"),
]


def engine_with(hwc: tuple[str, ...]) -> trt.ICudaEngine:
    model, logger = model_of(NODES, {"x": (np.float32, (2, 3, 5, 7))}, ["y"], {"w": WEIGHTS}), Heard()
    builder, network, config = parsed(model, logger)
    for tensor in (network.get_input(0), network.get_output(0)):
        if tensor.name in hwc:
            tensor.allowed_formats = HWC_ONLY
    data = builder.build_serialized_network(network, config)
    assert data is not None, logger.errors
    return trt.Runtime(logger).deserialize_cuda_engine(data)


def result_of(engine: trt.ICudaEngine, x: np.ndarray, shape) -> np.ndarray:
    context, out = engine.create_execution_context(), np.zeros(shape, np.float32)
    context.set_tensor_address("x", address_of(x))
    context.set_tensor_address("y", address_of(out))
    assert context.execute_async_v3(0)
    return array_at(address_of(out), shape, out.dtype).copy()


@pytest.mark.parametrize("hwc", [("x",), ("y",), ("x", "y")])
def test_channels_come_last_where_that_was_asked_for(hwc):
    x = rng.standard_normal((2, 3, 5, 7)).astype(np.float32)
    expected = result_of(engine_with(()), x, (2, 6, 5, 7))
    given = np.ascontiguousarray(np.moveaxis(x, 1, -1)) if "x" in hwc else x
    found = result_of(engine_with(hwc), given, (2, 5, 7, 6) if "y" in hwc else (2, 6, 5, 7))

    np.testing.assert_allclose(np.moveaxis(found, -1, 1) if "y" in hwc else found, expected, rtol=1e-6)


def test_the_engine_says_so_and_shapes_stay_as_the_network_has_them():
    engine = engine_with(("x",))
    context = engine.create_execution_context()

    assert (trt.TensorFormat.HWC, trt.TensorFormat.LINEAR) == tuple(map(engine.get_tensor_format, "xy"))
    assert (2, 3, 5, 7) == tuple(engine.get_tensor_shape("x"))
    assert (105, 1, 21, 3) == tuple(context.get_tensor_strides("x"))
    assert "Channel major, unpadded FP32 format" == engine.get_tensor_format_desc("x")


@pytest.mark.parametrize("dtype", [F, trt.DataType.UINT8])
@pytest.mark.parametrize(("made", "wanted"), [(HWC, LINEAR), (LINEAR, HWC)])
def test_a_kernel_brings_the_elements_over(made, wanted, dtype):
    shape = (2, 3, 5, 7)
    ends = [Value(name, dtype, shape, layout=layout) for name, layout in (("x", made), ("y", wanted))]
    operation = Op("reformat", "end", ends[:1], ends[1:])
    (tactic,) = device_candidates(operation, H200)
    x = rng.integers(0, 200, shape).astype(trt.nptype(dtype))
    lies = np.ascontiguousarray(np.moveaxis(x, 1, -1)) if made == HWC else x
    linear = Op("reformat", "end", [ends[0].like("x", layout=LINEAR, shape=lies.shape)], operation.outputs)
    stand_in = trt_tactic(tactic, operation)
    (found,) = run(linear, stand_in, [lies])

    assert ((made,), (wanted,)) == (tactic.inputs, tactic.outputs)
    np.testing.assert_array_equal(found.reshape(ends[1].stored_shape), np.moveaxis(x, 1, -1) if wanted == HWC else x)


def trt_tactic(tactic, operation):
    """The tactic on memory as it lies, for an interpreter that knows no HWC."""
    from dataclasses import replace

    return replace(tactic, make=lambda op: tactic.make(operation), inputs=(LINEAR,), outputs=(LINEAR,))
