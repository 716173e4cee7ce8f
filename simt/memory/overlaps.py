"""Device arrays among the arguments that share memory, as slices of one array do: seen as one buffer.

Only then are a store through one name and a load through another known to be the same element.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class OverlapSpan:
    """The memory that overlapping arrays cover together. flat: its elements; start, end: byte addresses."""

    flat: np.ndarray
    start: int
    end: int

    def cell_at(self, address: int) -> int:
        """Which element of the span lies at a byte address."""
        return (address - self.start) // self.flat.itemsize


def bounds(array: np.ndarray) -> tuple[int, int]:
    """Addresses of the first byte of an array and of the one after its last."""
    start = end = array.__array_interface__["data"][0]
    for extent, stride in zip(array.shape, array.strides, strict=True):
        reach = (extent - 1) * stride
        start, end = start + min(0, reach), end + max(0, reach)
    return start, end + array.itemsize


def spans_of(arrays: Iterable[np.ndarray]) -> list[OverlapSpan]:
    """A span for every group of arrays of one element type that overlap without being the same."""
    groups: list[list[np.ndarray]] = []
    sized = sorted((one for one in arrays if one.size), key=bounds)
    for array in sized:
        start = bounds(array)[0]
        group = groups[-1] if groups else None
        if group is not None and start < max(bounds(one)[1] for one in group):
            group.append(array)
        else:
            groups.append([array])
    return [span for group in groups if (span := _span(group)) is not None]


def _span(group: list[np.ndarray]) -> OverlapSpan | None:
    first = group[0]
    if len({(*bounds(one), one.dtype) for one in group}) == 1 or any(one.dtype != first.dtype for one in group):
        return None
    start, end = bounds(first)[0], max(bounds(one)[1] for one in group)
    if any((bounds(one)[0] - start) % first.itemsize or any(s % one.itemsize for s in one.strides) for one in group):
        return None
    corner = first[tuple(slice(0, 1) if stride >= 0 else slice(-1, None) for stride in first.strides)].reshape(-1)
    flat = np.lib.stride_tricks.as_strided(corner, ((end - start) // first.itemsize,), (first.itemsize,))
    return OverlapSpan(flat, start, end)


def span_around(spans: Iterable[OverlapSpan], array: np.ndarray) -> OverlapSpan | None:
    """The span that an array lies in, or None."""
    if not array.size:
        return None
    start, end = bounds(array)
    return next((one for one in spans if one.start <= start and end <= one.end), None)
