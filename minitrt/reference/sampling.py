"""Elements between those of a tensor: grid sampling, and convolutions whose windows are deformed."""

from __future__ import annotations

import itertools

import numpy as np

from minitrt.graph.ir import Op
from minitrt.reference.registry import evaluates
from minitrt.reference.resize import cubic

KEYS = cubic(-0.75)


@evaluates("grid_sample")
def grid_sample(op: Op, x: np.ndarray, grid: np.ndarray) -> np.ndarray:
    """x (N,C,*space) at grid (N,*places,axes), the last axis of x first, in [-1, 1]. mode: linear, nearest, cubic;
    padding: fill (zeros), clamp, reflect; align_corners [0]: -1 and 1 are the centres of the outermost elements."""
    align = op.attrs.get("align_corners", 0)
    places = []
    for axis, size in enumerate(x.shape[2:]):
        g = grid[..., x.ndim - 3 - axis]
        places.append((g + 1) / 2 * (size - 1) if align else ((g + 1) * size - 1) / 2)
    return sampled(x, places, op.attrs.get("mode", "linear"), op.attrs.get("padding", "fill"), align)


@evaluates("deformable")
def deformable(op: Op, x, weights, offsets, bias=None, mask=None) -> np.ndarray:
    """A convolution (N,C,H,W) -> (N,K,h,w) whose taps lie elsewhere by offsets (N, 2 * offset_groups * taps, h, w), y
    and x of each tap, and count mask (N, offset_groups * taps, h, w) times. stride, dilations, pads_before; groups."""
    a, (n, channels, *_), (h, w) = op.attrs, x.shape, offsets.shape[2:]
    parts, taps = a["offset_groups"], list(np.ndindex(*weights.shape[2:]))
    moved = offsets.reshape(n, parts, len(taps), 2, h, w)
    counted = np.ones((n, parts, len(taps), h, w), x.dtype) if mask is None else mask.reshape(n, parts, -1, h, w)
    columns = np.empty((n, channels, len(taps), h, w), np.float32)
    rows = [np.arange(size) * s - p for size, s, p in zip((h, w), a["stride"], a["pads_before"], strict=True)]
    of_part = channels // parts
    for part, (index, tap) in itertools.product(range(parts), enumerate(taps)):
        y, z = (row + t * d for row, t, d in zip(rows, tap, a["dilations"], strict=True))
        places = [y[:, None] + moved[:, part, index, 0], z + moved[:, part, index, 1]]
        mine = slice(part * of_part, (part + 1) * of_part)
        columns[:, mine, index] = sampled(x[:, mine], places, "linear", "fill", 0) * counted[:, part, index][:, None]
    groups = a.get("groups", 1)
    left = weights.reshape(groups, len(weights) // groups, -1)
    out = np.matmul(left, columns.reshape(n, groups, -1, h * w)).reshape(n, len(weights), h, w)
    return out if bias is None else out + bias[:, None, None]


def sampled(x: np.ndarray, places: list[np.ndarray], mode: str, padding: str, align: int) -> np.ndarray:
    """x (N,C,*space) at places, (N,*out) along each axis of space -> (N,C,*out), float32."""
    axes = [[(*brought_in(tap, n, padding, align), weight) for tap, weight in neighbours(place, mode)]
            for place, n in zip(places, x.shape[2:], strict=True)]  # fmt: skip
    batch = np.arange(len(x)).reshape(-1, *[1] * (places[0].ndim - 1))
    total = np.zeros((*places[0].shape, x.shape[1]), np.float64)
    for taps in itertools.product(*axes):
        weight = np.prod([np.where(inside, weight, 0) for _, inside, weight in taps], axis=0)
        total += x[(batch, slice(None), *(index for index, _, _ in taps))] * weight[..., None]
    return np.moveaxis(total, -1, 1).astype(np.float32)


def neighbours(place: np.ndarray, mode: str) -> list[tuple[np.ndarray, np.ndarray]]:
    """The whole places that make up a place, each with its weight."""
    if mode == "nearest":
        return [(np.rint(place), np.ones_like(place))]
    first = np.floor(place)
    if mode == "linear":
        return [(first, 1 - (place - first)), (first + 1, place - first)]
    return [(first + step, KEYS(place - first - step)) for step in (-1, 0, 1, 2)]


def brought_in(place: np.ndarray, n: int, padding: str, align: int) -> tuple[np.ndarray, np.ndarray]:
    """The element that stands for a whole place, and whether it counts."""
    inside = (place >= 0) & (place < n) if padding == "fill" else np.bool_(True)
    place = folded_place(place, n, align) if padding == "reflect" else place
    return np.clip(place, 0, n - 1).astype(int), inside


def folded_place(place: np.ndarray, size: int, align: int) -> np.ndarray:
    low, high = (0.0, size - 1.0) if align else (-0.5, size - 0.5)
    span = max(high - low, 1e-9)
    back = np.abs(place - low) % (2 * span)
    return np.rint(low + np.minimum(back, 2 * span - back))
