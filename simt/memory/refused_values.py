"""Values that numba would not have let come here: what is no index, what has no elements, what nobody receives."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING

import numpy as np

from simt.memory.arrays import Array
from simt.refusals import Refusal, calls, language, ranges, types
from simt.source.recognise import CudaName, python_function

if TYPE_CHECKING:
    from simt.values import Value


def is_bool(index) -> bool:
    """Whether this is True or False, of all lanes or of each: a number in Python, and no index in numba."""
    return isinstance(index, (bool, np.bool_)) or (isinstance(index, np.ndarray) and index.dtype.kind == "b")


def index_refusal(index, cell: str) -> Refusal:
    """Why this is no index. cell: the whole expression, as in "dst[i / 2]"."""
    if hasattr(index, "dtype"):
        dtype = str(index.dtype)
        return types.float_index(cell, dtype) if index.dtype.kind == "f" else types.odd_index(cell, dtype)
    if isinstance(index, tuple):
        position = type(index).__name__ == "Dim3"
        return types.position_index(cell) if position else types.tuple_index(cell)
    if isinstance(index, CudaName):
        return types.position_index(cell)
    if isinstance(index, enum.Enum):
        return types.odd_index(cell, types.MEMBER)
    kind = {"str": "string", "Array": "whole array", "NoneType": "None"}.get(type(index).__name__, type(index).__name__)
    return types.odd_index(cell, kind)


def indexed_refusal(value: Value, cell: str) -> Refusal | str:
    """Why this value has no elements. cell: the whole expression, as in "weight[i]"."""
    if isinstance(value, str):
        return language.text(printed=False)
    if hasattr(value, "py_func") or python_function(value) is not None:
        return calls.nested_launch()
    if type(value).__name__ == "Range":
        return ranges.indexed(cell)
    if not isinstance(value, (np.ndarray, np.generic, bool, int, float)):
        return f"the interpreter cannot index a value of type {type(value).__name__}: pass it as an argument"
    name, bracket, _ = cell.partition("[")
    return types.number_indexed(cell, name.strip()) if bracket else types.number_indexed("", "")


def returned_type(value: Value) -> str:
    """The type of a value that a kernel returns, in numba's words; "" for what has none."""
    return str(value.dtype) if hasattr(value, "dtype") and not isinstance(value, Array) else ""
