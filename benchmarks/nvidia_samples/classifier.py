"""The quick start's wrapper of a classifier, given a plan of ours.

It compares what cudart's calls return with a status, but cuda.bindings returns a tuple of one: it is unpacked here.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx

import minitrt as trt
from benchmarks.models.networks import resnet
from minitrt.runtime.session import Session


class Statuses:
    """cudart, whose calls return a lone status as such."""

    def __init__(self, cudart: Any):
        self.cudart = cudart

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.cudart, name)
        if not callable(found) or isinstance(found, type):
            return found

        def call(*arguments: Any) -> Any:
            results = found(*arguments)
            return results[0] if len(results) == 1 else results

        return call


def main() -> None:
    import onnx_helper

    onnx_helper.cudart = Statuses(onnx_helper.cudart)
    logger = trt.Logger()
    builder = trt.Builder(logger)
    network = builder.create_network(1 << int(trt.NetworkDefinitionCreationFlag.STRONGLY_TYPED))
    model = resnet("resnet18", batch=1, size=64, classes=1000)
    assert trt.OnnxParser(network, logger).parse(model.SerializeToString())
    data = builder.build_serialized_network(network, builder.create_builder_config())
    with open("small.plan", "wb") as file:
        file.write(data)
    image = np.random.default_rng(0).standard_normal((1, 3, 64, 64)).astype(np.float32)
    expected = Session(trt.Runtime(logger).deserialize_cuda_engine(data)).run({"input": image})
    found = onnx_helper.ONNXClassifierWrapper("small.plan").predict(image)
    np.testing.assert_allclose(found.ravel(), next(iter(expected.values())).ravel(), rtol=1e-3, atol=1e-4)
    print("outputs agree; onnx", onnx.__version__)


if __name__ == "__main__":
    main()
