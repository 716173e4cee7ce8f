"""The GPU as the launcher uses it: memory, machine code, launches, events and what it is, by the driver's own calls.

Tests put another class with the same methods in its place, so nothing above this file knows the driver.
Source: CUDA Driver API manual.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from autograder.classroom.sealed import own_kernels

MAPPED = 0x02  # CU_MEMHOSTALLOC_DEVICEMAP
ATTRIBUTES = {  # what the judge may ask about -> the driver's name
    "multiprocessors": "MULTIPROCESSOR_COUNT",
    "l2_bytes": "L2_CACHE_SIZE",
    "threads_a_block": "MAX_THREADS_PER_BLOCK",
    "block_x": "MAX_BLOCK_DIM_X",
    "block_y": "MAX_BLOCK_DIM_Y",
    "block_z": "MAX_BLOCK_DIM_Z",
    "grid_x": "MAX_GRID_DIM_X",
    "grid_y": "MAX_GRID_DIM_Y",
    "grid_z": "MAX_GRID_DIM_Z",
    "shared_bytes": "MAX_SHARED_MEMORY_PER_BLOCK_OPTIN",
    "major": "COMPUTE_CAPABILITY_MAJOR",
    "minor": "COMPUTE_CAPABILITY_MINOR",
    "clock_khz": "CLOCK_RATE",
}


NOT_READY = 600  # what the driver answers about an event that is still to come


class DeviceError(RuntimeError):
    """The driver refused a call. name: its own word, as in CUDA_ERROR_ILLEGAL_ADDRESS."""

    def __init__(self, name: str):
        super().__init__(name)
        self.name = name


class Gpu:
    """The first GPU that this process sees, with one stream. Raises DeviceError, or what the import of cuda does."""

    def __init__(self) -> None:
        from cuda.bindings import driver

        self.cu: Any = driver
        self._ask("cuInit", 0)
        self.device = self._ask("cuDeviceGet", 0)
        self.context = self._ask("cuDevicePrimaryCtxRetain", self.device)
        self._ask("cuCtxSetCurrent", self.context)
        self.stream = self._ask("cuStreamCreate", 1)  # CU_STREAM_NON_BLOCKING
        self.events = self._ask("cuEventCreate", 0), self._ask("cuEventCreate", 0)
        self.marks: tuple[Any, ...] = ()
        self.own = own_kernels.OwnKernels(self)

    def _ask(self, call: str, *arguments: Any) -> Any:
        error, *results = getattr(self.cu, call)(*arguments)
        if int(error):
            raise DeviceError(_text(self.cu.cuGetErrorName(error)[1]))
        return results[0] if len(results) == 1 else tuple(results)

    @cache  # noqa: B019  # one object a process
    def facts(self) -> dict[str, Any]:
        """What the device is: its name and id, the driver's version, memory in bytes, and the numbers of ATTRIBUTES."""
        kinds = self.cu.CUdevice_attribute
        found: dict[str, Any] = {
            name: int(self._ask("cuDeviceGetAttribute", getattr(kinds, f"CU_DEVICE_ATTRIBUTE_{word}"), self.device))
            for name, word in ATTRIBUTES.items()
        }
        uuid = bytes(self._ask("cuDeviceGetUuid", self.device).bytes).hex()
        name = _text(self._ask("cuDeviceGetName", 256, self.device))
        memory = int(self._ask("cuDeviceTotalMem", self.device))
        return {**found, "name": name, "uuid": uuid, "memory": memory, "driver": int(self._ask("cuDriverGetVersion"))}

    def load(self, code: bytes) -> Any:
        """A module from machine code, or from PTX of our own."""
        image = ctypes.create_string_buffer(code, len(code) + 1)  # PTX has to end in a zero; held until it is loaded
        return self._ask("cuModuleLoadData", ctypes.addressof(image))

    def unload(self, module: Any) -> None:
        self._ask("cuModuleUnload", module)

    def function(self, module: Any, name: str) -> Any:
        return self._ask("cuModuleGetFunction", module, name.encode())

    def allocate(self, n_bytes: int) -> int:
        """The address of device memory, aligned to 256 bytes at least."""
        return int(self._ask("cuMemAlloc", n_bytes))

    def free(self, address: int) -> None:
        self._ask("cuMemFree", address)

    def mapped_word(self) -> tuple[np.ndarray, int]:
        """A (1,) uint32 in host memory that the device reads, and its address there."""
        at = self._ask("cuMemHostAlloc", 4, MAPPED)
        word = np.ctypeslib.as_array((ctypes.c_uint32 * 1).from_address(int(at)))
        return word, int(self._ask("cuMemHostGetDevicePointer", at, 0))

    def fill(self, address: int, byte: int, n_bytes: int) -> None:
        if n_bytes:
            self._ask("cuMemsetD8Async", address, byte, n_bytes, self.stream)

    def put(self, address: int, host: np.ndarray) -> None:
        """Copy a contiguous host array to the device; done when this returns."""
        if host.nbytes:
            self._ask("cuMemcpyHtoDAsync", address, host.ctypes.data, host.nbytes, self.stream)
            self.finish()

    def get(self, host: np.ndarray, address: int) -> None:
        """Copy device memory into a contiguous host array; done when this returns."""
        if host.nbytes:
            self._ask("cuMemcpyDtoHAsync", host.ctypes.data, address, host.nbytes, self.stream)
            self.finish()

    def copy(self, to: int, source: int, n_bytes: int) -> None:
        if n_bytes:
            self._ask("cuMemcpyDtoDAsync", to, source, n_bytes, self.stream)

    def launch(
        self,
        function: Any,
        grid: Sequence[int],
        block: Sequence[int],
        shared: int,
        parameters: Sequence[bytes],
        cooperative: bool = False,
    ) -> None:
        """Enqueue a launch. grid, block: three numbers each; parameters: each as its bytes, 8 at most; cooperative:
        whether the device has to have room for all blocks at once, and refuses them where it has not.
        """
        if shared:  # with the kernel's own arrays, 48 KiB are all that a block has unasked
            limit = self.cu.CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
            self._ask("cuFuncSetAttribute", function, limit, shared)
        slots = (ctypes.c_uint64 * max(len(parameters), 1))(
            *(int.from_bytes(parameter, "little") for parameter in parameters)
        )
        first = ctypes.addressof(slots)
        places = (ctypes.c_void_p * max(len(parameters), 1))(*(first + 8 * n for n in range(len(parameters))))
        said = (function, *grid, *block, shared, self.stream, ctypes.addressof(places))
        if cooperative:
            self._ask("cuLaunchCooperativeKernel", *said)
        else:
            self._ask("cuLaunchKernel", *said, 0)

    def begin(self) -> None:
        self._ask("cuEventRecord", self.events[0], self.stream)

    def end(self) -> None:
        self._ask("cuEventRecord", self.events[1], self.stream)

    def ended(self) -> bool:
        """Whether all that was enqueued before `end` is done; does not wait for it."""
        return self._is_over(self.events[1])

    def mark(self, place: int) -> None:
        """Note a place in the queue; of two of the same parity the device knows the later one."""
        if not self.marks:
            self.marks = self._ask("cuEventCreate", 2), self._ask("cuEventCreate", 2)  # CU_EVENT_DISABLE_TIMING
        self._ask("cuEventRecord", self.marks[place % 2], self.stream)

    def passed(self, place: int) -> bool:
        """Whether the device is past that mark; does not wait for it."""
        return self._is_over(self.marks[place % 2])

    def _is_over(self, event: Any) -> bool:
        (error,) = self.cu.cuEventQuery(event)
        if int(error) and int(error) != NOT_READY:
            raise DeviceError(_text(self.cu.cuGetErrorName(error)[1]))
        return not int(error)

    def elapsed_us(self) -> float:
        """Between `begin` and `end`, in microseconds; waits for `end`."""
        self._ask("cuEventSynchronize", self.events[1])
        return 1e3 * float(self._ask("cuEventElapsedTime", *self.events))

    def finish(self) -> None:
        """Wait until everything enqueued is done."""
        self._ask("cuStreamSynchronize", self.stream)


def _text(value: Any) -> str:
    return (value.decode() if isinstance(value, bytes) else str(value)).partition("\0")[0]
