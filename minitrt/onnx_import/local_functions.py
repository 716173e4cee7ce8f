"""A model's own functions, written out where they are called, as exporters of PyTorch (torch_lib) leave them."""

from __future__ import annotations

from collections.abc import Iterable

import onnx
from onnx.inliner import inline_local_functions

from minitrt.onnx_import.importing import with_inner_nodes


def inlined(model: onnx.ModelProto) -> onnx.ModelProto:
    """The model without functions. onnx's inliner leaves out the attributes that a call does not give: they get their
    defaults first."""
    if not model.functions:
        return model
    defaults = {(f.domain, f.name, f.overload): f.attribute_proto for f in model.functions}
    for nodes in (model.graph.node, *(f.node for f in model.functions)):
        give_defaults(nodes, defaults)
    return inline_local_functions(model)


def give_defaults(nodes: Iterable[onnx.NodeProto], defaults: dict) -> None:
    for outermost in nodes:
        for node in with_inner_nodes(outermost):
            given = {attribute.name for attribute in node.attribute}
            missing = defaults.get((node.domain, node.op_type, node.overload), ())
            node.attribute.extend(each for each in missing if each.name not in given)
