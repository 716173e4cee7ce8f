"""TreeEnsembleClassifier and TreeEnsembleRegressor: every row walks down all trees at once, a level a step."""

from __future__ import annotations

import numpy as np

from minitrt.api.enums import ErrorCode
from minitrt.network.tensor import ITensor
from minitrt.onnx_import.domains.learned.forests import Forest, numbers, of_nodes
from minitrt.onnx_import.domains.learned.scores import above, best, both, labels_of, rows, transformed
from minitrt.onnx_import.expanding import Expansion
from minitrt.onnx_import.node import LEARNED, Node, NodeError, operator

TOGETHER = {"SUM": "ReduceSum", "AVERAGE": "ReduceMean", "MIN": "ReduceMin", "MAX": "ReduceMax"}


@operator("TreeEnsembleRegressor", domains=(LEARNED,))
def regressor(node: Node) -> ITensor:
    """(N, targets): what the leaves say of each target, together, and base_values."""
    e, targets = Expansion(node), node.attr("n_targets", 1)
    trees, place = of_nodes(node)
    table, said = leaves(node, "target", place, targets)
    how = node.attr("aggregate_function", "SUM")
    node.need(how in TOGETHER, f"the aggregate_function {how} is not known")
    if how in ("MIN", "MAX") and not said[trees.leaf].all():
        raise NodeError(f"{how} of trees whose leaves leave out targets is not supported")
    return e.result(transformed(e, with_base(e, walked(e, trees, table, TOGETHER[how]), targets)))


@operator("TreeEnsembleClassifier", domains=(LEARNED,))
def classifier(node: Node) -> list[ITensor]:
    """Labels (N,) and scores (N, classes), as ONNX Runtime reads what ONNX leaves open of two classes."""
    e, labels = Expansion(node), labels_of(node)
    trees, place = of_nodes(node)
    table, said = leaves(node, "class", place, len(labels))
    base, used = numbers(node, "base_values"), {*(node.attr("class_ids") or [])}
    if len(labels) == 2 and used == {0} and len(base) < 2:
        return one_score(e, walked(e, trees, table[:, :1], "ReduceSum"), labels, bool((table >= 0).all()))
    if len(labels) == 2:
        node.need(not len(base), "base_values of two classes that have scores of their own are not supported")
        scores = walked(e, trees, table, "ReduceSum")
        second = e.op("Gather", scores, e.constant([1], np.int64), axis=1)
        limit = 0.5 if used == {1} and (table >= 0).all() else 0.0
        chosen = above(e, second, limit, labels if used == {1} else np.array([0, 1]))
        return [e.result(chosen), e.result(transformed(e, scores))]
    if len(labels) > 2 and not len(base) and (table < 0).any():
        need_every_class(node, trees, place, said)
    scores = with_base(e, walked(e, trees, table, "ReduceSum"), len(labels))
    if len(labels) == 1:
        return [e.result(above(e, scores, 0.0, np.array([0, 1]))), e.result(scores)]
    return [e.result(best(e, scores, labels)), e.result(transformed(e, scores))]


def need_every_class(node: Node, trees: Forest, place: dict[tuple[int, int], int], said: np.ndarray) -> None:
    """Each class must have a tree all of whose leaves speak of it: one that nobody speaks of wins over no other."""
    tree_of = np.array([tree for tree, _ in place])
    always = [
        any(said[trees.leaf & (tree_of == tree), column].all() for tree in np.unique(tree_of))
        for column in range(said.shape[1])
    ]
    node.need(all(always), "trees with negative weights whose leaves leave out classes are not supported")


def one_score(e: Expansion, score: str, labels: np.ndarray, positive: bool) -> list[ITensor]:
    """Two classes of which the trees score the second alone. positive: the scores are probabilities."""
    score, kind = with_base(e, score, 1), e.node.attr("post_transform", "NONE")
    if kind == "PROBIT":
        transformed(e, score)
    chosen = above(e, score, 0.5 if positive else 0.0, labels)
    if kind == "LOGISTIC":
        scores = both(e, e.op("Sigmoid", e.op("Neg", score)), e.op("Sigmoid", score))
    else:
        rest = e.op("Sub", e.constant(1, np.float32), score) if positive else e.op("Neg", score)
        scores = both(e, rest, score)
    return [e.result(chosen), e.result(scores)]


def leaves(node: Node, what: str, place: dict[tuple[int, int], int], columns: int) -> tuple[np.ndarray, np.ndarray]:
    """(nodes, columns): what each leaf gives each target or class, and whether it says anything of it."""
    table, said = np.zeros((len(place), columns), np.float64), np.zeros((len(place), columns), np.bool_)
    keys = list(zip(node.attr(f"{what}_treeids") or [], node.attr(f"{what}_nodeids") or [], strict=True))
    at = np.array([place.get(key, -1) for key in keys], np.int64)
    column, weights = np.array(node.attr(f"{what}_ids") or [], np.int64), numbers(node, f"{what}_weights")
    node.need(at.shape == column.shape == weights.shape, f"{what}_ids and {what}_weights differ in length")
    there = (at >= 0) & (column >= 0) & (column < columns)
    if not there.all():
        (tree, leaf), wrong = keys[there.argmin()], column[there.argmin()]
        raise NodeError(f"a weight names node {leaf} of tree {tree} and column {wrong}, but there is none")
    np.add.at(table, (at, column), weights)
    said[at, column] = True
    return table.astype(np.float32), said


def with_base(e: Expansion, scores: str, columns: int) -> str:
    base = numbers(e.node, "base_values")
    e.node.need(len(base) in (0, 1, columns), f"{len(base)} base_values meet {columns} columns")
    return e.op("Add", scores, e.constant(base, np.float32)) if len(base) else scores


def walked(e: Expansion, trees: Forest, table: np.ndarray, together: str) -> str:
    """(N, columns): what the leaves give that the rows (N, F) come to, of all trees together."""
    x = rows(e)
    columns = tuple(e.importing.tensor(x).shape)[1]
    if columns != -1 and trees.feature.max() >= columns:
        raise NodeError(
            f"its trees ask for feature {trees.feature.max()}, but its input has {columns}", ErrorCode.INVALID_NODE
        )
    at = step(e, trees, x, "")
    for _ in range(trees.depth - 1):
        at = step(e, trees, x, at)
    given = e.op("Gather", e.constant(table), at, axis=0)
    return e.reduce(together, given, [1], keepdims=0)


def step(e: Expansion, trees: Forest, x: str, at: str) -> str:
    """Where each row of each tree (N, trees) comes to from `at`, "" for the roots."""

    def of(array: np.ndarray) -> str:
        """What an array (nodes,) says of where the rows are."""
        return e.op("Gather", e.constant(array), at, axis=0) if at else e.constant(array[trees.roots])

    value = e.op("GatherElements", x, of(trees.feature), axis=1) if at else e.op("Gather", x, of(trees.feature), axis=1)
    answer = e.op("LessOrEqual", value, of(trees.high))
    if np.isfinite(trees.low).any():
        answer = e.op("And", answer, e.op("GreaterOrEqual", value, of(trees.low)))
    if trees.missing[~trees.leaf].any():
        missing = e.op("IsNaN", value)
        every = trees.missing[~trees.leaf].all()
        answer = e.op("Or", answer, missing if every else e.op("And", missing, of(trees.missing)))
    return e.op("Where", answer, of(trees.yes), of(trees.no))
