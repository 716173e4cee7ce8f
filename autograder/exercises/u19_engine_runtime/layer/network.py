"""A network with one node that only a plugin can be, as an ONNX file, built, kept and loaded again."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

KEY = "SoftThreshold", "2", "course"  # name, version and namespace, as the file has them
SMALLEST, LIKELY, LARGEST = (1, 1, 1), (2, 3, 5), (3, 40, 11)  # images, rows, columns


def file_of(thresholds: np.ndarray) -> bytes | None:
    """An ONNX file of a negation and the layer; None where the onnx package is not installed, as in a browser."""
    try:
        from onnx import TensorProto, helper
    except ImportError:
        return None
    name, version, namespace = KEY
    shape = ("images", len(thresholds), "rows", "columns")
    ends = [helper.make_tensor_value_info(end, TensorProto.FLOAT, shape) for end in "xy"]
    fields = {"thresholds": thresholds.tolist(), "plugin_version": version, "plugin_namespace": namespace}
    nodes = [helper.make_node("Neg", ["x"], ["minus"]), helper.make_node(name, ["minus"], ["y"], "denoise", **fields)]
    graph = helper.make_graph(nodes, "small", ends[:1], ends[1:])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)]).SerializeToString()


class Engine:
    """Built of a file, or by hand where there is none, and loaded from its plan. thresholds: float32, of the layer."""

    def __init__(self, file: bytes | None, creator: Any, thresholds: np.ndarray) -> None:
        import minitrt as trt

        self.trt, self.heard = trt, list[str]()
        said = lambda logger, severity, text: self.heard.append(text)  # noqa: E731 - a method of a class made here
        logger = type("Heard", (trt.ILogger,), {"log": said})()
        builder = trt.Builder(logger)
        network = builder.create_network(1 << int(trt.NetworkDefinitionCreationFlag.STRONGLY_TYPED))
        if file is None:
            self.by_hand(network, creator, thresholds)
        elif not trt.OnnxParser(network, logger).parse(file):
            raise RuntimeError(f"the file was not understood: {self.why()}")
        data = builder.build_serialized_network(network, self.configured(builder, len(thresholds)))
        engine = trt.Runtime(logger).deserialize_cuda_engine(data) if data is not None else None
        if engine is None:
            raise RuntimeError(f"the engine was not built and loaded: {self.why()}")
        self.session = self.session_of(engine)

    def run(self, x: np.ndarray) -> np.ndarray:
        """What the layer makes of x. Raises: RuntimeError with what the logger heard."""
        from minitrt.runtime.session import RunError

        try:
            return self.session.run({"x": -x})["y"]
        except RunError as error:
            raise RuntimeError(f"the engine did not run: {error}") from None

    def why(self) -> str:
        return self.heard[-1] if self.heard else "nobody said why"

    def by_hand(self, network: Any, creator: Any, thresholds: np.ndarray) -> None:
        """The same network as the file's."""
        trt = self.trt
        x = network.add_input("x", trt.float32, (-1, len(thresholds), -1, -1))
        field = trt.PluginField("thresholds", thresholds, trt.PluginFieldType.FLOAT32)
        plugin = creator.create_plugin("denoise", trt.PluginFieldCollection([field]), trt.TensorRTPhase.BUILD)
        minus = network.add_unary(x, trt.UnaryOperation.NEG).get_output(0)
        y = network.add_plugin_v3([minus], [], plugin).get_output(0)
        y.name = "y"
        network.mark_output(y)

    def configured(self, builder: Any, n_channels: int) -> Any:
        """A build for no GPU, with one profile."""
        config, profile = builder.create_builder_config(), builder.create_optimization_profile()
        config.target = None
        sizes = ((images, n_channels, rows, columns) for images, rows, columns in (SMALLEST, LIKELY, LARGEST))
        profile.set_shape("x", *sizes)
        config.add_optimization_profile(profile)
        return config

    def session_of(self, engine: Any) -> Any:
        from minitrt.runtime.session import Session

        return Session(engine, SimpleNamespace(heard=self.heard))
