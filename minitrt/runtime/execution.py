"""How a context's run reaches the machine: with NumPy, or on a GPU."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from minitrt.api.enums import TensorLocation
from minitrt.api.interfaces import IProfiler
from minitrt.graph.ir import HWC, NUMPY_TYPES, Graph, Value
from minitrt.plan.plan import Profile
from minitrt.runtime.host import address_of, array_at
from minitrt.runtime.reference import Watch, execute
from minitrt.tactics.own.registry import is_own, named

ALIGNMENT = 256


class Execution(Protocol):
    """What runs for a context. `run` reads profile, shapes, addresses, allocators and listeners from the context."""

    def run(self, context: Any, stream: int) -> None: ...
    def wait(self, stream: int) -> None: ...
    def use_arena(self, address: int) -> None: ...
    def arena_bytes(self, graph: Graph, profile: Profile) -> int: ...
    def report_to(self, profiler: IProfiler) -> None: ...


class HostExecution:
    """Runs a whole plan with NumPy, on addresses of host memory; streams mean nothing."""

    def __init__(self) -> None:
        self.times: list[tuple[str, float]] = []

    def run(self, context: Any, stream: int) -> None:
        graph = context._specialised()
        inputs = {value.name: logical(value, fetched(context, value)) for value in graph.inputs}
        self.times = []
        watch = Watch(layer=self.note if context.profiler else None)
        if context._listener is not None:
            shown = {value.name for value in context._profile.graph.kept if context.get_debug_state(value.name)}
            watch.kept = {value for value in graph.values() if value.name in shown}
            watch.tensor = lambda value, array: show(context, value, array, stream)
        own = {one.op: named(one.tactic) for one in context._profile.choices if is_own(one.tactic)}
        results = execute(graph, inputs, watch, own)
        for value in graph.outputs:
            deliver(context, value, results[value.name], stream)
        if context.profiler and context.enqueue_emits_profile:
            self.report_to(context.profiler)

    def note(self, name: str, milliseconds: float) -> None:
        self.times.append((name, milliseconds))

    def report_to(self, profiler: IProfiler) -> None:
        for name, milliseconds in self.times:
            profiler.report_layer_time(name, milliseconds)

    def wait(self, stream: int) -> None:
        """Everything is done when `run` returns."""

    def use_arena(self, address: int) -> None:
        """NumPy allocates for itself."""

    def arena_bytes(self, graph: Graph, profile: Profile) -> int:
        return profile.arena_bytes


def stored(value: Value, shape: tuple[int, ...]) -> tuple[int, ...]:
    """How an input or output of this shape lies in memory."""
    return value.like(value.name, shape=tuple(shape)).stored_shape


def fetched(context: Any, value: Value) -> np.ndarray:
    """A copy of an input as it is stored."""
    shape = stored(value, context._shape_of(value))
    return array_at(context._addresses[value.name], shape, NUMPY_TYPES[value.dtype]).copy()


def logical(value: Value, array: np.ndarray) -> np.ndarray:
    """What lies in memory, as (..., C, H, W)."""
    return np.moveaxis(array, -1, -3) if value.layout == HWC else array


def laid(value: Value, array: np.ndarray) -> np.ndarray:
    """An array as an input or output lies in memory."""
    made = np.empty(stored(value, array.shape), array.dtype)
    logical(value, made)[...] = array
    return made


def deliver(context: Any, value: Value, array: np.ndarray, stream: int) -> None:
    """Write an output where the caller wants it: at its address, or where its allocator says."""
    address, made = place_for(context, value, array.shape, array.nbytes, stream), laid(value, array)
    if made.size:
        array_at(address, made.shape, made.dtype)[...] = made


def place_for(context: Any, value: Value, shape: tuple[int, ...], nbytes: int, stream: int) -> int:
    """The address of an output whose size is known now; its allocator, if it has one, is asked for it and told."""
    allocator = context._allocators.get(value.name)
    address = context._addresses.get(value.name, 0)
    if allocator is not None:
        address = allocator.reallocate_output_async(value.name, address, max(nbytes, 1), ALIGNMENT, stream)
        context._addresses[value.name] = address
        allocator.notify_shape(value.name, shape)
    return address


def show(context: Any, value: Value, array: np.ndarray, stream: int) -> bool:
    """Give a debug tensor to the listener."""
    array = np.ascontiguousarray(array)
    where = address_of(array), TensorLocation.HOST
    return context._listener.process_debug_tensor(*where, value.dtype, array.shape, value.name, stream)
