"""`np.finfo` and `np.iinfo` in a kernel: what a type of numbers can hold, in the types that numba gives it."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from simt.errors import UnsupportedError
from simt.source.recognise import dtype_of

if TYPE_CHECKING:
    from simt.lanes.masks import Env, Mask
    from simt.values import Value

LARGEST_INT64 = np.iinfo(np.int64).max
FloatLimits = namedtuple(
    "FloatLimits",
    "eps epsneg iexp machep max maxexp min minexp negep nexp nmant precision resolution tiny bits",
)
IntegerLimits = namedtuple("IntegerLimits", "min max bits")


def _limits_by(info: Callable, container: Any, of: str) -> Callable:
    """What works out `info` of a dtype, a number or an array. Raises UnsupportedError for another kind of numbers."""

    def limits(env: Env, mask: Mask, value: Value):
        dtype = dtype_of(value)
        try:
            known = info(dtype)
        except ValueError as error:
            other = "np.iinfo" if info is np.finfo else "np.finfo"
            raise UnsupportedError(
                f"`np.{info.__name__}` is about {of}, and this is {dtype}. Ask `{other}`."
            ) from error
        return container(*(_number(getattr(known, name)) for name in container._fields))

    return limits


def _number(value) -> np.generic:
    """A Python int as numba has it, int64 where that holds it; NumPy's numbers as they are."""
    if isinstance(value, np.generic):
        return value
    return np.int64(value) if value <= LARGEST_INT64 else np.uint64(value)


LIMITS = {
    np.finfo: _limits_by(np.finfo, FloatLimits, "floats"),
    np.iinfo: _limits_by(np.iinfo, IntegerLimits, "integers"),
}
