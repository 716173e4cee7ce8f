"""Arrays as a layout stores them, and back: for the host, where it computes between two kernels or stands for one."""

from __future__ import annotations

import numpy as np

from minitrt.graph.ir import HWC, LINEAR, NHWC16
from minitrt.tactics.own.registry import FORMATS
from minitrt.tactics.own.tactic import Format


def stored(array: np.ndarray, layout: str) -> np.ndarray:
    """(N, C, ...) as it lies in memory. Raises: ValueError for a layout that only kernels write."""
    if layout == LINEAR:
        return np.ascontiguousarray(array)
    if layout == HWC:
        return np.ascontiguousarray(np.moveaxis(array, -3, -1))
    if layout == NHWC16:
        more = [(0, 0)] * (array.ndim - 1) + [(0, -array.shape[1] % 16)]
        return np.ascontiguousarray(np.pad(np.moveaxis(array, 1, -1), more))
    return np.ascontiguousarray(_format(layout).pack(array))


def seen(memory: np.ndarray, layout: str, shape: tuple[int, ...]) -> np.ndarray:
    """What lies in memory as an array of this shape, without padding. Raises: ValueError as `stored` does."""
    if layout == LINEAR:
        return memory
    if layout == HWC:
        return np.ascontiguousarray(np.moveaxis(memory, -1, -3))
    if layout == NHWC16:
        return np.ascontiguousarray(np.moveaxis(memory[..., : shape[1]], -1, 1))
    return np.ascontiguousarray(_format(layout).unpack(memory, shape))


def _format(layout: str) -> Format:
    if layout not in FORMATS:
        known = ", ".join((LINEAR, HWC, NHWC16, *FORMATS))
        raise ValueError(f"there is no layout {layout!r} on the host; there are {known}")
    return FORMATS[layout]
