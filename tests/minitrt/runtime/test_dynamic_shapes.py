"""Sizes known only at run time: profiles, shape tensors, outputs whose size only the run tells."""

from __future__ import annotations

import numpy as np
import pytest

import minitrt as trt
from minitrt.runtime.host import array_at
from minitrt.runtime.session import Session
from tests.minitrt.engines import STRONG, Heard, engine_of, model_of, parsed
from tests.minitrt.passes.graphs import floats, node

LIMITS = ((1, 4), (2, 4), (8, 4))


def batch_kept():
    """Reshape by arithmetic on the batch: (n, 4) -> (n, 2, 2)."""
    nodes = [
        node("Shape", "x", "s"), node("Gather", "s zero", "n"), node("Concat", "n twos", "shape", axis=0),
        node("Reshape", "x shape", "r"), node("Relu", "r", "y"),
    ]  # fmt: skip
    constants = dict(zero=np.array([0]), twos=np.array([2, 2]))
    return model_of(nodes, {"x": (np.float32, ("n", 4))}, ["y"], constants)


@pytest.mark.parametrize("batch", [1, 2, 5, 8])
def test_shape_arithmetic_follows_the_batch(batch):
    engine, x = engine_of(batch_kept(), x=LIMITS), floats(batch, 4)

    assert engine.get_tensor_shape("y") == (-1, 2, 2)
    np.testing.assert_array_equal(Session(engine).run({"x": x})["y"], np.maximum(x.reshape(batch, 2, 2), 0))


def test_a_context_knows_output_shapes_before_it_runs_and_what_is_missing():
    context = engine_of(batch_kept(), x=LIMITS).create_execution_context()

    assert context.infer_shapes() == ["x"]
    assert context.set_input_shape("x", (3, 4))
    assert (context.infer_shapes(), context.get_tensor_shape("y")) == ([], (3, 2, 2))
    assert context.get_tensor_strides("y") == (4, 2, 1)
    assert context.get_max_output_size("y") == 3 * 4 * 4


def test_several_profiles_have_limits_of_their_own():
    logger = Heard()
    builder, network, config = parsed(batch_kept(), logger)
    for limits in (LIMITS, ((9, 4), (16, 4), (32, 4))):
        profile = builder.create_optimization_profile()
        profile.set_shape("x", *limits)
        config.add_optimization_profile(profile)
    engine = trt.Runtime(logger).deserialize_cuda_engine(builder.build_serialized_network(network, config))
    context = engine.create_execution_context()

    assert engine.num_optimization_profiles == 2
    assert engine.get_tensor_profile_shape("x", 1) == [(9, 4), (16, 4), (32, 4)]
    assert context.set_input_shape("x", (20, 4)) is False
    assert context.set_optimization_profile_async(1, 0) and context.set_input_shape("x", (20, 4))


def test_a_dynamic_input_without_a_profile_ends_the_build_with_what_to_add():
    logger = Heard()
    builder, network, config = parsed(batch_kept(), logger)

    assert builder.build_serialized_network(network, config) is None
    assert "'x' has dynamic shape (-1, 4)" in logger.errors[-1] and "set_shape" in logger.errors[-1]


def test_a_profile_that_changes_a_fixed_size_ends_the_build():
    logger = Heard()
    builder, network, config = parsed(batch_kept(), logger)
    profile = builder.create_optimization_profile()
    profile.set_shape("x", (1, 5), (2, 5), (8, 5))
    config.add_optimization_profile(profile)

    assert builder.build_serialized_network(network, config) is None
    assert "input 'x' is (-1, 4), and its fixed sizes cannot be" in logger.errors[-1]


def test_a_profile_out_of_order_is_an_error_at_once():
    with pytest.raises(RuntimeError, match="min <= opt <= max"):
        trt.Builder(trt.Logger()).create_optimization_profile().set_shape("x", (2, 4), (1, 4), (3, 4))


def test_the_elements_of_a_shape_input_decide_the_output():
    logger = Heard()
    model = model_of([node("Reshape", "x shape", "y")], {"x": (np.float32, (12,)), "shape": (np.int64, (2,))}, ["y"])
    builder, network, config = parsed(model, logger)
    profile = builder.create_optimization_profile()
    profile.set_shape_input("shape", (1, 1), (3, 4), (12, 12))
    config.add_optimization_profile(profile)
    engine = trt.Runtime(logger).deserialize_cuda_engine(builder.build_serialized_network(network, config))

    assert network.get_input(1).is_shape_tensor and not network.get_input(0).is_shape_tensor
    assert engine.get_tensor_location("shape") == trt.TensorLocation.HOST
    assert engine.get_tensor_profile_values(0, "shape") == [[1, 1], [3, 4], [12, 12]]
    for shape in ((2, 6), (12, 1)):
        feeds = {"x": np.arange(12, dtype=np.float32), "shape": np.array(shape)}
        assert Session(engine).run(feeds)["y"].shape == shape


