"""Per-lane selection: narrow a value to some lanes, merge two values under a mask, scatter one back.

Anything that is not a scalar, an array of lanes or a tuple takes part through three methods of its own:
``narrow(index)``, ``merge(old, bits, mask)`` and ``scatter(old, index, width)``.
"""

from __future__ import annotations

import enum
from types import FunctionType
from typing import TYPE_CHECKING

import numpy as np

from simt.errors import UnsupportedError
from simt.values import UNDEFINED, number, rebuild
from simt.values.numba_rules import cast, unify_dtype

if TYPE_CHECKING:
    from simt.lanes.masks import Mask
    from simt.values import Value

INTEGER_OF_SIZE = {1: np.int8, 2: np.int16, 4: np.int32, 8: np.int64}
SINGLE_VALUED = (str, type, np.dtype, FunctionType)  # what cannot differ from thread to thread
BIT_BLEND_FROM = 4096  # lanes; below, np.where is as fast as blending bits


def narrow(value: Value, index: np.ndarray):
    """The lanes `index` of a value."""
    if type(value) is np.ndarray:
        return value[index]
    if isinstance(value, tuple):
        return rebuild(value, (narrow(item, index) for item in value))
    return value.narrow(index) if hasattr(value, "narrow") else value


def merge(old, new, bits: np.ndarray, mask: Mask = None):
    """Per lane ``bits ? new : old``, in the type numba unifies the two to. mask: the Mask of `bits`, if known."""
    if old is new:
        return new
    if isinstance(new, tuple) and isinstance(old, tuple) and len(new) == len(old):
        return rebuild(new, (merge(a, b, bits, mask) for a, b in zip(old, new, strict=True)))
    if hasattr(new, "merge"):
        return new.merge(old, bits, mask)
    if not _is_number(new) or not _is_number(old):
        if isinstance(new, enum.Enum) or isinstance(old, enum.Enum):
            return merge(number(old), number(new), bits, mask)
        _check_same_object(old, new)
        return new
    dtype = unify_dtype(old.dtype, new.dtype)
    if _is_same_scalar(old, new):
        return new  # stays uniform
    if len(bits) >= BIT_BLEND_FROM and dtype.itemsize <= 8:
        return _blend(cast(old, dtype), cast(new, dtype), bits, mask)
    return np.where(bits, cast(new, dtype), cast(old, dtype))


def _blend(old, new, bits: np.ndarray, mask: Mask) -> np.ndarray:
    """Select with bit operations: an irregular mask makes np.where several times slower."""
    dtype = old.dtype
    integer = INTEGER_OF_SIZE[dtype.itemsize]
    select = mask.blend_bits(dtype.itemsize) if mask is not None else -(bits.astype(integer))
    old, new = old.view(integer), new.view(integer)
    result = old ^ new
    result &= select
    result ^= old
    return result.view(dtype)


def scatter(old, new, index: np.ndarray, width: int):
    """`old` with the lanes `index` replaced by `new`, which has one value for each of them."""
    if isinstance(new, tuple):
        olds = (UNDEFINED,) * len(new) if old is UNDEFINED else old
        return rebuild(new, (scatter(a, b, index, width) for a, b in zip(olds, new, strict=True)))
    if hasattr(new, "scatter"):
        return new.scatter(old, index, width)
    if not _is_number(new) and old is UNDEFINED:
        return new
    if not _is_number(new) or isinstance(old, enum.Enum):
        if isinstance(new, enum.Enum) or isinstance(old, enum.Enum):
            return old if old is new else scatter(number(old), number(new), index, width)
        _check_same_object(old, new)
        return new
    if old is UNDEFINED:
        if type(new) is not np.ndarray:
            return new
        result = np.zeros(width, new.dtype)
    elif not _is_number(old):
        raise UnsupportedError(
            f"a variable holds {_kind(old)} in some threads and {_kind(new)} in others: give it one kind of value"
        )
    elif _is_same_scalar(old, new):
        return old
    else:
        dtype = unify_dtype(old.dtype, new.dtype)
        result = old.astype(dtype) if type(old) is np.ndarray else np.full(width, old, dtype)
    result[index] = new
    return result


def _is_same_scalar(old, new) -> bool:
    """Whether both are uniform and have the same bits: 0.0 and -0.0 differ."""
    if type(new) is np.ndarray or type(old) is np.ndarray or new.dtype != old.dtype:
        return False
    return new.tobytes() == old.tobytes()


def _check_same_object(old, new) -> None:
    """Raises UnsupportedError where threads would hold different things that are no numbers."""
    if type(old) is not type(new) or (isinstance(new, SINGLE_VALUED) and old != new):
        raise UnsupportedError(
            f"a variable holds {_kind(old)} in some threads and {_kind(new)} in others: give it one kind of value"
        )


def _is_number(value: Value) -> bool:
    return isinstance(value, (np.ndarray, np.generic))


def _kind(value: Value) -> str:
    return "nothing" if value is None else str(value.dtype) if _is_number(value) else type(value).__name__
