"""A registered tactic without a GPU: its kernels run in the interpreter, on arrays as its layouts say."""

from __future__ import annotations

from typing import Any

import numpy as np

from minitrt.graph.ir import LINEAR, NHWC16, NUMPY_TYPES, Op, Value
from minitrt.tactics.own import on_host
from minitrt.tactics.own.lowering import number, seen_as
from minitrt.tactics.own.registry import FORMATS
from minitrt.tactics.own.tactic import In, Out, OwnTactic, Scratch, TacticError, calls_of, layouts_of, three

POISON = 0x5B  # bytes of memory that nobody has written


def run(tactic: OwnTactic, op: Op, arrays: list[np.ndarray | None]) -> list[np.ndarray]:
    """The outputs of an operation. arrays: its inputs with their shapes, None where one is absent.

    Raises: TacticError, also for padding that is left as it was found; what the interpreter raises for the kernel.
    """
    import simt

    ways_in, ways_out = layouts_of(tactic, op)
    calls = calls_of(tactic, op)
    ins = [None if a is None else packed(tactic, a, way).copy() for a, way in zip(arrays, ways_in, strict=True)]
    outs = [poisoned(v.like(v.name, layout=way)) for v, way in zip(op.outputs, ways_out, strict=True)]
    scratch: dict[int, np.ndarray] = {}
    for call in calls:
        given = [given_as(tactic, op, one, ins, outs, scratch) for one in call.args]
        simt.launch(
            call.kernel, three(call.grid), three(call.block), *given, dynamic_shared_bytes=int(call.shared_bytes)
        )
    return [unpacked(tactic, op, *one) for one in zip(outs, op.outputs, ways_out, strict=True)]


def poisoned(value: Value) -> np.ndarray:
    """Memory of a value that holds anything."""
    return np.full(value.nbytes, POISON, np.uint8).view(NUMPY_TYPES[value.dtype]).reshape(value.stored_shape)


def given_as(tactic: OwnTactic, op: Op, argument: Any, ins: list, outs: list, scratch: dict) -> Any:
    """An argument of a call as its kernel gets it."""
    if isinstance(argument, (In, Out)):
        shape, _ = seen_as(tactic, op, argument)
        return (ins if isinstance(argument, In) else outs)[argument.index].reshape(shape)
    if isinstance(argument, Scratch):
        if id(argument) not in scratch:
            bytes_of_it = np.full(argument.nbytes, POISON, np.uint8)
            scratch[id(argument)] = bytes_of_it.view(argument.dtype).reshape(argument.shape)
        return scratch[id(argument)]
    if isinstance(argument, np.ndarray):
        return np.ascontiguousarray(argument)
    return np.dtype(number(tactic, op, argument)[1]).type(argument)


def packed(tactic: OwnTactic, array: np.ndarray, layout: str) -> np.ndarray:
    """An array as a layout stores it. Raises: TacticError for one of the engine's own that no reader can ask for."""
    if layout not in (LINEAR, NHWC16, *FORMATS):
        known = ", ".join((LINEAR, NHWC16, *FORMATS))
        raise TacticError(tactic.name, f"there is no layout {layout!r}; there are {known}")
    return on_host.stored(array, layout)


def unpacked(tactic: OwnTactic, op: Op, stored: np.ndarray, value: Value, layout: str) -> np.ndarray:
    """The array that a layout stores. Raises: TacticError where padding is not what the layout says."""
    if layout == LINEAR:
        return stored
    array = on_host.seen(stored, layout, value.shape)
    whole = packed(tactic, array, layout)
    wrong = np.argwhere(whole.view(np.uint8) != stored.view(np.uint8))
    if len(wrong):
        at = tuple(int(i) for i in wrong[0])
        problem = f"in {op.name} the padding of its output is not what layout {layout!r} has, at {at} for one"
        raise TacticError(tactic.name, f"{problem}. Who reads it next relies on that: store zeros there.")
    return array
