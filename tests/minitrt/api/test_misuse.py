"""Misuse is told by the logger and answered with a neutral value, as TensorRT does; nothing is thrown."""

from __future__ import annotations

import numpy as np
import pytest

import minitrt as trt
from tests.minitrt.engines import STRONG, Heard

KINDS = trt.float32, trt.float16


def network_of(*kinds):
    logger = Heard()
    builder = trt.Builder(logger)
    network = builder.create_network(STRONG)
    return logger, builder, network, [network.add_input(f"i{n}", kind, (2, 3)) for n, kind in enumerate(kinds)]


@pytest.mark.parametrize(
    "join",
    [
        lambda net, a, b: net.add_elementwise(a, b, trt.ElementWiseOperation.SUM),
        lambda net, a, b: net.add_matrix_multiply(a, trt.MatrixOperation.NONE, b, trt.MatrixOperation.TRANSPOSE),
    ],
    ids=["sum", "product"],
)
def test_operands_of_two_types_are_refused_with_both(join):
    logger, builder, network, (a, b) = network_of(*KINDS)
    network.mark_output(join(network, a, b).get_output(0))

    assert builder.build_serialized_network(network, builder.create_builder_config()) is None
    assert "i0 is FLOAT and i1 is HALF. Cast one." in logger.errors[-1]


def test_an_index_past_the_end_is_logged_and_none_and_loops_end():
    logger, builder, network, (a,) = network_of(trt.float32)
    network.mark_output(network.add_identity(a).get_output(0))
    engine = trt.Runtime(logger).deserialize_cuda_engine(
        builder.build_serialized_network(network, builder.create_builder_config())
    )

    assert [None, None] == [network.get_layer(9), engine.get_tensor_name(9)]
    assert ["there is no layer 9: the network has 1", "the engine has no tensor 9: it has 2"] == logger.errors
    assert (1, 2) == (len(list(network)), len(list(engine)))


def test_dimensions_of_unknown_rank_can_be_printed():
    assert "(unknown rank)" == str(trt.Dims.of(None)) == repr(trt.Dims.of(None))


def test_a_run_that_fails_inside_answers_false_and_says_why():
    logger, builder, network, (a,) = network_of(trt.float32)
    network.mark_output(network.add_identity(a).get_output(0))
    engine = trt.Runtime(logger).deserialize_cuda_engine(
        builder.build_serialized_network(network, builder.create_builder_config())
    )
    context = engine.create_execution_context()
    memory = np.zeros((2, 3), np.float32)
    for name in engine:
        context.set_tensor_address(name, memory.ctypes.data)

    class Broken:
        def run(self, *_):
            raise AttributeError("it is broken")

    context._execution = Broken()

    assert not context.execute_async_v3(0)
    assert "the run failed: it is broken" == logger.errors[-1]


def test_weights_and_windows_that_do_not_fit_are_refused_by_name():
    logger, builder, network, _ = network_of()
    config, none = builder.create_builder_config(), np.zeros(7, np.float32)
    image = network.add_input("image", trt.float32, (1, 3, 2, 2))
    large = network.add_convolution_nd(image, 4, (3, 3), np.zeros((4, 3, 3, 3), np.float32))
    network.mark_output(large.get_output(0))

    assert network.add_constant((2, 2), none) is None
    assert "a constant of shape (2, 2) takes 4 weights, and not 7" == logger.errors[-1]
    assert builder.build_serialized_network(network, config) is None
    assert "the window is larger than the image and its padding: (0, 0)" in logger.errors[-1]
    network = builder.create_network(STRONG)
    image = network.add_input("image", trt.float32, (1, 3, 2, 2))
    network.mark_output(network.add_convolution_nd(image, 4, (1, 1), none).get_output(0))
    assert builder.build_serialized_network(network, config) is None
    assert "7 weights do not go into 4 maps of windows (1, 1)" in logger.errors[-1]
