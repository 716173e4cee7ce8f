"""One published model, in a process of its own: a line of JSON with what was seen of it.

python -m benchmarks.real_models.one INDEX FILE [--gpu] [--load]
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime

import minitrt as trt
from benchmarks.host_operations import on_host
from benchmarks.real_models.given import Given, Model
from benchmarks.real_models.growth import Growth
from benchmarks.real_models.published import PUBLISHED
from minitrt.onnx_backend import STRONG, Listener, prepare
from minitrt.runtime.session import Session
from minitrt.shapes import specialise

TYPES = {"float": "float32", "double": "float64", "float16": "float16", "int64": "int64", "int32": "int32", "bool": "?"}


def main() -> None:
    index, path, *rest = sys.argv[1:]
    seen = seen_of(Path(path), PUBLISHED[int(index)], "--gpu" in rest, "--load" in rest)
    print(json.dumps({key: float(f"{each:.3g}") if isinstance(each, float) else each for key, each in seen.items()}))


def seen_of(path: Path, model: Model, gpu: bool, only_load: bool) -> dict[str, Any]:
    """minitrt first, while this process holds nothing else that a build might find room in; then ONNX Runtime."""
    warm_up()
    seen: dict[str, Any] = {}
    session, logger, given = built(path, model, gpu, seen)
    began = time.perf_counter()
    theirs = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    seen["ort_load_s"] = time.perf_counter() - began
    if session is None:
        return {**seen, "result": logger.heard[-1][:300]}
    if only_load:
        return seen
    types = {value.name: np.dtype(TYPES[value.type[7:-1]]) for value in theirs.get_inputs()}
    errors = []
    for which in ("shape", "low", "high"):
        feeds = {name: drawn(each, getattr(each, which), types[name]) for name, each in given.items()}
        if which == "shape" or any(getattr(each, which) != each.shape for each in given.values()):
            errors.append(compared(session, theirs, feeds, seen if which == "shape" else {}, model.rows))
    seen["error"] = max(errors)
    graph = specialise(session.context._profile.graph, {name: each.shape for name, each in given.items()},
                       {name: drawn(each, each.shape, types[name]) for name, each in given.items()})  # fmt: skip
    seen["host"] = len(on_host(graph.ops))
    return {**seen, "sizes": len(errors), "result": "agrees" if seen["error"] < model.tolerance else "differs"}


def warm_up() -> None:
    """Parse and build a model of one node: modules that are imported late belong to no model, and those of ONNX
    Runtime neither."""
    x, y = (onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, [1]) for name in "xy")
    model = onnx.helper.make_model(
        onnx.helper.make_graph([onnx.helper.make_node("Relu", ["x"], ["y"])], "warm", [x], [y]),
        opset_imports=[onnx.helper.make_opsetid("", 17)],
    )
    model.ir_version = 8
    prepare(model).run([np.zeros(1, np.float32)])
    onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])


def with_shapes(given: Given, shape: tuple[int, ...]) -> Given:
    """With the file's own dimensions where nothing is said, 1 for what those leave open."""
    usual = given.shape if given.shape is not None else tuple(n if n != -1 else 1 for n in shape)
    return given._replace(shape=usual, low=given.low or usual, high=given.high or usual)


def built(path: Path, model: Model, gpu: bool, seen: dict[str, Any]) -> tuple:
    """(a session, the logger, inputs), the first None for a model that cannot be; seconds and memory go into `seen`."""
    logger, given, growth = Listener(), {}, Growth()
    builder = trt.Builder(logger)
    network = builder.create_network(STRONG)
    began = time.perf_counter()
    done = trt.OnnxParser(network, logger).parse_from_file(str(path))
    seen["parse_s"], seen["parse_mb"] = time.perf_counter() - began, growth.mb()
    if not done:
        return None, logger, given
    config, profile = builder.create_builder_config(), builder.create_optimization_profile()
    config.target = config.target if gpu else None
    for index in range(network.num_inputs):
        tensor = network.get_input(index)
        given[tensor.name] = each = with_shapes(model.inputs.get(tensor.name, Given()), tensor.shape)
        profile.set_shape(tensor.name, each.low, each.shape, each.high)
    config.add_optimization_profile(profile)
    began = time.perf_counter()
    plan = builder.build_serialized_network(network, config)
    seen["build_s"], seen["peak_mb"] = time.perf_counter() - began, growth.mb()
    del network, builder
    session = None if plan is None else Session(trt.Runtime(logger).deserialize_cuda_engine(plan), logger)
    return session, logger, given


def drawn(given: Given, shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    """The same numbers every time."""
    rng, of = np.random.default_rng(0), given.of
    if isinstance(of, tuple):
        return rng.integers(*of, shape).astype(dtype)
    if not isinstance(of, str):
        return np.full(shape, of, dtype)
    if of == "normal" and dtype.kind in "iu":
        return rng.integers(0, 10, shape).astype(dtype)
    found = rng.random(shape) if of == "uniform" else rng.standard_normal(shape) * (0.1 if of == "audio" else 1)
    return np.asarray(found).astype(dtype)


def compared(
    session: Session, theirs: Any, feeds: dict[str, np.ndarray], seen: dict[str, Any], rows: tuple[int, float] | None
) -> float:
    """The largest difference, as a part of the largest number of its output, or of 1; infinity for another shape."""
    began = time.perf_counter()
    expected = theirs.run(None, feeds)
    seen["ort_run_ms"] = (time.perf_counter() - began) * 1e3
    began = time.perf_counter()
    found = session.run(feeds)
    seen["run_ms"] = (time.perf_counter() - began) * 1e3
    worst = 0.0
    for value, wanted in zip(theirs.get_outputs(), expected, strict=True):
        if found[value.name].shape != wanted.shape:
            return float("inf")
        wanted = wanted.astype(np.float64)
        differences = np.abs(found[value.name] - wanted)
        if rows is not None:  # the scores of all, and everything of those that are more than noise
            column, least = rows
            certain = wanted[..., column] >= least
            differences = np.concatenate([differences[certain].ravel(), differences[..., column].ravel()])
        difference = differences.max(initial=0)
        worst = max(worst, float(difference / max(1.0, np.abs(wanted).max(initial=0))))
    return worst


if __name__ == "__main__":
    main()
