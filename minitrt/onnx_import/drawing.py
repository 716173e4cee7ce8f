"""Operators that draw random numbers: others at each node, the same ones in each run."""

from __future__ import annotations

import zlib

from minitrt.api.enums import DataType
from minitrt.network.tensor import ITensor
from minitrt.onnx_import.node import Node, operator

NORMAL = ("RandomNormal", "RandomNormalLike")


@operator("RandomNormal", "RandomUniform", "RandomNormalLike", "RandomUniformLike")
def drawn(node: Node) -> ITensor:
    """Numbers of a mean and a deviation, or between two ends, of a shape that is given or an input's."""
    normal, like = node.op_type in NORMAL, node.op_type.endswith("Like")
    low, high = ("mean", "scale") if normal else ("low", "high")
    dtype = node.type_of(node.attr("dtype")) if node.attr("dtype") else node.dtype() if like else DataType.FLOAT
    seed = zlib.crc32(f"{node.name} {node.attr('seed', 0)}".encode())
    how = "random_normal" if normal else "random_uniform"
    attrs = dict(op=how, alpha=node.attr(low, 0.0), beta=node.attr(high, 1.0), seed=seed)
    if not like:
        return node.builtin("fill", [], types=[dtype], shape=node.attr("shape"), **attrs)
    sizes = node.network.add_shape(node.x).get_output(0)
    return node.builtin("fill", [sizes], types=[dtype], dynamic={"shape": 0}, **attrs)
