"""Regions of images: RoiAlign, MaxRoiPool."""

from __future__ import annotations

from itertools import product

import numpy as np

from minitrt.graph.ir import Op
from minitrt.reference.registry import evaluates


@evaluates("roi_align")
def roi_align(op: Op, x: np.ndarray, rois: np.ndarray, batch: np.ndarray) -> np.ndarray:
    """x (N,C,H,W); rois (R,4) as x1, y1, x2, y2; batch (R,): (R, C, size). Each output is the average or the maximum of
    samples that are interpolated between pixels.

    attrs: size (rows, columns); ratio: samples a bin along an axis, 0 for as many as it has pixels; scale: of rois'
    coordinates; mode: avg, max; half_pixel: coordinates shifted by half a pixel.
    Source: ONNX, RoiAlign-16.
    """
    height, width = op.attrs["size"]
    shift = 0.5 if op.attrs["half_pixel"] else 0.0
    out = np.zeros((len(rois), x.shape[1], height, width), np.float32)
    for r, (x1, y1, x2, y2) in enumerate(rois.astype(np.float64) * op.attrs["scale"] - shift):
        spans = [y2 - y1, x2 - x1]
        if not op.attrs["half_pixel"]:
            spans = [max(span, 1.0) for span in spans]
        bins = [spans[0] / height, spans[1] / width]
        counts = [op.attrs["ratio"] or max(int(np.ceil(size)), 1) for size in bins]
        places = [
            start + (np.arange(n * count) + 0.5) * size / count
            for start, n, count, size in zip((y1, x1), (height, width), counts, bins, strict=True)
        ]
        weighted = interpolated(x[int(batch[r])], *places)
        blocks = weighted.reshape(-1, x.shape[1], height, counts[0], width, counts[1])
        out[r] = blocks.max(axis=(0, 3, 5)) if op.attrs["mode"] == "max" else blocks.sum(0).mean(axis=(2, 4))
    return out


@evaluates("max_roi_pool")
def max_roi_pool(op: Op, x: np.ndarray, rois: np.ndarray) -> np.ndarray:
    """x (N,C,H,W); rois (R,5) as image, x1, y1, x2, y2: (R, C, size), the largest pixel of each bin, 0 of an empty one.

    attrs: size (rows, columns); scale: of rois' coordinates, which are rounded, halves away from 0, and ends included.
    Source: ONNX, MaxRoiPool-1.
    """
    out = np.zeros((len(rois), x.shape[1], *op.attrs["size"]), x.dtype)
    scaled = rois[:, 1:] * np.float32(op.attrs["scale"])
    corners = (np.sign(scaled) * np.floor(np.abs(scaled) + 0.5)).astype(int)
    for r, (x1, y1, x2, y2) in enumerate(corners):
        rows = edges(y1, y2, op.attrs["size"][0], x.shape[2])
        columns = edges(x1, x2, op.attrs["size"][1], x.shape[3])
        for (i, (top, bottom)), (j, (left, right)) in product(enumerate(rows), enumerate(columns)):
            if bottom > top and right > left:
                out[r, :, i, j] = x[int(rois[r, 0]), :, top:bottom, left:right].max(axis=(1, 2))
    return out


def edges(first: int, last: int, bins: int, size: int) -> list[tuple[int, int]]:
    """Where the bins of a span of pixels, both ends of which belong to it, begin and end, within an image."""
    wide = np.float32(max(last - first + 1, 1)) / np.float32(bins)
    steps = np.arange(bins + 1, dtype=np.float32) * wide
    low, high = np.floor(steps[:-1]).astype(int) + first, np.ceil(steps[1:]).astype(int) + first
    return list(zip(np.clip(low, 0, size).tolist(), np.clip(high, 0, size).tolist(), strict=True))


def interpolated(image: np.ndarray, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """(4, C, rows, columns): the four weighted neighbours of each place, whose sum is the interpolated value; all 0 for
    places outside. ONNX's maximum is that of the products, so they are kept apart."""
    _, height, width = image.shape
    sides = []
    for places, size in ((rows, height), (columns, width)):
        inside = (places >= -1.0) & (places <= size)
        clipped = np.clip(places, 0, size - 1)
        low = np.minimum(np.floor(clipped).astype(int), size - 1)
        high = np.minimum(low + 1, size - 1)
        sides.append(((low, (1 - (clipped - low)) * inside), (high, (clipped - low) * inside)))
    return np.stack(
        [
            image[:, row[:, None], column[None, :]] * row_weight[:, None] * column_weight[None, :]
            for row, row_weight in sides[0]
            for column, column_weight in sides[1]
        ]
    )
