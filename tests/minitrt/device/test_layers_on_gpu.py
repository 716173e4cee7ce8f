"""Layers and ends of networks on a GPU give what the NumPy reference gives."""

from __future__ import annotations

import numpy as np
import pytest

onnx = pytest.importorskip("onnx", reason="the extra engine is not installed: these engines are built from ONNX files")

import minitrt as trt
from minitrt.builder.target import default_target
from minitrt.runtime.session import Session
from tests.minitrt.engines import Heard, model_of

pytestmark = [pytest.mark.gpu, pytest.mark.filterwarnings("ignore:.*removed in TensorRT 11:DeprecationWarning")]
rng = np.random.default_rng(0)
FP16, INT8 = trt.float16, trt.int8


def floats(*shape):
    return rng.standard_normal(shape).astype(np.float32)


def weights(network, array):
    return network.add_constant(array.shape, array).get_output(0)


def suppression(n, t):
    layer = n.add_nms(t["b"], t["s"], weights(n, np.array(20, np.int32)))
    layer.topk_box_limit = 50
    return [layer.get_output(index) for index in range(2)]


def boxes(count=40):
    corners = np.sort(rng.uniform(0, 9, (2, count, 2, 2)), axis=2).reshape(2, count, 4)
    return {"b": corners.astype(np.float32), "s": rng.uniform(size=(2, count, 3)).astype(np.float32)}


def cache(n, t):
    return [n.add_kv_cache_update(t["c"], t["u"], t["i"], trt.KVCacheMode.LINEAR).get_output(0)]


def ragged(n, t):
    return [n.add_ragged_softmax(t["x"], t["b"]).get_output(0)]


def rising(n, t):
    layer = n.add_fill((3, 4, 5), trt.FillOperation.LINSPACE)
    layer.set_input(1, t["a"])
    layer.set_input(2, t["b"])
    return [layer.get_output(0)]


def window(n, t):
    return [n.add_convolution_nd(t["x"], 4, (3, 3), np.linspace(-1, 1, 108, dtype=np.float32)).get_output(0)]


def looped(n, t):
    loop = n.add_loop()
    loop.add_trip_limit(weights(n, np.array(3, np.int32)), trt.TripLimit.COUNT)
    carried = loop.add_recurrence(t["x"])
    twice = n.add_elementwise(carried.get_output(0), carried.get_output(0), trt.ElementWiseOperation.SUM).get_output(0)
    carried.set_input(1, twice)
    out = loop.add_loop_output(twice, trt.LoopOutput.CONCATENATE, 0)
    out.set_input(1, weights(n, np.array(5, np.int32)))
    return [out.get_output(0)]


LAYERS = {
    "boxes": (suppression, boxes()),
    "cache": (cache, {"c": floats(2, 2, 8, 4), "u": floats(2, 2, 3, 4), "i": np.array([1, 4], np.int32)}),
    "ragged softmax": (ragged, {"x": floats(3, 4, 50), "b": rng.integers(0, 51, (3, 4, 1)).astype(np.int32)}),
    "fill": (rising, {"a": floats(), "b": floats(3)}),
    "window over the last axes": (window, {"x": floats(2, 2, 3, 8, 8)}),
    "loop": (looped, {"x": floats(1, 16)}),
}


def run(make, feeds, target, ends=(), flags=()):
    """Outputs of a network. ends: types of its inputs and outputs, in their order, None for as they are."""
    logger = Heard()
    builder = trt.Builder(logger)
    network, config = builder.create_network(0), builder.create_builder_config()
    kinds = {np.dtype(np.float32): trt.float32, np.dtype(np.int32): trt.int32, np.dtype(np.uint8): trt.uint8}
    if isinstance(make, onnx.ModelProto):
        assert trt.OnnxParser(network, logger).parse(make.SerializeToString()), logger.errors
    else:
        tensors = {name: network.add_input(name, kinds[a.dtype], a.shape) for name, a in feeds.items()}
        for index, tensor in enumerate(make(network, tensors)):
            tensor.name = f"y{index}"
            network.mark_output(tensor)
    sides = [network.get_input(i) for i in range(network.num_inputs)]
    sides += [network.get_output(i) for i in range(network.num_outputs)]
    for tensor, dtype in zip(sides, ends, strict=False):
        if dtype is not None:
            tensor.dtype = dtype
            tensor.set_dynamic_range(-6, 6)
    for flag in flags:
        config.set_flag(flag)
    config.target = target
    data = builder.build_serialized_network(network, config)
    assert data is not None, logger.errors
    session = Session(trt.Runtime(logger).deserialize_cuda_engine(data), logger)
    for _ in range(2):  # the second replays a graph
        found = session.run(feeds)
    return found


def compare(make, feeds, tolerance=1e-4, **options):
    expected = run(make, feeds, None, **options)
    for name, array in run(make, feeds, default_target(), **options).items():
        assert (expected[name].shape, expected[name].dtype) == (array.shape, array.dtype)
        wide = expected[name].astype(np.float64)
        np.testing.assert_allclose(array.astype(np.float64), wide, atol=tolerance * max(1, np.abs(wide).max(initial=1)))


@pytest.mark.parametrize("name", LAYERS)
def test_a_layer(name):
    compare(*LAYERS[name])


def convolution():
    node = onnx.helper.make_node
    nodes = [node("Conv", ["x", "w"], ["c"], pads=[1, 1, 1, 1]), node("Relu", ["c"], ["y"])]
    return model_of(nodes, {"x": (np.float32, [2, 8, 16, 16])}, ["y"], {"w": floats(16, 8, 3, 3) / 8})


@pytest.mark.parametrize("flags", [(), (trt.BuilderFlag.FP16,)])
@pytest.mark.parametrize("ends", [(FP16,), (None, FP16), (FP16, FP16)])
def test_fp16_at_the_ends_of_a_weak_network(ends, flags):
    compare(convolution(), {"x": floats(2, 8, 16, 16)}, 5e-3, ends=ends, flags=flags)


@pytest.mark.parametrize("ends", [(INT8,), (None, INT8), (INT8, INT8)])
def test_int8_at_the_ends_of_a_weak_network(ends):
    feeds = {"x": np.rint(floats(2, 8, 16, 16) * 20) if ends[0] else floats(2, 8, 16, 16)}
    compare(convolution(), feeds, 1 / 127, ends=ends, flags=(trt.BuilderFlag.INT8,))


def spectrum():
    made = onnx.helper.make_node("STFT", ["x", "step", "window"], ["y"])
    initializers = {"step": np.int64(8), "window": np.hanning(16).astype(np.float32)}
    return model_of([made], {"x": (np.float32, [2, 96, 1])}, ["y"], initializers)


def asymmetric():
    names = "x xs xz w ws wz ys yz".split()
    scales = {"xs": np.float32(0.02), "ws": np.float32(0.01), "ys": np.float32(0.05)}
    zeros = {"xz": np.uint8(120), "wz": np.int8(0), "yz": np.uint8(100)}
    kernel = {"w": rng.integers(-127, 128, (8, 4, 3, 3)).astype(np.int8)}
    made = onnx.helper.make_node("QLinearConv", names, ["y"], pads=[1, 1, 1, 1])
    return model_of([made], {"x": (np.uint8, [1, 4, 8, 8])}, ["y"], scales | zeros | kernel)


def test_a_spectrum():
    compare(spectrum(), {"x": floats(2, 96, 1)})


def test_a_convolution_with_zero_points():
    compare(asymmetric(), {"x": rng.integers(0, 256, (1, 4, 8, 8)).astype(np.uint8)}, 1 / 255)
