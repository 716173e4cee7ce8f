"""Build an engine from an ONNX model, feed it, and time it: back to back for a while, or one run at a time."""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import median
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

import minitrt as trt
from minitrt.device.driver import Event, Memory, Stream, download, upload
from minitrt.kernels.pool import CACHE_VARIABLE

WARM_UP, SINGLE_RUNS, BURST_RUNS, RUNS_A_MEASUREMENT = 10, 30, 50, 200
NOT_TIMED_US = 1e5  # no kernel: more than any takes


class Pairs(trt.Logger):
    """A logger that prints warnings, and keeps what the builder says of layers that could be one operation."""

    SAID = re.compile(r"(.*) and (.*): ([\d.]+) us as one operation, ([\d.]+) us as two")

    def __init__(self) -> None:
        super().__init__(trt.Logger.WARNING)
        self.found: list[dict[str, Any]] = []

    def log(self, severity: trt.Logger.Severity, msg: str) -> None:
        super().log(severity, msg)
        said = self.SAID.fullmatch(msg)
        if said and float(said[3]) < NOT_TIMED_US:
            layers = [without_weights(name) for name in said.groups()[:2]]
            self.found.append({"layers": layers, "one_us": float(said[3]), "two_us": float(said[4])})


def without_weights(name: str) -> str:
    """The layers that an operation stands for, from its name."""
    return " + ".join(part for part in name.split(" + ") if ".weight" not in part)


@dataclass
class Built:
    """An engine and what its build took. cache: the timing cache's bytes afterwards; pairs: of layers, as `Pairs`
    keeps them."""

    engine: Any
    context: Any
    cache: bytes
    plan_bytes: int
    build_s: float
    start_s: float  # from the plan's bytes to a context
    pairs: list[dict[str, Any]]

    @property
    def made_of(self) -> str:
        """Twelve digits for the layers and the tactics that run them."""
        choices = [(choice.op, choice.tactic) for choice in self.engine._plan.profiles[0].choices]
        return hashlib.sha1(json.dumps(choices).encode()).hexdigest()[:12]


def same_numerics(earlier: dict[str, Any], built: Built) -> dict[str, Any]:
    """What an earlier run says of an engine's numbers, where that engine had the same layers and kernels."""
    numbers = earlier.get("numerics", {})
    return {"numerics": numbers} if numbers.get("of") == built.made_of else {}


class BuildFailed(RuntimeError):
    """The builder answered None; its reasons are in the log."""


@contextmanager
def without_kept_code() -> Iterator[None]:
    """Builds compile what they choose, as where there is a timing cache and no machine code of an earlier one."""
    kept = os.environ.get(CACHE_VARIABLE)
    os.environ[CACHE_VARIABLE] = ""
    try:
        yield
    finally:
        del os.environ[CACHE_VARIABLE]
        if kept is not None:
            os.environ[CACHE_VARIABLE] = kept


def build(model: onnx.ModelProto, cache: bytes = b"") -> Built:
    """An engine for the model on this GPU. Raises: BuildFailed."""
    logger = Pairs()
    builder = trt.Builder(logger)
    network = builder.create_network(1 << int(trt.NetworkDefinitionCreationFlag.STRONGLY_TYPED))
    parser = trt.OnnxParser(network, logger)
    if not parser.parse(model.SerializeToString()):
        raise BuildFailed("; ".join(parser.get_error(i).desc() for i in range(parser.num_errors)))
    config = builder.create_builder_config()
    config.profiling_verbosity = trt.ProfilingVerbosity.DETAILED
    config.set_timing_cache(config.create_timing_cache(cache), False)
    began = time.perf_counter()
    plan = builder.build_serialized_network(network, config)
    build_s = time.perf_counter() - began
    if plan is None:
        raise BuildFailed("the builder answered None")
    began = time.perf_counter()
    engine = trt.Runtime(logger).deserialize_cuda_engine(plan)
    context = engine.create_execution_context()
    start_s = time.perf_counter() - began
    cache = bytes(config.get_timing_cache().serialize())
    return Built(engine, context, cache, len(plan), build_s, start_s, logger.found)


