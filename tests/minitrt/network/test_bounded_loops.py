"""Loops whose number of steps only a run knows: as many are written as a profile allows; too many do nothing."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("onnx", reason="the extra engine is not installed: these engines are built from ONNX files")

import minitrt as trt
from minitrt.builder.target import default_target
from minitrt.runtime.session import Session
from tests.minitrt import stand_in
from tests.minitrt.engines import Heard

SUM = trt.ElementWiseOperation.SUM
X = np.random.default_rng(0).standard_normal((2, 5, 3)).astype(np.float32)


def session_of(make, fill, target=None, ok=True):
    """A session of a network. make(network): its outputs; fill(profile): the sizes."""
    logger = Heard()
    builder = trt.Builder(logger)
    network, config = builder.create_network(0), builder.create_builder_config()
    for index, tensor in enumerate(make(network)):
        tensor.name = f"y{index}"
        network.mark_output(tensor)
    profile = builder.create_optimization_profile()
    fill(profile)
    config.add_optimization_profile(profile)
    config.target = target
    data = builder.build_serialized_network(network, config)
    assert ok == (data is not None), logger.errors
    return Session(trt.Runtime(logger).deserialize_cuda_engine(data), logger) if ok else logger


def doubling(network, kind=trt.LoopOutput.CONCATENATE):
    """x doubled n times: the last, and all."""
    x, n = network.add_input("x", trt.float32, (2,)), network.add_input("n", trt.int32, ())
    loop = network.add_loop()
    loop.add_trip_limit(n, trt.TripLimit.COUNT)
    carried = loop.add_recurrence(x)
    twice = network.add_elementwise(carried.get_output(0), carried.get_output(0), SUM).get_output(0)
    carried.set_input(1, twice)
    last = loop.add_loop_output(carried.get_output(0), trt.LoopOutput.LAST_VALUE)
    every = loop.add_loop_output(twice, kind, 0)
    every.set_input(1, n)
    return [last.get_output(0), every.get_output(0)]


def steps(profile):
    profile.set_shape_input("n", (1,), (3,), (6,))


def check_doubling(session):
    for n in (1, 4, 6, 2):
        found = session.run({"x": np.array([1, 3], np.float32), "n": np.array(n, np.int32)})
        expected = np.outer(2.0 ** np.arange(1, n + 1), [1, 3])
        np.testing.assert_array_equal(found["y1"], expected)
        np.testing.assert_array_equal(found["y0"], expected[-1])


def test_a_shape_tensor_says_how_many_steps_there_are():
    check_doubling(session_of(doubling, steps))


def test_the_same_on_a_device_that_is_a_stand_in(monkeypatch):
    stand_in.install(monkeypatch)
    check_doubling(session_of(doubling, steps, stand_in.DEVICE))


@pytest.mark.gpu
def test_the_same_on_a_gpu():
    check_doubling(session_of(doubling, steps, default_target()))
    check_sums(session_of(lambda n: running(n, False), lengths, default_target()), False)


def running(network, reverse):
    """Running sums along the open axis 1 of x, forward or from the end; four are kept."""
    x = network.add_input("x", trt.float32, (2, -1, 3))
    sizes = network.add_shape(x).get_output(0)
    length = network.add_shuffle(network.add_slice(sizes, [1], [1], [1]).get_output(0))
    length.reshape_dims = ()
    loop = network.add_loop()
    loop.add_trip_limit(network.add_cast(length.get_output(0), trt.int32).get_output(0), trt.TripLimit.COUNT)
    each = loop.add_iterator(x, 1, reverse)
    zeros = network.add_constant((2, 3), np.zeros((2, 3), np.float32)).get_output(0)
    carried = loop.add_recurrence(zeros)
    total = network.add_elementwise(carried.get_output(0), each.get_output(0), SUM).get_output(0)
    carried.set_input(1, total)
    every = loop.add_loop_output(total, trt.LoopOutput.CONCATENATE, 1)
    every.set_input(1, network.add_constant((), np.array(4, np.int32)).get_output(0))
    return [loop.add_loop_output(carried.get_output(0), trt.LoopOutput.LAST_VALUE).get_output(0), every.get_output(0)]


def lengths(profile):
    profile.set_shape("x", (2, 1, 3), (2, 3, 3), (2, 5, 3))


def check_sums(session, reverse):
    for length in (5, 1, 3):
        x = X[:, :length]
        sums = np.cumsum(x[:, ::-1] if reverse else x, axis=1)
        kept = np.zeros((2, 4, 3), np.float32)
        kept[:, : min(4, length)] = sums[:, :4]
        found = session.run({"x": x})
        np.testing.assert_allclose(found["y0"], sums[:, -1], atol=1e-6)
        np.testing.assert_allclose(found["y1"], kept, atol=1e-6)


@pytest.mark.parametrize("reverse", [False, True])
def test_an_open_axis_says_how_many_and_an_iterator_goes_along_it(reverse):
    check_sums(session_of(lambda n: running(n, reverse), lengths), reverse)


def test_a_number_of_steps_without_a_bound_is_refused_with_what_to_do():
    logger = session_of(doubling, lambda profile: None, ok=False)

    assert "bounded by a profile" in logger.errors[-1]


def test_a_reverse_of_steps_that_only_a_run_knows_is_refused():
    logger = session_of(lambda n: doubling(n, trt.LoopOutput.REVERSE), steps, ok=False)

    assert "a REVERSE takes a number of steps that is known" in logger.errors[-1]
