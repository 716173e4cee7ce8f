"""One published model, in a process of its own: a line of JSON with what was seen of it.

python -m benchmarks.real_models.one INDEX FILE [--gpu]
"""

from __future__ import annotations

import json
import resource
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime

import minitrt as trt
from benchmarks.host_operations import on_host
from benchmarks.real_models.given import Given, Model
from benchmarks.real_models.published import PUBLISHED
from minitrt.onnx_backend import STRONG, Listener
from minitrt.runtime.session import Session
from minitrt.shapes import specialise

TYPES = {"float": "float32", "double": "float64", "float16": "float16", "int64": "int64", "int32": "int32", "bool": "?"}


def main() -> None:
    index, path, *rest = sys.argv[1:]
    seen = seen_of(Path(path), PUBLISHED[int(index)], "--gpu" in rest)
    print(json.dumps({key: float(f"{each:.3g}") if isinstance(each, float) else each for key, each in seen.items()}))


def seen_of(path: Path, model: Model, gpu: bool) -> dict[str, Any]:
    began = time.perf_counter()
    theirs = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    seen: dict[str, Any] = {"ort_load_s": time.perf_counter() - began}
    given = {
        value.name: with_shapes(model.inputs.get(value.name, Given()), value.shape) for value in theirs.get_inputs()
    }
    types = {value.name: np.dtype(TYPES[value.type[7:-1]]) for value in theirs.get_inputs()}
    before_kb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    session, logger = built(path, given, theirs, gpu, seen)
    if session is None:
        return {**seen, "result": logger.heard[-1][:300]}
    seen["peak_mb"] = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before_kb) / 1024
    errors = []
    for which in ("shape", "low", "high"):
        feeds = {name: drawn(each, getattr(each, which), types[name]) for name, each in given.items()}
        if which == "shape" or any(getattr(each, which) != each.shape for each in given.values()):
            errors.append(compared(session, theirs, feeds, seen if which == "shape" else {}))
    seen["error"] = max(errors)
    graph = specialise(session.context._profile.graph, {name: each.shape for name, each in given.items()},
                       {name: drawn(each, each.shape, types[name]) for name, each in given.items()})  # fmt: skip
    seen["host"] = len(on_host(graph.ops))
    return {**seen, "sizes": len(errors), "result": "agrees" if seen["error"] < model.tolerance else "differs"}


def with_shapes(given: Given, shape: list) -> Given:
    """With the file's own dimensions where nothing is said, 1 for what those leave open."""
    usual = given.shape if given.shape is not None else tuple(n if isinstance(n, int) else 1 for n in shape)
    return given._replace(shape=usual, low=given.low or usual, high=given.high or usual)


def built(path: Path, given: dict[str, Given], theirs: Any, gpu: bool, seen: dict[str, Any]) -> tuple:
    """(a session, the logger), or None for one that cannot be; seconds go into `seen`."""
    logger = Listener()
    builder = trt.Builder(logger)
    network = builder.create_network(STRONG)
    began = time.perf_counter()
    done = trt.OnnxParser(network, logger).parse_from_file(str(path))
    seen["parse_s"] = time.perf_counter() - began
    if not done:
        return None, logger
    config, profile = builder.create_builder_config(), builder.create_optimization_profile()
    config.target = config.target if gpu else None
    for value in theirs.get_inputs():
        each = given[value.name]
        profile.set_shape(value.name, each.low, each.shape, each.high)
    config.add_optimization_profile(profile)
    began = time.perf_counter()
    plan = builder.build_serialized_network(network, config)
    seen["build_s"] = time.perf_counter() - began
    return (None if plan is None else Session(trt.Runtime(logger).deserialize_cuda_engine(plan), logger)), logger


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


def compared(session: Session, theirs: Any, feeds: dict[str, np.ndarray], seen: dict[str, Any]) -> float:
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
        difference = np.abs(found[value.name] - wanted).max(initial=0)
        worst = max(worst, float(difference / max(1.0, np.abs(wanted).max(initial=0))))
    return worst


if __name__ == "__main__":
    main()
