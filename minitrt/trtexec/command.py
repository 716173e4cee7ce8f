"""The command: builds or loads an engine, runs it, and tells and writes what it was asked for."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import numpy as np

import minitrt as trt
from minitrt.graph.ir import Graph
from minitrt.runtime.session import Session
from minitrt.trtexec import plots
from minitrt.trtexec.building import Failed, built, check_names
from minitrt.trtexec.files import (
    export_output,
    export_profile,
    export_times,
    input_for,
    print_outputs,
    text_of,
)
from minitrt.trtexec.options import Options, parse
from minitrt.viewer import page as viewer

WRITTEN = (
    "saveEngine timingCacheFile exportTimes exportProfile exportLayerInfo exportOutput plotLayers plotRoofline viewer"
).split()
PICTURES, PICTURE_KINDS = ("plotLayers", "plotRoofline"), (".svg", ".png", ".pdf")
Layers = dict[str, list[float]]  # milliseconds of each run, by layer


def main(arguments: list[str] | None = None) -> int:
    """Run; exit status 0 when everything asked for worked, 1 when it failed, 2 for flags that make no sense."""
    options = parse(sys.argv[1:] if arguments is None else arguments)
    if options.version:
        print(f"warpbook-trtexec, with the flags of TensorRT {trt.__version__}'s")
        return 0
    try:
        run(options, trt.Logger(trt.Logger.VERBOSE if options.verbose else trt.Logger.WARNING))
    except (RuntimeError, OSError) as error:  # what the API refuses, and Failed and RunError among them, says why
        of_a_file = isinstance(error, OSError) and error.filename is not None
        why = f"{error.filename}: {error.strerror}" if of_a_file else error
        print(f"&&&& FAILED warpbook-trtexec {options.line}: {why}", file=sys.stderr)
        return 1
    print(f"&&&& PASSED warpbook-trtexec {options.line}")
    return 0


def run(options: Options, logger: trt.Logger) -> None:
    """Everything that was asked for. Raises: Failed, OSError for files, RunError."""
    check_files(options)
    data = Path(options.loadEngine).read_bytes() if options.loadEngine else built(options, logger)
    if options.saveEngine:
        Path(options.saveEngine).write_bytes(data)
        print(f"Engine of {len(data) / 1e6:.2f} MB written to {options.saveEngine}")
    stops = options.skipInference or options.buildOnly
    if stops and not options.whyNot and not options.viewer:
        return
    runtime = trt.Runtime(logger)
    runtime.engine_host_code_allowed = options.versionCompatible
    engine = runtime.deserialize_cuda_engine(data)
    if engine is None:
        raise Failed("the engine could not be loaded; the lines above say why")
    if options.whyNot:
        print("\n".join(["=== Why not ===", *engine.why_not()]))
    if stops:
        if options.viewer:
            show(options, engine, engine._plan.profiles[0].graph)
        return
    check_names(options, [name for name in engine if is_input(engine, name)])
    measured(options, engine)


def check_files(options: Options) -> None:
    """Raises: Failed, before a long build, for a file that cannot be written."""
    for flag in WRITTEN:
        path = Path(getattr(options, flag) or "none")
        if not (path.parent.is_dir() and os.access(path.parent, os.W_OK)):
            why = "cannot be written to" if path.parent.is_dir() else "is not there"
            raise Failed(f"--{flag}={path}: the folder {path.parent} {why}")
        if path.is_dir():
            raise Failed(f"--{flag}={path} is a folder: name a file")
        if flag in PICTURES and getattr(options, flag) and path.suffix not in PICTURE_KINDS:
            raise Failed(f"--{flag}={path}: the name must end with one of {', '.join(PICTURE_KINDS)}")


def measured(options: Options, engine: trt.ICudaEngine) -> None:
    """Run, time, and print what trtexec prints. Raises: Failed, OSError, RunError."""
    session = Session(engine)
    feeds = {name: input_for(options, engine, name) for name in engine if is_input(engine, name)}
    print("Inputs: " + ", ".join(f"{name} {text_of(array.shape) or 'scalar'}" for name, array in feeds.items()))
    for _ in range(2):
        session.run(feeds)
    times = timed(options, session, feeds)
    summarise(times, engine, options.percentile)
    if options.exportTimes:
        export_times(options.exportTimes, times)
    if options.exportLayerInfo:
        text = engine.create_engine_inspector().get_engine_information(trt.LayerInformationFormat.JSON)
        Path(options.exportLayerInfo).write_text(text, encoding="utf-8")
    if options.dumpLayerInfo:
        print(engine.create_engine_inspector().get_engine_information(trt.LayerInformationFormat.ONELINE))
    if options.dumpProfile or options.exportProfile or options.plotLayers or options.plotRoofline or options.viewer:
        profiled(options, session, feeds)
    if options.exportOutput or options.dumpOutput:
        outputs = session.run(feeds)
        if options.dumpOutput:
            print_outputs(outputs)
        if options.exportOutput:
            export_output(options.exportOutput, outputs)


def is_input(engine: trt.ICudaEngine, name: str) -> bool:
    return engine.get_tensor_mode(name) == trt.TensorIOMode.INPUT


def timed(options: Options, session: Session, feeds: dict[str, np.ndarray]) -> list[float]:
    """Milliseconds of each run: at least --iterations runs and --duration seconds, after --warmUp milliseconds."""
    warm = time.perf_counter() + options.warmUp / 1e3
    session.load(feeds)
    while time.perf_counter() < warm:
        session.execute()
    times, began = [], time.perf_counter()
    while len(times) < max(1, options.iterations) or time.perf_counter() - began < options.duration:
        start = time.perf_counter()
        session.execute()
        times.append((time.perf_counter() - start) * 1e3)
        time.sleep(options.idleTime / 1e3)
    return times


def summarise(times: list[float], engine: trt.ICudaEngine, percentiles: list[float]) -> None:
    ordered = np.sort(times)
    marks = ", ".join(f"percentile({p:g}%) = {np.percentile(ordered, p):.4f} ms" for p in percentiles)
    where = engine._plan.device.name if engine._plan.device else "NumPy reference, no GPU"
    print(f"\n=== Performance summary ({where}) ===")
    print(f"Throughput: {1e3 * len(times) / sum(times):.3f} qps")
    print(
        f"Latency (inputs in place, host waits for each run): min = {ordered[0]:.4f} ms, max = {ordered[-1]:.4f} ms,"
        f" mean = {np.mean(ordered):.4f} ms, median = {np.median(ordered):.4f} ms, {marks}"
    )


class Times(trt.IProfiler):
    """Every layer's times."""

    def __init__(self):
        super().__init__()
        self.layers: dict[str, list[float]] = {}

    def report_layer_time(self, layer_name, ms):
        self.layers.setdefault(layer_name, []).append(ms)


