"""Run one operation with one tactic on arrays: what tests and examples need, and the engine does for many at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from minitrt.device.driver import Memory, Stream, download, upload, use_device
from minitrt.device.launches import Kernels, bind
from minitrt.graph.ir import NUMPY_TYPES, Op
from minitrt.tactics.contract import Argument, Packed, Tactic, Tensor, Workspace

POISON = 0x55  # what outputs hold before the run: an element that nobody writes shows


def run(op: Op, tactic: Tactic, inputs: Sequence[np.ndarray | None], kernels: Kernels) -> list[np.ndarray]:
    """The outputs as they lie in memory, flat (int8, float32, ...).

    inputs: arrays as they lie in the tactic's layouts, None for an absent input.
    """
    use_device()
    stream = Stream()
    memory = [None if array is None else _sent(np.ascontiguousarray(array)) for array in inputs]
    placed = [value.like(value.name, layout=layout) for value, layout in zip(op.outputs, tactic.outputs, strict=True)]
    outputs = [_sent(np.full(value.nbytes, POISON, np.uint8)) for value in placed]
    workspace, constants = Memory(tactic.workspace_bytes), {}

    def resolve(argument: Argument) -> int:
        if isinstance(argument, Packed):
            if argument.name not in constants:
                constants[argument.name] = _sent(argument.data)
            return constants[argument.name].address
        if isinstance(argument, Workspace):
            return workspace.address + argument.offset_bytes
        assert isinstance(argument, Tensor)
        side = memory if argument.role == "input" else outputs
        return side[argument.index].address + argument.offset_bytes

    bound, table = bind([(launch, resolve) for launch in tactic.make(op)], kernels)
    for launch in bound:
        launch.enqueue(int(stream))
    found = [
        download(
            there.address,
            np.empty(value.nbytes // NUMPY_TYPES[value.dtype].itemsize, NUMPY_TYPES[value.dtype]),
            int(stream),
        )
        for there, value in zip(outputs, placed, strict=True)
    ]
    del table
    return found


def _sent(array: np.ndarray) -> Memory:
    memory = Memory(array.nbytes)
    upload(memory.address, array)
    return memory
