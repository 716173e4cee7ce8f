"""Operators whose results or inputs are strings or dictionaries: refused, with the way out."""

from __future__ import annotations

from minitrt.api.enums import ErrorCode
from minitrt.onnx_import.domains.learned.scores import NO_STRINGS
from minitrt.onnx_import.node import LEARNED, Node, NodeError, operator

DICTIONARIES = (
    "it makes a list of dictionaries, and engines give out tensors alone: export without it (skl2onnx's to_onnx and"
    " convert_sklearn with options={id(model): {'zipmap': False}}, onnxmltools' convert_lightgbm with zipmap=False),"
    " and the probabilities are a tensor (N, classes)"
)
WHY = {
    "ZipMap": DICTIONARIES,
    "DictVectorizer": "its input is a dictionary, and engines take tensors alone: give the values as columns",
    "CastMap": "its input is a dictionary, and engines take tensors alone: give the values as columns",
    "CategoryMapper": f"it maps between strings and numbers, and {NO_STRINGS}",
}


@operator(*WHY, domains=(LEARNED,))
def refused(node: Node) -> None:
    raise NodeError(WHY[node.op_type], ErrorCode.UNSUPPORTED_NODE)
