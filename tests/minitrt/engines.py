"""Engines for tests: built from ONNX models on the reference backend, compared with ONNX Runtime."""

from __future__ import annotations

import numpy as np
import onnx
import onnxruntime

import minitrt as trt
from minitrt.runtime.session import Session

STRONG = 1 << int(trt.NetworkDefinitionCreationFlag.STRONGLY_TYPED)


class Heard(trt.ILogger):
    """A logger that keeps everything: `.of(severity)` gives the messages of one severity."""

    def __init__(self):
        super().__init__()
        self.messages: list[tuple[trt.ILogger.Severity, str]] = []

    def log(self, severity, msg):
        self.messages.append((severity, msg))

    def of(self, severity) -> list[str]:
        return [message for each, message in self.messages if each == severity]

    @property
    def errors(self) -> list[str]:
        return self.of(trt.ILogger.ERROR)

    @property
    def heard(self) -> list[str]:
        return self.errors


def parsed(model: onnx.ModelProto, logger: Heard, flags: int = STRONG):
    """Builder, network and configuration of a model, for the reference backend."""
    builder = trt.Builder(logger)
    network = builder.create_network(flags)
    parser = trt.OnnxParser(network, logger)
    assert parser.parse(model.SerializeToString()), logger.errors
    config = builder.create_builder_config()
    config.target = None
    config.profiling_verbosity = trt.ProfilingVerbosity.DETAILED
    return builder, network, config


def engine_of(model: onnx.ModelProto, logger: Heard | None = None, **shapes) -> trt.ICudaEngine:
    """A loaded engine. shapes: input name -> (min, opt, max), where it is dynamic."""
    logger = logger or Heard()
    builder, network, config = parsed(model, logger)
    if shapes:
        profile = builder.create_optimization_profile()
        for name, triple in shapes.items():
            profile.set_shape(name, *triple)
        config.add_optimization_profile(profile)
    data = builder.build_serialized_network(network, config)
    assert data is not None, logger.errors
    engine = trt.Runtime(logger).deserialize_cuda_engine(data)
    assert engine is not None, logger.errors
    return engine


def results_of(model: onnx.ModelProto, feeds: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The model's outputs from an engine of ours."""
    logger = Heard()
    shapes = {name: (array.shape,) * 3 for name, array in feeds.items() if is_dynamic(model, name)}
    return Session(engine_of(model, logger, **shapes), logger).run(feeds)


def is_dynamic(model: onnx.ModelProto, name: str) -> bool:
    value = next(each for each in model.graph.input if each.name == name)
    return any(not dim.HasField("dim_value") for dim in value.type.tensor_type.shape.dim)


def expected_of(model: onnx.ModelProto, feeds: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The model's outputs from ONNX Runtime, which optimises nothing."""
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    names = [value.name for value in session.get_outputs()]
    return dict(zip(names, session.run(names, feeds), strict=True))


def layers_of(engine: trt.ICudaEngine) -> list[dict]:
    """The inspector's layers."""
    import json

    text = engine.create_engine_inspector().get_engine_information(trt.LayerInformationFormat.JSON)
    return json.loads(text)["Layers"]


def model_of(nodes, inputs, outputs, initializers=(), opset: int = 17) -> onnx.ModelProto:
    """A model of nodes; inputs: name -> (numpy dtype, shape); outputs: names; initializers: name -> array."""
    helper = onnx.helper
    kind = onnx.helper.np_dtype_to_tensor_dtype
    declared = [helper.make_tensor_value_info(n, kind(np.dtype(t)), shape) for n, (t, shape) in inputs.items()]
    results = [helper.make_empty_tensor_value_info(name) for name in outputs]
    arrays = [onnx.numpy_helper.from_array(np.asarray(a), name) for name, a in dict(initializers).items()]
    graph = helper.make_graph(list(nodes), "test", declared, results, arrays)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=9)
