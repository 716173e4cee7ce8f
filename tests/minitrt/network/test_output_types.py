"""ILayer.set_output_type in a weakly typed network: what is rounded, converted, and refused."""

from __future__ import annotations

import numpy as np
import pytest

import minitrt as trt
from minitrt.runtime.session import Session
from tests.minitrt.engines import Heard

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")
X = np.array([[1.0001, 3000.7, -0.12345, 70000.0]], np.float32)


def network_of(logger):
    """(builder, network, layer): x * 1, and what reads it."""
    builder = trt.Builder(logger)
    network = builder.create_network(0)
    x = network.add_input("x", trt.float32, (1, 4))
    layer = network.add_elementwise(x, network.add_constant((1, 4), np.ones((1, 4), np.float32)).get_output(0),
                                    trt.ElementWiseOperation.PROD)  # fmt: skip
    return builder, network, layer


def run(builder, network, logger):
    config = builder.create_builder_config()
    config.target = None
    data = builder.build_serialized_network(network, config)
    assert data is not None, logger.errors
    return Session(trt.Runtime(logger).deserialize_cuda_engine(data)).run({"x": X})


def test_an_output_of_the_network_has_the_type_that_its_layer_was_given():
    logger = Heard()
    builder, network, layer = network_of(logger)
    network.mark_output(layer.get_output(0))
    layer.get_output(0).name = "y"
    layer.set_output_type(0, trt.float16)

    assert layer.get_output_type(0) == network.get_output(0).dtype == trt.float16 and layer.output_type_is_set(0)
    found = run(builder, network, logger)["y"]
    assert found.dtype == np.float16
    np.testing.assert_array_equal(found, X.astype(np.float16))


def test_what_lies_between_layers_is_rounded_and_read_on():
    logger = Heard()
    builder, network, layer = network_of(logger)
    layer.set_output_type(0, trt.float16)
    after = network.add_activation(layer.get_output(0), trt.ActivationType.RELU).get_output(0)
    after.name = "y"
    network.mark_output(after)
    found = run(builder, network, logger)["y"]

    assert found.dtype == np.float32
    np.testing.assert_array_equal(found, np.maximum(X.astype(np.float16).astype(np.float32), 0))
    layer.reset_output_type(0)
    np.testing.assert_array_equal(run(builder, network, logger)["y"], np.maximum(X, 0))


def test_indices_become_int64():
    logger = Heard()
    builder, network, layer = network_of(logger)
    best = network.add_topk(layer.get_output(0), trt.TopKOperation.MAX, 2, 1 << 1)
    best.set_output_type(1, trt.int64)
    best.get_output(1).name = "y"
    network.mark_output(best.get_output(1))

    assert best.get_output(1).dtype == trt.int64
    np.testing.assert_array_equal(run(builder, network, logger)["y"], np.array([[3, 1]], np.int64))


@pytest.mark.parametrize(
    ("index", "dtype", "said"),
    [
        (1, trt.float16, "there is no output 1: it has 1"),
        (0, trt.int8, "INT8 comes of BuilderFlag.INT8 with a calibrator or dynamic ranges"),
        (0, trt.int32, "output 0 is FLOAT, and cannot be INT32. Add a cast layer"),
    ],
)
def test_what_cannot_be_is_an_error_and_changes_nothing(index, dtype, said):
    logger = Heard()
    _, _, layer = network_of(logger)
    layer.set_output_type(index, dtype)

    assert said in logger.errors[-1] and not layer.output_type_is_set(index)
