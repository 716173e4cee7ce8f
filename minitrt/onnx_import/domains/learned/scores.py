"""What a model's scores become: probabilities, a column for the second of two classes, labels."""

from __future__ import annotations

import numpy as np

from minitrt.api.enums import DataType, ErrorCode
from minitrt.onnx_import.expanding import Expansion
from minitrt.onnx_import.node import Node, NodeError

NO_STRINGS = (
    "engines have no strings: train the model on numbers (sklearn's LabelEncoder makes them of words) and export it"
    " again, or leave this part to ONNX Runtime"
)
ZERO = 1e-7  # SOFTMAX_ZERO leaves alone what is no further from 0


def rows(e: Expansion, index: int = 0) -> str:
    """An input (N, F), or (F,) as one row, as FLOAT. Raises: NodeError for another rank."""
    x = e.given(index)
    rank = e.rank(x)
    e.node.need(rank in (1, 2), f"its input has {rank} axes, but must have rows and columns")
    x = e.reshape(x, [1, -1]) if rank == 1 else x
    return floats(e, x)


def floats(e: Expansion, x: str) -> str:
    return x if e.dtype(x) == DataType.FLOAT else e.cast(x, DataType.FLOAT)


def labels_of(node: Node) -> np.ndarray:
    """The classes' labels, int64. Raises: NodeError for strings."""
    if node.attr("classlabels_strings"):
        raise NodeError(f"its labels are strings, and {NO_STRINGS}", ErrorCode.UNSUPPORTED_NODE_DATATYPE)
    found = node.attr("classlabels_ints") or node.attr("classlabels_int64s")
    node.need(bool(found), "it has no labels of its classes")
    return np.array(found, np.int64)


def best(e: Expansion, scores: str, labels: np.ndarray) -> str:
    """(N,): the label of each row's largest score, the first of equal ones."""
    return e.op("Gather", e.constant(labels), e.op("ArgMax", scores, axis=1, keepdims=0))


def above(e: Expansion, score: str, limit: float, labels: np.ndarray) -> str:
    """(N,): the second label for rows of (N, 1) above the limit, the first for the others."""
    chosen = e.op("Greater", score, e.constant(limit, np.float32))
    return e.reshape(e.op("Where", chosen, e.constant(labels[1]), e.constant(labels[0])), [-1])


def both(e: Expansion, first: str, second: str) -> str:
    return e.op("Concat", first, second, axis=1)


def transformed(e: Expansion, scores: str) -> str:
    """Scores (N, classes) after the node's post_transform. Raises: NodeError for PROBIT."""
    kind = e.node.attr("post_transform", "NONE")
    if kind == "NONE":
        return scores
    if kind == "LOGISTIC":
        return e.op("Sigmoid", scores)
    if kind == "SOFTMAX":
        return e.op("Softmax", scores, axis=1)
    if kind == "SOFTMAX_ZERO":
        return softmax_zero(e, scores)
    raise NodeError(
        f"the post_transform {kind} is not supported: NONE, LOGISTIC, SOFTMAX and SOFTMAX_ZERO are",
        ErrorCode.UNSUPPORTED_NODE_ATTR,
    )


def softmax_zero(e: Expansion, scores: str) -> str:
    """Softmax in which a score of 0 stays 0."""
    most = e.reduce("ReduceMax", scores, [1])
    far = e.op("Greater", e.op("Abs", scores), e.constant(ZERO, np.float32))
    left = e.op("Mul", scores, e.op("Exp", e.op("Neg", most)))
    powers = e.op("Where", far, e.op("Exp", e.op("Sub", scores, most)), left)
    return e.op("Div", powers, e.reduce("ReduceSum", powers, [1]))