def test_elements_outside_the_profile_are_refused_before_anything_is_written():
    logger = Heard()
    nodes = [node("Expand", "x shape", "y")]
    model = model_of(nodes, {"x": (np.float32, (1,)), "shape": (np.int64, (1,))}, ["y"])
    builder, network, config = parsed(model, logger)
    profile = builder.create_optimization_profile()
    profile.set_shape_input("shape", (1,), (3,), (4,))
    config.add_optimization_profile(profile)
    context = builder.build_engine_with_config(network, config).create_execution_context()
    x, shape, y = np.ones(1, np.float32), np.array([99]), np.zeros(4, np.float32)
    for name, array in (("x", x), ("shape", shape), ("y", y)):
        context.set_tensor_address(name, array.ctypes.data)

    assert not context.execute_async_v3(0)
    assert "elements [99] of shape lie outside the profile's [1] to [4]" in logger.errors[-1]
    shape[0] = 2
    assert context.execute_async_v3(0) and [1, 1, 0, 0] == y.tolist()


class Grower(trt.IOutputAllocator):
    """Host memory as large as it is asked for."""

    def __init__(self):
        super().__init__()
        self.held, self.shape = np.zeros(0, np.uint8), None

    def reallocate_output(self, tensor_name, memory, size, alignment):
        self.held = np.zeros(size, np.uint8)
        return self.held.ctypes.data

    def notify_shape(self, tensor_name, shape):
        self.shape = tuple(shape)


def test_an_output_allocator_gives_memory_once_the_size_is_known():
    model = model_of([node("NonZero", "x", "y")], {"x": (np.float32, (6,))}, ["y"])
    context = engine_of(model).create_execution_context()
    x, grower = np.array([0, 1, 0, 2, 3, 0], np.float32), Grower()
    context.set_tensor_address("x", x.ctypes.data)
    context.set_output_allocator("y", grower)

    assert context.execute_async_v3(0)
    assert grower.shape == (1, 3)
    assert array_at(grower.held.ctypes.data, grower.shape, np.int64).tolist() == [[1, 3, 4]]


def test_a_network_whose_shapes_do_not_fit_ends_the_build_with_the_layer():
    logger = Heard()
    builder = trt.Builder(logger)
    network = builder.create_network(STRONG)
    a, b = network.add_input("a", trt.float32, (2, 3)), network.add_input("b", trt.float32, (4, 5))
    layer = network.add_matrix_multiply(a, trt.MatrixOperation.NONE, b, trt.MatrixOperation.NONE)
    layer.name = "product"
    network.mark_output(layer.get_output(0))

    assert builder.build_serialized_network(network, builder.create_builder_config()) is None
    assert "product (gemm) cannot take inputs of shape (2, 3), (4, 5)" in logger.errors[-1]


def shape_input_engine(kind, low, best, high):
    """x (1,3,4,5), of the shape that an input says: reshaped, or the first elements along each axis."""
    logger = Heard()
    builder = trt.Builder(logger)
    network, config = builder.create_network(0), builder.create_builder_config()
    x = network.add_input("x", trt.float32, (1, 3, 4, 5))
    shape = network.add_input("shape", trt.int32, (4,))
    layer = network.add_shuffle(x) if kind == "shuffle" else network.add_slice(x, (0,) * 4, (0,) * 4, (1,) * 4)
    layer.set_input(1 if kind == "shuffle" else 2, shape)
    layer.get_output(0).name = "y"
    network.mark_output(layer.get_output(0))
    config.target = None
    profile = builder.create_optimization_profile()
    profile.set_shape_input("shape", low, best, high)
    config.add_optimization_profile(profile)
    data = builder.build_serialized_network(network, config)
    assert data is not None, logger.errors
    return trt.Runtime(logger).deserialize_cuda_engine(data)


@pytest.mark.parametrize(
    ("kind", "triple"),
    [
        ("slice", ([1, 1, 1, 1], [1, 2, 3, 4], [1, 3, 4, 5])),
        ("shuffle", ([1, 1, 1, 1], [1, 4, 5, 3], [1, 4, 5, 3])),  # the least fits no reshape, and says the same
    ],
)
def test_a_size_that_no_element_of_a_profile_changes_is_one_of_the_engine(kind, triple):
    assert (1, -1, -1, -1) == shape_input_engine(kind, *triple).get_tensor_shape("y")
