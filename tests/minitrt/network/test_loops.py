"""Loops and conditionals of the network API, against the same sums in NumPy."""

from __future__ import annotations

import numpy as np
import pytest

import minitrt as trt
from minitrt.runtime.session import Session
from tests.minitrt.engines import STRONG, Heard

STEPS, SIZE = 5, 4


def start():
    logger = Heard()
    builder = trt.Builder(logger)
    config = builder.create_builder_config()
    config.target = None
    return builder, builder.create_network(STRONG), config, logger


def run(builder, network, config, logger, feeds):
    data = builder.build_serialized_network(network, config)
    assert data is not None, logger.errors
    return Session(trt.Runtime(logger).deserialize_cuda_engine(data), logger).run(feeds)


def counted(network, loop, steps=STEPS):
    trip = network.add_constant((), np.array(steps, np.int32)).get_output(0)
    loop.add_trip_limit(trip, trt.TripLimit.COUNT)
    return trip


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("kind", list(trt.LoopOutput))
def test_a_running_sum_over_an_iterator_leaves_the_loop_in_each_way(kind, reverse):
    builder, network, config, logger = start()
    x = network.add_input("x", trt.float32, (STEPS, SIZE))
    loop = network.add_loop()
    trip = counted(network, loop)
    slices = loop.add_iterator(x, 0, reverse).get_output(0)
    zero = network.add_constant((SIZE,), np.zeros(SIZE, np.float32)).get_output(0)
    carried = loop.add_recurrence(zero)
    total = network.add_elementwise(carried.get_output(0), slices, trt.ElementWiseOperation.SUM).get_output(0)
    carried.set_input(1, total)
    last = kind == trt.LoopOutput.LAST_VALUE
    out = loop.add_loop_output(carried.get_output(0) if last else total, kind, 0)
    if kind != trt.LoopOutput.LAST_VALUE:
        out.set_input(1, trip)
    out.get_output(0).name = "y"
    network.mark_output(out.get_output(0))
    data = np.random.default_rng(0).standard_normal((STEPS, SIZE)).astype(np.float32)

    sums = np.cumsum(data[::-1] if reverse else data, axis=0)
    expected = {"LAST_VALUE": sums[-1], "CONCATENATE": sums, "REVERSE": sums[::-1]}[kind.name]
    assert tuple(out.get_output(0).shape) == expected.shape
    np.testing.assert_allclose(run(builder, network, config, logger, {"x": data})["y"], expected, rtol=1e-5)


def test_a_counter_that_starts_at_a_constant_is_not_taken_for_one():
    builder, network, config, logger = start()
    loop = network.add_loop()
    counted(network, loop)
    one = network.add_constant((1,), np.ones(1, np.int32)).get_output(0)
    count = loop.add_recurrence(network.add_constant((1,), np.zeros(1, np.int32)).get_output(0))
    new = network.add_elementwise(count.get_output(0), one, trt.ElementWiseOperation.SUM).get_output(0)
    count.set_input(1, new)
    last = loop.add_loop_output(count.get_output(0), trt.LoopOutput.LAST_VALUE).get_output(0)
    result = network.add_elementwise(last, one, trt.ElementWiseOperation.PROD).get_output(0)
    result.name = "y"
    network.mark_output(result)

    assert run(builder, network, config, logger, {})["y"].tolist() == [STEPS]


def test_only_what_is_carried_has_a_last_value():
    builder, network, config, logger = start()
    loop = network.add_loop()
    counted(network, loop)
    value = loop.add_recurrence(network.add_constant((1,), np.ones(1, np.float32)).get_output(0))
    new = network.add_unary(value.get_output(0), trt.UnaryOperation.EXP).get_output(0)
    value.set_input(1, new)
    network.mark_output(loop.add_loop_output(new, trt.LoopOutput.LAST_VALUE).get_output(0))

    assert builder.build_serialized_network(network, config) is None
    assert "the input of a LAST_VALUE must be the output of an IRecurrenceLayer" in logger.errors[-1]


def test_a_loop_whose_length_is_an_input_is_refused_with_the_reason():
    builder, network, config, logger = start()
    loop = network.add_loop()
    loop.add_trip_limit(network.add_input("steps", trt.int32, ()), trt.TripLimit.COUNT)
    value = loop.add_recurrence(network.add_constant((1,), np.ones(1, np.float32)).get_output(0))
    value.set_input(1, network.add_identity(value.get_output(0)).get_output(0))
    network.mark_output(loop.add_loop_output(value.get_output(0), trt.LoopOutput.LAST_VALUE).get_output(0))

    assert builder.build_serialized_network(network, config) is None
    assert "number of steps must be known" in logger.errors[-1]


@pytest.mark.parametrize("condition", [True, False])
def test_a_conditional_selects_one_side(condition):
    builder, network, config, logger = start()
    x = network.add_input("x", trt.float32, (3,))
    choice = network.add_input("condition", trt.bool, ())
    branch = network.add_if_conditional()
    branch.set_condition(choice)
    inside = branch.add_input(x).get_output(0)
    negated = network.add_unary(inside, trt.UnaryOperation.NEG).get_output(0)
    out = branch.add_output(negated, inside).get_output(0)
    out.name = "y"
    network.mark_output(out)
    data = np.arange(3, dtype=np.float32)
    found = run(builder, network, config, logger, {"x": data, "condition": np.array(condition)})

    np.testing.assert_array_equal(found["y"], -data if condition else data)


def test_attention_of_the_network_api_is_softmax_of_scores_times_values():
    builder, network, config, logger = start()
    shape = (1, 2, 3, 4)
    q, k, v = (network.add_input(name, trt.float32, shape) for name in "qkv")
    attention = network.add_attention(q, k, v, trt.AttentionNormalizationOp.SOFTMAX, False)
    attention.get_output(0).name = "y"
    network.mark_output(attention.get_output(0))
    feeds = {name: np.random.default_rng(i).standard_normal(shape).astype(np.float32) for i, name in enumerate("qkv")}
    scores = np.exp(feeds["q"] @ feeds["k"].swapaxes(-1, -2))
    expected = scores / scores.sum(-1, keepdims=True) @ feeds["v"]

    np.testing.assert_allclose(run(builder, network, config, logger, feeds)["y"], expected, rtol=1e-4)
