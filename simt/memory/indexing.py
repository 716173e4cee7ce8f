"""Indices to cells, with the bounds check.

Lane arrays are immutable, so "this index array is within n" and ``index * stride + base`` are remembered per array
object: a loop that reads ``tile[ty, k]`` pays for ``ty`` once.
"""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING

import numpy as np

from simt.errors import KernelTypeError, OutOfBoundsError
from simt.lanes.bits import some
from simt.lanes.masks import Env, Mask, mask_from
from simt.memory.arrays import Array
from simt.memory.refused_values import index_refusal, is_bool
from simt.values.numba_rules import I64, U64

if TYPE_CHECKING:
    from simt.source.sites import Place

MEMO_ENTRIES = 64
WHOLE = frozenset(np.dtype(code).type for code in np.typecodes["AllInteger"])  # NumPy's whole numbers
VERBS = {"load": "reads", "store": "writes", "atomic": "updates"}


def locate(env: Env, mask: Mask, array: Array, indices: tuple, kind: str, place: Place):
    """The cell of each lane, and the mask of the lanes that are in bounds: (cells, mask), or (None, None).

    kind: "load", "store" or "atomic". A negative index counts from the end, as in numba.
    """
    memo, base, within = env.batch.index_memo, array.base, mask
    cells, constant, base_added = None, 0, False
    for axis, index in enumerate(indices):
        size, stride = array.shape[axis], array.strides[axis]
        if type(index) is not np.ndarray and type(size) is not np.ndarray:
            position = int(index) if type(index) in WHOLE else -1
            if not 0 <= position < size:
                position = _uniform_position(env, within, array, indices, axis, kind, place)
                if position is None:
                    return None, None
            constant += position * stride
            continue
        key = None if type(size) is np.ndarray else (id(index), size, stride, 0 if base_added else id(base))
        if (known := memo.get(key)) is not None:
            term = known[1]
        else:
            position, still, clean = _lane_positions(env, within, array, indices, axis, kind, place)
            if still is None:
                return None, None
            within = still
            term = position if stride == 1 else position * stride
            if not base_added and (type(base) is np.ndarray or base):
                term = term + base
            term = as_cells(term)
            if clean and key is not None:
                if len(memo) >= MEMO_ENTRIES:
                    memo.clear()
                memo[key] = (index, term, base)  # keeps both alive, so their ids stay theirs
        base_added = True
        cells = term if cells is None else cells + term
    if not base_added and (type(base) is np.ndarray or base):
        cells = as_cells(base) if type(base) is np.ndarray else base
    if cells is None:
        return constant, within
    return (cells + constant if constant else cells), within


def as_cells(position: np.ndarray) -> np.ndarray:
    """Positions in NumPy's own index type: 32 bits in a browser, where `take` refuses int64. In bounds, so they fit."""
    return position.astype(np.intp, copy=False)


def _integer(index, kind: str, place: Place):
    """An index array as int64; raises KernelTypeError for floats and bools."""
    if index.dtype == I64:
        return index
    if index.dtype.kind not in "iu":
        _refuse(index, kind, place)
    return index.astype(I64)


def _refuse(index, kind: str, place: Place) -> None:
    """Raises KernelTypeError for what numba does not take as an index. Atomics alone take bools, and members."""
    if kind == "atomic" if is_bool(index) or isinstance(index, enum.IntEnum) else isinstance(index, int):
        return
    raise KernelTypeError(index_refusal(index, place.site.text))


def _lane_positions(env: Env, within, array, indices, axis, kind, place: Place):
    """One axis for all lanes: (positions, mask in bounds, whether every lane, active or not, was in bounds)."""
    index, size = indices[axis], array.shape[axis]
    if type(index) is not np.ndarray:
        index = np.full(env.width, index)
    position = _integer(index, kind, place)
    # seen as unsigned, a negative index is a large one: one comparison finds both
    if type(size) is not np.ndarray and not some(position.view(U64) >= int(size)):
        return position, within, True
    if index.dtype.kind != "u":
        negative = position < 0
        if some(negative):
            position = np.where(negative, position + size, position)
            _report_wraps(env, within, array, indices, axis, negative & (position >= 0), kind, place)
    outside = (position < 0) | (position >= size)
    if within.bits is not None:
        outside &= within.bits
    if some(outside):
        _report_outside(env, mask_from(outside, env.width), array, indices, kind, place)
        within = mask_from(~outside if within.bits is None else within.bits & ~outside, env.width)
        if within is None:
            return None, None, False
    if within.bits is not None:
        position = np.where(within.bits, position, 0)
    return position, within, False


def _uniform_position(env: Env, within, array, indices, axis, kind, place: Place) -> int | None:
    """One axis whose index and size are uniform, and whose index is no whole number within: the position, or None
    when it is out of bounds."""
    index, size = indices[axis], array.shape[axis]
    dtype = getattr(index, "dtype", None)
    if dtype is None or dtype.kind not in "iu":
        _refuse(index, kind, place)
    position = int(index)
    if 0 <= position < size:
        return position
    if -size <= position < 0:
        if env.batch.emit is not None:
            _report_wraps(env, within, array, indices, axis, np.ones(env.width, bool), kind, place)
        return position + size
    _report_outside(env, within, array, indices, kind, place)
    return None


def _report_wraps(env: Env, within, array, indices, axis, wraps, kind, place: Place) -> None:
    """Tell listeners about computed indices that wrap round; a literal ``a[-1]`` is deliberate."""
    emit = env.batch.emit
    if emit is None or axis in place.deliberate:
        return
    lanes = mask_from(wraps if within.bits is None else wraps & within.bits, env.width)
    if lanes is not None:
        emit.out_of_bounds(env, lanes, array, indices, kind, place, wraps=True)


def _report_outside(env: Env, lanes: Mask, array, indices, kind, place: Place) -> None:
    """Tell listeners, and raise OutOfBoundsError when the launch is strict."""
    batch = env.batch
    if batch.emit is not None:
        batch.emit.out_of_bounds(env, lanes, array, indices, kind, place)
    if not batch.strict:
        return
    first = lanes.first()
    index = tuple(int(i[first]) if type(i) is np.ndarray else int(i) for i in indices)
    shape = tuple(int(n[first]) if type(n) is np.ndarray else int(n) for n in array.shape)
    block, thread = batch.coordinates(int(env.root_index()[first]))
    shown = index[0] if len(index) == 1 else index
    axis = next(a for a, (i, n) in enumerate(zip(index, shape, strict=True)) if not -n <= i < n)
    along = f" along axis {axis}" if len(shape) > 1 else ""
    valid = f"valid indices{along} are 0 to {shape[axis] - 1}" if shape[axis] else "it has no elements"
    others = f" {lanes.count} threads do this." if lanes.count > 1 else ""
    message = f"`{place.site.text}` {VERBS[kind]} index {shown}, but {array.name} has shape {shape}: {valid}.{others}"
    raise OutOfBoundsError(
        message, array.name, index, shape, kind,
        function=place.site.function, line=place.site.line, block=block, thread=thread,
        remedy="Guard the access with an if.",
    )  # fmt: skip
