"""What numba refuses of a call that it compiles with other arguments: a whole array for a number, `float(z)` of a
complex number, `min(flag, 1)`. A test compares one-line calls with the compiler.
"""

from __future__ import annotations

import cmath
import enum
import math
import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from simt.errors import UnsupportedError
from simt.memory.arrays import Array
from simt.refusals import calls, numbers, types
from simt.source.recognise import CudaName, is_numba_type
from simt.values import member_as_number, number
from simt.values.numba_rules import B1, F64

if TYPE_CHECKING:
    from simt.lanes.masks import Env, Mask
    from simt.source.sites import Place
    from simt.values import Value

TAKE_ARRAYS: set[Any] = {  # of those that are called with the values alone; the others take numbers
    len, min, max, isinstance, print, operator.is_, operator.is_not, np.asarray, np.finfo, np.iinfo, np.iscomplexobj,
    np.isrealobj, np.isscalar, np.shape, np.size,
}  # fmt: skip
CMATH = {value for name, value in vars(cmath).items() if callable(value) and not name.startswith("_")}
NO_MEMBERS: set[Any] = CMATH | {int, float, complex, bool, round, min, max}  # not called with a member of an IntEnum
OF_ARRAYS: set[Any] = {np.shape, np.size, np.ndenumerate}  # numba has them for arrays alone, and
OF_NUMBERS: set[Any] = {np.real, np.imag}  # for numbers alone
OF_COMPLEX = {  # cmath's functions that take no real number
    getattr(cmath, name) for name in "acosh cosh log10 sinh tanh phase polar".split()
}
OF_SEVERAL = {cmath.log, cmath.rect}  # cmath's functions that take two numbers


def held_to_form(function: Any, call: Callable, place: Place) -> Callable:
    """The call, refused where its arguments are none that numba compiles it with. call: f(env, mask, *values)."""
    refused = REFUSED.get(function) or (_refused_of_cmath if function in CMATH else None)

    def run(env: Env, mask: Mask, *values, **keywords):
        values = _as_taken(function, values, place)
        if refused is not None and refused(function, *map(number, values)):
            _refuse(function, values, place)
        return call(env, mask, *values, **keywords)

    return run


def held_to_form_in_place(function: Any, call: Callable, place: Place) -> Callable:
    """The same for calls that load elements: f(env, mask, place, *values)."""
    refused = REFUSED.get(function)

    def run(env: Env, mask: Mask, *values, **keywords):
        if function in NO_MEMBERS:
            no_members(values, place)
        if function not in TAKE_ARRAYS:
            values = tuple(map(member_as_number, values))
        if refused is not None and refused(function, *map(number, values)):
            _refuse(function, values, place)
        return call(env, mask, place, *values, **keywords)

    return run


def _as_taken(function: Any, values: tuple, place: Place) -> tuple:
    """The arguments of a function, members of an IntEnum as the numbers that they are.

    Raises: UnsupportedError for a whole array, where numbers are taken, and for a member that numba does not convert.
    """
    for value in values:
        if type(value) is Array and function not in TAKE_ARRAYS:
            raise UnsupportedError(types.array_for_number(place.site.text))
        if isinstance(value, enum.IntEnum):
            if function in NO_MEMBERS:
                raise UnsupportedError(types.member_for_number(place.site.text))
            floats = [one for one in values if getattr(one, "dtype", B1).kind in "fc"]
            if floats and function is not math.ldexp:
                raise UnsupportedError(numbers.member_as_float(value, str(floats[0].dtype)))
            if function not in TAKE_ARRAYS:
                return tuple(map(member_as_number, values))
    return values


def no_members(values: tuple, place: Place) -> tuple:
    """The values of a call. Raises: UnsupportedError where one is a member of an enum."""
    if any(isinstance(value, enum.Enum) for value in values):
        raise UnsupportedError(types.member_for_number(place.site.text))
    return values


