"""Plugin layers: what the builder learns of a plugin is asked once, when the layer is added."""

from __future__ import annotations

import base64
import math
from typing import Any

from minitrt.api.enums import LayerType, PluginCapabilityType, TensorFormat
from minitrt.network.layer import ILayer, Param
from minitrt.plugins.exprs import DimsExprs, IDimensionExpr, IExprBuilder, sizes_of
from minitrt.plugins.fields import as_plain
from minitrt.plugins.interfaces import DynamicPluginTensorDesc, PluginTensorDesc
from minitrt.plugins.running import PluginError


class PluginLayer(ILayer):
    """What V2 and V3 layers share."""

    plugin = Param(None)
    described = Param(None)  # the operation's attributes
    types = Param(None)

    def _ops(self, ins, outs):
        for value, dtype in zip(outs, self.types, strict=True):
            value.dtype = dtype
        count = len(ins) - self.described["shape_inputs"]
        given = {f"shape_input_{i}": count + i for i in range(self.described["shape_inputs"])}
        attrs = {**self.described, "dynamic": given} if given else dict(self.described)
        return [self._op("plugin", ins, outs, **attrs)]


class IPluginV3Layer(PluginLayer):
    """A V3 plugin as a layer."""

    LAYER_TYPE = LayerType.PLUGIN_V3


class IPluginV2Layer(PluginLayer):
    """A V2-dynamic plugin as a layer."""

    LAYER_TYPE = LayerType.PLUGIN_V2


def described_v3(plugin: Any, inputs: list, shape_inputs: list) -> tuple[dict[str, Any], list]:
    """Attributes and output types of a V3 plugin. Raises: PluginError when it takes no linear tensors of these
    types."""
    core, build, runtime = (
        plugin.get_capability_interface(getattr(PluginCapabilityType, side)) for side in ("CORE", "BUILD", "RUNTIME")
    )
    types = list(build.get_output_data_types([t.dtype for t in [*inputs, *shape_inputs]]))
    sizes = [sizes_of(tuple(tensor.shape), index) for index, tensor in enumerate(inputs)]
    elements = [
        DimsExprs(IDimensionExpr(["element", len(inputs) + i, j]) for j in range(max(1, math.prod(tensor.shape))))
        for i, tensor in enumerate(shape_inputs)
    ]
    shapes = build.get_output_shapes(sizes, elements, IExprBuilder())
    shapes = list(shapes if isinstance(shapes, list | tuple) else [shapes])
    ins = [dynamic_desc(tensor.shape, tensor.dtype) for tensor in inputs]
    outs = [dynamic_desc([-1] * len(shape), dtype) for shape, dtype in zip(shapes, types, strict=True)]
    check_formats(core.plugin_name, build, [*ins, *outs], len(ins))
    build.configure_plugin(ins, outs)
    tactics = list(build.get_valid_tactics() or [])
    attrs = {
        "api": "V3",
        **identity(core, core.plugin_name),
        "fields": as_plain(runtime.get_fields_to_serialize()),
        "shapes": [shape.trees for shape in shapes],
        "shape_inputs": len(shape_inputs),
        "tactic": int(tactics[0]) if tactics else 0,
        "tactics": [int(t) for t in tactics],
        "workspace": int(build.get_workspace_size(ins, outs) or 0),
    }
    return attrs, types


def described_v2(plugin: Any, inputs: list) -> tuple[dict[str, Any], list]:
    """Attributes and output types of a V2-dynamic plugin. Raises: PluginError."""
    types_in = [tensor.dtype for tensor in inputs]
    sizes = [sizes_of(tuple(tensor.shape), index) for index, tensor in enumerate(inputs)]
    count = plugin.num_outputs
    shapes = [plugin.get_output_dimensions(index, sizes, IExprBuilder()) for index in range(count)]
    types = [plugin.get_output_datatype(index, types_in) for index in range(count)]
    ins = [dynamic_desc(tensor.shape, tensor.dtype) for tensor in inputs]
    outs = [dynamic_desc([-1] * len(shape), dtype) for shape, dtype in zip(shapes, types, strict=True)]
    check_formats(plugin.plugin_type, plugin, [each.desc for each in (*ins, *outs)], len(ins))
    plugin.configure_plugin(ins, outs)
    descs = [[each.desc for each in side] for side in (ins, outs)]
    attrs = {
        "api": "V2",
        **identity(plugin, plugin.plugin_type),
        "data": base64.b64encode(as_bytes(plugin.serialize())).decode(),
        "shapes": [shape.trees for shape in shapes],
        "shape_inputs": 0,
        "workspace": int(plugin.get_workspace_size(*descs) or 0),
    }
    return attrs, types


def as_bytes(serialized: Any) -> bytes:
    """What a plugin's serialize gave, which may be text."""
    return serialized.encode() if isinstance(serialized, str) else bytes(serialized)


def identity(plugin: Any, name: str) -> dict[str, str]:
    namespace = str(getattr(plugin, "plugin_namespace", "") or "")
    return {"name": str(name), "version": str(plugin.plugin_version), "namespace": namespace}


def dynamic_desc(shape, dtype) -> DynamicPluginTensorDesc:
    return DynamicPluginTensorDesc(PluginTensorDesc(shape, dtype), shape, shape, shape)


def check_formats(name: str, build: Any, tensors: list, inputs: int) -> None:
    """The plugin must take row-major tensors of the network's types."""
    for position, tensor in enumerate(tensors):
        if not build.supports_format_combination(position, tensors, inputs):
            desc = tensor.desc if isinstance(tensor, DynamicPluginTensorDesc) else tensor
            side = f"input {position}" if position < inputs else f"output {position - inputs}"
            raise PluginError(f"plugin {name!r} does not take {desc.type} in {TensorFormat.LINEAR} as its {side}")
