"""What running an operation on inputs of zeros gives: the meaning that shape rules are held to."""

from __future__ import annotations

import numpy as np

from minitrt.api.enums import DataType
from minitrt.graph.ir import DATA_TYPES, NUMPY_TYPES, Op, Value
from minitrt.reference import run_op


def by_running(op: Op) -> list[tuple[tuple[int, ...], DataType]]:
    """(shape, dtype) of each result of a settled operation."""
    arrays = [None if value is None else zeros_of(value) for value in op.inputs]
    return [(tuple(array.shape), DATA_TYPES[array.dtype]) for array in run_op(op, arrays)]


def zeros_of(value: Value) -> np.ndarray:
    """A value's data, or zeros of its shape that take no memory."""
    return value.data if value.is_constant else np.broadcast_to(np.zeros((), NUMPY_TYPES[value.dtype]), value.shape)
