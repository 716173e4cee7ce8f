"""Layers behave as TensorRT's own logs show them to, where its documentation leaves open what happens."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest

import minitrt as trt
from minitrt.runtime.session import Session
from tests.minitrt.engines import STRONG, Heard

LINSPACE, NORMAL, UNIFORM = (trt.FillOperation[n] for n in ("LINSPACE", "RANDOM_NORMAL", "RANDOM_UNIFORM"))
SUM = trt.ElementWiseOperation.SUM


def engine_of(make, flags=0, target=None):
    """An engine of a network. make(network): its outputs, which are called y0, y1."""
    logger = Heard()
    builder = trt.Builder(logger)
    network = builder.create_network(flags)
    for index, tensor in enumerate(make(network)):
        tensor.name = f"y{index}"
        network.mark_output(tensor)
    config = builder.create_builder_config()
    config.target = target
    data = builder.build_serialized_network(network, config)
    return (trt.Runtime(logger).deserialize_cuda_engine(data) if data is not None else None), logger


def run(make, feeds, flags=0):
    engine, logger = engine_of(make, flags)
    assert engine is not None, logger.errors
    return list(Session(engine, logger).run(feeds).values())


def constant(network, values, dtype=np.float32):
    array = np.array(values, dtype)
    return network.add_constant(array.shape, array).get_output(0)


# --- making elements ---


def fill(shape, how, alpha=None, beta=None, dtype=trt.float32):
    def make(network):
        layer = network.add_fill(shape, how, dtype)
        for index, number in ((1, alpha), (2, beta)):
            if number is not None:
                kind = np.float32 if dtype == trt.float32 else np.int32
                layer.set_input(index, network.add_input("xab"[index], dtype, np.shape(np.array(number, kind))))
        return [layer.get_output(0)]

    return make


@pytest.mark.parametrize("dtype", [trt.float32, trt.int32])
def test_an_even_rise_takes_its_start_and_its_steps_from_tensors(dtype):
    found = run(fill((3, 4, 5), LINSPACE, 1000, [100, 10, 1], dtype), {"a": 1000, "b": [100, 10, 1]})[0]
    expected = 1000 + sum(step * np.indices((3, 4, 5))[axis] for axis, step in enumerate((100, 10, 1)))

    np.testing.assert_array_equal(found, expected)
    assert trt.nptype(dtype) == found.dtype


def test_either_end_of_a_rise_may_be_a_number():
    assert [7, 8, 9] == run(fill((3,), LINSPACE, 7), {"a": 7})[0].tolist()
    assert [0, 2, 4] == run(fill((3,), LINSPACE, None, [2]), {"b": [2]})[0].tolist()


def test_random_numbers_take_their_limits_or_moments_from_tensors():
    drawn = run(fill((4000,), UNIFORM, 5, 10), {"a": 5, "b": 10})[0]
    assert 5 <= drawn.min() < 5.1 and 9.9 < drawn.max() < 10
    drawn = run(fill((4000,), NORMAL, 3, 2), {"a": 3, "b": 2})[0]
    assert (3, 2) == (pytest.approx(drawn.mean(), abs=0.15), pytest.approx(drawn.std(), abs=0.15))


def test_an_alpha_that_is_no_number_is_not_used_and_said():
    heard = []

    def make(network):
        layer = network.add_fill((3,), LINSPACE)
        layer.alpha = [1000]
        heard.extend(network._report.logger.messages)
        return [layer.get_output(0)]

    assert [0, 1, 2] == run(make, {})[0].tolist()
    assert any("alpha must be a number" in text for _, text in heard)


def test_a_constant_of_no_elements_may_be_weights_of_a_type_alone():
    found = run(lambda n: [n.add_constant([0], trt.Weights(trt.float32)).get_output(0)], {})[0]

    assert ((0,), np.float32) == (found.shape, found.dtype)


def test_int4_weights_at_an_address_are_unpacked():
    packed = np.array([0x10, 0xF8], np.uint8)  # 0, 1, -8, -1
    weights = trt.Weights(trt.int4, packed.ctypes.data, 4)

    assert [0, 1, -8, -1] == weights.numpy().tolist()


# --- windows, sizes, loops ---


@pytest.mark.parametrize("lead", [(1, 1), (2, 3)])
@pytest.mark.parametrize("kind", ["add_convolution_nd", "add_deconvolution_nd"])
def test_a_window_over_the_last_axes_takes_all_before_the_channels_for_batches(lead, kind):
    x, kernel = np.random.default_rng(0).standard_normal((*lead, 2, 6, 9)).astype(np.float32), np.ones(36, np.float32)

    def of(shape):
        return lambda n: [getattr(n, kind)(n.add_input("x", trt.float32, shape), 2, (3, 3), kernel).get_output(0)]

    found, flat = run(of(x.shape), {"x": x})[0], x.reshape(-1, 2, 6, 9)
    expected = run(of(flat.shape), {"x": flat})[0]

    np.testing.assert_array_equal(found, expected.reshape(*lead, *expected.shape[1:]))


@pytest.mark.parametrize("mode", ["NEAREST", "LINEAR", "CUBIC"])
def test_a_resize_that_is_told_no_size_keeps_its_input(mode):
    def make(network):
        layer = network.add_resize(network.add_input("x", trt.float32, (1, 3, 4, 5)))
        layer.resize_mode = trt.InterpolationMode[mode]
        return [layer.get_output(0)]

    x = np.random.default_rng(0).standard_normal((1, 3, 4, 5)).astype(np.float32)
    np.testing.assert_array_equal(run(make, {"x": x})[0], x)


@pytest.mark.parametrize(("kept", "expected"), [(6, [2, 4, 8, 0, 0, 0]), (3, [2, 4, 8]), (2, [2, 4])])
def test_a_loop_keeps_as_many_steps_as_it_is_told_and_zeros_behind_them(kept, expected):
    def make(network):
        loop = network.add_loop()
        loop.add_trip_limit(constant(network, 3, np.int32), trt.TripLimit.COUNT)
        carried = loop.add_recurrence(network.add_input("x", trt.float32, (1,)))
        twice = network.add_elementwise(carried.get_output(0), carried.get_output(0), SUM).get_output(0)
        carried.set_input(1, twice)
        out = loop.add_loop_output(twice, trt.LoopOutput.CONCATENATE, 0)
        out.set_input(1, constant(network, kept, np.int32))
        assert (kept, 1) == out.get_output(0).shape
        return [out.get_output(0)]

    assert expected == run(make, {"x": [1]})[0].ravel().tolist()


# --- decoders ---


def test_a_ragged_softmax_is_zero_behind_each_row_s_bound():
    x = np.random.default_rng(0).standard_normal((2, 4, 5)).astype(np.float32)
    bounds = np.tile(np.array([[0], [2], [4], [5]], np.int32), (2, 1, 1))

    def make(n):
        tensors = [n.add_input("x", trt.float32, x.shape), n.add_input("b", trt.int32, bounds.shape)]
        return [n.add_ragged_softmax(*tensors).get_output(0)]

    found = run(make, {"x": x, "b": bounds})[0]
    inside = np.arange(5) < bounds
    power = np.where(inside, np.exp(x), 0)
    np.testing.assert_allclose(found, power / np.maximum(power.sum(-1, keepdims=True), 1e-30), rtol=1e-5)


def test_a_cache_is_updated_from_each_item_s_place_on_and_lies_where_it_came_from():
    cache, update = np.zeros((2, 1, 5, 3), np.float16), np.arange(12, dtype=np.float16).reshape(2, 1, 2, 3)

    def make(n):
        tensors = [n.add_input(name, trt.float16, a.shape) for name, a in (("cache", cache), ("update", update))]
        first = n.add_input("first", trt.int32, (2,))
        return [n.add_kv_cache_update(*tensors, first, trt.KVCacheMode.LINEAR).get_output(0)]

    engine, logger = engine_of(make, STRONG)
    context = engine.create_execution_context()
    feeds = {"cache": cache, "update": update, "first": np.array([0, 3], np.int32)}
    for name, array in feeds.items():
        context.set_tensor_address(name, array.ctypes.data)
    assert "cache" == engine.get_aliased_input_tensor("y0") and engine.get_aliased_input_tensor("cache") is None
    context.set_tensor_address("y0", cache.ctypes.data)
    assert context.execute_async_v3(0), logger.errors

    expected = np.zeros((2, 1, 5, 3), np.float16)
    expected[0, :, :2], expected[1, :, 3:] = update[0], update[1]
    np.testing.assert_array_equal(cache, expected)


def test_a_mixture_of_experts_is_none_and_an_error_as_on_every_other_gpu():
    logger = Heard()
    network = trt.Builder(logger).create_network(STRONG)
    x = network.add_input("x", trt.float32, (2, 3))

    assert network.add_moe(x, x, x) is None and "sm_110" in logger.errors[-1]


# --- names and small things ---

NAMES = {
    "[ElementWise]_output": lambda n, x: n.add_elementwise(x, x, SUM),
    "[TopK]_output (1)": lambda n, x: n.add_topk(x, trt.TopKOperation.MAX, 1, 2),
    "[Matrix Multiply]_output": lambda n, x: n.add_matrix_multiply(
        x, trt.MatrixOperation.NONE, x, trt.MatrixOperation.NONE
    ),
    "[NormalizationV2]_output": lambda n, x: n.add_normalization_v2(x, x, x, 2),
    "[Normalization]_output": lambda n, x: n.add_normalization(x, x, x, 2),
    "[Parametric ReLU]_output": lambda n, x: n.add_parametric_relu(x, x),
    "[NMS]_output (1)": lambda n, x: n.add_nms(x, x, x),
    "[LRN]_output": lambda n, x: n.add_lrn(x, 1, 1.0, 1.0, 1.0),
    "[Ragged SoftMax]_output": lambda n, x: n.add_ragged_softmax(x, x),
    "[Output]_output": lambda n, x: n.add_if_conditional().add_output(x, x),
    "[NonZero]_output": lambda n, x: n.add_non_zero(x),
    "[Softmax]_output": lambda n, x: n.add_softmax(x),
}


@pytest.mark.parametrize("name", NAMES)
def test_tensors_that_nobody_named_bear_tensorrt_s_names_which_caches_and_ranges_go_by(name):
    network = trt.Builder(Heard()).create_network()
    layer = NAMES[name](network, network.add_input("x", trt.float32, (2, 2)))

    assert f"(Unnamed Layer* 0) {name}" == layer.get_output(layer.num_outputs - 1).name


def test_small_things_are_as_the_bindings_have_them():
    network = trt.Builder(Heard()).create_network()
    x = network.add_input("x", trt.float32, (2,))
    assert ("Unnamed Network 0", False, False) == (network.name, x.is_execution_tensor, x.is_shape_tensor)
    network.mark_output(network.add_identity(x).get_output(0))
    assert x.is_execution_tensor

    assert (1,) == trt.Weights(np.ones((1, 1, 1), np.float32)).numpy().shape
    assert trt.tensorrt.DataType is trt.DataType and 2 == trt._itemsize(trt.float16)
    assert (trt.LayerType.CONVOLUTION, None) == getattr(trt.LayerType, "__entries")["CONVOLUTION"]


def test_what_an_object_does_not_have_is_none_until_it_is_set():
    network = trt.Builder(Heard()).create_network(STRONG)
    tensors = [network.add_input(name, trt.float32, (1, 2, 3, 4)) for name in "qkv"]
    attention = network.add_attention(*tensors, trt.AttentionNormalizationOp.SOFTMAX, False)

    assert [] == [name for name in dir(attention) if not hasattr(attention, name)]
    assert attention.normalization_quantize_to_type is None
    with pytest.raises(NotImplementedError, match="normalization_quantize_to_type"):
        attention.normalization_quantize_to_type = trt.int8


@pytest.mark.parametrize(
    ("name", "make"),
    {
        "FP8": lambda n, x: n.add_quantize(x, constant(n, 0.1), trt.fp8),
        "BF16": lambda n, x: n.add_cast(x, trt.bfloat16),
        "FP4": lambda n, x: n.add_fill((2,), LINSPACE, trt.fp4),
    }.items(),
)
def test_types_that_are_not_computed_with_are_refused_in_a_sentence(name, make):
    engine, logger = engine_of(lambda n: [make(n, n.add_input("x", trt.float32, (2, 2))).get_output(0)], STRONG)

    assert engine is None and any(f"makes {name}, but minitrt computes with FLOAT, HALF" in t for t in logger.errors)


def test_addresses_of_host_memory_are_what_the_stand_in_for_cuda_gives():
    from minitrt.shim.host_cuda import OK, WRONG, free, malloc, memcpy

    status, address = malloc(8)
    data = np.array([1, 2], np.float32)
    assert (OK, (OK,)) == (status, memcpy(address, data, 8)) and b"\0\0\x80?" == ctypes.string_at(address, 4)
    assert (WRONG,) == memcpy(address, data, 16) == memcpy(0, data, 8)
    assert (OK,) == free(address) and (WRONG,) == free(address)
