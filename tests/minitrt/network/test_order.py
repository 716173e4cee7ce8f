"""Layers may be added in any order: set_input takes what a later layer makes."""

from __future__ import annotations

import numpy as np

import minitrt as trt
from minitrt.runtime.session import Session
from tests.minitrt.engines import Heard


def run(make, feeds):
    """The first output of a network. make(network): the tensor."""
    logger = Heard()
    builder = trt.Builder(logger)
    network = builder.create_network(0)
    out = make(network)
    out.name = "out"
    network.mark_output(out)
    config = builder.create_builder_config()
    config.target = None
    data = builder.build_serialized_network(network, config)
    assert data is not None, logger.errors
    return Session(trt.Runtime(logger).deserialize_cuda_engine(data), logger).run(feeds)["out"]


def test_an_input_may_come_from_a_layer_that_was_added_later():
    def make(network):
        x = network.add_input("x", trt.float32, (3,))
        first = network.add_elementwise(x, x, trt.ElementWiseOperation.SUM)
        middle = network.add_elementwise(x, x, trt.ElementWiseOperation.SUM)
        last = network.add_constant((3,), np.array([1, 2, 3], np.float32))
        middle.set_input(1, last.get_output(0))
        first.set_input(1, middle.get_output(0))
        return first.get_output(0)

    assert [3, 4, 5] == run(make, {"x": np.ones(3, np.float32)}).tolist()


def test_a_loop_may_read_what_is_made_behind_it():
    def make(network):
        x = network.add_input("x", trt.float32, (2,))
        loop = network.add_loop()
        five = network.add_constant((), np.array(5, np.int32))
        loop.add_trip_limit(five.get_output(0), trt.TripLimit.COUNT)
        carried = loop.add_recurrence(x)
        plus = network.add_elementwise(carried.get_output(0), x, trt.ElementWiseOperation.SUM)
        carried.set_input(1, plus.get_output(0))
        out = loop.add_loop_output(carried.get_output(0), trt.LoopOutput.LAST_VALUE)
        plus.set_input(1, network.add_constant((2,), np.array([1, 10], np.float32)).get_output(0))
        return out.get_output(0)

    assert [6, 51] == run(make, {"x": np.ones(2, np.float32)}).tolist()


def test_layers_in_a_circle_are_refused_by_name():
    logger = Heard()
    builder = trt.Builder(logger)
    network = builder.create_network(0)
    x = network.add_input("x", trt.float32, (2,))
    one = network.add_elementwise(x, x, trt.ElementWiseOperation.SUM)
    two = network.add_elementwise(one.get_output(0), x, trt.ElementWiseOperation.SUM)
    one.set_input(1, two.get_output(0))
    network.mark_output(two.get_output(0))

    assert builder.build_serialized_network(network, builder.create_builder_config()) is None
    assert "made of its own output" in logger.errors[-1]
