"""One run on the GPU, every buffer between guard bands: a GPU checks no bounds, so the bands have to.

Only a child process imports this: an illegal address poisons the whole CUDA context.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograder.backend import cuda
from autograder.contract import Exercise, Values
from autograder.running.runs import Run, given, returned_outputs
from simt import compilers

GUARD_BYTES = 4096  # on either side; a multiple of every alignment
SENTINEL, STEP = 0xA5, 37  # no two arrays have the same sentinel: a copy without a guard would copy it unseen


@dataclass
class Guarded:
    """A device array inside a larger allocation whose first and last GUARD_BYTES hold sentinels."""

    allocation: Any  # device array of bytes
    array: Any  # device array, as the kernel sees it
    sentinel: int = SENTINEL

    @classmethod
    def of(cls, values: np.ndarray, number: int = 0) -> Guarded:
        """A device copy of a C-contiguous host array. number: its place among the arrays of a call."""
        sentinel = (SENTINEL + STEP * number) % 256
        body = np.ascontiguousarray(values)
        padding = -body.nbytes % 8
        host = np.full(2 * GUARD_BYTES + body.nbytes + padding, sentinel, np.uint8)
        host[GUARD_BYTES : GUARD_BYTES + body.nbytes] = body.reshape(-1).view(np.uint8)
        allocation = cuda.to_device(host)
        if not body.size:
            return cls(allocation, cuda.to_device(body), sentinel)
        inside = allocation[GUARD_BYTES : GUARD_BYTES + body.nbytes].view(body.dtype)
        return cls(allocation, inside.reshape(*body.shape) if body.ndim != 1 else inside, sentinel)

    def read_back(self, like: np.ndarray) -> tuple[np.ndarray, bool]:
        """The array's values on the host, shaped like `like`, and whether the guard bands are untouched."""
        host = self.allocation.copy_to_host()
        inside = slice(GUARD_BYTES, GUARD_BYTES + like.nbytes)
        values = host[inside].view(like.dtype).reshape(like.shape)
        outside = np.delete(host, np.r_[inside])
        return values.copy(), bool((outside == self.sentinel).all())


def run(exercise: Exercise, function: Callable, values: Values, **_options) -> Run:
    """Call the learner's function on the GPU; `values` holds what the arrays hold afterwards.

    Options are the interpreter's business: a GPU schedules as it likes, and the parent process holds the clock.
    Whatever the learner's code raises is in `error`.
    """
    result = Run(after=values)
    try:
        if exercise.kind == "host" and exercise.arrays == "host":
            _call_with_host_arrays(exercise, function, values, result)
        elif exercise.kind == "host" and exercise.arrays == "pinned":
            _call_with_pinned_arrays(exercise, function, values, result)
        else:
            with _on_device(exercise, values, result) as arguments:
                _call_with_device_arrays(exercise, function, values, arguments)
            result.outputs = {argument.name: values[argument.name] for argument in exercise.outputs}
    except Exception as error:  # the learner's code may raise anything
        result.error = error
    return result


@contextmanager
def _on_device(exercise: Exercise, values: Values, result: Run):
    """Arguments with arrays on the device; on leaving, `values` gets their contents and `result` the damage."""
    arrays = [name for name, value in values.items() if isinstance(value, np.ndarray)]
    guarded = {name: Guarded.of(values[name], number) for number, name in enumerate(arrays)}
    names = [argument.name for argument in exercise.arguments]
    yield [guarded[name].array if name in guarded else values[name] for name in names]
    cuda.synchronize()
    for name, buffer in guarded.items():
        contents, untouched = buffer.read_back(values[name])
        values[name] = contents
        if not untouched:
            result.damage.append(name)


def _call_with_device_arrays(exercise: Exercise, function: Any, values: Values, arguments: list) -> None:
    """Launch a kernel as the contract says, or call a host function that fills its outputs."""
    if exercise.kind == "host":
        function(*arguments)
        return
    grid, block, *dynamic = exercise.launch(values)
    shared = dynamic[0] if dynamic else 0
    raise_limit(function, arguments, shared)
    function[grid, block, 0, shared](*arguments)


def _call_with_host_arrays(exercise: Exercise, function: Callable, values: Values, result: Run) -> None:
    """Call a host function with NumPy values; it returns the outputs."""
    arguments = [given(exercise, values, argument.name) for argument in exercise.arguments if argument.role != "out"]
    returned = function(*arguments)
    cuda.synchronize()
    result.outputs = returned_outputs(exercise, returned)
    result.outputs.update({a.name: values[a.name] for a in exercise.arguments if a.role == "inout"})


def _call_with_pinned_arrays(exercise: Exercise, function: Callable, values: Values, result: Run) -> None:
    """Call a host function with arrays in pinned memory; what outputs hold when it returns is its result."""
    pinned = {}
    for name, value in values.items():
        if isinstance(value, np.ndarray):
            pinned[name] = cuda.pinned_array(value.shape, value.dtype)
            pinned[name][...] = value
    function(*(pinned.get(argument.name, values[argument.name]) for argument in exercise.arguments))
    at_return = {argument.name: np.array(pinned[argument.name]) for argument in exercise.outputs}
    cuda.synchronize()
    values.update({name: np.array(array) for name, array in pinned.items()})
    result.outputs = at_return


def raise_limit(kernel: Any, arguments: list, n_bytes: int) -> None:
    """Let a dispatcher be launched on a GPU with `n_bytes` of dynamic shared memory per block, for these arguments.

    numba.cuda has no name for it, so the driver is asked, once for each compiled version of the kernel; its successor
    asks for itself when it launches. However few they are: without it, they and the kernel's own shared arrays may
    take 48 KiB together. Raises: RuntimeError where the GPU has less.
    """
    if not n_bytes or compilers.successor_in_use():
        return
    compiled = kernel.compile(tuple(kernel.typeof_pyval(argument) for argument in arguments))
    if getattr(compiled, "_warpbook_shared", 0) >= n_bytes:
        return
    from cuda.bindings import driver
    from numba import cuda

    compiled.bind()
    limit = driver.CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
    device = driver.CUdevice(cuda.get_current_device().id)
    (code,) = driver.cuKernelSetAttribute(limit, n_bytes, compiled._codelibrary.get_cufunc().handle, device)
    if int(code):
        raise RuntimeError(f"this GPU gives a block less than {n_bytes:,} bytes of shared memory ({code.name})")
    compiled._warpbook_shared = n_bytes