class Runner:
    """A context with memory for its tensors, on a stream of its own."""

    def __init__(self, built: Built, inputs: dict[str, np.ndarray]) -> None:
        self.context, self.stream, self.tensors = built.context, Stream(), {}
        for index in range(built.engine.num_io_tensors):
            name = built.engine.get_tensor_name(index)
            shape, dtype = tuple(built.engine.get_tensor_shape(name)), trt.nptype(built.engine.get_tensor_dtype(name))
            array = np.ascontiguousarray(inputs.get(name, np.zeros(shape, dtype)), dtype)
            memory = Memory(array.nbytes)
            upload(memory.address, array)
            self.tensors[name] = memory, array
            self.context.set_tensor_address(name, memory.address)
        began = time.perf_counter()
        self.enqueue()
        self.stream.synchronize()
        self.first_run_s = time.perf_counter() - began

    def enqueue(self) -> None:
        if not self.context.execute_async_v3(int(self.stream)):
            raise RuntimeError("execute_async_v3 failed; the log has the reason")

    def output(self, name: str) -> np.ndarray:
        """An output after everything that was enqueued."""
        memory, array = self.tensors[name]
        return download(memory.address, array.copy(), int(self.stream))

    def time_us(self, runs: int) -> float:
        """Microseconds a run of `runs` enqueued back to back."""
        begin = Event().record(int(self.stream))
        for _ in range(runs):
            self.enqueue()
        return Event().record(int(self.stream)).us_since(begin) / runs

    def short(self) -> dict[str, float]:
        """The median of single runs, and a burst."""
        self.time_us(WARM_UP)
        return {
            "single_us": round(median(self.time_us(1) for _ in range(SINGLE_RUNS)), 1),
            "burst_us": round(self.time_us(BURST_RUNS), 1),
        }

    def sustained(self, seconds: float) -> dict[str, Any]:
        """Back to back for so long, with the clock, power and temperature near the end."""
        times, began, state = [], time.perf_counter(), ""
        while (elapsed := time.perf_counter() - began) < seconds:
            times.append(self.time_us(RUNS_A_MEASUREMENT))
            if not state and elapsed > 0.8 * seconds:
                state = clocks()
        return {"seconds": round(elapsed, 1), "mean_us": round(float(np.mean(times)), 1), "clocks": state}


def clocks() -> str:
    """SM clock, power and temperature of the first GPU that this process sees, as nvidia-smi tells them."""
    asked = ["nvidia-smi", "--query-gpu=clocks.sm,power.draw,temperature.gpu", "--format=csv,noheader"]
    first = os.environ.get("CUDA_VISIBLE_DEVICES", "").split(",")[0] or "0"
    return subprocess.run([*asked, "-i", first], capture_output=True, text=True).stdout.strip()


def halved(model: onnx.ModelProto) -> onnx.ModelProto:
    """The same network in float16, with float32 input and output: a cast behind the one and before the other."""
    graph = model.graph
    for tensor in graph.initializer:
        if tensor.data_type == TensorProto.FLOAT:
            half = numpy_helper.to_array(tensor).astype(np.float16)
            tensor.CopyFrom(numpy_helper.from_array(half, tensor.name))
    first, last = graph.input[0].name, graph.output[0].name
    renamed = {first: f"{first}_half", last: f"{last}_half"}
    for node in graph.node:
        for names in (node.input, node.output):
            for place, name in enumerate(names):
                names[place] = renamed.get(name, name)
    graph.node.insert(0, helper.make_node("Cast", [first], [renamed[first]], to=TensorProto.FLOAT16))
    graph.node.append(helper.make_node("Cast", [renamed[last]], [last], to=TensorProto.FLOAT))
    del graph.value_info[:]
    return model