def one_number(value: Value, dtype: np.dtype, place: Place):
    """What a type is called with, as in float32(x).

    Raises: UnsupportedError for a whole array, and for a complex number that is to become a real one.
    """
    if type(value) is Array:
        raise UnsupportedError(types.array_for_number(place.site.text))
    if isinstance(value, enum.IntEnum) and dtype.kind in "fcb":
        raise UnsupportedError(types.member_for_number(place.site.text))
    value = number(value)
    if _is_complex(value) and dtype.kind in "iuf":
        raise UnsupportedError(types.wrong_types(str(dtype), f"{dtype}({value.dtype})"))
    return value


def is_element_type(value: Value) -> bool:
    """np.int32, numba.int32, int, text that names one."""
    return isinstance(value, (type, CudaName, np.dtype)) or is_numba_type(value)


def _refuse(function: Any, values: tuple, place: Place) -> None:
    if function in OF_ARRAYS | OF_NUMBERS:
        raise UnsupportedError(calls.numpy_call(place.site.text.partition("(")[0]))
    if function is tuple or any(type(value) is Array for value in values):
        raise UnsupportedError(types.array_for_number(place.site.text))
    name = function.__name__
    raise UnsupportedError(types.wrong_types(name, f"{name}({', '.join(map(_kind, values))})"))


def _kind(value: Value) -> str:
    value = number(value)
    return str(value.dtype) if hasattr(value, "dtype") else getattr(value, "__name__", type(value).__name__)


def _is_complex(value: Value) -> bool:
    return getattr(value, "dtype", B1).kind == "c"


def _is_whole(value: Value) -> bool:
    """None, or an integer."""
    return value is None or (type(value) is not Array and getattr(value, "dtype", F64).kind in "iub")


def _has_complex(function: Any, *values) -> bool:
    return any(map(_is_complex, values))


def _no_order(function: Any, *values) -> bool:
    """min and max: complex numbers, or bools beside others."""
    kinds = {value.dtype for value in values if isinstance(value, (np.ndarray, np.generic))}
    return any(map(_is_complex, values)) or (len(kinds) > 1 and B1 in kinds)


def _no_type(function: Any, value: Value, kinds=None) -> bool:
    return not all(map(is_element_type, kinds if isinstance(kinds, tuple) else (kinds,)))


def _no_bounds(function: Any, *values) -> bool:
    return any(isinstance(value, (Array, tuple, str)) or callable(value) for value in values)


def _no_start(function: Any, items: Value, start=None) -> bool:
    return not _is_whole(start)


def _no_extents(function: Any, *extents) -> bool:
    shape = extents[0] if len(extents) == 1 and isinstance(extents[0], tuple) else extents
    return any(getattr(one, "dtype", B1).kind not in "biu" for one in shape)


def _refused_of_cmath(function: Any, *values) -> bool:
    kinds = [value.dtype.kind if isinstance(value, (np.ndarray, np.generic)) else "" for value in values]
    if function is cmath.rect:
        return set(kinds) != {"f"}
    return len(kinds) > 1 + (function in OF_SEVERAL) or (function in OF_COMPLEX and kinds != ["c"])


REFUSED: dict[Any, Callable[..., bool]] = {
    int: _has_complex,
    complex: lambda function, real, imag=None: imag is not None and (_is_complex(real) or _is_complex(imag)),
    float: lambda function, value, *more: _is_complex(value) or getattr(value, "dtype", None) == B1,
    min: _no_order,
    max: _no_order,
    isinstance: _no_type,
    math.ldexp: _has_complex,
    math.frexp: _has_complex,
    slice: _no_bounds,
    enumerate: _no_start,
    tuple: lambda function, items=(): type(items) is Array,
    operator.contains: lambda function, values, one: type(one) is Array,
    np.dtype: lambda function, kind: isinstance(kind, (np.ndarray, np.generic)),
    np.angle: lambda function, value, degrees=None: isinstance(degrees, (type, CudaName)),
    np.ndindex: _no_extents,
}
for _function in OF_ARRAYS:
    REFUSED[_function] = lambda function, value, *more: type(value) is not Array
for _function in OF_NUMBERS:
    REFUSED[_function] = lambda function, value: type(value) is Array
