"""What the runtime raises, what it logs and what it answers: as TensorRT 10.16's bindings do (python/src/infer)."""

from __future__ import annotations

import numpy as np
import pytest

import minitrt as trt
from tests.minitrt.engines import STRONG, Heard


@pytest.fixture(scope="module")
def data() -> bytes:
    """A sum of two inputs with open batches; the second profile knows one size of the first input alone."""
    builder = trt.Builder(Heard())
    network, config = builder.create_network(STRONG), builder.create_builder_config()
    a, b = (network.add_input(name, trt.float32, (-1, 3)) for name in "ab")
    total = network.add_elementwise(a, b, trt.ElementWiseOperation.SUM).get_output(0)
    total.name = "y"
    network.mark_output(total)
    for low, high in ((1, 8), (9, 9)):
        profile = builder.create_optimization_profile()
        profile.set_shape("a", (low, 3), (high, 3), (high, 3))
        profile.set_shape("b", (1, 3), (high, 3), (high, 3))
        config.add_optimization_profile(profile)
    return builder.build_serialized_network(network, config)


@pytest.fixture
def runtime() -> trt.Runtime:
    return trt.Runtime(Heard())


@pytest.fixture
def context(runtime, data) -> trt.IExecutionContext:
    return runtime.deserialize_cuda_engine(data).create_execution_context()


def test_a_profile_that_is_not_there_raises(context):
    with pytest.raises(RuntimeError, match="set optimization profile async: there is no profile 2"):
        context.set_optimization_profile_async(2, 0)
    assert 0 == context.active_optimization_profile


def test_a_size_that_a_profile_knows_alone_need_not_be_set(context):
    assert context.set_optimization_profile_async(1, 0)

    assert (["b"], (9, 3)) == (context.infer_shapes(), tuple(context.get_tensor_shape("a")))


def test_sizes_that_contradict_each_other_raise_and_the_run_is_refused(context):
    assert context.set_input_shape("a", (4, 3)) and context.set_input_shape("b", [2, 3])
    for name in "aby":
        context.set_tensor_address(name, np.zeros((8, 3), np.float32).ctypes.data)

    with pytest.raises(RuntimeError, match="infer_shapes error code: -1: .*broadcast"):
        context.infer_shapes()
    assert "(unknown rank)" == str(context.get_tensor_shape("y")) and not context.execute_async_v3(0)


@pytest.mark.parametrize(
    ("shape", "kind"), [((1,) * 9, RuntimeError), ((2.5, 3), TypeError), ("nope", TypeError), (None, TypeError)]
)
def test_what_is_no_shape_raises(context, shape, kind):
    with pytest.raises(kind):
        context.set_input_shape("a", shape)


def test_what_is_not_known_yet_is_answered_as_unknown(context):
    unknown = str(context.get_tensor_strides("y")), context.get_max_output_size("y"), context.get_max_output_size("a")

    assert ("(unknown rank)", -1, -1) == unknown
    assert (
        0 == context.update_device_memory_size_for_shapes() and "['a', 'b']" in context.engine._report.logger.errors[-1]
    )


def test_too_few_bindings_are_refused_and_memory_is_only_ever_given(context):
    assert not context.execute_v2([1, 2])
    assert "addresses of ['a', 'b', 'y'], in this order, but got 2" in context.engine._report.logger.errors[-1]
    with pytest.raises(AttributeError):
        context.device_memory  # noqa: B018
    with pytest.raises(TypeError):
        context.set_tensor_address("a", 1.5)


@pytest.mark.parametrize("junk", [None, "engine.plan", 7])
def test_what_has_no_bytes_is_a_type_error_and_bytes_that_are_no_plan_are_logged(runtime, junk):
    with pytest.raises(TypeError, match="takes the engine's bytes or a stream reader"):
        runtime.deserialize_cuda_engine(junk)
    assert runtime.deserialize_cuda_engine(b"no plan") is None and runtime.logger.errors


def test_profiles_of_what_is_no_input_are_unknown_or_raise(context):
    engine = context.engine

    assert ["(unknown rank)"] * 3 == [str(each) for each in engine.get_tensor_profile_shape("y", 0)]
    with pytest.raises(RuntimeError, match="'a' is no input whose elements decide shapes"):
        engine.get_tensor_profile_values(0, "a")


@pytest.mark.parametrize("taker", [trt.Builder, trt.Runtime])
def test_who_has_no_logger_is_told(taker):
    with pytest.raises(TypeError, match=f"{taker.__name__} takes an ILogger"):
        taker(None)


def test_a_logger_that_throws_ends_nothing(capsys):
    class Broken(trt.ILogger):
        def log(self, severity, msg):
            raise KeyError("broken")

    assert trt.Runtime(Broken()).deserialize_cuda_engine(b"no plan") is None
    assert "Exception caught in log(): 'broken'" in capsys.readouterr().err
