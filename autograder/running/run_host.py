"""One run of a host function over the interpreter: its launches are intercepted, its copies and allocations counted.

Works wherever `numba.cuda` has no GPU, because the stand-in takes its place there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from typing import Any

import numpy as np

import simt
from autograder import backend
from autograder.backend import cuda
from autograder.contract import Exercise, Values
from autograder.running.host_lines import counted
from autograder.running.runs import Launched, Run, returned_outputs
from simt import cuda_api
from simt.cuda_api.device_array import HostAndDeviceArray
from simt.host_order.timeline import timeline_of
from simt.host_order.watch import watch
from simt.tracing import Tracer

COUNTERS = {
    "transferred_bytes": "bytes copied between host and device, both ways",
    "host_to_device_bytes": "bytes copied to the device",
    "device_to_host_bytes": "bytes copied back",
    "device_allocations": "arrays that the call allocated on the device",
    "kernel_launches": "kernels that the call launched",
}
OVERLAP = "overlap"  # the longest of copies up, kernels and copies down over the whole timeline; 1.0 hides the others
ALLOCATORS = ("device_array", "device_array_like", "mapped_array", "managed_array", "mapped_array_like")


class Ledger:
    """Counts what host code asks of the device."""

    def __init__(self):
        self.counts = Counter(dict.fromkeys(COUNTERS, 0))

    def up(self, n_bytes: int) -> None:
        """Bytes that went to the device."""
        self.counts["host_to_device_bytes"] += n_bytes
        self.counts["transferred_bytes"] += n_bytes

    def down(self, n_bytes: int) -> None:
        """Bytes that came back."""
        self.counts["device_to_host_bytes"] += n_bytes
        self.counts["transferred_bytes"] += n_bytes

    def launched(self, arguments: tuple) -> None:
        """A launch; numba copies every NumPy array among its arguments up before it and down after it."""
        self.counts["kernel_launches"] += 1
        for argument in arguments:
            if isinstance(argument, np.ndarray) and not isinstance(argument, HostAndDeviceArray):
                self.up(argument.nbytes)
                self.down(argument.nbytes)

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Count copies and allocations while the block runs."""
        array = cuda_api.DeviceArray
        with ExitStack() as stack:
            stack.enter_context(_wrapped(cuda, "to_device", self._to_device))
            for name in ALLOCATORS:
                stack.enter_context(_wrapped(cuda, name, self._allocate))
            stack.enter_context(_wrapped(array, "copy_to_host", self._copy_to_host))
            stack.enter_context(_wrapped(array, "copy_to_device", self._copy_to_device))
            stack.enter_context(_wrapped(array, "__getitem__", self._get))
            stack.enter_context(_wrapped(array, "__setitem__", self._set))
            yield

    def _to_device(self, original: Callable, obj, *args, **kwargs):
        result = original(obj, *args, **kwargs)
        if result is not obj and kwargs.get("to") is None:
            self.counts["device_allocations"] += 1
            self.up(result.nbytes)
        return result

    def _allocate(self, original: Callable, *args, **kwargs):
        self.counts["device_allocations"] += 1
        return original(*args, **kwargs)

    def _copy_to_host(self, original: Callable, array, *args, **kwargs):
        self.down(array.nbytes)
        return original(array, *args, **kwargs)

    def _copy_to_device(self, original: Callable, array, source, *args, **kwargs):
        if not isinstance(source, cuda_api.DeviceArray):
            self.up(array.nbytes)
        return original(array, source, *args, **kwargs)

    def _get(self, original: Callable, array, index):
        part = original(array, index)
        if not isinstance(part, cuda_api.DeviceArray):
            self.down(np.asarray(part).nbytes)
        return part

    def _set(self, original: Callable, array, index, value):
        if not isinstance(value, cuda_api.DeviceArray):
            self.up(np.asarray(array.simt_host_array[index]).nbytes)
        return original(array, index, value)


@contextmanager
def _wrapped(owner: Any, name: str, wrapper: Callable) -> Iterator[None]:
    """Replace ``owner.name`` by ``wrapper(original, ...)`` while the block runs."""
    if not hasattr(owner, name):
        yield
        return
    original = getattr(owner, name)
    setattr(owner, name, lambda *args, **kwargs: wrapper(original, *args, **kwargs))
    try:
        yield
    finally:
        setattr(owner, name, original)


def call(
    exercise: Exercise, function: Callable, values: Values, result: Run, tracer: Tracer | None, **options: Any
) -> None:
    """Call a host function and fill `result`. options: seed, deadline, strict and meter of every launch."""
    backend.prepare()
    ledger = Ledger()

    def launcher(kernel, grid, block, *arguments, dynamic_shared_bytes=0, **_debug) -> None:
        ledger.launched(arguments)
        result.launches.append(Launched(kernel, arguments, int(np.prod(grid)), int(np.prod(block))))
        if tracer is not None:
            tracer.name_source(kernel)
        listeners = tracer.listeners() if tracer else ()
        shared = {"dynamic_shared_bytes": dynamic_shared_bytes}
        simt.launch(kernel, grid, block, *arguments, listeners=listeners, **shared, **options)

    arguments = _arguments(exercise, values)
    orders = watch() if tracer else nullcontext()
    with cuda_api.intercept(launcher), ledger.watching(), counted(function), orders as order:
        returned = function(*arguments)
    result.counters.update(ledger.counts)
    if order is not None:
        result.findings += order.findings
        result.counters[OVERLAP] = timeline_of(order.steps).overlap
    if exercise.arrays == "host":
        result.outputs = returned_outputs(exercise, returned)
    names = [a.name for a in exercise.outputs if a.role == "inout" or exercise.arrays == "device"]
    result.outputs.update({name: values[name] for name in names})


def _arguments(exercise: Exercise, values: Values) -> list:
    """What the function is called with: NumPy values without outputs, or everything with arrays on the device."""
    if exercise.arrays == "host":
        return [values[argument.name] for argument in exercise.arguments if argument.role != "out"]
    return [_on_device(values[argument.name], argument.role) for argument in exercise.arguments]


def _on_device(value: Any, role: str) -> Any:
    """A device array over the run's own memory, so that results land in `values`; outputs hold nothing yet."""
    if not isinstance(value, np.ndarray):
        return value
    return cuda_api.DeviceArray(value, [role in ("in", "inout")])
