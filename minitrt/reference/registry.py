"""Which function evaluates which kind, and how quantised values go in and out of it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from minitrt.api.enums import DataType
from minitrt.graph.ir import NUMPY_TYPES, Op, Value

Array = np.ndarray
Evaluator = Callable[..., "Array | tuple[Array, ...]"]
EVALUATORS: dict[str, tuple[Evaluator, bool]] = {}


class UnsupportedKind(NotImplementedError):
    """No function evaluates this kind of operation. Attribute: kind."""

    def __init__(self, op: Op):
        super().__init__(f"{op.name}: the reference backend has no operation {op.kind!r}")
        self.kind = op.kind


def evaluates(kind: str, stored: bool = False) -> Callable[[Evaluator], Evaluator]:
    """Register a function of ``(op, *arrays)`` as the meaning of `kind`.

    stored: True when the function takes INT8 values as they are stored and answers for its outputs' types itself;
    otherwise INT8 inputs with a scale arrive as float32 ``scale * stored``, HALF ones widened to float32, and results
    are quantised or converted to the outputs' types afterwards.
    """

    def register(function: Evaluator) -> Evaluator:
        EVALUATORS[kind] = (function, stored)
        return function

    return register


def run_op(op: Op, inputs: list[Array | None]) -> list[Array]:
    """The outputs of `op` for these stored inputs (None where an optional one is absent).

    Raises: UnsupportedKind; ValueError where shapes do not fit.
    """
    if op.kind not in EVALUATORS:
        raise UnsupportedKind(op)
    function, stored = EVALUATORS[op.kind]
    if not stored:
        inputs = [real(array, value) for array, value in zip(inputs, op.inputs, strict=False)]
    with np.errstate(all="ignore"):
        results = function(op, *inputs)
    results = results if isinstance(results, tuple) else (results,)
    if stored:
        return [np.asarray(result) for result in results[: len(op.outputs)]]
    return [to_stored(np.asarray(result), value) for result, value in zip(results, op.outputs, strict=False)]


def real(array: Array | None, value: Value | None) -> Array | None:
    """What a stored array means: dequantised if its value has a scale, HALF as float32."""
    if array is None or value is None:
        return array
    if value.dtype == DataType.INT8 and value.scale is not None:
        return array.astype(np.float32) * along(value.scale, value.axis, array.ndim)
    return array.astype(np.float32) if array.dtype == np.float16 else array


def to_stored(array: Array, value: Value) -> Array:
    """An array of real numbers as `value` stores them."""
    if value.dtype == DataType.INT8 and value.scale is not None:
        return saturate(array.astype(np.float32) / along(value.scale, value.axis, array.ndim))
    wanted = NUMPY_TYPES[value.dtype]
    return array if array.dtype == wanted else array.astype(wanted)


def saturate(steps: Array) -> Array:
    """int8 from float steps: rounded half to even, clipped to [-128, 127], NaN as 0."""
    with np.errstate(all="ignore"):
        rounded = np.clip(np.rint(steps), -128, 127)
        return np.nan_to_num(rounded, nan=0.0, copy=False).astype(np.int8)


def along(scale: float | Array, axis: int, rank: int) -> Array:
    """A scale as float32 that broadcasts along `axis` of an array of `rank` dimensions."""
    scale = np.asarray(scale, np.float32)
    if scale.ndim == 0 or scale.size == 1:
        return scale.reshape(())
    shape = [1] * rank
    shape[axis] = scale.size
    return scale.reshape(shape)
