"""Run a tactic of plain kernels in the interpreter: launches as a plan holds them, on NumPy memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numba import types

import simt
from minitrt.graph.ir import LINEAR, NHWC16, NUMPY_TYPES, Op, Value
from minitrt.kernels.factories import kernel
from minitrt.tactics.contract import Packed, Scalar, Tactic, Tensor, Workspace
from tests.minitrt.operations import nhwc16

POISON = 0x55
WORDS_OF_ARRAY = 7


def run(op: Op, tactic: Tactic, inputs: Sequence[np.ndarray | None], **how: Any) -> list[np.ndarray]:
    """The outputs as logical arrays. inputs: logical arrays, None for a constant or an absent one; how: simt.launch."""
    outputs = [value.like(value.name, layout=layout) for value, layout in zip(op.outputs, tactic.outputs, strict=True)]
    memory = {
        ("input", i): stored(array, layout)
        for i, (array, layout) in enumerate(zip(inputs, tactic.inputs, strict=True))
        if array is not None
    }
    for i, value in enumerate(outputs):
        memory["output", i] = np.full(max(value.nbytes, 1), POISON, np.uint8)
    memory["workspace"] = np.full(max(tactic.workspace_bytes, 1), POISON, np.uint8)
    for launch in tactic.make(op):
        for argument in launch.args:
            if isinstance(argument, Workspace):
                memory["workspace"][argument.offset_bytes :][: argument.zeroed_bytes] = 0
        made = kernel(launch.kernel.factory, dict(launch.kernel.constants))
        given = arguments(made.signature.args, launch.args, memory)
        simt.launch(made.function, launch.grid, launch.block, *given, **how)
    return [logical(memory["output", i], value) for i, value in enumerate(outputs)]


def arguments(kinds, given, memory) -> list:
    """What the kernel takes: an array for each seven words, a number for each scalar."""
    words, taken = list(given), []
    for kind in kinds:
        if not isinstance(kind, types.Array):
            number = words.pop(0)
            assert isinstance(number, Scalar) and np.dtype(number.type) == np.dtype(str(kind)), (number, kind)
            taken.append(np.dtype(number.type).type(number.value))
            continue
        row, words = words[:WORDS_OF_ARRAY], words[WORDS_OF_ARRAY:]
        dtype = np.dtype(bool) if kind.dtype == types.boolean else np.dtype(str(kind.dtype))
        assert row[3].value == dtype.itemsize == row[6].value, (row, kind)
        taken.append(view(row[4], memory)[: row[2].value * dtype.itemsize].view(dtype))
        assert len(taken[-1]) == row[2].value, f"{row[4]} has {len(taken[-1])} elements, the launch says {row[2].value}"
    assert not words
    return taken


def view(argument, memory) -> np.ndarray:
    if isinstance(argument, Packed):
        return np.ascontiguousarray(argument.data).reshape(-1).view(np.uint8)
    if isinstance(argument, Workspace):
        return memory["workspace"][argument.offset_bytes :]
    assert isinstance(argument, Tensor)
    return memory[argument.role, argument.index][argument.offset_bytes :]


def stored(array: np.ndarray, layout: str) -> np.ndarray:
    """Bytes of an array as a layout stores it."""
    laid = nhwc16(array) if layout == NHWC16 else array
    return np.ascontiguousarray(laid).reshape(-1).view(np.uint8).copy() if laid.size else np.zeros(1, np.uint8)


def logical(data: np.ndarray, value: Value) -> np.ndarray:
    """The elements of a value without its layout; padding must be zero."""
    array = data[: value.nbytes].view(NUMPY_TYPES[value.dtype]).reshape(value.stored_shape)
    if value.layout == LINEAR:
        return array
    channels = value.shape[1]
    assert not array[..., channels:].any(), "padding that is not zero"
    return np.moveaxis(array[..., :channels], -1, 1)
