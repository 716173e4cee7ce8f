"""From the command line's flags to an engine's bytes."""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Sequence
from pathlib import Path

import minitrt as trt
from minitrt.api import versions
from minitrt.calibration.cache import CacheRejected, read
from minitrt.calibration.calibrators import IInt8Calibrator
from minitrt.trtexec.options import NAMING, SIZES, Options
from minitrt.trtexec.progress import Progress

REAL = trt.DataType.FLOAT, trt.DataType.HALF
WEAK = "fp16", "int8", "calib", "layerPrecisions", "layerOutputTypes"


class Failed(RuntimeError):
    """What was asked for cannot be done; the text says why."""


def built(options: Options, logger: trt.Logger) -> bytes:
    """Parse and build. Raises: Failed, OSError."""
    began = time.perf_counter()
    check_version(options)
    builder = trt.Builder(logger)
    strong = int(trt.NetworkDefinitionCreationFlag.STRONGLY_TYPED)
    network = builder.create_network(1 << strong if options.stronglyTyped else 0)
    parser = trt.OnnxParser(network, logger)
    if not parser.parse_from_file(options.onnx):
        for index in range(parser.num_errors):
            print(f"ONNX: {parser.get_error(index)}", file=sys.stderr)
        raise Failed("the model could not be read; the lines above say why")
    inputs = [network.get_input(index) for index in range(network.num_inputs)]
    check_names(options, [tensor.name for tensor in inputs])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # who asks for --int8 or --fp16 knows
        config = configured(options, builder)
        set_types(options, network)
        if options.int8 and not options.calib:
            guess_ranges(network)
    add_profile(options, builder, inputs, config)
    config._stages = options.stages
    data = builder.build_serialized_network(network, config)
    if options.timingCacheFile and config.get_timing_cache() is not None:
        Path(options.timingCacheFile).write_bytes(config.get_timing_cache().serialize())
    elif options.timingCacheFile:
        print(f"{options.timingCacheFile} is not written: without a GPU no tactic is timed")
    if data is None:
        raise Failed("the engine could not be built; the lines above say why")
    print(f"Engine built in {time.perf_counter() - began:.3f} s: {network.num_layers} layers of the network")
    return data


def check_version(options: Options) -> None:
    """Raises: Failed for a flag of weak typing where the names of TensorRT 11 were asked for."""
    given = [name for name in WEAK if getattr(options, name)]
    if given and versions.version() == "11":
        raise Failed(
            f"--{given[0]} is of TensorRT 8 to 10, and MINITRT_API=11 was asked for: give the model its types, with"
            " casts and QuantizeLinear and DequantizeLinear"
        )


def check_names(options: Options, inputs: list[str]) -> None:
    """Raises: Failed where a flag names an input that is none, or a file of one that is not there."""
    for flag in NAMING:
        for name in getattr(options, flag):
            if name not in inputs:
                raise Failed(f"--{flag} names the input {name!r}, but the inputs are: {', '.join(map(repr, inputs))}")
    for name, file in options.loadInputs.items():
        if not Path(file).is_file():
            raise Failed(f"--loadInputs={name}:{file}: there is no such file")


def configured(options: Options, builder: trt.Builder) -> trt.IBuilderConfig:
    config = builder.create_builder_config()
    flags = dict(fp16="FP16", int8="INT8", refit="REFIT", stripWeights="STRIP_PLAN")
    for name, flag in {**flags, "versionCompatible": "VERSION_COMPATIBLE"}.items():
        if getattr(options, name):
            config.set_flag(trt.BuilderFlag[flag])
    if options.builderOptimizationLevel is not None:
        config.builder_optimization_level = options.builderOptimizationLevel
    for name, nbytes in options.memPoolSize.items():
        pool = {"workspace": "WORKSPACE", "tacticSharedMem": "TACTIC_SHARED_MEMORY"}[name]
        config.set_memory_pool_limit(trt.MemoryPoolType[pool], nbytes)
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


def set_types(options: Options, network: trt.INetworkDefinition) -> None:
    """Types and formats at the ends, and of layers. Raises: Failed."""
    ends = [network.get_input(index) for index in range(network.num_inputs)]
    set_formats("inputIOFormats", options.inputIOFormats, ends)
    set_formats("outputIOFormats", options.outputIOFormats, [network.get_output(i) for i in range(network.num_outputs)])
    layers = {network.get_layer(index).name: network.get_layer(index) for index in range(network.num_layers)}
    for flag in ("layerPrecisions", "layerOutputTypes"):
        given = getattr(options, flag)
        if given and options.stronglyTyped:
            raise Failed(f"--{flag} is for weakly typed networks: leave --stronglyTyped out, or cast in the model")
        for name in given.keys() - layers.keys() - {"*"}:
            raise Failed(f"--{flag} names the layer {name!r}, and the network has none. --verbose lists them")
        for name, layer in layers.items():
            dtype = given.get(name, given.get("*"))
            if dtype is not None and flag == "layerPrecisions":
                layer.precision = dtype
            elif dtype is not None and (name in given or layer.get_output_type(0) in REAL):
                layer.set_output_type(0, dtype)


