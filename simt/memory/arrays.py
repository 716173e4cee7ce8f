"""Arrays as threads see them: typed cells of one flat buffer, and where each lane's part of it begins."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from simt.errors import UnsupportedError
from simt.events import ArrayInfo
from simt.lanes.blend import merge, narrow, scatter
from simt.values import UNDEFINED, is_lane

if TYPE_CHECKING:
    from simt.lanes.masks import Mask
    from simt.values import Value


def row_major(shape: tuple[int, ...]) -> tuple[tuple[int, ...], int]:
    """Strides in elements of a C-ordered array, and its number of elements."""
    strides, size = [], 1
    for extent in reversed(shape):
        strides.append(size)
        size *= extent
    return tuple(reversed(strides)), size


class Array:
    """A view of flat cells.

    shape: extents, uniform ints or one per lane (a slice with per-thread bounds); strides: in cells;
    base: cell of element 0, uniform or per lane; copy_cells: cells of one block's copy (shared arrays), else 0.
    """

    __slots__ = ("space", "flat", "shape", "strides", "base", "info", "copy_cells", "ndim", "dtype")

    def __init__(self, flat: np.ndarray, shape, strides, base, info: ArrayInfo, copy_cells: int = 0):
        self.space, self.flat, self.shape, self.strides = info.space, flat, shape, strides
        self.base, self.info, self.copy_cells = base, info, copy_cells
        self.ndim, self.dtype = len(shape), flat.dtype

    def view(self, shape, strides, base) -> Array:
        """The same cells under another shape."""
        return Array(self.flat, shape, strides, base, self.info, self.copy_cells)

    def retyped(self, flat: np.ndarray, scale: int, offset: int, label: str) -> Array:
        """The same memory as cells of another type: `scale` of them for one of mine, starting at `offset`."""
        same_bytes = flat.dtype.itemsize * scale == self.dtype.itemsize
        info = replace(
            self.info,
            key=(*self.info.key, label),
            root=(self.info.root or self.info.key) if same_bytes else (),
            dtype=flat.dtype,
            strides=tuple(stride * scale for stride in self.info.strides),
            n_cells=self.info.n_cells * scale,
        )
        strides = tuple(stride * scale for stride in self.strides)
        return Array(flat, self.shape, strides, self.base * scale + offset, info, self.copy_cells * scale)

    def transposed(self) -> Array:
        """The same cells with the axes in reverse."""
        return self.view(self.shape[::-1], self.strides[::-1], self.base)

    @property
    def name(self) -> str:
        return self.info.name

    def narrow(self, index: np.ndarray) -> Array:
        """The same array for some of the lanes."""
        if is_lane(self.base) or any(is_lane(extent) for extent in self.shape):
            shape = tuple(narrow(extent, index) for extent in self.shape)
            return self.view(shape, self.strides, narrow(self.base, index))
        return self

    def _check_same(self, old) -> None:
        if not isinstance(old, Array) or old.info.key != self.info.key or old.strides != self.strides:
            raise UnsupportedError(
                "a variable names different arrays in different threads: index the arrays inside the if instead"
            )

    def merge(self, old, bits: np.ndarray, mask: Mask = None) -> Array:
        """Per lane ``bits ? self : old``, where both are views of one array."""
        self._check_same(old)
        extents = zip(old.shape, self.shape, strict=True)
        shape = tuple(new if new is was else merge(_scalar(was), _scalar(new), bits) for was, new in extents)
        return self.view(shape, self.strides, merge(_scalar(old.base), _scalar(self.base), bits))

    def scatter(self, old, index: np.ndarray, width: int) -> Array:
        """`old` with the lanes `index` replaced by this view."""
        varying = is_lane(self.base) or any(is_lane(extent) for extent in self.shape)
        if old is UNDEFINED:
            if not varying:
                return self
            shape = tuple(scatter(UNDEFINED, extent, index, width) for extent in self.shape)
            return self.view(shape, self.strides, scatter(UNDEFINED, self.base, index, width))
        self._check_same(old)
        if old.base is self.base and old.shape == self.shape:
            return self
        extents = zip(old.shape, self.shape, strict=True)
        shape = tuple(scatter(_scalar(was), _scalar(new), index, width) for was, new in extents)
        return self.view(shape, self.strides, scatter(_scalar(old.base), _scalar(self.base), index, width))


def _scalar(value: Value):
    """An int as a NumPy scalar, so that it has a dtype."""
    return value if is_lane(value) else np.int64(value)


def host_cells(array: np.ndarray) -> tuple[np.ndarray, tuple[int, ...], int]:
    """A NumPy array as flat cells sharing its memory: (cells, strides in cells, cell of element 0)."""
    if array.flags.c_contiguous:
        return array.reshape(-1), row_major(array.shape)[0], 0
    if any(stride % array.itemsize for stride in array.strides):
        raise UnsupportedError("array strides are not a multiple of the item size: pass a contiguous copy")
    strides = tuple(stride // array.itemsize for stride in array.strides)
    if array.size == 0:
        return array.reshape(-1), strides, 0
    reach = [(extent - 1) * stride for extent, stride in zip(array.shape, strides, strict=True)]
    lowest, highest = sum(min(0, cells) for cells in reach), sum(max(0, cells) for cells in reach)
    corner = tuple(slice(0, 1) if cells >= 0 else slice(-1, None) for cells in reach)
    flat = np.lib.stride_tricks.as_strided(array[corner].reshape(-1), (highest - lowest + 1,), (array.itemsize,))
    return flat, strides, -lowest
