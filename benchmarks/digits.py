"""A small CNN trained on scikit-learn's digits: top-1 in FP32, in INT8 for every calibrator, and trained for INT8.

    python -m benchmarks.digits                  # writes the trained networks beside build/, too
    python -m benchmarks.digits --speed          # on a GPU: adds the time of each engine to the record

Training is NumPy, seeded, a minute on one core; top-1 is of the reference backend, whose INT8 is exact. Writes
benchmarks/results/digits.json and docs/pictures/digits.svg.
"""

from __future__ import annotations

import argparse
import json
import warnings
from datetime import date
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

import minitrt as trt
from benchmarks.models.training import CHANNEL, Network, scale_of, train, train_quantised
from minitrt.runtime.session import Session

ROOT = Path(__file__).parents[1]
RESULTS, PICTURE = ROOT / "benchmarks" / "results" / "digits.json", ROOT / "docs" / "pictures" / "digits.svg"
TRAINED = ROOT / "build" / "digits.npz"
CALIBRATORS = (
    "MinMaxCalibrator EntropyCalibrator EntropyCalibrator2 LegacyCalibrator PercentileCalibrator MSECalibrator".split()
)
BATCH, TIMED, RUNS = 64, 1024, 200


def data() -> tuple[np.ndarray, ...]:
    """Images (N, 1, 8, 8) in [0, 1] and labels: training and test."""
    from sklearn.datasets import load_digits
    from sklearn.model_selection import train_test_split

    digits = load_digits()
    images = (digits.images / 16).astype(np.float32)[:, None]
    return train_test_split(images, digits.target, test_size=0.3, random_state=0, stratify=digits.target)


def model_of(net: Network) -> onnx.ModelProto:
    """conv 3x3 - relu - conv 3x3 - relu - max pool - fully connected, with the trained weights.

    A network with scales has Q and DQ where its training rounded.
    """
    same, constants, nodes = dict(kernel_shape=[3, 3], pads=[1, 1, 1, 1]), dict(net.weights), []

    def quantised(name: str, key: str) -> str:
        """`name`, or what Q and DQ leave of it."""
        scale = scale_of(net.weights[key], CHANNEL[key]).reshape(-1) if key in CHANNEL else net.scales.get(key)
        if not net.scales:
            return name
        constants[f"{key}.scale"] = np.asarray(scale, np.float32)
        constants[f"{key}.zero"] = np.zeros(np.shape(scale), np.int8)
        axis = {"axis": CHANNEL[key]} if key in CHANNEL else {}
        pair = [f"{key}.scale", f"{key}.zero"]
        nodes.append(helper.make_node("QuantizeLinear", [name, *pair], [f"{key}.q"], f"{key}.quantize", **axis))
        nodes.append(helper.make_node("DequantizeLinear", [f"{key}.q", *pair], [f"{key}.dq"], f"{key}.dq", **axis))
        return f"{key}.dq"

    def node(kind: str, inputs: list[str], output: str, name: str, **attributes) -> None:
        nodes.append(helper.make_node(kind, inputs, [output], name, **attributes))

    node("Conv", [quantised("image", "x"), quantised("w1", "w1"), "b1"], "c1", "conv1", **same)
    node("Relu", ["c1"], "r1", "relu1")
    node("Conv", [quantised("r1", "r1"), quantised("w2", "w2"), "b2"], "c2", "conv2", **same)
    node("Relu", ["c2"], "r2", "relu2")
    node("MaxPool", ["r2"], "p", "pool", kernel_shape=[2, 2], strides=[2, 2])
    node("Flatten", ["p"], "f", "flatten")
    node("Gemm", [quantised("f", "flat"), quantised("w3", "w3"), "b3"], "logits", "fc")
    arrays = [numpy_helper.from_array(array, name) for name, array in constants.items()]
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


def engine_of(
    model: onnx.ModelProto,
    calibrator: trt.IInt8Calibrator | None = None,
    on_gpu: bool = False,
    half: bool = False,
    known: dict[str, bytes] | None = None,
) -> Session:
    """An engine, in INT8 with a calibrator or with Q and DQ. known: timings of earlier builds, under "cache"."""
    logger = trt.Logger(trt.Logger.ERROR)
    builder = trt.Builder(logger)
    network, config = builder.create_network(), builder.create_builder_config()
    config.target = builder._target if on_gpu else None
    if half:
        config.set_flag(trt.BuilderFlag.FP16)
    trt.OnnxParser(network, logger).parse(model.SerializeToString())
    profile = builder.create_optimization_profile()
    profile.set_shape("image", (1, 1, 8, 8), (TIMED if on_gpu else BATCH, 1, 8, 8), (TIMED, 1, 8, 8))
    config.add_optimization_profile(profile)
    if calibrator is not None:
        config.set_flag(trt.BuilderFlag.INT8)
        config.int8_calibrator = calibrator
        batches = builder.create_optimization_profile()
        batches.set_shape("image", *[(BATCH, 1, 8, 8)] * 3)
        config.set_calibration_profile(batches)
    if known is not None:
        config.set_timing_cache(config.create_timing_cache(known.get("cache", b"")), False)
    data = builder.build_serialized_network(network, config)
    if known is not None:
        known["cache"] = bytes(config.get_timing_cache().serialize())
    return Session(trt.Runtime(logger).deserialize_cuda_engine(data))


