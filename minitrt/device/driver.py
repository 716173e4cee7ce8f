"""The CUDA driver through cuda.bindings: checked calls, memory, streams and events of one device.

The device's primary context is used, so that other libraries of the process share its pointers and streams.
"""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

import numpy as np

from minitrt.tactics.contract import Device


class CudaError(RuntimeError):
    """A driver call failed. Attributes: call, code (the driver's name of the error)."""

    def __init__(self, call: str, code: str, advice: str = "") -> None:
        super().__init__(f"{call} failed: {code}.{' ' + advice if advice else ''}")
        self.call, self.code = call, code


ADVICE = {
    "CUDA_ERROR_OUT_OF_MEMORY": "Free device memory, or use a smaller batch.",
    "CUDA_ERROR_LAUNCH_FAILED": "A kernel hit a trap (a barrier that nobody filled) or read outside its memory.",
    "CUDA_ERROR_NO_BINARY_FOR_GPU": "The cubin is for another architecture: build the engine on this GPU.",
}


@cache
def bindings() -> Any:
    """`cuda.bindings.driver`, initialised. Raises: CudaError without a driver or a GPU."""
    try:
        from cuda.bindings import driver
    except ImportError as error:
        raise CudaError("import cuda.bindings", str(error), "Install it with: pip install cuda-bindings") from error
    try:
        result = driver.cuInit(0)[0]
    except RuntimeError as error:  # no libcuda
        raise CudaError("cuInit", str(error), "There is no NVIDIA driver here.") from error
    if result != driver.CUresult.CUDA_SUCCESS:
        raise CudaError("cuInit", result.name)
    return driver


def call(name: str, *arguments: Any) -> Any:
    """One driver call by name; its result without the status, a tuple if there are several. Raises: CudaError."""
    status, *results = getattr(bindings(), name)(*arguments)
    if status != bindings().CUresult.CUDA_SUCCESS:
        raise CudaError(name, status.name, ADVICE.get(status.name, ""))
    return results[0] if len(results) == 1 else tuple(results) or None


@cache
def device_count() -> int:
    """GPUs of this machine; 0 without a driver."""
    try:
        return int(call("cuDeviceGetCount"))
    except CudaError:
        return 0


@cache
def _primary_context(ordinal: int) -> Any:
    return call("cuDevicePrimaryCtxRetain", call("cuDeviceGet", ordinal))


def use_device(ordinal: int | None = None) -> int:
    """Make a device's primary context current in this thread; its ordinal.

    Without one the thread's device stays, as somebody chose it (cudaSetDevice, torch.cuda.device); if nobody did, 0.
    """
    if ordinal is None:
        ordinal = _ordinal_in_use()
    call("cuCtxSetCurrent", _primary_context(ordinal))
    return ordinal


def _ordinal_in_use() -> int:
    """The device of this thread's context; 0 without one."""
    status, device = bindings().cuCtxGetDevice()
    return int(device) if status == bindings().CUresult.CUDA_SUCCESS else 0


def device_facts(ordinal: int | None = None) -> Device:
    """What tactics may ask of a device, by default of this thread's."""
    return _facts(_ordinal_in_use() if ordinal is None else ordinal)


def attribute(name: str, ordinal: int | None = None) -> int:
    """A number of CUdevice_attribute, without its CU_DEVICE_ATTRIBUTE_, by default of this thread's device."""
    kind = getattr(bindings().CUdevice_attribute, "CU_DEVICE_ATTRIBUTE_" + name)
    return int(call("cuDeviceGetAttribute", kind, call("cuDeviceGet", use_device() if ordinal is None else ordinal)))


