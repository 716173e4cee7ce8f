"""Nodes whose operator is a registered plugin: attributes become plugin fields."""

from __future__ import annotations

import onnx

from minitrt.onnx_import.node import Node


def is_plugin(proto: onnx.NodeProto) -> bool:
    return False


def import_plugin(node: Node):
    raise NotImplementedError(node.op_type)