def compared(logits: np.ndarray, exact: np.ndarray, labels: np.ndarray) -> dict[str, float]:
    """Top-1, agreement with FP32's, and signal to noise of the logits in dB."""
    noise = np.sum(np.square(exact.astype(np.float64) - logits))
    return {
        "top1": float(np.mean(logits.argmax(1) == labels)),
        "agrees": float(np.mean(logits.argmax(1) == exact.argmax(1))),
        "sqnr_db": float(10 * np.log10(np.sum(np.square(exact.astype(np.float64))) / noise)),
    }


def name_of(kind: str) -> str:
    """ "INT8 Entropy2" for EntropyCalibrator2."""
    return "INT8 " + kind.replace("Calibrator", "")


def networks(seed: int = 0, epochs: int = 20) -> tuple[Network, Network]:
    """Trained in FP32, and trained on for INT8."""
    train_x, _, train_y, _ = data()
    net = train(train_x, train_y, seed, epochs)
    return net, train_quantised(net, train_x, train_y, seed, epochs // 4)


def measured(net: Network, aware: Network) -> dict[str, dict[str, float]]:
    """Top-1 and noise of the logits, by way of quantising."""
    train_x, test_x, _, test_y = data()
    model = model_of(net)
    exact = engine_of(model).run({"image": test_x})["logits"]
    found = {"FP32": {"top1": float(np.mean(exact.argmax(1) == test_y)), "sqnr_db": None}}
    for kind in CALIBRATORS:
        logits = engine_of(model, calibrator_of(kind, train_x)).run({"image": test_x})["logits"]
        found[name_of(kind)] = compared(logits, exact, test_y)
    logits = engine_of(model_of(aware)).run({"image": test_x})["logits"]
    exact = engine_of(model_of(Network(aware.weights))).run({"image": test_x})["logits"]
    found["INT8 trained for it"] = compared(logits, exact, test_y)
    return found


def speed(net: Network, aware: Network, images: tuple[np.ndarray, ...]) -> dict[str, dict[str, float]]:
    """Microseconds of a batch of TIMED images on this GPU, replayed as a graph, and top-1 there."""
    from minitrt.device.driver import Event

    train_x, test_x, _, test_y = images
    batch = np.resize(test_x, (TIMED, 1, 8, 8))
    gpu: dict[str, Any] = {"on_gpu": True, "known": {}}
    made = {"FP32": engine_of(model_of(net), **gpu), "FP16": engine_of(model_of(net), half=True, **gpu)}
    for kind in CALIBRATORS:
        made[name_of(kind)] = engine_of(model_of(net), calibrator_of(kind, train_x), **gpu)
    made["INT8 trained for it"] = engine_of(model_of(aware), **gpu)
    found = {}
    for name, session in made.items():
        logits = session.run({"image": batch})["logits"][: len(test_y)]
        for _ in range(3):
            session.execute()
        begin = Event().record(0)
        for _ in range(RUNS):
            session.context.execute_async_v3(0)
        us = Event().record(0).us_since(begin) / RUNS
        found[name] = {"us": round(us, 2), "images_per_s": round(1e6 * TIMED / us), "layers": session.engine.num_layers}
        found[name]["top1"] = float(np.mean(logits.argmax(1) == test_y))
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


def save_networks(net: Network, aware: Network) -> None:
    """Keep what was trained and the images, so that a machine with a GPU need neither train nor have them."""
    TRAINED.parent.mkdir(exist_ok=True)
    arrays = {f"exact.{name}": a for name, a in net.weights.items()} | {
        f"aware.{n}": a for n, a in aware.weights.items()
    }
    arrays |= {f"images.{n}": a for n, a in enumerate(data())}
    np.savez(TRAINED, **arrays, **{f"scale.{name}": a for name, a in aware.scales.items()})


def load_networks() -> tuple[Network, Network, tuple[np.ndarray, ...]]:
    """What `save_networks` kept, or trained now."""
    if not TRAINED.exists():
        return (*networks(), data())
    kept = np.load(TRAINED)
    part = lambda prefix: {n.removeprefix(prefix): kept[n] for n in kept.files if n.startswith(prefix)}  # noqa: E731
    return Network(part("exact.")), Network(part("aware."), part("scale.")), tuple(part("images.").values())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--speed", action="store_true", help="time the engines on this GPU, and add that to the record")
    asked = parser.parse_args()
    warnings.simplefilter("ignore", DeprecationWarning)
    record = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    if asked.speed:
        from minitrt.device.driver import device_facts

        times = {"date": date.today().isoformat(), "device": device_facts().name, "batch": TIMED}
        record["speed"] = {**times, "found": speed(*load_networks())}
        print(json.dumps(record["speed"], indent=1))
    else:
        net, aware = networks()
        save_networks(net, aware)
        versions = {name: version(name) for name in ("numpy", "scikit-learn", "onnx")}
        record |= {"date": date.today().isoformat(), "device": "reference backend", "versions": versions}
        record |= {"test_images": len(data()[1]), "found": measured(net, aware)}
        draw(record["found"], record["test_images"])
        for name, numbers in record["found"].items():
            noise = f"{numbers['sqnr_db']:6.1f} dB" if numbers["sqnr_db"] else ""
            print(f"{name:28} top-1 {100 * numbers['top1']:6.2f} %   {noise}")
    RESULTS.write_text(json.dumps(record, indent=1) + "\n")


if __name__ == "__main__":
    main()