@cache
def _facts(ordinal: int) -> Device:
    handle = call("cuDeviceGet", ordinal)
    return Device(
        name=call("cuDeviceGetName", 256, handle).split(b"\0")[0].decode(),
        compute_capability=(
            attribute("COMPUTE_CAPABILITY_MAJOR", ordinal),
            attribute("COMPUTE_CAPABILITY_MINOR", ordinal),
        ),
        sm_count=attribute("MULTIPROCESSOR_COUNT", ordinal),
        shared_bytes=attribute("MAX_SHARED_MEMORY_PER_BLOCK_OPTIN", ordinal),
        l2_bytes=attribute("L2_CACHE_SIZE", ordinal),
        memory_bytes=int(call("cuDeviceTotalMem", handle)),
    )


class Memory:
    """Device memory that is freed with its owner. Attributes: address, never 0; nbytes, at least 256."""

    def __init__(self, nbytes: int) -> None:
        self.nbytes = max(int(nbytes), 256)
        self.address = int(call("cuMemAlloc", self.nbytes))

    def __del__(self) -> None:
        if getattr(self, "address", 0):
            try:
                bindings().cuMemFree(self.address)
            except Exception:  # the driver may be gone when the interpreter ends
                pass


class PinnedMemory:
    """An array in host memory that kernels can read over the bus, freed with its owner. Attributes: address, nbytes."""

    def __init__(self, array: np.ndarray) -> None:
        flags = bindings().CU_MEMHOSTALLOC_DEVICEMAP | bindings().CU_MEMHOSTALLOC_PORTABLE
        self.nbytes = max(array.nbytes, 1)
        self.host = int(call("cuMemHostAlloc", self.nbytes, flags))
        array = np.ascontiguousarray(array)
        ctypes.memmove(self.host, array.ctypes.data, array.nbytes)
        self.address = int(call("cuMemHostGetDevicePointer", self.host, 0))

    def __del__(self) -> None:
        if getattr(self, "host", 0):
            try:
                bindings().cuMemFreeHost(self.host)
            except Exception:  # as in Memory
                pass


def upload(address: int, array: np.ndarray, stream: int = 0) -> None:
    """Copy an array to device memory; the array must stay alive until the stream has passed the copy."""
    array = np.ascontiguousarray(array)
    if array.nbytes:
        call("cuMemcpyHtoDAsync", address, array.ctypes.data, array.nbytes, stream)
        if not stream:
            call("cuStreamSynchronize", 0)


def sent(array: np.ndarray) -> Memory:
    """Device memory that holds an array."""
    memory = Memory(array.nbytes)
    upload(memory.address, array)
    return memory


def download(address: int, array: np.ndarray, stream: int = 0) -> np.ndarray:
    """Fill a C-contiguous array from device memory, after everything before it on the stream; returns the array."""
    assert array.flags.c_contiguous
    if array.nbytes:
        call("cuMemcpyDtoHAsync", array.ctypes.data, address, array.nbytes, stream)
    call("cuStreamSynchronize", stream)
    return array


class Stream:
    """A stream of its own that does not wait for the default one. `int(stream)` is its handle."""

    def __init__(self) -> None:
        self.handle = call("cuStreamCreate", bindings().CUstream_flags.CU_STREAM_NON_BLOCKING)

    def __int__(self) -> int:
        return int(self.handle)

    def synchronize(self) -> None:
        call("cuStreamSynchronize", self.handle)

    def __del__(self) -> None:
        if getattr(self, "handle", None) is not None:
            try:
                bindings().cuStreamDestroy(self.handle)
            except Exception:  # as in Memory
                pass


class Event:
    """A point of a stream, with its time."""

    def __init__(self) -> None:
        self.handle = call("cuEventCreate", 0)

    def record(self, stream: int) -> Event:
        call("cuEventRecord", self.handle, stream)
        return self

    def us_since(self, earlier: Event) -> float:
        """Microseconds between two recorded events, once the later one has passed."""
        call("cuEventSynchronize", self.handle)
        return 1e3 * float(call("cuEventElapsedTime", earlier.handle, self.handle))

    def __del__(self) -> None:
        if getattr(self, "handle", None) is not None:
            try:
                bindings().cuEventDestroy(self.handle)
            except Exception:  # as in Memory
                pass
