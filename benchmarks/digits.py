"""A small CNN trained on scikit-learn's digits: top-1 in FP32, and in INT8 for every calibrator and with explicit Q
and DQ.

    python -m benchmarks.digits

Training is NumPy, seeded, a minute on one core; engines run on the reference backend, whose INT8 is exact. Writes
benchmarks/results/digits.json and docs/pictures/digits.svg.
"""

from __future__ import annotations

import argparse
import json
import warnings
from datetime import date
from importlib.metadata import version
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

import minitrt as trt
from benchmarks.models.training import Network, train
from minitrt.runtime.session import Session

ROOT = Path(__file__).parents[1]
RESULTS, PICTURE = ROOT / "benchmarks" / "results" / "digits.json", ROOT / "docs" / "pictures" / "digits.svg"
CALIBRATORS = (
    "MinMaxCalibrator EntropyCalibrator EntropyCalibrator2 LegacyCalibrator PercentileCalibrator MSECalibrator".split()
)
BATCH = 64


def data() -> tuple[np.ndarray, ...]:
    """Images (N, 1, 8, 8) in [0, 1] and labels: training and test."""
    digits = load_digits()
    images = (digits.images / 16).astype(np.float32)[:, None]
    return train_test_split(images, digits.target, test_size=0.3, random_state=0, stratify=digits.target)


def model_of(net: Network) -> onnx.ModelProto:
    """conv 3x3 - relu - conv 3x3 - relu - max pool - fully connected, with the trained weights."""
    same = dict(kernel_shape=[3, 3], pads=[1, 1, 1, 1])
    nodes = [
        helper.make_node("Conv", ["image", "w1", "b1"], ["c1"], "conv1", **same),
        helper.make_node("Relu", ["c1"], ["r1"], "relu1"),
        helper.make_node("Conv", ["r1", "w2", "b2"], ["c2"], "conv2", **same),
        helper.make_node("Relu", ["c2"], ["r2"], "relu2"),
        helper.make_node("MaxPool", ["r2"], ["p"], "pool", kernel_shape=[2, 2], strides=[2, 2]),
        helper.make_node("Flatten", ["p"], ["f"], "flatten"),
        helper.make_node("Gemm", ["f", "w3", "b3"], ["logits"], "fc"),
    ]
    arrays = [numpy_helper.from_array(array, name) for name, array in net.weights.items()]
    image = helper.make_tensor_value_info("image", TensorProto.FLOAT, ("batch", 1, 8, 8))
    logits = helper.make_tensor_value_info("logits", TensorProto.FLOAT, ("batch", 10))
    graph = helper.make_graph(nodes, "digits", [image], [logits], arrays)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def calibrator_of(kind: str, images: np.ndarray) -> trt.IInt8Calibrator:
    """A calibrator over all training images."""

    class Calibrator(getattr(trt, f"IInt8{kind}")):
        def __init__(self):
            super().__init__()
            self.left = [images[i : i + BATCH] for i in range(0, len(images) - BATCH + 1, BATCH)]

        def get_batch_size(self):
            return BATCH

        def get_batch(self, names):
            return [np.ascontiguousarray(self.left.pop())] if self.left else None

    return Calibrator()


def engine_of(model: onnx.ModelProto, calibrator: trt.IInt8Calibrator | None = None) -> Session:
    """An engine on the reference backend, in INT8 with a calibrator."""
    logger = trt.Logger(trt.Logger.ERROR)
    builder = trt.Builder(logger)
    network, config = builder.create_network(), builder.create_builder_config()
    config.target = None
    trt.OnnxParser(network, logger).parse(model.SerializeToString())
    profile = builder.create_optimization_profile()
    profile.set_shape("image", (1, 1, 8, 8), (BATCH, 1, 8, 8), (1024, 1, 8, 8))
    config.add_optimization_profile(profile)
    if calibrator is not None:
        config.set_flag(trt.BuilderFlag.INT8)
        config.int8_calibrator = calibrator
    return Session(trt.Runtime(logger).deserialize_cuda_engine(builder.build_serialized_network(network, config)))


def measured(seed: int = 0, epochs: int = 20) -> dict[str, dict[str, float]]:
    """Top-1 and signal to noise of the logits (dB against FP32), by way of quantising."""
    train_x, test_x, train_y, test_y = data()
    model = model_of(train(train_x, train_y, seed, epochs))
    exact = engine_of(model).run({"image": test_x})["logits"]
    found = {"FP32": {"top1": float(np.mean(exact.argmax(1) == test_y)), "sqnr_db": None}}
    for kind in CALIBRATORS:
        logits = engine_of(model, calibrator_of(kind, train_x)).run({"image": test_x})["logits"]
        noise = np.sum(np.square(exact.astype(np.float64) - logits))
        found[f"INT8 {kind.removesuffix('Calibrator') or kind}".replace("Calibrator2", "2")] = {
            "top1": float(np.mean(logits.argmax(1) == test_y)),
            "agrees": float(np.mean(logits.argmax(1) == exact.argmax(1))),
            "sqnr_db": float(10 * np.log10(np.sum(np.square(exact.astype(np.float64))) / noise)),
        }
    return found


def draw(found: dict[str, dict[str, float]], images: int) -> None:
    """Top-1 as bars, the noise of INT8 beside it."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "warpbook"
    import matplotlib.pyplot as plt

    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.2), sharey=True)
    names = list(found)[::-1]
    colours = ["#4c78a8" if name == "FP32" else "#f58518" for name in names]
    left.barh(names, [100 * found[name]["top1"] for name in names], color=colours)
    left.set_xlim(90, 100)
    left.set_xlabel(f"top-1 on {images} test images (%)")
    left.axvline(100 * found["FP32"]["top1"], color="#4c78a8", linestyle="--", linewidth=1)
    right.barh(names, [found[name]["sqnr_db"] or 0 for name in names], color=colours)
    right.set_xlabel("signal to quantisation noise of the logits (dB)")
    figure.suptitle("A CNN on scikit-learn's digits: FP32 and INT8 by calibrator")
    figure.tight_layout()
    figure.savefig(PICTURE, metadata={"Date": None})


def main() -> None:
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    warnings.simplefilter("ignore", DeprecationWarning)
    found, images = measured(), len(data()[1])
    versions = {name: version(name) for name in ("numpy", "scikit-learn", "onnx")}
    record = {"date": date.today().isoformat(), "device": "reference backend", "versions": versions}
    RESULTS.write_text(json.dumps({**record, "test_images": images, "found": found}, indent=1) + "\n")
    draw(found, images)
    for name, numbers in found.items():
        noise = f"{numbers['sqnr_db']:6.1f} dB" if numbers["sqnr_db"] else ""
        print(f"{name:28} top-1 {100 * numbers['top1']:6.2f} %   {noise}")


if __name__ == "__main__":
    main()
