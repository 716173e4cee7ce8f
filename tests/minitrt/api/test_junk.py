"""Arguments that make no sense are refused as the bindings do it, or by the logger, and never from inside."""

from __future__ import annotations

import inspect
import warnings

import numpy as np
import pytest

import minitrt as trt
from tests.minitrt.engines import STRONG, Heard

JUNK = "nope", 99, -1, None, (1, 2, 3), 3.5, b"xx", trt.float32, np.zeros(3)
TOLD = TypeError, ValueError, RuntimeError, FileNotFoundError  # NotInMinitrt is a RuntimeError, too


@pytest.fixture(scope="module")
def objects():
    """One of each kind that a build and a run go through."""
    logger = Heard()
    builder = trt.Builder(logger)
    network, config, profile = builder.create_network(STRONG), builder.create_builder_config(), None
    x = network.add_input("x", trt.float32, (-1, 8))
    weights = network.add_constant((8, 4), np.ones((8, 4), np.float32))
    none = trt.MatrixOperation.NONE
    product = network.add_matrix_multiply(x, none, weights.get_output(0), none)
    network.mark_output(product.get_output(0))
    profile = builder.create_optimization_profile()
    profile.set_shape("x", (1, 8), (2, 8), (4, 8))
    config.add_optimization_profile(profile)
    config.set_flag(trt.BuilderFlag.REFIT)
    config.set_timing_cache(config.create_timing_cache(b""), False)
    engine = builder.build_engine_with_config(network, config)
    made = [
        builder,
        network,
        config,
        profile,
        engine,
        x,
        network.get_layer(1),
        weights,
        product,
        config.get_timing_cache(),
    ]
    made += [engine.create_engine_inspector(), engine.create_execution_context(), engine.create_serialization_config()]
    made += [
        trt.Runtime(logger),
        trt.Refitter(engine, logger),
        trt.OnnxParser(network, logger),
        engine.create_runtime_config(),
    ]
    return [*made, network.add_loop(), network.add_if_conditional(), trt.get_plugin_registry()]


def public(thing) -> list[str]:
    return [name for name in dir(type(thing)) if not name.startswith("_")]


def calls_of(thing, name: str) -> list[list]:
    """Junk for every argument that a method needs, and behind a name."""
    parameters = inspect.signature(getattr(thing, name)).parameters.values()
    needed = sum(p.default is p.empty and p.kind == p.POSITIONAL_OR_KEYWORD for p in parameters)
    return [[junk] * needed for junk in JUNK] + [["nope"] + [junk] * (needed - 1) for junk in JUNK if needed > 1]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_junk_is_refused_by_the_call_that_gets_it(objects):
    surprises = {}
    for thing in objects:
        for name in public(thing):
            if not inspect.isroutine(inspect.getattr_static(type(thing), name)) or name == "reset":
                continue
            for arguments in calls_of(thing, name):
                try:
                    getattr(thing, name)(*arguments)
                except TOLD:
                    pass
                except Exception as error:
                    surprises[f"{type(thing).__name__}.{name}"] = repr(error)

    assert {} == surprises


def test_an_attribute_that_an_object_lacks_is_neither_set_nor_found(objects):
    for thing in objects:
        with pytest.raises(AttributeError, match="max_workspace_sise"):
            thing.max_workspace_sise = 1 << 30


@pytest.mark.parametrize(
    ("name", "instead"),
    [
        ("max_workspace_size", "set_memory_pool_limit"),
        ("execute_async_v2", "execute_async_v3"),
        ("num_bindings", "num_io"),
    ],
)
def test_what_tensorrt_10_removed_is_told_with_what_stands_in_its_place(objects, name, instead):
    for thing in objects[:5]:
        with pytest.raises(AttributeError, match=f"{name}.*TensorRT 10 removed it.*{instead}"):
            getattr(thing, name)


def test_an_option_of_another_kind_is_a_type_error(objects):
    config, network, x = objects[2], objects[1], objects[5]

    for name in ("profiling_verbosity", "builder_optimization_level", "engine_capability"):
        with pytest.raises(TypeError, match=f"IBuilderConfig.{name} must be"):
            setattr(config, name, "high")
    with pytest.raises(TypeError, match="set_flag: flag must be a member of BuilderFlag, but is 3"):
        config.set_flag(3)
    with pytest.raises(TypeError, match="add_activation: type must be a member of ActivationType"):
        network.add_activation(x, trt.PoolingType.MAX)
    with pytest.raises(TypeError, match=r"must be an ITensor, but is .*: take its get_output\(0\)"):
        network.add_identity(network.add_identity(x))
    with pytest.raises(TypeError, match="IActivationLayer.type must be a member of ActivationType"):
        network.add_activation(x, trt.ActivationType.RELU).type = 1


def test_a_dynamic_range_whose_ends_are_swapped_is_refused(objects):
    x = objects[5]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert not x.set_dynamic_range(2, -2)
        with pytest.raises(ValueError, match="dynamic range of 'x'"):
            x.dynamic_range = (2, -2)
        assert (2, -2) != x.dynamic_range
