"""What can be seen of an engine: inspector, profiler, debug tensors, error recorder, progress."""

from __future__ import annotations

import json
import threading

import numpy as np
import pytest

import minitrt as trt
from minitrt.runtime.host import array_at
from minitrt.runtime.session import Session
from tests.minitrt.engines import Heard, engine_of, layers_of, model_of, parsed
from tests.minitrt.passes.graphs import floats, node

WEIGHTS = dict(w=floats(4, 3, 3, 3), b=floats(4))


def model():
    nodes = [
        node("Conv", "x w b", "c", kernel_shape=[3, 3], pads=[1, 1, 1, 1], strides=[2, 2]),
        node("Relu", "c", "r"),
        node("MaxPool", "r", "y", kernel_shape=[2, 2], strides=[2, 2]),
    ]
    return model_of(nodes, {"x": (np.float32, (1, 3, 8, 8))}, ["y"], WEIGHTS)


X = {"x": floats(1, 3, 8, 8)}


def test_the_inspector_tells_of_a_convolution_in_tensorrts_fields():
    conv, pool = layers_of(engine_of(model()))

    expected = {
        "Name": "c + r",
        "LayerType": "CaskConvolution",
        "Kernel": [3, 3],
        "Stride": [2, 2],
        "PrePadding": [1, 1],
        "OutMaps": 4,
        "Groups": 1,
        "Weights": {"Type": "Float", "Count": 108},
        "Bias": {"Type": "Float", "Count": 4},
        "Activation": "RELU",
        "HasReLU": 1,
        "TacticName": "reference",
        "Metadata": "[ONNX Layer: c]\u001e[ONNX Layer: r]",
    }
    assert expected == {key: conv[key] for key in expected}
    assert conv["Inputs"] == [
        {
            "Name": "x",
            "Location": "Device",
            "Dimensions": [1, 3, 8, 8],
            "Format/Datatype": "Row major linear FP32 format",
        }
    ]
    assert (pool["LayerType"], pool["PoolingType"]) == ("CaskPooling", "Max")


@pytest.mark.parametrize(("verbosity", "expected"), [("NONE", []), ("LAYER_NAMES_ONLY", ["c + r", "y"])])
def test_the_inspector_tells_no_more_than_the_verbosity_allows(verbosity, expected):
    logger = Heard()
    builder, network, config = parsed(model(), logger)
    config.profiling_verbosity = trt.ProfilingVerbosity[verbosity]
    engine = trt.Runtime(logger).deserialize_cuda_engine(builder.build_serialized_network(network, config))
    text = engine.create_engine_inspector().get_engine_information(trt.LayerInformationFormat.JSON)

    assert json.loads(text) == {"Layers": expected, "Bindings": ["x", "y"], "I/O Tensors": ["x", "y"]}


def test_a_profiler_hears_every_layer_once_a_run_at_once_or_when_asked():
    class Times(trt.IProfiler):
        def __init__(self):
            super().__init__()
            self.heard = []

        def report_layer_time(self, layer_name, ms):
            assert ms >= 0
            self.heard.append(layer_name)

    session, profiler = Session(engine_of(model())), Times()
    session.context.profiler = profiler
    session.run(X)
    session.context.enqueue_emits_profile = False
    session.run(X)

    assert profiler.heard == ["c + r", "y"]
    assert session.context.report_to_profiler() and profiler.heard == ["c + r", "y"] * 2


def test_a_debug_tensor_is_kept_through_fusion_and_shown_when_asked_for():
    logger = Heard()
    builder, network, config = parsed(model(), logger)
    tensor = next(t for layer in network._layers for t in layer._outputs if t.name == "c")
    assert network.mark_debug(tensor) and network.is_debug_tensor(tensor)
    engine = trt.Runtime(logger).deserialize_cuda_engine(builder.build_serialized_network(network, config))

    class Listener(trt.IDebugListener):
        def __init__(self):
            super().__init__()
            self.seen = {}

        def process_debug_tensor(self, addr, location, type, shape, name, stream):
            self.seen[name] = array_at(addr, tuple(shape), trt.nptype(type)).copy()
            return True

    session, listener = Session(engine), Listener()
    session.context.set_debug_listener(listener)
    session.run(X)
    assert listener.seen == {}
    assert session.context.set_tensor_debug_state("c", True)
    assert not session.context.set_tensor_debug_state("nobody", True)
    result = session.run(X)["y"]

    pooled = np.maximum(listener.seen["c"], 0).reshape(1, 4, 2, 2, 2, 2).max(axis=(3, 5))
    np.testing.assert_allclose(result, pooled, rtol=1e-5)


class Recorder(trt.IErrorRecorder):
    """A recorder for several threads."""

    def __init__(self):
        super().__init__()
        self.lock, self.errors = threading.Lock(), []

    def report_error(self, code, desc):
        with self.lock:
            self.errors.append((code, desc))
        return True

    def num_errors(self):
        return len(self.errors)

    def get_error_code(self, index):
        return self.errors[index][0]

    def get_error_desc(self, index):
        return self.errors[index][1]

    def clear(self):
        self.errors.clear()


def test_an_error_recorder_hears_code_and_text_of_what_the_logger_hears():
    logger, recorder = Heard(), Recorder()
    runtime = trt.Runtime(logger)
    runtime.error_recorder = recorder

    assert runtime.deserialize_cuda_engine(b"rubbish") is None
    assert (recorder.num_errors(), recorder.get_error_code(0)) == (1, trt.ErrorCodeTRT.INVALID_ARGUMENT)
    assert recorder.get_error_desc(0) == logger.errors[0]


class Monitor(trt.IProgressMonitor):
    def __init__(self, stop_in: str | None = None):
        super().__init__()
        self.events, self.stop_in = [], stop_in

    def phase_start(self, phase_name, parent_phase, num_steps):
        self.events.append(("start", phase_name, parent_phase, num_steps))

    def step_complete(self, phase_name, step):
        self.events.append(("step", phase_name, step))
        return phase_name != self.stop_in

    def phase_finish(self, phase_name):
        self.events.append(("finish", phase_name))


def monitored(monitor: Monitor):
    logger = Heard()
    builder, network, config = parsed(model(), logger)
    config.progress_monitor = monitor
    return builder.build_serialized_network(network, config), logger


def test_a_progress_monitor_sees_nested_phases_with_as_many_steps_as_were_announced():
    monitor = Monitor()
    data, _ = monitored(monitor)
    started = {event[1]: event for event in monitor.events if event[0] == "start"}

    assert data is not None
    assert started["Graph Optimization"][2] == "Building Engine"
    for name, (_, _, _, steps) in started.items():
        assert steps == sum(event[:2] == ("step", name) for event in monitor.events), name
        assert monitor.events.index(("finish", name)) > monitor.events.index(started[name])


def test_a_progress_monitor_can_stop_the_build_and_every_phase_is_finished():
    monitor = Monitor(stop_in="Graph Optimization")
    data, logger = monitored(monitor)
    open_phases = {e[1] for e in monitor.events if e[0] == "start"} - {e[1] for e in monitor.events if e[0] == "finish"}

    assert (data, open_phases) == (None, set())
    assert "progress monitor stopped the build" in logger.of(trt.ILogger.WARNING)[-1]
