"""Methods of values: ``array.sum()``, ``array.view(dtype)``, ``group.sync()``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from simt.compiling.operands.refused_forms import is_element_type
from simt.compiling.whole_arrays import METHODS
from simt.errors import UnsupportedError
from simt.memory.arrays import Array
from simt.memory.slices import reshaped, uniform_shape
from simt.refusals import calls, language, names, types
from simt.source.recognise import dtype_of
from simt.threads.cooperative import GridGroup
from simt.values import is_lane, number
from simt.values.numba_rules import I64, U64, cast

if TYPE_CHECKING:
    from simt.lanes.masks import Env, Mask
    from simt.source.sites import Place


def call_method(env: Env, mask: Mask, receiver, name: str, arguments: list, place: Place):
    """``receiver.name(*arguments)``. Raises UnsupportedError for what numba has no method for either."""
    if isinstance(receiver, GridGroup) and name == "sync":
        return receiver.sync(env, mask, place)
    if isinstance(receiver, Array):
        if name in METHODS:
            if any(isinstance(one, Array) for one in arguments):
                raise UnsupportedError(types.array_for_number(place.site.text))
            return METHODS[name](env, mask, place, receiver, *arguments)
        if name == "view":
            if len(arguments) != 1 or not is_element_type(arguments[0]) or arguments[0] in (int, float, bool):
                raise UnsupportedError(calls.no_element_type(place.site.text))
            return _view(receiver, dtype_of(arguments[0]))
        if name == "reshape":
            shape = arguments[0] if isinstance(arguments[0], tuple) else tuple(arguments)
            return reshaped(receiver, tuple(int(extent) for extent in shape))
        if name == "transpose" and not arguments:
            return receiver.transposed()
    elif isinstance(receiver, str) and name in TEXT_METHODS:
        return _position_in(receiver, name, *arguments)
    elif isinstance(receiver, str) and name in TEXT_QUESTIONS and not arguments:
        return np.bool_(getattr(receiver, name)())
    elif isinstance(receiver, tuple) and name == "index":
        raise UnsupportedError(names.only_compiled("index"))
    elif name in NUMBER_METHODS and not arguments:
        return NUMBER_METHODS[name](receiver)
    elif name == "type" and isinstance(receiver, np.dtype):
        return cast(number(arguments[0]), receiver)
    if isinstance(receiver, str) and hasattr(receiver, name):
        raise UnsupportedError(language.text(printed=False))  # `complete` sees whether it is to be printed
    owner = "array" if isinstance(receiver, Array) else str(getattr(receiver, "dtype", type(receiver).__name__))
    raise UnsupportedError(types.no_method(owner, name))


def _view(array: Array, dtype: np.dtype) -> Array:
    """The same memory as another element type."""
    if dtype.itemsize == array.dtype.itemsize:
        return array.retyped(array.flat.view(dtype), 1, 0, str(dtype))
    old, new = array.dtype.itemsize, dtype.itemsize
    if old % new == 0 and array.strides[-1] == 1 and array.flat.flags.c_contiguous:
        parts = array.retyped(array.flat.view(dtype), old // new, 0, str(dtype))
        return parts.view((*array.shape[:-1], array.shape[-1] * (old // new)), (*parts.strides[:-1], 1), parts.base)
    contiguous = array.ndim == 1 and array.strides == (1,) and not is_lane(array.base) and array.space == "global"
    size = uniform_shape(array)[0] * old
    if not contiguous or size % new or array.base * old % new:
        raise UnsupportedError(
            f"cannot view elements of {old} bytes as elements of {new} here: view the whole array on the host"
        )
    usable = array.flat.view(np.uint8)[: array.flat.nbytes // new * new]
    root = array.info.root or array.info.key
    info = replace(
        array.info,
        key=(*array.info.key, str(dtype)),
        root=root,
        dtype=dtype,
        shape=(size // new,),
        n_cells=usable.size // new,
    )
    return Array(usable.view(dtype), (size // new,), (1,), array.base * old // new, info)


TEXT_METHODS = ("find", "rfind", "index", "rindex")  # of all that text has, numba.cuda compiles these, and
KINDS_OF_TEXT = "alnum alpha ascii decimal digit identifier lower numeric printable space title upper"
TEXT_QUESTIONS = frozenset(f"is{kind}" for kind in KINDS_OF_TEXT.split())


def _position_in(text: str, name: str, part: str, *bounds):
    """Where one text that the source names has another. Bounds are the same in every thread."""
    try:
        return np.int64(getattr(text, name)(part, *map(int, bounds)))
    except (TypeError, ValueError) as error:  # a GPU would go on with a number that means nothing
        raise UnsupportedError(types.no_method("str", name)) from error


NUMBER_METHODS: dict[str, Callable] = {
    "bit_count": lambda value: cast(np.bitwise_count(value), U64 if value.dtype.kind == "u" else I64),
    "item": lambda value: value,
    "conjugate": np.conj,
}
