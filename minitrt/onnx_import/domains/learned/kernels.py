"""SVMClassifier and SVMRegressor: rows meet support vectors in a kernel, which coefficients weigh."""

from __future__ import annotations

import itertools

import numpy as np

from minitrt.api.enums import DataType, ErrorCode
from minitrt.network.tensor import ITensor
from minitrt.onnx_import.domains.learned.coupling import MOST_CLASSES, coupled
from minitrt.onnx_import.domains.learned.scores import best, both, labels_of, rows, transformed
from minitrt.onnx_import.expanding import Expansion
from minitrt.onnx_import.node import LEARNED, Node, NodeError, operator

LEAST = 1e-7  # of a probability


@operator("SVMRegressor", domains=(LEARNED,))
def regressor(node: Node) -> ITensor:
    """(N, 1); with one_class 1 for what is inside and -1 outside."""
    e, count = Expansion(node), node.attr("n_supports", 0)
    coefficients = np.array(node.attr("coefficients"), np.float32)
    met = kernel(e, node.attr("support_vectors"), count) if count else rows(e)
    out = shifted(e, e.op("MatMul", met, e.constant(coefficients.reshape(-1, 1))), node.attr("rho")[0])
    if node.attr("one_class", 0):
        inside = e.op("Greater", out, e.constant(0, np.float32))
        out = e.op("Where", inside, e.constant(1, np.float32), e.constant(-1, np.float32))
    return e.result(out)


@operator("SVMClassifier", domains=(LEARNED,))
def classifier(node: Node) -> list[ITensor]:
    """Labels (N,) by votes of each pair of classes, and probabilities, or the pairs' scores."""
    e, labels = Expansion(node), labels_of(node)
    per_class = node.attr("vectors_per_class") or []
    if not sum(per_class):
        return by_products(e, labels)
    if node.attr("prob_a") and len(labels) > MOST_CLASSES:
        raise NodeError(
            f"probabilities of {len(labels)} classes, which an iteration finds, are not supported: of {MOST_CLASSES}"
            " they are. Train the model with probability=False, or leave it to ONNX Runtime",
            ErrorCode.UNSUPPORTED_NODE_ATTR,
        )
    pairs = list(itertools.combinations(range(len(labels)), 2))
    met = kernel(e, node.attr("support_vectors"), sum(per_class))
    scores = e.op("MatMul", met, e.constant(weights_of_pairs(node, per_class, pairs)))
    scores = shifted(e, scores, node.attr("rho")[: len(pairs)])
    chosen = best(e, votes(e, scores, pairs, len(labels)), labels)
    if node.attr("prob_a"):
        found = coupled(e, probabilities(e, scores, len(pairs)), pairs, len(labels))
        return [e.result(chosen), e.result(transformed(e, found))]
    if len(labels) > 2:
        return [e.result(chosen), e.result(transformed(e, scores))]
    node.need(node.attr("post_transform", "NONE") == "NONE", "post_transform of two classes without probabilities")
    node.need(not all(each >= 0 for each in node.attr("coefficients")), "its coefficients have one sign")
    return [e.result(chosen), e.result(both(e, e.op("Neg", scores), scores))]


def by_products(e: Expansion, labels: np.ndarray) -> list[ITensor]:
    """Without support vectors: a row of coefficients for each class."""
    node, coefficients = e.node, np.array(e.node.attr("coefficients"), np.float32)
    node.need(len(labels) > 2, "a linear SVMClassifier of two classes is not supported: export a LinearClassifier")
    scores = e.op("MatMul", rows(e), e.constant(coefficients.reshape(len(labels), -1).T))
    scores = shifted(e, scores, node.attr("rho")[0])
    return [e.result(best(e, scores, labels)), e.result(transformed(e, scores))]


def kernel(e: Expansion, vectors: list[float], count: int) -> str:
    """(N, count): each row with each support vector. Raises: NodeError for a kernel that is not known."""
    node, vectors = e.node, np.array(vectors, np.float32).reshape(count, -1)
    gamma, least, degree = node.attr("kernel_params") or (0.0, 0.0, 0.0)
    kind, x = node.attr("kernel_type", "LINEAR"), rows(e)
    if kind == "RBF":
        apart = e.op("Sub", e.unsqueeze(x, [1]), e.constant(vectors))
        squares = e.reduce("ReduceSum", e.op("Mul", apart, apart), [2], keepdims=0)
        return e.op("Exp", e.op("Mul", squares, e.constant(-gamma, np.float32)))
    product = e.op("MatMul", x, e.constant(vectors.T))
    if kind == "LINEAR":
        return product
    product = shifted(e, e.op("Mul", product, e.constant(gamma, np.float32)), least)
    if kind == "POLY":
        return e.op("Pow", product, e.constant(degree, np.float32))
    node.need(kind == "SIGMOID", f"the kernel {kind} is not known")
    return e.op("Tanh", product)


def shifted(e: Expansion, x: str, by: float | list[float]) -> str:
    return e.op("Add", x, e.constant(by, np.float32))


def weights_of_pairs(node: Node, per_class: list[int], pairs: list[tuple[int, int]]) -> np.ndarray:
    """(vectors, pairs): a pair reads the vectors of its two classes alone."""
    count, ends = sum(per_class), np.cumsum([0, *per_class])
    rows_of = np.array(node.attr("coefficients"), np.float32)[: (len(per_class) - 1) * count].reshape(-1, count)
    found = np.zeros((count, len(pairs)), np.float32)
    for place, (i, j) in enumerate(pairs):
        for own, row in ((i, j - 1), (j, i)):
            found[ends[own] : ends[own + 1], place] = rows_of[row, ends[own] : ends[own + 1]]
    return found


def votes(e: Expansion, scores: str, pairs: list[tuple[int, int]], count: int) -> str:
    """(N, classes): how many pairs each class won; the first of a pair with a score above 0."""
    first, second = np.zeros((2, len(pairs), count), np.float32)
    for place, (i, j) in enumerate(pairs):
        first[place, i], second[place, j] = 1, 1
    won = e.cast(e.op("Greater", scores, e.constant(0, np.float32)), DataType.FLOAT)
    return e.op("Add", e.op("MatMul", won, e.constant(first - second)), e.constant(second.sum(0)))


def probabilities(e: Expansion, scores: str, count: int) -> str:
    """(N, pairs) of the scores (N, pairs): how likely the first of each is."""
    a, b = (e.constant(e.node.attr(name)[:count], np.float32) for name in ("prob_a", "prob_b"))
    first = e.op("Sigmoid", e.op("Neg", e.op("Add", e.op("Mul", scores, a), b)))
    return e.op("Min", e.op("Max", first, e.constant(LEAST, np.float32)), e.constant(1 - LEAST, np.float32))
