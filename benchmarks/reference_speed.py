"""How long the NumPy reference takes beside ONNX Runtime, on one machine, for a ResNet-18 of 64 x 64 pixels.

    python -m benchmarks.reference_speed

The medians are kept in benchmarks/results/reference-speed.json, from where docs/minitrt.md has them.
"""

from __future__ import annotations

import argparse
import json
import platform
import time
from datetime import date
from pathlib import Path

import numpy as np
import onnx
import onnxruntime

import minitrt as trt
from benchmarks.models.networks import resnet
from minitrt.runtime.session import Session

RESULTS = Path(__file__).parent / "results" / "reference-speed.json"
RUNS = 15
IMAGE = np.random.default_rng(0).standard_normal((1, 3, 64, 64)).astype(np.float32)


def median_ms(run) -> float:
    times = []
    for _ in range(RUNS + 2):
        began = time.perf_counter()
        run()
        times.append(1e3 * (time.perf_counter() - began))
    return float(np.median(times[2:]))


def ours(model: onnx.ModelProto) -> Session:
    logger = trt.Logger()
    builder = trt.Builder(logger)
    network = builder.create_network(1 << int(trt.NetworkDefinitionCreationFlag.STRONGLY_TYPED))
    assert trt.OnnxParser(network, logger).parse(model.SerializeToString())
    config = builder.create_builder_config()
    config.target = None
    return Session(trt.Runtime(logger).deserialize_cuda_engine(builder.build_serialized_network(network, config)))


def main() -> None:
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    found = {"device": platform.processor() or platform.machine(), "date": date.today().isoformat()}
    for name, int8 in (("FP32", False), ("INT8", True)):
        model = resnet("resnet18", size=64, batch=1, int8=int8)
        session, theirs = ours(model), onnxruntime.InferenceSession(model.SerializeToString())
        reference = median_ms(lambda session=session: session.run({"input": IMAGE}))
        runtime = median_ms(lambda theirs=theirs: theirs.run(None, {"input": IMAGE}))
        found[name] = {"reference_ms": reference, "onnxruntime_ms": runtime, "ratio": reference / runtime}
        print(f"{name}: {reference:.1f} ms, ONNX Runtime {runtime:.2f} ms, {reference / runtime:.0f} times")
    RESULTS.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