def set_formats(flag: str, given: Sequence[tuple[trt.DataType, int]], tensors: Sequence[trt.ITensor]) -> None:
    if given and len(given) not in (1, len(tensors)):
        names = ", ".join(repr(tensor.name) for tensor in tensors)
        raise Failed(f"--{flag} gives {len(given)} types for {len(tensors)} tensors ({names}): give one, or one each")
    for index, tensor in enumerate(tensors if given else ()):
        dtype, mask = given[index if len(given) > 1 else 0]
        if tensor.dtype != dtype:
            tensor.dtype = dtype
        tensor.allowed_formats = mask


def guess_ranges(network: trt.INetworkDefinition) -> None:
    """One range for all tensors, as trtexec does without a calibration cache: for timing, not for results."""
    layers = [network.get_layer(index) for index in range(network.num_layers)]
    if any(layer.type in (trt.LayerType.QUANTIZE, trt.LayerType.DEQUANTIZE) for layer in layers):
        return
    print("INT8 without --calib: every tensor gets the range [-4, 4]; results mean nothing", file=sys.stderr)
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


def add_profile(options: Options, builder: trt.Builder, inputs: Sequence[trt.ITensor], config) -> None:
    """One profile for all open sizes, and all elements of shape tensors; --shapes or --optShapes alone stand for
    minimum, optimum and maximum. Raises: Failed for shape tensors that no flag gives elements."""
    profile = builder.create_optimization_profile()
    named: list[dict[str, int]] = [{}, {}, {}]  # of each end: dimension name -> size, of the inputs that flags name
    waiting = []
    for tensor in inputs:
        if -1 not in tuple(tensor.shape) and not tensor.is_shape_tensor:
            check_fixed(options, tensor)
            continue
        opt = options.optShapes.get(tensor.name) or options.shapes.get(tensor.name)
        opt = opt or options.maxShapes.get(tensor.name) or options.minShapes.get(tensor.name)
        if opt is None and tensor.is_shape_tensor:
            raise Failed(f"input {tensor.name!r} decides shapes: give its elements, --shapes={tensor.name}:AxBxC")
        if opt is None:
            waiting.append(tensor)
            continue
        ends = options.minShapes.get(tensor.name, opt), opt, options.maxShapes.get(tensor.name, opt)
        if tensor.is_shape_tensor:
            profile.set_shape_input(tensor.name, *ends)  # elements, which no dimension has a name for
            continue
        profile.set_shape(tensor.name, *ends)
        for sizes, end in zip(named, ends, strict=True):
            sizes |= {name: n for axis, n in enumerate(end) if (name := tensor.get_dimension_name(axis))}
    for tensor in waiting:
        override(profile, tensor, named)
    config.add_optimization_profile(profile)


def override(profile: trt.IOptimizationProfile, tensor: trt.ITensor, named: Sequence[dict[str, int]]) -> None:
    """The shape of an input that no flag names: 1 where it is open, as trtexec takes, or what a dimension of the same
    name is elsewhere, which it must equal."""
    names = [tensor.get_dimension_name(axis) for axis in range(len(tensor.shape))]
    low, opt, high = (
        tuple(sizes.get(name or "", 1) if n == -1 else n for name, n in zip(names, tensor.shape, strict=True))
        for sizes in named
    )
    print(
        f"Dynamic dimensions required for input: {tensor.name}, but no shapes were provided."
        f" Automatically overriding shape to: {'x'.join(map(str, opt))}"
    )
    profile.set_shape(tensor.name, low, opt, high)


def check_fixed(options: Options, tensor: trt.ITensor) -> None:
    """Raises: Failed for a size other than that which the model fixes."""
    for flag in SIZES:
        given = getattr(options, flag).get(tensor.name, tuple(tensor.shape))
        if given != tuple(tensor.shape):
            text, fixed = ("x".join(map(str, each)) for each in (given, tensor.shape))
            raise Failed(
                f"--{flag}={tensor.name}:{text}, but the model fixes this input to {fixed}. Export it with open sizes"
                " (dynamic_axes or dynamic_shapes in torch.onnx.export)"
            )
