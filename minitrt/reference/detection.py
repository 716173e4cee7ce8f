"""The best boxes of each image, as NVIDIA's plugins give them: a fixed number of places, and how many are filled."""

from __future__ import annotations

import numpy as np

from minitrt.graph.ir import NUMPY_TYPES, Op
from minitrt.reference.registry import evaluates
from minitrt.reference.suppression import chosen, corners


@evaluates("detections")
def detections(op: Op, boxes: np.ndarray, scores: np.ndarray) -> tuple[np.ndarray, ...]:
    """Boxes (N,B,4), (N,B,1,4) or (N,B,classes,4) and scores (N,B,classes) -> how many (N,1), boxes (N,keep,4) by their
    corners, scores and classes (N,keep), best first, zeros behind them.

    attrs: keep; score_threshold, which a score must exceed; iou_threshold; background, a class that is none; sigmoid of
    the scores; centre: boxes are given as centre and size; agnostic: boxes of other classes suppress, too; per_class:
    most kept of one class; candidates: most looked at of an image, candidates_per_class: of a class of it; clip: boxes
    to 0 and 1. A limit of -1 is none.
    """
    a, keep = op.attrs, op.attrs["keep"]
    scores = 1 / (1 + np.exp(-scores)) if a.get("sigmoid") else scores
    batch = len(scores)
    places = [np.zeros((batch, 1)), np.zeros((batch, keep, 4)), np.zeros((batch, keep)), np.zeros((batch, keep))]
    for item in range(batch):
        found = best_pairs(a, boxes[item], scores[item])[:keep]
        places[0][item] = len(found)
        for row, (box, kind) in enumerate(found):
            place = boxes[item, box] if boxes.ndim == 3 else boxes[item, box, kind if boxes.shape[2] > 1 else 0]
            low, high = corners(place[None], a.get("centre"))
            corner = place if not a.get("centre") else np.concatenate([low[0], high[0]])
            places[1][item, row] = np.clip(corner, 0, 1) if a.get("clip") else corner
            places[2][item, row], places[3][item, row] = scores[item, box, kind], kind
    return tuple(array.astype(NUMPY_TYPES[v.dtype]) for array, v in zip(places, op.outputs, strict=True))


def best_pairs(a: dict, boxes: np.ndarray, scores: np.ndarray) -> list[tuple[int, int]]:
    """(box, class) of one image, best first."""
    threshold = a["score_threshold"]
    kept = scores.astype(np.float64)
    if a.get("background", -1) >= 0:
        kept[:, a["background"]] = -np.inf
    order = np.argsort(-kept, axis=None, kind="stable")
    kept.ravel()[order[limit(a, "candidates", kept.size) :]] = -np.inf
    most, found = limit(a, "per_class", kept.size), []
    if a.get("agnostic"):
        kinds = kept.argmax(axis=1)
        low, high = corners(boxes if boxes.ndim == 2 else boxes[:, 0], a.get("centre"))
        best = chosen(kept.max(axis=1), low, high, kept.size, a["iou_threshold"], threshold)
        return [(box, int(kinds[box])) for box in best]
    for kind in range(kept.shape[1]):
        row = kept[:, kind]
        row[np.argsort(-row, kind="stable")[limit(a, "candidates_per_class", len(row)) :]] = -np.inf
        own = boxes if boxes.ndim == 2 else boxes[:, kind if boxes.shape[1] > 1 else 0]
        low, high = corners(own, a.get("centre"))
        found += [(box, kind) for box in chosen(row, low, high, most, a["iou_threshold"], threshold)]
    return sorted(found, key=lambda pair: -kept[pair])


def limit(a: dict, name: str, otherwise: int) -> int:
    return a[name] if a.get(name, -1) >= 0 else otherwise
