"""Weak typing, which TensorRT 11 removed: INT8 from a calibrator or dynamic ranges, FP16 where the builder likes it."""

from __future__ import annotations

from typing import Any

from minitrt.api.enums import DataType, LayerType, NetworkDefinitionCreationFlag, QuantizationFlag
from minitrt.api.logger import Reporter
from minitrt.builder.config import IBuilderConfig
from minitrt.builder.io_types import asked_types, convert_ends, quantise_ends
from minitrt.calibration.collect import asked, scale_of, scales_from
from minitrt.graph.copying import copy_graph
from minitrt.graph.ir import Graph, Op
from minitrt.network.definition import INetworkDefinition
from minitrt.network.lower import InvalidNetwork
from minitrt.passes import half, precision
from minitrt.passes.pipeline import fuse_floating

TYPE_FLAGS = "FP16", "BF16", "INT8", "FP8", "INT4", "FP4"
QUANTISING = LayerType.QUANTIZE, LayerType.DEQUANTIZE


class WeakTypes:
    """What a configuration asks of types. settings: the same as plain data, so that a refit can do it again.

    Raises: InvalidNetwork for a strongly typed network with a flag that lets the builder choose types.
    """

    def __init__(self, network: INetworkDefinition, config: IBuilderConfig, flags: list[str], report: Reporter):
        self.network, self.config, self.report = network, config, report
        strong = network.get_flag(NetworkDefinitionCreationFlag.STRONGLY_TYPED)
        asked = [f"BuilderFlag.{name}" for name in TYPE_FLAGS if name in flags]
        if strong and asked:
            raise InvalidNetwork(
                f"a strongly typed network takes no {' or '.join(asked)}: its own types, casts and Q/DQ say what is"
                " computed how. Leave the flag out, or make the network without STRONGLY_TYPED."
            )
        explicit = any(layer.LAYER_TYPE in QUANTISING for layer in network._layers)
        self.int8, self.fp16 = ("INT8" in flags and not explicit), "FP16" in flags
        self.fixed = {layer.name: layer._precision for layer in network._layers if layer._precision is not None}
        why = why_no_calibration(strong, explicit, "INT8" in flags)
        if config._calibrator is not None and why:
            report.warning(f"the calibrator {type(config._calibrator).__name__} is not used: {why}")

    def scales(self, graph: Graph, shapes: dict[str, tuple[int, ...]]) -> dict[str, float]:
        """Scale of every tensor that has one: from the calibrator, or from its dynamic range, which counts more."""
        found: dict[str, float] = {}
        calibrator = self.config._calibrator
        if calibrator is not None:
            before = calibrator.before_fusion or self.config.get_quantization_flag(
                QuantizationFlag.CALIBRATE_BEFORE_FUSION
            )
            measured = copy_graph(graph)
            if not before:
                fuse_floating(measured, self.report.verbose)
            sized = {n: (asked(calibrator, "get_batch_size"), *s[1:]) if -1 in s[:1] else s for n, s in shapes.items()}
            found = scales_from(calibrator, measured, sized, self.config.target is not None, self.report)
        return found | ranges_of(graph)

    def apply(self, graph: Graph, shapes: dict[str, tuple[int, ...]]) -> dict[str, Any]:
        """Put quantisers where INT8 is asked for. Returns the settings."""
        settings: dict[str, Any] = {"int8": self.int8, "fp16": self.fp16}
        settings["fixed"] = {name: dtype.name for name, dtype in self.fixed.items()}
        scales = self.scales(graph, shapes) if self.int8 else ranges_of(graph)
        if self.int8:
            settings["scales"] = scales
        settings["ends"] = asked_types(self.network, graph, scales)
        apply_before_passes(graph, settings, self.report)
        return settings


def why_no_calibration(strong: bool, explicit: bool, int8: bool) -> str:
    """Why a calibrator has nothing to do, or "" where it has. explicit: the network has Q or DQ layers."""
    if strong:
        return (
            "a strongly typed network has INT8 only where Q and DQ layers are. Make the network with create_network(0)"
            " and set BuilderFlag.INT8, or quantise the model explicitly."
        )
    if explicit:
        return "the network has Q and DQ layers, and they alone say what is INT8."
    return "" if int8 else "BuilderFlag.INT8 is not set. Call config.set_flag(trt.BuilderFlag.INT8)."


def ranges_of(graph: Graph) -> dict[str, float]:
    """Scale of every tensor that has a dynamic range."""
    ranged = [value for value in graph.values() if value.range is not None]
    return {value.name: scale_of(max(abs(limit) for limit in value.range)) for value in ranged}


def is_activation(value) -> bool:
    return value.dtype == DataType.FLOAT and not value.is_constant and not value.host


def apply_before_passes(graph: Graph, settings: dict[str, Any], report: Reporter) -> None:
    """The quantisers of settings; builds and refits share this."""
    if settings.get("int8"):
        fuse_floating(graph, report.verbose)
        missing = [v.name for v in graph.values() if is_activation(v) and v.name not in settings["scales"]]
        if missing:
            some = ", ".join(missing[:5]) + (", ..." if len(missing) > 5 else "")
            report.warning(f"{len(missing)} tensors have no scale and stay out of INT8: {some}")
        precision.quantise_weakly(graph, dict(settings["scales"]), report.verbose, lambda op: may(op, settings, "INT8"))
    quantise_ends(graph, settings.get("ends", {}))


def apply_after_passes(graph: Graph, settings: dict[str, Any], report: Reporter) -> None:
    """FP16 for what is floating still, and for inputs and outputs that shall be."""
    if settings.get("fp16"):
        half.to_half(graph, report.verbose, lambda op: may(op, settings, "HALF"))
    convert_ends(graph, settings.get("ends", {}))


def may(op: Op, settings: dict[str, Any], dtype: str) -> bool:
    """Whether no layer behind an operation was given another precision."""
    fixed = settings.get("fixed", {})
    return all(fixed.get(name, dtype) == dtype for name in op.origin)
