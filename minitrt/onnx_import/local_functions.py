"""Functions written out where they are called: a model's own, as exporters of PyTorch (torch_lib) leave them, and those
operators of ONNX that nobody imports but that ONNX itself defines by others (AffineGrid, CenterCropPad, losses)."""

from __future__ import annotations

import inspect
from collections.abc import Iterable

import onnx
from onnx.inliner import inline_local_functions, inline_selected_functions

from minitrt.onnx_import.node import importer_of
from minitrt.onnx_import.order import with_inner_nodes

ONNX_CAN = "inline_schema_functions" in inspect.signature(inline_selected_functions).parameters  # newer releases


def inlined(model: onnx.ModelProto) -> onnx.ModelProto:
    """The model without functions. onnx's inliner leaves out the attributes that a call does not give: they get their
    defaults first."""
    if model.functions:
        defaults = {(f.domain, f.name, f.overload): f.attribute_proto for f in model.functions}
        for nodes in (model.graph.node, *(f.node for f in model.functions)):
            give_defaults(nodes, defaults)
        agree_on_versions(model)
        model = inline_local_functions(model)
    composed = [proto for node in model.graph.node for proto in with_inner_nodes(node) if is_composed(proto)]
    if not (composed and ONNX_CAN):
        return model
    try:
        return written_out(model, composed)
    except (RuntimeError, ValueError):  # of types that shape inference does not tell: the operator is refused by name
        return model


def agree_on_versions(model: onnx.ModelProto) -> None:
    """Let functions of another version of ONNX's operators be of the model's, where these operators are the same in
    both: the inliner leaves functions of another version alone."""
    version = next((each.version for each in model.opset_import if each.domain == ""), 0)
    for function in model.functions:
        for own in function.opset_import:
            nodes = [proto for node in function.node for proto in with_inner_nodes(node) if not proto.domain]
            if own.domain == "" and all(since(n.op_type, own.version) == since(n.op_type, version) for n in nodes):
                own.version = version


def since(name: str, version: int) -> int:
    """Since which version an operator is what it is in this one; 0 where there is none."""
    return onnx.defs.get_schema(name, version, "").since_version if onnx.defs.has(name, version, "") else 0


def written_out(model: onnx.ModelProto, composed: list[onnx.NodeProto]) -> onnx.ModelProto:
    """The model with these operators of ONNX as those that they are composed of, and these as theirs. The inliner asks
    for the type of each of their inputs, and knows none of initializers'."""
    give_defaults(composed, {("", p.op_type, ""): defaults_of(p.op_type) for p in composed})
    for each in model.graph.initializer:
        model.graph.value_info.append(onnx.helper.make_tensor_value_info(each.name, each.data_type, each.dims))
    names = sorted({(proto.domain, proto.op_type) for proto in composed})
    typed = onnx.shape_inference.infer_shapes(model)
    return inlined(inline_selected_functions(typed, names, inline_schema_functions=True))


def defaults_of(name: str) -> list[onnx.AttributeProto]:
    attributes = onnx.defs.get_schema(name).attributes.values()
    return [each.default_value for each in attributes if each.default_value.name]


def give_defaults(nodes: Iterable[onnx.NodeProto], defaults: dict) -> None:
    for outermost in nodes:
        for node in with_inner_nodes(outermost):
            given = {attribute.name for attribute in node.attribute}
            missing = defaults.get((node.domain, node.op_type, node.overload), ())
            node.attribute.extend(each for each in missing if each.name not in given)


def is_composed(proto: onnx.NodeProto) -> bool:
    """Whether nobody imports an operator, and ONNX defines it by others."""
    if importer_of(proto) is not None or proto.domain not in ("", "ai.onnx") or not onnx.defs.has(proto.op_type):
        return False
    schema = onnx.defs.get_schema(proto.op_type)
    return schema.has_function or schema.has_context_dependent_function
