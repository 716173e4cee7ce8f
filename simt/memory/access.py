"""What stands in brackets, loaded and stored: elements and slices of arrays, fields of records, items of tuples."""

from __future__ import annotations

import ast
import enum
from typing import TYPE_CHECKING

import numpy as np

from simt.errors import KernelTypeError, UnsupportedError
from simt.lanes.blend import merge
from simt.lanes.masks import Env, Mask, remaining
from simt.memory.arrays import Array
from simt.memory.elements import load_element, refuse_constant, store_element
from simt.memory.fields import load_field, store_field
from simt.memory.records import Record
from simt.memory.refused_values import index_refusal, indexed_refusal, is_bool
from simt.memory.slices import copy_into, is_partial, slice_view
from simt.refusals import elements, types
from simt.values import as_lanes, is_lane
from simt.values.vectors import Parts

if TYPE_CHECKING:
    from simt.source.sites import Place
    from simt.values import Value


def load(env: Env, mask: Mask, array, index, place: Place):
    """``array[index]`` for the active lanes; inactive lanes of the result hold anything."""
    if type(array) is not Array:
        return _load_from_object(env, mask, array, index, place)
    indices = index if type(index) is tuple else (index,)
    if is_partial(array, indices):
        return slice_view(env, mask, array, indices, place)
    return load_element(env, mask, array, indices, place)


def _load_from_object(env: Env, mask: Mask, value: Value, index, place: Place):
    """Subscripts of tuples and records."""
    if isinstance(value, Record):
        return load_field(env, mask, value, index, place)
    if isinstance(value, Parts):
        raise value.refused(f"has no elements, as `{place.site.text}` asks for")
    if isinstance(value, tuple):
        if hasattr(value, "check_done"):  # of a warpgroup's product
            value.check_done(env, mask, place)
        if isinstance(index, slice):
            return value[
                slice(*(None if part is None else int(part) for part in (index.start, index.stop, index.step)))
            ]
        return _tuple_item(env, mask, value, index, place)
    if isinstance(value, enum.EnumMeta):
        return value[index]
    if isinstance(value, np.void):
        return value[index if isinstance(index, str) else int(index)]
    raise UnsupportedError(indexed_refusal(value, place.site.text))


def check_one_type(items: tuple, written: str) -> None:
    """Raises: KernelTypeError for numbers or arrays of several types, where numba compiles one code for all."""
    typed = [one for one in items if hasattr(one, "dtype")]
    kinds = dict.fromkeys((str(one.dtype), one.ndim if isinstance(one, Array) else None) for one in typed)
    if len(kinds) > 1:
        names = " and ".join(dict.fromkeys(name if ndim is None else f"{ndim}-d {name}" for name, ndim in kinds))
        raise KernelTypeError(
            f"the items of `{written}` are of several types, {names}: numba takes one of them by a number that the "
            "source names, or in a loop over numba.cuda.misc.special.literal_unroll(...)"
        )


def _is_written_out(text: str) -> bool:
    """Whether a subscript's index is a number in the source, as in x.shape[3], which numba looks up as it compiles."""
    try:
        node = ast.parse(text, mode="eval").body
        ast.literal_eval(node.slice if isinstance(node, ast.Subscript) else node)
    except (SyntaxError, ValueError):
        return False
    return True


def _tuple_item(env: Env, mask: Mask, items: tuple, index, place: Place):
    """One item of a tuple, possibly another one in each thread; an index out of range ends the thread, as in numba."""
    if type(index) is tuple:
        raise KernelTypeError(elements.tuple_by_tuple(place.site.text))
    if is_bool(index) or (index.dtype.kind not in "iu" if is_lane(index) else not isinstance(index, (int, np.integer))):
        raise KernelTypeError(index_refusal(index, place.site.text))
    if not is_lane(index) and -len(items) <= index < len(items):
        return items[int(index)]
    if not items or not is_lane(index) and _is_written_out(place.site.text):
        raise KernelTypeError(elements.no_such_item(place.site.text, len(items)))
    check_one_type(items, place.site.text)
    index = as_lanes(index, env.width)
    index = np.where(index < 0, index + len(items), index)
    outside = (index < 0) | (index >= len(items))
    if mask.bits is not None:
        outside &= mask.bits
    if outside.any():
        where = place.site.function, place.site.line
        env.batch.record_raise(env, outside, IndexError, ["tuple index out of range"], where)
    result = items[0]
    for position, item in enumerate(items[1:], 1):
        result = merge(result, item, index == position)
    return result


def store(env: Env, mask: Mask, array, index, value: Value, place: Place) -> None:
    """``array[index] = value`` for the active lanes; where several hit one cell, the last in thread order wins."""
    indices = index if type(index) is tuple else (index,)
    if type(value) is Array and value.ndim == 0:  # an element, as of x[..., i]
        value = load_element(env, mask, value, (), place)
    if type(array) is Array and not is_partial(array, indices):
        return store_element(env, mask, array, indices, value, place)
    if env.batch.raised and (mask := remaining(env, mask)) is None:
        return
    if isinstance(array, Record):
        return store_field(env, mask, array, index, value, place)
    if type(array) is not Array:
        raise UnsupportedError(indexed_refusal(array, place.site.text))
    refuse_constant(array)
    if isinstance(value, Array) and not array.dtype.names:
        raise UnsupportedError(types.copies_slice(place.site.text))
    copy_into(env, mask, slice_view(env, mask, array, indices, place, "store"), value, place)
