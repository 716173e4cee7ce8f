"""warpbook-trtexec: build an engine from ONNX, save it, time it, with trtexec's common flags.

warpbook-trtexec --onnx=net.onnx --stronglyTyped --saveEngine=net.engine --optShapes=input:8x3x224x224
"""

from __future__ import annotations

import json
import math
import sys
import time
import warnings
from pathlib import Path

import numpy as np

import minitrt as trt
from minitrt.calibration.cache import CacheRejected, read
from minitrt.calibration.calibrators import IInt8Calibrator
from minitrt.runtime.session import RunError, Session
from minitrt.trtexec_options import NAMING, Options, parse
from minitrt.trtexec_progress import Progress


def main(arguments: list[str] | None = None) -> int:
    """Run; exit status 0 when everything asked for worked, 1 when it failed, 2 for flags that make no sense."""
    options = parse(sys.argv[1:] if arguments is None else arguments)
    try:
        run(options, trt.Logger(trt.Logger.VERBOSE if options.verbose else trt.Logger.WARNING))
    except (Failed, OSError, RunError) as why:
        print(f"&&&& FAILED warpbook-trtexec {options.line}: {why}", file=sys.stderr)
        return 1
    print(f"&&&& PASSED warpbook-trtexec {options.line}")
    return 0


class Failed(RuntimeError):
    """What was asked for cannot be done; the text says why."""


def run(options: Options, logger: trt.Logger) -> None:
    """Everything that was asked for. Raises: Failed, OSError for files, RunError."""
    data = Path(options.loadEngine).read_bytes() if options.loadEngine else built(options, logger)
    if options.saveEngine:
        Path(options.saveEngine).write_bytes(data)
        print(f"Engine of {len(data) / 1e6:.2f} MB written to {options.saveEngine}")
    if options.skipInference or options.buildOnly:
        return
    engine = trt.Runtime(logger).deserialize_cuda_engine(data)
    if engine is None:
        raise Failed("the engine could not be loaded; the lines above say why")
    check_names(options, [name for name in engine if is_input(engine, name)])
    measured(options, engine)


def check_names(options: Options, inputs: list[str]) -> None:
    """Raises: Failed where a flag names an input that is none."""
    for flag in NAMING:
        for name in getattr(options, flag):
            if name not in inputs:
                raise Failed(f"--{flag} names the input {name!r}, but the inputs are: {', '.join(map(repr, inputs))}")


def built(options: Options, logger: trt.Logger) -> bytes:
    """Parse and build. Raises: Failed."""
    began = time.perf_counter()
    builder = trt.Builder(logger)
    strong = int(trt.NetworkDefinitionCreationFlag.STRONGLY_TYPED)
    network = builder.create_network(1 << strong if options.stronglyTyped else 0)
    parser = trt.OnnxParser(network, logger)
    if not parser.parse_from_file(options.onnx):
        for index in range(parser.num_errors):
            print(f"ONNX: {parser.get_error(index)}", file=sys.stderr)
        raise Failed("the model could not be read; the lines above say why")
    check_names(options, [network.get_input(index).name for index in range(network.num_inputs)])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # who asks for --int8 or --fp16 knows
        config = configured(options, builder)
        if options.int8 and not options.calib:
            guess_ranges(network)
    add_profile(options, builder, network, config)
    data = builder.build_serialized_network(network, config)
    if options.timingCacheFile and config.get_timing_cache() is not None:
        Path(options.timingCacheFile).write_bytes(config.get_timing_cache().serialize())
    if data is None:
        raise Failed("the engine could not be built; the lines above say why")
    print(f"Engine built in {time.perf_counter() - began:.3f} s: {network.num_layers} layers of the network")
    return data


