"""Nodes whose operator is a registered plugin: attributes become plugin fields. Of one that nobody knows, why."""

from __future__ import annotations

import numpy as np
import onnx

from minitrt.api.enums import PluginFieldType, TensorRTPhase
from minitrt.network.tensor import ITensor
from minitrt.onnx_import.node import LEARNED, OPERATORS, RUNTIME, Node, NodeError, array_of, operator
from minitrt.onnx_import.stored import NOWHERE, Stored
from minitrt.plugins.fields import NUMPY, PluginField, PluginFieldCollection
from minitrt.plugins.interfaces import IPluginCreator
from minitrt.plugins.nvidia import KNOWN, NvidiaPlugin, why_absent
from minitrt.plugins.registry import get_plugin_registry

TYPES = {
    np.dtype(np.float32): PluginFieldType.FLOAT32,
    np.dtype(np.float16): PluginFieldType.FLOAT16,
    np.dtype(np.int8): PluginFieldType.INT8,
    np.dtype(np.int32): PluginFieldType.INT32,
    np.dtype(np.int64): PluginFieldType.INT64,
}
DOMAINS = {
    RUNTIME: "it is ONNX Runtime's own: take the model as it was before ONNX Runtime's optimiser, or export it again",
    LEARNED: "of classical machine learning trees, linear models, support vectors and what prepares numbers for them"
    " run here (TensorRT has none of it): leave this part to ONNX Runtime",
}


@operator(*KNOWN, domains=None)
def of_nvidia(node: Node) -> list[ITensor]:
    """One of NVIDIA's plugins that is here. Raises: NodeError for anchors."""
    node.need(not node.has(2), "its anchors (input 2) are not decoded here: decode the boxes before it")
    plugin = NvidiaPlugin(node.op_type, node.attr("plugin_version", "1"), node.attributes)
    attrs = plugin.operation_attributes()
    return node.builtin(plugin.kind, [node.x, node.tensor(1)], plugin.num_outputs, plugin.types, **attrs)


def creator_of(proto: onnx.NodeProto):
    """The creator for a node: of its operator's name, and the version and namespace that it may name."""
    named = {each.name: onnx.helper.get_attribute_value(each) for each in proto.attribute}
    version = named.get("plugin_version", b"1")
    namespace = named.get("plugin_namespace", b"")
    key = [part.decode() if isinstance(part, bytes) else str(part) for part in (version, namespace)]
    return get_plugin_registry().get_creator(proto.op_type, *key)


def is_plugin(proto: onnx.NodeProto) -> bool:
    return creator_of(proto) is not None


def import_plugin(node: Node) -> list[ITensor]:
    """The layer of a node's plugin; fields are those that the creator names."""
    creator = creator_of(node.proto)
    wanted = {field.name: field.type for field in creator.field_names or ()}
    given = [
        field_of(name, value, wanted[name], node.importing.stored)
        for name, value in node.attributes.items()
        if name in wanted
    ]
    fields = PluginFieldCollection(given)
    inputs = [tensor for tensor in node.tensors() if tensor is not None]
    if isinstance(creator, IPluginCreator):
        layer = node.network.add_plugin_v2(inputs, creator.create_plugin(node.name, fields))
    else:
        layer = node.network.add_plugin_v3(inputs, [], creator.create_plugin(node.name, fields, TensorRTPhase.BUILD))
    if layer is None:
        raise NodeError(f"the plugin {node.op_type!r} cannot be added; the logger knows why")
    return [layer.get_output(index) for index in range(layer.num_outputs)]


def field_of(name: str, value, wanted: PluginFieldType, stored: Stored = NOWHERE) -> PluginField:
    """An ONNX attribute as a field of the type that the creator names; where it names none: integers INT32, numbers
    FLOAT32, texts CHAR, tensors by their type."""
    if isinstance(value, bytes | str):
        return PluginField(name, value, PluginFieldType.CHAR)
    array = array_of(value, stored) if isinstance(value, onnx.TensorProto) else np.atleast_1d(np.asarray(value))
    if wanted not in (PluginFieldType.UNKNOWN, PluginFieldType.CHAR):
        return PluginField(name, array.astype(NUMPY[wanted]), wanted)
    if isinstance(value, onnx.TensorProto):
        return PluginField(name, array, TYPES[array.dtype])
    floating = np.issubdtype(array.dtype, np.floating)
    kind = PluginFieldType.FLOAT32 if floating else PluginFieldType.INT32
    return PluginField(name, array.astype(NUMPY[kind]), kind)


def why_unsupported(proto: onnx.NodeProto) -> str:
    """Of a node whose operator nobody imports, and no plugin is."""
    absent = why_absent(proto.op_type)
    if absent and proto.domain not in DOMAINS:  # ONNX Runtime has a CropAndResize of its own
        return absent
    why = f"operator {proto.op_type!r} is not supported, and no plugin of that name is registered"
    if proto.domain in DOMAINS:
        return f"{why}; {DOMAINS[proto.domain]}"
    if proto.op_type in OPERATORS:
        return f"{why}: in the domain {proto.domain!r} it need not be what ONNX means by it"
    return f"{why} (domain {proto.domain!r})" if proto.domain else why
