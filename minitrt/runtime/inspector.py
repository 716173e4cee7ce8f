"""EngineInspector: what an engine consists of, as JSON or one line a layer, with TensorRT's field names."""

from __future__ import annotations

import json
from typing import Any

from minitrt.api import versions
from minitrt.api.enums import LayerInformationFormat
from minitrt.api.sealed import sealed
from minitrt.graph.ir import Op, Value
from minitrt.plan.plan import Choice
from minitrt.runtime.formats import format_description
from minitrt.tactics.contract import tactic_id

LAYER_TYPES = {
    **dict(
        conv="CaskConvolution", deconv="CaskDeconvolution", gemm="CaskGemm", pool="CaskPooling", reformat="Reformat"
    ),
    **dict(pointwise="PointWiseV2", shuffle="Shuffle", reduce="Reduce", softmax="SoftMaxV2", norm="Normalization"),
    **dict(concat="Concat", slice="Slice", resize="Resize", gather="Gather", topk="TopK", plugin="PluginV3"),
    **dict(quantize="Reformat", dequantize="Reformat", fill="Fill", scatter="Scatter", einsum="Einsum"),
}


@sealed
class EngineInspector:
    """Tells about layers as far as the plan's profiling verbosity allows. With an execution context: its profile."""

    def __init__(self, engine):
        self._engine, self.execution_context, self.error_recorder = engine, None, None

    @property
    def _profile(self):
        index = self.execution_context.active_optimization_profile if self.execution_context else 0
        return self._engine._plan.profiles[index]

    def get_layer_information(self, layer_index: int, format: LayerInformationFormat) -> str:
        """One layer: a JSON object or string, or a line."""
        layers = self._layers()
        if not 0 <= layer_index < len(layers):
            self._engine._report.error(f"there is no layer {layer_index}; the engine has {len(layers)}")
            return ""
        layer = layers[layer_index]
        return line(layer) if format == LayerInformationFormat.ONELINE else json.dumps(layer, indent=1)

    def get_engine_information(self, format: LayerInformationFormat) -> str:
        """All layers and bindings."""
        layers, bindings = self._layers(), list(self._engine)
        if format == LayerInformationFormat.ONELINE:
            return "\n".join(["Layers:", *map(line, layers), "Bindings:", *bindings]) + "\n"
        found = {"Layers": layers, "Bindings": bindings, "I/O Tensors": bindings}
        absent = {"10": "I/O Tensors", "11": "Bindings"}.get(versions.version())  # 11 renamed them
        found.pop(absent, None)
        return json.dumps(found, indent=1)

    def _layers(self) -> list[Any]:
        """Names, or objects with everything, as the verbosity says."""
        verbosity, profile = self._engine._plan.verbosity, self._profile
        if verbosity == "NONE":
            return []
        ops = {op.name: op for op in profile.graph.ops}
        if verbosity == "LAYER_NAMES_ONLY":
            return [choice.op for choice in profile.choices]
        return [described(ops[choice.op], choice) for choice in profile.choices]


def line(layer: Any) -> str:
    if isinstance(layer, str):
        return layer
    ins, outs = (", ".join(f"{v['Name']} {v['Dimensions']}" for v in layer[key]) for key in ("Inputs", "Outputs"))
    return f"{layer['Name']} ({layer['LayerType']}): [{ins}] -> [{outs}], {layer['TacticName']}"


def described(op: Op, choice: Choice) -> dict[str, Any]:
    """One layer with TensorRT's fields, those of convolutions included."""
    entry: dict[str, Any] = {
        "Name": op.name,
        "LayerType": LAYER_TYPES.get(op.kind, op.kind.title().replace("_", "")),
        "Inputs": [binding(value) for value in op.present if not value.is_constant],
        "Outputs": [binding(value) for value in op.outputs],
        "ParameterType": {"conv": "Convolution", "deconv": "Deconvolution", "pool": "Pooling"}.get(op.kind, op.kind),
        "TacticName": choice.tactic,
        "TacticValue": f"0x{tactic_id(choice.tactic):016x}",
        "StreamId": 0,
        "Metadata": "\u001e".join(f"[ONNX Layer: {name}]" for name in op.origin),
    }
    if op.kind in ("conv", "deconv", "gemm"):
        entry |= weighted(op)
    if op.kind in ("conv", "deconv", "pool"):
        entry |= windowed(op)
    if op.kind == "pool":
        entry["PoolingType"] = op.attrs["mode"].title()
    if op.kind == "pointwise":
        entry["Operations"] = [step[0] for step in op.attrs["program"]]
    return entry


def binding(value: Value) -> dict[str, Any]:
    return {
        "Name": value.name,
        "Location": "Host" if value.host else "Device",
        "Dimensions": list(value.shape),
        "Format/Datatype": format_description(value),
    }


def weighted(op: Op) -> dict[str, Any]:
    weights, bias, activation = op.input(1), op.input(2), op.attrs.get("activation")
    name = activation["type"].upper() if activation else "NONE"
    return {
        "OutMaps": op.output.shape[1] if op.kind != "gemm" and len(op.output.shape) > 1 else op.output.shape[-1],
        "Groups": op.attrs.get("groups", 1),
        "Weights": {"Type": kind(weights), "Count": weights.size if -1 not in weights.shape else -1},
        "Bias": {"Type": kind(bias), "Count": bias.size if bias is not None and -1 not in bias.shape else 0},
        "HasSparseWeights": 0,
        "HasResidual": int(op.input(3) is not None or "shortcut" in op.attrs),
        "Activation": name,
        "HasBias": int(bias is not None),
        "HasReLU": int(name == "RELU"),
    }


def kind(value: Value | None) -> str:
    names = dict(FLOAT="Float", HALF="Half", INT8="Int8")
    return names.get(value.dtype.name, value.dtype.name.title()) if value is not None else "Float"


def windowed(op: Op) -> dict[str, Any]:
    space = len(op.attrs["kernel"])
    return {
        "Kernel": op.attrs["kernel"],
        "PaddingMode": "kEXPLICIT_ROUND_UP" if op.attrs.get("ceil_mode") else "kEXPLICIT_ROUND_DOWN",
        "PrePadding": op.attrs.get("pads_before") or [0] * space,
        "PostPadding": op.attrs.get("pads_after") or [0] * space,
        "Stride": op.attrs.get("stride") or [1] * space,
        "Dilation": op.attrs.get("dilations") or [1] * space,
    }