def configured(options: Options, builder: trt.Builder) -> trt.IBuilderConfig:
    config = builder.create_builder_config()
    for flag in ("fp16", "int8", "refit", "stripWeights"):
        if getattr(options, flag):
            config.set_flag(trt.BuilderFlag["STRIP_PLAN" if flag == "stripWeights" else flag.upper()])
    if options.builderOptimizationLevel is not None:
        config.builder_optimization_level = options.builderOptimizationLevel
    for name, megabytes in options.memPoolSize.items():
        pool = {"workspace": "WORKSPACE", "tacticSharedMem": "TACTIC_SHARED_MEMORY"}[name]
        config.set_memory_pool_limit(trt.MemoryPoolType[pool], int(megabytes * 2**20))
    if options.timingCacheFile and Path(options.timingCacheFile).exists():
        cache = config.create_timing_cache(Path(options.timingCacheFile).read_bytes())
        if cache is None or not config.set_timing_cache(cache, False):
            raise Failed(f"{options.timingCacheFile} is no timing cache for this device: remove it, or name another")
    if options.progress or sys.stderr.isatty():
        config.progress_monitor = Progress()
    config.profiling_verbosity = trt.ProfilingVerbosity[options.profilingVerbosity.upper()]
    if options.calib:
        config.int8_calibrator = from_cache(options.calib)
    return config


def guess_ranges(network: trt.INetworkDefinition) -> None:
    """One range for all tensors, as trtexec does without a calibration cache: for timing, not for results."""
    print("INT8 without --calib: every tensor gets the range [-4, 4]; results mean nothing", file=sys.stderr)
    layers = [network.get_layer(index) for index in range(network.num_layers)]
    tensors = [network.get_input(index) for index in range(network.num_inputs)]
    tensors += [layer.get_output(index) for layer in layers for index in range(layer.num_outputs)]
    for tensor in tensors:
        tensor.set_dynamic_range(-4.0, 4.0)


def from_cache(path: str) -> trt.IInt8Calibrator:
    """A calibrator that has the scales of a cache, whatever calibrator wrote it. Raises: Failed, OSError."""
    data = Path(path).read_bytes()
    algorithm = data[:100].decode(errors="replace").partition("\n")[0].strip().rpartition("-")[2]
    kinds = {kind.algorithm: kind for kind in IInt8Calibrator.__subclasses__()}
    if algorithm not in kinds:
        raise Failed(f"{path} is no calibration cache: its first line must end with one of {', '.join(kinds)}")
    try:
        read(data, algorithm)
    except CacheRejected as why:
        raise Failed(f"{path} cannot be used: {why}") from why

    class FromCache(kinds[algorithm]):
        def get_batch_size(self) -> int:
            return 1

        def get_batch(self, names):
            return None

        def read_calibration_cache(self):
            return data

    return FromCache()


def add_profile(options: Options, builder: trt.Builder, network: trt.INetworkDefinition, config) -> None:
    """One profile for all dynamic inputs; --shapes or --optShapes alone stand for all three sizes."""
    profile = builder.create_optimization_profile()
    for index in range(network.num_inputs):
        tensor = network.get_input(index)
        if -1 not in tuple(tensor.shape):
            continue
        opt = options.optShapes.get(tensor.name) or options.shapes.get(tensor.name)
        opt = opt or tuple(1 if n == -1 else n for n in tensor.shape)
        low, high = options.minShapes.get(tensor.name, opt), options.maxShapes.get(tensor.name, opt)
        profile.set_shape(tensor.name, low, opt, high)
    config.add_optimization_profile(profile)


