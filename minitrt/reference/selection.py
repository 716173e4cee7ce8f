"""Einstein sums, grid sampling, box suppression and assertions."""

from __future__ import annotations

import numpy as np

from minitrt.graph.ir import Op
from minitrt.reference.registry import evaluates


@evaluates("einsum")
def einsum(op: Op, *inputs: np.ndarray) -> np.ndarray:
    """numpy.einsum of attrs["equation"]."""
    return np.einsum(op.attrs["equation"].replace(" ", ""), *inputs)


@evaluates("assertion", stored=True)
def assertion(op: Op, condition: np.ndarray) -> np.ndarray:
    """The condition; raises ValueError with attrs["message"] unless all of it is True."""
    if not np.all(condition):
        raise ValueError(f"{op.name}: {op.attrs.get('message', 'assertion failed')}")
    return condition


@evaluates("grid_sample")
def grid_sample(op: Op, x: np.ndarray, grid: np.ndarray) -> np.ndarray:
    """x (N,C,H,W) at grid (N,h,w,2) of (x, y) in [-1, 1]. mode: linear, nearest; padding: fill (zeros), clamp,
    reflect."""
    align, mode, padding = (
        op.attrs.get(k, d) for k, d in (("align_corners", 0), ("mode", "linear"), ("padding", "fill"))
    )
    n, c, height, width = x.shape
    places = []
    for axis, size in ((0, width), (1, height)):
        g = grid[..., axis]
        place = (g + 1) / 2 * (size - 1) if align else ((g + 1) * size - 1) / 2
        places.append(folded_place(place, size, align) if padding == "reflect" else place)
    px, py = places
    if mode == "nearest":
        return sample(x, np.rint(px), np.rint(py), padding)
    x0, y0 = np.floor(px), np.floor(py)
    fx, fy = (px - x0)[:, None], (py - y0)[:, None]
    top = sample(x, x0, y0, padding) * (1 - fx) + sample(x, x0 + 1, y0, padding) * fx
    bottom = sample(x, x0, y0 + 1, padding) * (1 - fx) + sample(x, x0 + 1, y0 + 1, padding) * fx
    return (top * (1 - fy) + bottom * fy).astype(np.float32)


def folded_place(place: np.ndarray, size: int, align: int) -> np.ndarray:
    low, high = (0.0, size - 1.0) if align else (-0.5, size - 0.5)
    span = max(high - low, 1e-9)
    back = np.abs(place - low) % (2 * span)
    return low + np.minimum(back, 2 * span - back)


def sample(x: np.ndarray, px: np.ndarray, py: np.ndarray, padding: str) -> np.ndarray:
    """x at integer places (N,h,w), zeros outside with padding "fill", else the nearest edge: (N,C,h,w)."""
    n, _, height, width = x.shape
    batch = np.arange(n)[:, None, None]
    inside = (px >= 0) & (px < width) & (py >= 0) & (py < height)
    ix, iy = np.clip(px, 0, width - 1).astype(int), np.clip(py, 0, height - 1).astype(int)
    values = x[batch, :, iy, ix].transpose(0, 3, 1, 2)
    return values * inside[:, None] if padding == "fill" else values


@evaluates("nms")
def nms(op: Op, boxes, scores, limit=None, overlap=None, threshold=None) -> np.ndarray:
    """Boxes (N,B,4), scores (N,classes,B) -> int64 (selected, 3) of (batch, class, box), best first in each class."""
    limit = int(np.ravel(limit)[0]) if limit is not None else 0
    overlap = float(np.ravel(overlap)[0]) if overlap is not None else 0.0
    threshold = float(np.ravel(threshold)[0]) if threshold is not None else -np.inf
    found = []
    for b in range(scores.shape[0]):
        low, high = corners(boxes[b], op.attrs.get("centre"))
        found += [
            (b, k, i) for k, row in enumerate(scores[b]) for i in chosen(row, low, high, limit, overlap, threshold)
        ]
    return np.array(found, np.int64).reshape(-1, 3)


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
