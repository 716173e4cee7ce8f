"""print in a kernel, in the format of the GPU's printf: %f for floats, one line a thread, in the order of threads."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

import numpy as np

from simt.errors import UnsupportedError
from simt.memory.arrays import Array
from simt.refusals import language
from simt.threads.positions import Dim3
from simt.values import is_lane
from simt.values.bfloat16 import is_bfloat16
from simt.values.vectors import Vector

if TYPE_CHECKING:
    from simt.lanes.masks import Env, Mask
    from simt.values import Value

WORD = 8  # bytes of a value in the buffer of the GPU's printf, and of its format
MAX_ITEMS = 32  # that one print can show; CUDA's printf takes no more
TOO_MANY = (
    f"CUDA print() cannot print more than {MAX_ITEMS} items. "
    "The raw format string will be emitted by the kernel instead."
)


class PrintWarning(UserWarning):
    """A print that shows something else than what it was given."""


def print_values(env: Env, mask: Mask, *values, **options):
    """``print(a, b)``: numbers, strings, tuples of these, and threadIdx and its kin."""
    if options:
        raise UnsupportedError(language.print_option(" or ".join(options)))
    line = " ".join(map(_format, values))
    too_many = len(values) > MAX_ITEMS
    if too_many:
        warnings.warn(TOO_MANY, PrintWarning, stacklevel=2)
    if env.batch.emit is not None:
        env.batch.emit.tell("printed", mask.count, WORD * mask.count * (1 + len(values)))
    python_line = line.replace("%ll", "%")  # Python knows no `ll`
    for lane in range(env.width) if mask.bits is None else mask.index:
        print(line if too_many else python_line % tuple(_numbers(values, int(lane))))


def _format(value: Value) -> str:
    """The part of printf's format that shows a value. Raises UnsupportedError for what numba cannot print."""
    if isinstance(value, Dim3):
        return "(%d, %d, %d)"
    if isinstance(value, tuple) and not isinstance(value, Vector):
        return f"({_format(value[0])},)" if len(value) == 1 else f"({', '.join(map(_format, value))})"
    if isinstance(value, str):
        return "%s"
    kind = value.dtype.kind if isinstance(value, (np.generic, np.ndarray)) else ""
    kind = "f" if kind == "V" and is_bfloat16(value.dtype) else kind
    if kind not in ("b", "i", "u", "f"):
        raise UnsupportedError(language.not_printed(_described(value)))
    return {"b": "%s", "i": "%lld", "u": "%llu", "f": "%f"}[kind]


def _described(value: Value) -> str:
    if isinstance(value, (np.generic, np.ndarray)):
        return f"a {value.dtype}"
    if isinstance(value, Array):
        return "a whole array"
    return "nothing" if value is None else f"a value of type {type(value).__name__}"


def _numbers(values, lane: int):
    """What one thread shows: the numbers and strings in values, in order."""
    for value in values:
        if isinstance(value, tuple):
            yield from _numbers(value, lane)
            continue
        value = value[lane] if is_lane(value) else value
        yield value.item() if isinstance(value, np.generic) else value