def measured(options: Options, engine: trt.ICudaEngine) -> None:
    """Run, time, and print what trtexec prints."""
    session = Session(engine)
    feeds = {name: input_for(options, engine, name) for name in engine if is_input(engine, name)}
    for _ in range(2):
        session.run(feeds)
    times = timed(options, session, feeds)
    summarise(times, engine, session)
    if options.exportTimes:
        rows = [{"inferenceMs": milliseconds} for milliseconds in times]
        Path(options.exportTimes).write_text(json.dumps(rows, indent=1), encoding="utf-8")
    if options.exportLayerInfo:
        text = engine.create_engine_inspector().get_engine_information(trt.LayerInformationFormat.JSON)
        Path(options.exportLayerInfo).write_text(text, encoding="utf-8")
    if options.dumpLayerInfo:
        print(engine.create_engine_inspector().get_engine_information(trt.LayerInformationFormat.ONELINE))
    if options.dumpProfile or options.exportProfile or options.plotLayers or options.plotRoofline:
        profiled(options, session, feeds)
    if options.exportOutput:
        outputs = {name: array.tolist() for name, array in session.run(feeds).items()}
        Path(options.exportOutput).write_text(json.dumps(outputs), encoding="utf-8")


def is_input(engine: trt.ICudaEngine, name: str) -> bool:
    return engine.get_tensor_mode(name) == trt.TensorIOMode.INPUT


def input_for(options: Options, engine: trt.ICudaEngine, name: str) -> np.ndarray:
    """An input from a file (--loadInputs), or seeded noise."""
    dtype = trt.nptype(engine.get_tensor_dtype(name))
    shape = options.shapes.get(name) or tuple(engine.get_tensor_profile_shape(name, 0)[1])
    if name in options.loadInputs:
        return from_file(name, Path(options.loadInputs[name]), np.dtype(dtype), shape)
    noise = np.random.default_rng(0).random(shape) * 2 - 1
    return noise.astype(dtype) if np.issubdtype(dtype, np.floating) else np.zeros(shape, dtype)


def from_file(name: str, path: Path, dtype: np.dtype, shape: tuple[int, ...]) -> np.ndarray:
    """Raw elements. Raises: Failed for a file of another size; OSError."""
    data, wanted = path.read_bytes(), math.prod(shape) * dtype.itemsize
    if len(data) != wanted:
        sizes = f"{'x'.join(map(str, shape)) or 'one number'} of {dtype}"
        raise Failed(f"{path} has {len(data)} bytes, but input {name!r} ({sizes}) takes {wanted}")
    return np.frombuffer(data, dtype).reshape(shape)


def timed(options: Options, session: Session, feeds: dict[str, np.ndarray]) -> list[float]:
    """Milliseconds of each run: at least --iterations runs and --duration seconds, after --warmUp milliseconds."""
    warm = time.perf_counter() + options.warmUp / 1e3
    session.load(feeds)
    while time.perf_counter() < warm:
        session.execute()
    times, began = [], time.perf_counter()
    while len(times) < options.iterations or time.perf_counter() - began < options.duration:
        start = time.perf_counter()
        session.execute()
        times.append((time.perf_counter() - start) * 1e3)
    return times


def summarise(times: list[float], engine: trt.ICudaEngine, session: Session) -> None:
    ordered = np.sort(times)
    marks = ", ".join(f"percentile({p}%) = {np.percentile(ordered, p):.4f} ms" for p in (90, 95, 99))
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
        Path(options.exportProfile).write_text(
            json.dumps([{"count": options.iterations}, *rows], indent=1), encoding="utf-8"
        )
    draw(options, session, layers)
    if options.dumpProfile:
        print(f"\n=== Profile ({options.iterations} iterations) ===\n   Avg. (ms)    Time %   Layer")
        for row in rows:
            print(f"{row['averageMs']:12.4f} {row['percentage']:9.1f}   {row['name']}")


def draw(options: Options, session: Session, times: dict[str, list[float]]) -> None:
    """The pictures that were asked for."""
    from minitrt import trtexec_plots as plots

    layers = plots.layers_of(session.context._specialised().ops, times)
    title = Path(options.onnx or options.loadEngine).name
    if options.plotLayers:
        plots.draw_times(layers, options.plotLayers, f"{title}: time of each layer")
    if options.plotRoofline:
        limits = plots.ceilings() if session.on_gpu else None
        plots.draw_roofline(layers, limits, options.plotRoofline, f"{title}: operations per second of each layer")


if __name__ == "__main__":
    sys.exit(main())
