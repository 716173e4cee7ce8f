"""Views of arrays: slices, rows, Ellipsis, with bounds that may differ per thread."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from simt.errors import KernelTypeError, UnsupportedError
from simt.lanes.bits import some
from simt.lanes.masks import Env, Mask, narrowed
from simt.memory.arrays import Array, row_major
from simt.memory.elements import load_element, store_element
from simt.memory.indexing import locate
from simt.refusals import numbers, types
from simt.values import is_lane
from simt.values.numba_rules import I64, cast

if TYPE_CHECKING:
    from simt.source.sites import Place
    from simt.values import Value

PARTIAL = frozenset((slice, type(Ellipsis), type(None)))  # indices of these types select no single place of an axis


def is_partial(array: Array, indices: tuple) -> bool:
    """Whether an index selects a part of the array, or gives it another axis, instead of one element."""
    return len(indices) != array.ndim or not PARTIAL.isdisjoint(map(type, indices))


def slice_view(env: Env, mask: Mask, array: Array, indices: tuple, place: Place, kind: str = "load") -> Array:
    """``array[indices]`` as a view of the same cells. kind: "store" where they are to be written."""
    indices = _complete(array, indices, place)
    base, shape, strides = array.base, [], []
    axes = iter(range(array.ndim))
    for index in indices:
        if index is None:  # np.newaxis
            shape.append(1)
            strides.append(0)
            continue
        axis = next(axes)
        extent, stride = array.shape[axis], array.strides[axis]
        if not isinstance(index, slice):
            base = base + _row(env, mask, array, axis, index, place, kind)
            continue
        first, length, step = _bounds(index, extent)
        base = base + first * stride
        shape.append(length)
        strides.append(stride * step)
    return array.view(tuple(shape), tuple(strides), base)


def _complete(array: Array, indices: tuple, place: Place) -> tuple:
    """Indices with Ellipsis and missing trailing axes written out as full slices; None is of no axis."""
    n_axes = sum(index is not None for index in indices)
    if any(index is Ellipsis for index in indices):
        position = next(k for k, index in enumerate(indices) if index is Ellipsis)
        missing = array.ndim - n_axes + 1
        indices = indices[:position] + (slice(None),) * missing + indices[position + 1 :]
        n_axes += missing - 1
    if n_axes > array.ndim:
        raise KernelTypeError(types.too_many_indices(place.site.text, str(array.dtype), array.ndim, n_axes))
    return indices + (slice(None),) * (array.ndim - n_axes)


def _row(env: Env, mask: Mask, array: Array, axis: int, index, place: Place, kind: str):
    """Cells to skip for one integer index of a partial index."""
    info = replace(array.info, shape=(array.shape[axis],), along=axis if array.ndim > 1 else None)
    one_axis = Array(array.flat, (array.shape[axis],), (array.strides[axis],), 0, info)
    cells, within = locate(env, mask, one_axis, (index,), kind, place)
    return 0 if within is None else cells


def _bound(value):
    """A bound of a slice: numba cuts the fraction off a float. Raises: KernelTypeError for a complex number."""
    kind = getattr(getattr(value, "dtype", None), "kind", "")
    if kind == "c":
        raise KernelTypeError(numbers.complex_for_real("int64"))
    return cast(value, I64) if kind == "f" else value


def _bounds(part: slice, extent):
    """(first element, length, step) of a slice of an axis; first and length may be per lane."""
    start, stop, step = map(_bound, (part.start, part.stop, part.step))
    if step is not None and not np.all(step):
        raise KernelTypeError("a slice whose step is 0 has no elements: leave the step out, or take another one")
    if not any(is_lane(bound) for bound in (start, stop, step, extent)):
        start, stop, step = slice(*(None if b is None else int(b) for b in (start, stop, step))).indices(int(extent))
        return start, len(range(start, stop, step)), step
    if step is not None and (is_lane(step) or step < 1):
        raise UnsupportedError(
            "a slice whose bounds differ per thread needs a step that is the same for all, and above 0: loop over the "
            "elements instead"
        )
    step = 1 if step is None else int(step)
    start, stop = (np.int64(0) if start is None else start), (extent if stop is None else stop)
    start, stop = _within(start, extent), _within(stop, extent)
    length = -(-np.maximum(stop - start, 0) // step)
    if length.ndim == 0 or (length == length[0]).all():
        length = int(length if length.ndim == 0 else length[0])
    return start, length, step


def _within(bound, extent):
    """A bound of an axis, counted from its end where it is negative. (`np.clip` takes five times as long.)"""
    negative = bound < 0
    bound = np.where(negative, bound + extent, bound) if some(negative) else bound
    return np.minimum(np.maximum(bound, 0), extent)


def uniform_shape(array: Array) -> tuple[int, ...]:
    """The shape of an array that is the same for every thread. Raises UnsupportedError otherwise."""
    if any(is_lane(extent) for extent in array.shape):
        raise UnsupportedError("this slice has a different length in each thread: loop over its elements instead")
    return tuple(int(extent) for extent in array.shape)


def reshaped(array: Array, shape: tuple[int, ...]) -> Array:
    """A view of another shape of an array without gaps."""
    strides, size = row_major(uniform_shape(array))
    unit = array.strides[-1]
    if tuple(stride * unit for stride in strides) != tuple(array.strides):
        raise UnsupportedError("`reshape` needs a contiguous array: index the original instead")
    if shape.count(-1) == 1:
        rest = -math.prod(shape)
        shape = tuple(size // rest if extent == -1 else extent for extent in shape)
    if math.prod(shape) != size:
        raise KernelTypeError(f"cannot reshape {array.name} of {size} elements to {shape}")
    return array.view(shape, tuple(stride * unit for stride in row_major(shape)[0]), array.base)


def element_indices(array: Array):
    """All indices of an array, in C order, as the kernel would write them."""
    for index in np.ndindex(*uniform_shape(array)):
        yield tuple(np.int64(k) for k in index)


def indices_of_lanes(array: Array, mask: Mask) -> Iterator[tuple[tuple, Mask]]:
    """The same, each with the lanes that have such an element: a slice may be longer in one thread than in another."""
    longest = [int(np.max(mask.pick(extent), initial=0)) for extent in array.shape]
    ragged = [(axis, extent) for axis, extent in enumerate(array.shape) if is_lane(extent)]
    for index in np.ndindex(*longest):
        wanted: Mask | None = mask
        for axis, extent in ragged:
            wanted = None if wanted is None else narrowed(wanted, index[axis] < extent)
        if wanted is not None:
            yield tuple(np.int64(k) for k in index), wanted


def copy_into(env: Env, mask: Mask, target: Array, value: Value, place: Place) -> None:
    """``target[...] = value``, element by element in every thread; an array value is broadcast."""
    for index, wanted in indices_of_lanes(target, mask):
        env.batch.meter.count(1, env)
        env.batch.check_deadline()
        item = value
        if isinstance(value, Array) and value.ndim <= target.ndim:  # one with more axes is refused as an element
            tail = index[len(index) - value.ndim :]
            source = tuple(np.int64(0) if value.shape[axis] == 1 else k for axis, k in enumerate(tail))
            item = load_element(env, wanted, value, source, place)
        store_element(env, wanted, target, index, item, place)
