"""Run one operation with one tactic on arrays: what tests and examples need, and the engine does for many at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from minitrt.device.driver import Memory, Stream, download, sent, use_device
from minitrt.device.launches import Kernels, bind
from minitrt.graph.ir import NUMPY_TYPES, Op, Value
from minitrt.plan.memory import pixels_inside
from minitrt.tactics.contract import VIEW, Argument, Packed, Tactic, Tensor, Workspace

POISON = 0x55  # what outputs hold before the run: an element that nobody writes shows


class GapWritten(ValueError):
    """A kernel wrote between its pixels, where other values lie."""


def run(op: Op, tactic: Tactic, inputs: Sequence[np.ndarray | None], kernels: Kernels) -> list[np.ndarray]:
    """The outputs as they lie in memory, flat (int8, float32, ...).

    inputs: arrays as they lie in the tactic's layouts, None for an absent input. A view's outputs are its inputs'
    bytes, and what an operation finds in its output's memory in a plan is there: no GPU is asked where nothing runs.
    Raises: GapWritten.
    """
    placed = [
        v.like(v.name, layout=layout, pitch=v.pitch) for v, layout in zip(op.outputs, tactic.outputs, strict=True)
    ]
    before, launches = [there(op, tactic, value, inputs) for value in placed], tactic.make(op)
    if not launches:
        return [own(array, value, tactic) for array, value in zip(before, placed, strict=True)]
    use_device()
    stream = Stream()
    memory = [None if array is None else sent(np.ascontiguousarray(array)) for array in inputs]
    outputs = [sent(array) for array in before]
    workspace, constants = Memory(tactic.workspace_bytes), {}

    def resolve(argument: Argument) -> int:
        if isinstance(argument, Packed):
            if argument.name not in constants:
                constants[argument.name] = sent(argument.data)
            return constants[argument.name].address
        if isinstance(argument, Workspace):
            return workspace.address + argument.offset_bytes
        assert isinstance(argument, Tensor)
        side = memory if argument.role == "input" else outputs
        return side[argument.index].address + argument.offset_bytes

    bound, table = bind([(launch, resolve) for launch in launches], kernels)
    for launch in bound:
        launch.enqueue(int(stream))
    after = [download(m.address, np.empty_like(array), int(stream)) for m, array in zip(outputs, before, strict=True)]
    del table
    return [own(array, value, tactic) for array, value in zip(after, placed, strict=True)]


def there(op: Op, tactic: Tactic, value: Value, inputs: Sequence[np.ndarray | None]) -> np.ndarray:
    """The bytes of an output's memory before the launches, where in a plan some inputs lie in it."""
    arrays = [None if array is None else np.ascontiguousarray(array) for array in inputs]
    if tactic.name.startswith(VIEW):
        sources = arrays if op.kind == "concat" else arrays[:1]
        return np.concatenate([array.reshape(-1).view(np.uint8) for array in sources if array is not None])
    item, (*lead, channels) = NUMPY_TYPES[value.dtype].itemsize, value.stored_shape or (1,)
    pixels = np.full((*lead, (value.pitch or channels) * item), POISON, np.uint8)
    for source, start in pixels_inside(op) if op.attrs.get("inside") else ():
        array = arrays[op.inputs.index(source)]
        pixels[..., start : start + array.shape[-1] * item] = array.view(np.uint8)
    return pixels.reshape(-1)


def own(array: np.ndarray, value: Value, tactic: Tactic) -> np.ndarray:
    """The elements of an output, flat, out of its memory's bytes. Raises: GapWritten."""
    elements = array.view(NUMPY_TYPES[value.dtype])
    if not value.pitch:
        return elements
    pixels, channels = elements.reshape(-1, value.pitch), value.stored_shape[-1]
    if (np.ascontiguousarray(pixels[:, channels:]).view(np.uint8) != POISON).any():
        raise GapWritten(f"{tactic.name} writes pixels of {channels} channels, {value.pitch} apart, and between them")
    return pixels[:, :channels].reshape(-1)
