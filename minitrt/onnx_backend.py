"""minitrt as a backend of the onnx package: ``onnx_backend.prepare(model, device).run(inputs)``.

Devices: "CPU" is the NumPy reference, "CUDA" the GPU. Inputs that decide shapes or attributes (axes, pads, sizes, k)
are known only in `run`: a model with such inputs is built there, with their elements as constants, and built again
when they change. Other models are built in `prepare`; dynamic dimensions take the sizes of the first run.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import onnx
from onnx.backend.base import Backend, BackendRep, Device, DeviceType

from minitrt.api.enums import NetworkDefinitionCreationFlag
from minitrt.api.logger import ILogger
from minitrt.builder.builder import Builder
from minitrt.builder.target import default_target
from minitrt.onnx_import.parser import OnnxParser
from minitrt.runtime.runtime import Runtime
from minitrt.runtime.session import Session

STRONG = 1 << int(NetworkDefinitionCreationFlag.STRONGLY_TYPED)


class BackendError(RuntimeError):
    """A model that cannot be built or run; the text is what the logger heard."""


class Listener(ILogger):
    """Keeps what is as bad as an error."""

    def __init__(self):
        self.heard: list[str] = []

    def log(self, severity: Any, msg: str) -> None:
        if int(severity) <= int(ILogger.ERROR):
            self.heard.append(msg)


class MinitrtRep(BackendRep):
    """A prepared model."""

    def __init__(self, model: onnx.ModelProto, on_gpu: bool):
        self.on_gpu = on_gpu
        self.describe(model)
        self.session: Session | None = None
        self.built_for: tuple | None = None
        self.baked = self.needed_while_building()
        if not self.baked and not self.is_dynamic():
            self.session = self.build({})

    def describe(self, model: onnx.ModelProto) -> None:
        """What is known of a model before it is built."""
        self.model = model
        known = {proto.name for proto in model.graph.initializer}
        self.input_names = [value.name for value in model.graph.input if value.name not in known]
        self.output_names = [value.name for value in model.graph.output]

    def is_dynamic(self) -> bool:
        return any(
            not dim.HasField("dim_value")
            for value in self.model.graph.input
            if value.name in self.input_names
            for dim in value.type.tensor_type.shape.dim
        )

    def needed_while_building(self) -> set[str]:
        """Inputs whose elements the import asks for, or that decide shapes."""
        builder = Builder(Listener())
        network = builder.create_network(STRONG)
        parser = OnnxParser(network, Listener())
        parser.parse(self.model.SerializeToString())
        wanted = set(parser._importing.wanted) if parser._importing else set()
        if not parser.num_errors:
            wanted |= {tensor.name for tensor in network._inputs if tensor.is_shape_tensor}
        return wanted & set(self.input_names)

    def run(self, inputs: Sequence[Any], **_: Any) -> tuple[np.ndarray, ...]:
        """Outputs for arrays in the order of the model's inputs."""
        feeds = dict(zip(self.input_names, map(np.asarray, inputs), strict=False))
        baked = {name: feeds[name] for name in sorted(self.baked) if name in feeds}
        shapes = tuple((name, array.shape) for name, array in feeds.items())
        signature = shapes, tuple((name, array.tobytes()) for name, array in baked.items())
        if self.session is None or (self.built_for is not None and self.built_for != signature):
            self.session, self.built_for = self.build(baked, feeds), signature
        live = {name: array for name, array in feeds.items() if name not in baked}
        results = self.session.run(live)
        return tuple(results[name] for name in self.output_names)

    def build(self, baked: dict[str, np.ndarray], feeds: dict[str, np.ndarray] | None = None) -> Session:
        """A session of the model with some inputs made constants, for the shapes of `feeds`. Raises: BackendError."""
        model = self.fixed(baked, feeds)
        listener = Listener()
        builder = Builder(listener)
        config = builder.create_builder_config()
        config.target = default_target() if self.on_gpu else None
        network = builder.create_network(STRONG)
        parsed = OnnxParser(network, listener).parse(model.SerializeToString())
        data = builder.build_serialized_network(network, config) if parsed else None
        engine = Runtime(listener).deserialize_cuda_engine(data) if data else None
        if engine is None:
            raise BackendError("; ".join(listener.heard))
        return Session(engine, listener)

    def fixed(self, baked: dict[str, np.ndarray], feeds: dict[str, np.ndarray] | None = None) -> onnx.ModelProto:
        """The model with some inputs made constants, and the shapes of `feeds` written down."""
        model = onnx.ModelProto.FromString(self.model.SerializeToString())
        for name, array in baked.items():
            model.graph.initializer.append(onnx.numpy_helper.from_array(array, name))
        for value in model.graph.input:
            if feeds and value.name in feeds:
                declare(value, feeds[value.name].shape)
        return model


def declare(value: onnx.ValueInfoProto, shape: tuple[int, ...]) -> None:
    """Write a fixed shape into an input's declaration."""
    for dim, size in zip(value.type.tensor_type.shape.dim, shape, strict=False):
        dim.dim_value = size


class MinitrtBackend(Backend):
    """The onnx package's interface."""

    @classmethod
    def prepare(cls, model: onnx.ModelProto, device: str = "CPU", **_: Any) -> MinitrtRep:
        """Check and build. Raises: BackendError for a model that is not supported."""
        onnx.checker.check_model(model)
        return MinitrtRep(model, Device(device).type == DeviceType.CUDA)

    @classmethod
    def run_model(cls, model: onnx.ModelProto, inputs: Any, device: str = "CPU", **how: Any) -> tuple[np.ndarray, ...]:
        return cls.prepare(model, device, **how).run(inputs)

    @classmethod
    def run_node(cls, node: onnx.NodeProto, inputs: Any, device: str = "CPU", outputs_info=None, **_: Any):
        """One node on arrays. outputs_info is not needed: types and shapes follow from the inputs."""
        arrays = [np.asarray(array) for array in inputs]
        make = onnx.helper.make_tensor_value_info
        types = [onnx.helper.np_dtype_to_tensor_dtype(array.dtype) for array in arrays]
        declared = [make(n, t, a.shape) for n, t, a in zip(node.input, types, arrays, strict=False)]
        results = [onnx.helper.make_empty_tensor_value_info(name) for name in node.output]
        graph = onnx.helper.make_graph([node], node.op_type, declared, results)
        rep = MinitrtRep(onnx.helper.make_model(graph), Device(device).type == DeviceType.CUDA)
        return rep.run(arrays)

    @classmethod
    def supports_device(cls, device: str) -> bool:
        kind = Device(device).type
        return kind == DeviceType.CPU or (kind == DeviceType.CUDA and default_target() is not None)

    @classmethod
    def is_compatible(cls, model: onnx.ModelProto, device: str = "CPU", **_: Any) -> bool:
        """Whether every operator of a model can be imported."""
        listener = Listener()
        return OnnxParser(Builder(listener).create_network(), listener).supports_model_v2(model.SerializeToString())


prepare = MinitrtBackend.prepare
run_model = MinitrtBackend.run_model
run_node = MinitrtBackend.run_node
supports_device = MinitrtBackend.supports_device
is_compatible = MinitrtBackend.is_compatible
