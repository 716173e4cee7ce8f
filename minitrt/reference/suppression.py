"""Box suppression: of boxes that overlap, the best one stays. ONNX's operator and TensorRT's layer differ in layout,
order and limits, and share what overlap means."""

from __future__ import annotations

import numpy as np

from minitrt.graph.ir import Op
from minitrt.reference.registry import evaluates


@evaluates("nms")
def nms(op: Op, boxes, scores, limit=None, overlap=None, threshold=None) -> np.ndarray:
    """int64 (selected, 3) of (batch, class, box). limit: most boxes a class; overlap: most intersection over union with
    a better box; threshold: what a score must exceed.

    With attrs["topk"], as INMSLayer: boxes (N,B,4), or (N,B,classes,4), and scores (N,B,classes); the `topk` best pairs
    of box and class of an item are looked at, and an item's rows come best first. Without it, as ONNX: scores
    (N,classes,B), and the rows of a class come best first.
    """
    limit = int(np.ravel(limit)[0]) if limit is not None else 0
    overlap = float(np.ravel(overlap)[0]) if overlap is not None else 0.0
    topk = op.attrs.get("topk")
    threshold = float(np.ravel(threshold)[0]) if threshold is not None else -np.inf if topk is None else 0.0
    centre, found = op.attrs.get("centre"), []
    for item in range(scores.shape[0]):
        by_class = scores[item] if topk is None else best_of(scores[item], topk, threshold).T
        rows = []
        for kind, row in enumerate(by_class):
            low, high = corners(boxes[item] if boxes.ndim == 3 else boxes[item, :, kind], centre)
            rows += [(item, kind, box) for box in chosen(row, low, high, limit, overlap, threshold)]
        found += rows if topk is None else sorted(rows, key=lambda row: -by_class[row[1], row[2]])
    return np.array(found, np.int64).reshape(-1, 3)


def best_of(scores: np.ndarray, topk: int, threshold: float) -> np.ndarray:
    """Scores (B,classes) with all but the `topk` best ones at the threshold, which nothing at it passes."""
    if scores.size <= topk:
        return scores
    best = np.argsort(-scores, axis=None, kind="stable")[:topk]
    kept = np.full(scores.size, threshold, scores.dtype)
    kept[best] = scores.ravel()[best]
    return kept.reshape(scores.shape)


def corners(boxes: np.ndarray, centre: bool | None) -> tuple[np.ndarray, np.ndarray]:
    """Lower and upper corners of boxes (B,4): two corners (y1, x1, y2, x2) in any order, or centre (x, y, width,
    height)."""
    one, two = boxes[:, :2], boxes[:, 2:]
    if centre:
        one, two = one - two / 2, one + two / 2
    return np.minimum(one, two), np.maximum(one, two)


def chosen(scores, low, high, limit: int, overlap: float, threshold: float) -> list[int]:
    """Boxes of one class, best first, none of which overlaps a better chosen one by more than `overlap`."""
    order = np.argsort(-scores, kind="stable")
    left, kept = order[scores[order] > threshold], []
    areas = np.prod(high - low, axis=1)
    while left.size and len(kept) < limit:
        best, left = left[0], left[1:]
        kept.append(int(best))
        sides = np.minimum(high[left], high[best]) - np.maximum(low[left], low[best])
        common = np.prod(np.maximum(sides, 0), axis=1)
        union = areas[left] + areas[best] - common
        left = left[np.where(union > 0, common / union, 0.0) <= overlap]
    return kept
