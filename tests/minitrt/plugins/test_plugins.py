"""Plugins of both kinds, from ONNX and from the network API, through the plan and back."""

from __future__ import annotations

import time

import numpy as np
import onnx
import pytest

import minitrt as trt
from minitrt.builder.plugin_tactics import choose_plugin_tactics
from minitrt.graph.ir import Graph, Op, Value
from minitrt.runtime.session import Session
from minitrt.tactics.contract import signature
from minitrt.tactics.timing_cache import TimingCache
from tests.minitrt import stand_in
from tests.minitrt.engines import STRONG, Heard, engine_of, model_of
from tests.minitrt.plugins.samples import CREATORS, CircularPad, CircularPadCreator, Positives, Scale, ScaleCreator

X = np.array([[1.0, -2.0, 3.0]], np.float32)


@pytest.fixture(autouse=True)
def registered():
    made = [creator() for creator in CREATORS]
    registry = trt.get_plugin_registry()
    for creator in made:
        assert registry.register_creator(creator, "")
    Scale.calls.clear()
    yield
    for creator in made:
        registry.deregister_creator(creator)


@pytest.fixture(params=["reference", "device"])
def target(request, monkeypatch):
    """Where engines run: with NumPy, or on a driver whose device memory is the host's, so that plugins can read it."""
    if request.param == "reference":
        return None
    stand_in.install(monkeypatch)
    return stand_in.DEVICE


def network_with(add, shape=(1, 3), target=None, outputs=None):
    """An engine of x -> add(network, x), all its outputs marked, or the first few."""
    logger = Heard()
    builder = trt.Builder(logger)
    network, config = builder.create_network(STRONG), builder.create_builder_config()
    config.target = target
    layer = add(network, network.add_input("x", trt.float32, shape))
    assert layer is not None, logger.errors
    for index in range(outputs or layer.num_outputs):
        layer.get_output(index).name = f"y{index}"
        network.mark_output(layer.get_output(index))
    data = builder.build_serialized_network(network, config)
    assert data is not None, logger.errors
    return trt.Runtime(logger).deserialize_cuda_engine(data), logger


def test_a_v3_plugin_with_a_numba_kernel_runs_from_the_network_api():
    engine, _ = network_with(lambda network, x: network.add_plugin_v3([x], [], Scale(2.5)))

    np.testing.assert_array_equal(Session(engine).run({"x": X})["y0"], 2.5 * X)


def test_a_v3_plugin_lives_as_the_interface_says():
    engine, _ = network_with(lambda network, x: network.add_plugin_v3([x], [], Scale(2.0)))
    Session(engine).run({"x": X})

    assert Scale.calls == ["create for RUNTIME", "shape (1, 3)", "enqueue with tactic 7"]


def test_a_v3_plugin_is_an_onnx_operator_of_its_name():
    node = onnx.helper.make_node("Scale", ["x"], ["y"], "scale", factor=-3.0)
    engine = engine_of(model_of([node], {"x": (np.float32, (1, 3))}, ["y"]))

    np.testing.assert_array_equal(Session(engine).run({"x": X})["y"], -3 * X)
    assert Scale.calls[0] == "create for BUILD"


def test_a_v2_plugin_computes_its_output_size_from_an_expression():
    node = onnx.helper.make_node("CircularPad", ["x"], ["y"], "pad", pads=[1, 2])
    engine = engine_of(model_of([node], {"x": (np.float32, (1, "n"))}, ["y"]), x=((1, 1), (1, 3), (1, 8)))

    assert engine.get_tensor_shape("y") == (1, -1)
    assert Session(engine).run({"x": X})["y"].tolist() == [[3.0, 1.0, -2.0, 3.0, 1.0, -2.0]]


def test_a_v2_plugin_runs_from_the_network_api():
    engine, _ = network_with(lambda network, x: network.add_plugin_v2([x], CircularPad([1, 0])))

    assert Session(engine).run({"x": X})["y0"].tolist() == [[3.0, 1.0, -2.0, 3.0]]


@pytest.mark.parametrize("outputs", [1, 2])
def test_a_plugin_may_tell_the_size_of_an_output_when_it_has_run(target, outputs):
    engine, _ = network_with(lambda network, x: network.add_plugin_v3([x], [], Positives()), (5,), target, outputs)
    session = Session(engine)
    for signs in ([1, -1, 1, -1, 1], [-1] * 5, [1] * 5):
        x = np.array([1, 2, 3, 4, 5], np.float32) * signs
        found = session.run({"x": x})

        assert x[x > 0].tolist() == found["y0"].tolist()
        assert outputs == len(found) and np.sum(x > 0) == found.get("y1", np.sum(x > 0))


def test_a_size_that_a_plugin_tells_cannot_decide_sizes_further_on_on_a_gpu(monkeypatch):
    stand_in.install(monkeypatch)
    logger = Heard()
    builder = trt.Builder(logger)
    network, config = builder.create_network(STRONG), builder.create_builder_config()
    config.target = stand_in.DEVICE
    kept = network.add_plugin_v3([network.add_input("x", trt.float32, (5,))], [], Positives()).get_output(0)
    network.mark_output(network.add_activation(kept, trt.ActivationType.RELU).get_output(0))

    assert builder.build_serialized_network(network, config) is None
    assert "a plugin cannot run on the host beside a GPU" in logger.errors[-1]


