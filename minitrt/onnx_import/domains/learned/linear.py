"""LinearClassifier and LinearRegressor: one product."""

from __future__ import annotations

import numpy as np

from minitrt.network.tensor import ITensor
from minitrt.onnx_import.domains.learned.scores import above, best, both, labels_of, rows, transformed
from minitrt.onnx_import.expanding import Expansion
from minitrt.onnx_import.node import LEARNED, Node, operator


@operator("LinearRegressor", domains=(LEARNED,))
def regressor(node: Node) -> ITensor:
    e = Expansion(node)
    return e.result(transformed(e, product(e, node.attr("targets", 1))))


@operator("LinearClassifier", domains=(LEARNED,))
def classifier(node: Node) -> list[ITensor]:
    """Labels (N,) and scores (N, classes). One row of coefficients tells two classes apart."""
    e, labels = Expansion(node), labels_of(node)
    count = len(node.attr("intercepts") or labels)
    scores = product(e, count)
    if count > 1:
        node.need(len(labels) >= count, f"it has {len(labels)} labels for {count} classes")
        return [e.result(best(e, scores, labels)), e.result(transformed(e, scores))]
    two = len(labels) == 2
    chosen = above(e, scores, 0.0, labels if two else np.array([0, 1]))
    return [e.result(chosen), e.result(second_class(e, scores) if two else transformed(e, scores))]


def second_class(e: Expansion, score: str) -> str:
    """Columns of both classes from the score (N, 1) of the second: as it is, the first gets what is left of 1."""
    if e.node.attr("post_transform", "NONE") == "LOGISTIC":
        return both(e, e.op("Sigmoid", e.op("Neg", score)), e.op("Sigmoid", score))
    return both(e, e.op("Sub", e.constant(1, np.float32), score), score)


def product(e: Expansion, count: int) -> str:
    """Rows times coefficients (count, F), plus intercepts: (N, count)."""
    node, coefficients = e.node, np.array(e.node.attr("coefficients"), np.float32)
    node.need(coefficients.size % count == 0, f"{coefficients.size} coefficients are no rows of {count} results")
    out = e.op("MatMul", rows(e), e.constant(coefficients.reshape(count, -1).T))
    intercepts = node.attr("intercepts")
    return e.op("Add", out, e.constant(intercepts, np.float32)) if intercepts else out