def profiled(options: Options, session: Session, feeds: dict[str, np.ndarray]) -> None:
    """A table of layer times, and the profile file in trtexec's format."""
    session.context.profiler = Times()
    for _ in range(options.iterations):
        session.run(feeds)
    layers = session.context.profiler.layers
    total = sum(np.mean(times) for times in layers.values())
    rows = [
        {
            "name": name,
            "timeMs": float(np.sum(times)),
            "averageMs": float(np.mean(times)),
            "medianMs": float(np.median(times)),
            "percentage": float(100 * np.mean(times) / total),
        }
        for name, times in layers.items()
    ]
    if options.exportProfile:
        export_profile(options.exportProfile, rows, options.iterations)
    draw(options, session, layers)
    if options.dumpProfile:
        print(f"\n=== Profile ({options.iterations} iterations) ===\n   Avg. (ms)    Time %   Layer")
        for row in rows:
            print(f"{row['averageMs']:12.4f} {row['percentage']:9.1f}   {row['name']}")


def draw(options: Options, session: Session, times: dict[str, list[float]]) -> None:
    """The pictures that were asked for."""
    layers = plots.layers_of(session.context._specialised().ops, times)
    title = Path(options.onnx or options.loadEngine).name
    if options.plotLayers:
        plots.draw_times(layers, options.plotLayers, f"{title}: time of each layer")
    if options.plotRoofline:
        limits = plots.ceilings() if session.on_gpu else None
        plots.draw_roofline(layers, limits, options.plotRoofline, f"{title}: operations per second of each layer")
    if options.viewer:
        show(options, session.engine, session.context._specialised(), times, session.on_gpu)


def show(
    options: Options, engine: trt.ICudaEngine, graph: Graph, times: Layers | None = None, gpu: bool = False
) -> None:
    """The page that was asked for."""
    limits = plots.ceilings() if gpu else None
    title = Path(options.onnx or options.loadEngine).name
    viewer.write(options.viewer, title, engine, graph, options.stages, times, limits)
    print(f"Page written to {options.viewer}")