class Configured(CircularPad):
    """Learns its shapes in configure_plugin alone, and keeps its pads as text."""

    plugin_type = "Configured"

    def configure_plugin(self, inputs, outputs):
        self.shapes = [tuple(desc.desc.dims) for desc in (*inputs, *outputs)]

    def serialize(self):
        return ",".join(map(str, self.pads))

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        assert self.shapes == [tuple(desc.dims) for desc in (*input_desc, *output_desc)]
        return super().enqueue(input_desc, output_desc, inputs, outputs, workspace, stream)


class ConfiguredCreator(CircularPadCreator):
    name = "Configured"

    def deserialize_plugin(self, name, serialized_plugin):
        return Configured([int(part) for part in bytes(serialized_plugin).decode().split(",")])


def test_a_v2_plugin_is_configured_for_the_shapes_that_it_runs_with(target):
    creator = ConfiguredCreator()
    trt.get_plugin_registry().register_creator(creator, "")
    try:
        engine, _ = network_with(lambda network, x: network.add_plugin_v2([x], Configured([1, 0])), target=target)

        assert Session(engine).run({"x": X})["y0"].tolist() == [[3.0, 1.0, -2.0, 3.0]]
    finally:
        trt.get_plugin_registry().deregister_creator(creator)


def test_an_engine_whose_plugin_nobody_registered_says_which_when_it_runs():
    engine, logger = network_with(lambda network, x: network.add_plugin_v3([x], [], Scale(2.0)))
    registry = trt.get_plugin_registry()
    creator = registry.get_creator("Scale", "1", "")
    registry.deregister_creator(creator)
    try:
        with pytest.raises(RuntimeError):
            Session(engine).run({"x": X})
    finally:
        registry.register_creator(creator)

    assert "no plugin 'Scale', version '1', namespace '' is registered" in logger.errors[-1]


def test_a_plugin_that_refuses_the_networks_types_is_refused_with_the_tensor():
    logger = Heard()
    network = trt.Builder(logger).create_network(STRONG)
    x = network.add_input("x", trt.float16, (4,))

    assert network.add_plugin_v3([x], [], Scale(1.0)) is None
    assert "plugin 'Scale' does not take DataType.HALF in TensorFormat.LINEAR as its input 0" in logger.errors[-1]


def test_registering_one_key_twice_is_refused_and_namespaces_keep_creators_apart():
    registry, other = trt.get_plugin_registry(), ScaleCreator()

    assert registry.register_creator(ScaleCreator(), "") is False
    assert registry.register_creator(other, "mine") is True
    assert registry.get_creator("Scale", "1", "mine") is other
    assert registry.get_creator("Scale", "2", "") is None
    registry.deregister_creator(other)


def test_a_shared_resource_is_cloned_once_and_released_by_the_last():
    class Resource(trt.IPluginResource):
        events: list[str] = []

        def clone(self):
            self.events.append("clone")
            return Resource()

        def release(self):
            self.events.append("release")

    registry = trt.get_plugin_registry()
    first, second = (registry.acquire_plugin_resource("key", Resource()) for _ in range(2))

    assert first is second
    assert [registry.release_plugin_resource("key") for _ in range(3)] == [0, 0, 1]
    assert Resource.events == ["clone", "release"]


class Choosing(Scale):
    """The same plugin with three tactics; the second takes no time."""

    def get_valid_tactics(self):
        return [3, 5, 8]

    def attach_to_context(self, context):
        return Choosing(self.factor)

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        if self.tactic != 5:
            time.sleep(0.002)
        return super().enqueue(input_desc, output_desc, inputs, outputs, workspace, stream)


class ChoosingCreator(ScaleCreator):
    def create_plugin(self, name, field_collection, phase):
        return Choosing(float(field_collection[0].data[0]))


@pytest.fixture
def choosing():
    registry = trt.get_plugin_registry()
    creator = ChoosingCreator()
    for known in list(registry.all_creators):
        if known.name == creator.name:
            registry.deregister_creator(known)
    assert registry.register_creator(creator, "")
    yield
    registry.deregister_creator(creator)


def test_the_fastest_of_a_plugin_s_tactics_is_timed_chosen_and_kept_in_the_plan(choosing):
    engine, _ = network_with(lambda network, x: network.add_plugin_v3([x], [], Choosing(2.5)))
    Scale.calls.clear()

    np.testing.assert_array_equal(Session(engine).run({"x": X})["y0"], 2.5 * X)
    assert ["shape (1, 3)", "enqueue with tactic 5"] == Scale.calls


def test_a_timing_cache_decides_without_a_run(choosing):
    x, tactics = Value("x", trt.DataType.FLOAT, (2, 3)), [3, 5, 8]
    graph = Graph("g", [Op("plugin", "p", [x], [], {"tactics": tactics, "tactic": 3})])
    cache, heard = TimingCache({}), []
    known = signature(Op("plugin", "p", [x], [], {"tactics": tactics}))
    for tactic, time_us in ((3, 2.0), (5, 1.5), (8, 1.0)):
        cache.update(known, f"plugin_{tactic}", time_us)
    choose_plugin_tactics(graph, graph, cache, True, heard.append)

    assert 8 == graph.ops[0].attrs["tactic"] and "tactic 8" in heard[0]
