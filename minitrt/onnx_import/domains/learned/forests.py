"""Trees of a model as arrays: what each node asks, where it leads, what a leaf gives.

Every question becomes "is low <= x[feature] <= high, or is it missing": the children of its opposite change places.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import onnx

from minitrt.api.enums import ErrorCode
from minitrt.onnx_import.node import Node, NodeError

LEAF = "LEAF"
OPPOSITE = {"BRANCH_GT": "BRANCH_LEQ", "BRANCH_GTE": "BRANCH_LT", "BRANCH_NEQ": "BRANCH_EQ"}
MODES = ("BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT", "BRANCH_EQ", "BRANCH_NEQ")


class Forest(NamedTuple):
    """Nodes of all trees, one after another; a leaf leads to itself.

    feature, yes, no: int32 (nodes,), and where a true or a false answer leads; low, high: float32 (nodes,);
    missing: bool (nodes,), whether NaN counts as true; roots: int32 (trees,); depth: questions at the most;
    leaf: bool (nodes,).
    """

    feature: np.ndarray
    low: np.ndarray
    high: np.ndarray
    missing: np.ndarray
    yes: np.ndarray
    no: np.ndarray
    leaf: np.ndarray
    roots: np.ndarray
    depth: int


def numbers(node: Node, name: str, default: list | None = None) -> np.ndarray:
    """An attribute of floats, or the tensor of doubles that may stand in its place."""
    tensor = node.attributes.get(f"{name}_as_tensor")
    if tensor is not None:
        return np.ravel(onnx.numpy_helper.to_array(tensor)).astype(np.float64)
    return np.array(node.attr(name) or default or [], np.float64)


def of_nodes(node: Node) -> tuple[Forest, dict[tuple[int, int], int]]:
    """The trees of TreeEnsembleClassifier and TreeEnsembleRegressor, and where each (tree, node) lies."""
    trees, ids = node.attr("nodes_treeids") or [], node.attr("nodes_nodeids") or []
    modes, count = node.attr("nodes_modes") or [], len(trees)
    node.need(count > 0 and len(ids) == len(modes) == count, "nodes_treeids, nodes_nodeids and nodes_modes differ")
    place = {key: index for index, key in enumerate(zip(trees, ids, strict=True))}
    leaf = np.array([mode == LEAF for mode in modes])
    named = [node.attr(name) or [] for name in ("nodes_truenodeids", "nodes_falsenodeids", "nodes_featureids")]
    node.need(all(len(each) == count for each in named), "not every node has a feature and two children")
    node.need(
        all(leaf[i] or {(trees[i], named[0][i]), (trees[i], named[1][i])} <= place.keys() for i in range(count)),
        "a child of a node is not there",
    )
    yes, no = (
        np.array([i if leaf[i] else place[trees[i], each[i]] for i in range(count)], np.int32) for each in named[:2]
    )
    missing = np.array(node.attr("nodes_missing_value_tracks_true") or [0] * count, np.bool_)
    children = {*yes[~leaf].tolist(), *no[~leaf].tolist()}
    roots = [index for index in range(count) if index not in children]
    return forest(node, modes, np.array(named[2]), numbers(node, "nodes_values"), missing, (yes, no), roots), place


def forest(
    node: Node,
    modes: list[str],
    feature: np.ndarray,
    limits: np.ndarray,
    missing: np.ndarray,
    children: tuple[np.ndarray, np.ndarray],
    roots: list[int],
) -> Forest:
    """Raises: NodeError for a question that is not known."""
    unknown = {*modes} - {*MODES, LEAF}
    if unknown:
        raise NodeError(f"{min(unknown)} is not supported in a tree", ErrorCode.UNSUPPORTED_NODE_ATTR)
    (yes, no), kinds = children, np.array(modes)
    leaf, turned = kinds == LEAF, np.isin(kinds, [*OPPOSITE])
    missing = (missing ^ turned) & (kinds != "BRANCH_NEQ")  # NaN is not equal to anything, missing or not
    kinds = np.array([OPPOSITE.get(mode, mode) for mode in modes])
    yes, no = np.where(turned, no, yes), np.where(turned, yes, no)
    high = rounded_down(limits)
    low = np.where(kinds == "BRANCH_EQ", high, -np.inf).astype(np.float32)
    below = np.nextafter(rounded_up(limits), np.float32(-np.inf))
    high = np.where(kinds == "BRANCH_LT", below, high).astype(np.float32)
    index = np.arange(len(modes), dtype=np.int32)
    yes, no = (np.where(leaf, index, each).astype(np.int32) for each in (yes, no))
    feature = np.where(leaf, 0, feature).astype(np.int32)
    depth = depth_of(node, roots, yes, no, leaf)
    return Forest(feature, low, high, missing, yes, no, leaf, np.array(roots, np.int32), depth)


def depth_of(node: Node, roots: list[int], yes: np.ndarray, no: np.ndarray, leaf: np.ndarray) -> int:
    """Questions to the farthest leaf. Raises: NodeError for what is no tree."""
    level, depth = np.isin(np.arange(len(leaf)), roots), 0
    reached = level
    while (level & ~leaf).any():
        below, depth = np.zeros_like(level), depth + 1
        below[yes[level]] = below[no[level]] = True
        node.need(not (below & reached & ~leaf).any(), "a node of its trees leads back to itself, or two lead to it")
        level, reached = below, reached | below
    node.need(bool(reached.all()), "nothing leads to a node of its trees")
    return depth


def rounded_down(limits: np.ndarray) -> np.ndarray:
    """The largest floats that are no larger: of a float x, x <= limit asks the same of both."""
    near = limits.astype(np.float32)
    return np.where(near.astype(np.float64) > limits, np.nextafter(near, np.float32(-np.inf)), near)


def rounded_up(limits: np.ndarray) -> np.ndarray:
    near = limits.astype(np.float32)
    return np.where(near.astype(np.float64) < limits, np.nextafter(near, np.float32(np.inf)), near)
