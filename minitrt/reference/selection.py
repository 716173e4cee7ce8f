"""Einstein sums, grid sampling, assertions and branches."""

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


@evaluates("choice", stored=True)
def choice(op: Op, _, yes: np.ndarray | None, no: np.ndarray | None = None) -> np.ndarray:
    """yes where attrs["condition"] holds, else no; raises ValueError with attrs["message"] where that is absent."""
    taken = yes if op.attrs["condition"] else no
    if taken is None:
        raise ValueError(f"{op.name}: {op.attrs['message']}")
    return taken


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
