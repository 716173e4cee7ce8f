"""A stand-in for cuda-python's `cuda.bindings.runtime` where there is no GPU: memory is the host's, streams do nothing.

Programs written for TensorRT allocate with it, and engines of the reference backend read and write host memory, so that
they run unchanged: `python -m minitrt.shim program.py`. Names are CUDA's; every function answers as cuda-python's does,
with a tuple that begins with a status.
"""

from __future__ import annotations

import contextlib
import ctypes
import enum
import functools
import importlib
import sys
import time
import types
from typing import Any

import numpy as np

BLOCKS: dict[int, ctypes.Array] = {}
TIMES: dict[int, float] = {}  # of events, in seconds


class cudaError_t(enum.IntEnum):
    cudaSuccess = 0
    cudaErrorInvalidValue = 1
    cudaErrorNotReady = 600
    cudaErrorNotSupported = 801


class cudaMemcpyKind(enum.IntEnum):
    cudaMemcpyHostToHost = 0
    cudaMemcpyHostToDevice = 1
    cudaMemcpyDeviceToHost = 2
    cudaMemcpyDeviceToDevice = 3
    cudaMemcpyDefault = 4


class cudaStreamCaptureMode(enum.IntEnum):
    cudaStreamCaptureModeGlobal = 0
    cudaStreamCaptureModeThreadLocal = 1
    cudaStreamCaptureModeRelaxed = 2


OK, WRONG = cudaError_t.cudaSuccess, cudaError_t.cudaErrorInvalidValue
PROPERTIES = dict(name=b"the host, in place of a GPU", major=0, minor=0, multiProcessorCount=1, totalGlobalMem=1 << 40)


def malloc(nbytes: int, *_: Any) -> tuple[cudaError_t, int]:
    block = ctypes.create_string_buffer(max(int(nbytes), 1))
    BLOCKS[ctypes.addressof(block)] = block
    return OK, ctypes.addressof(block)


def free(pointer: Any, *_: Any) -> tuple[cudaError_t]:
    """As CUDA does, nothing for a null pointer, and an error for what was not allocated."""
    return (OK if not address(pointer) or BLOCKS.pop(address(pointer), None) is not None else WRONG,)


def address(pointer: Any) -> int:
    """The address in an int, in what converts to one, or of a buffer (an array)."""
    if pointer is None:
        return 0
    return int(pointer) if hasattr(pointer, "__int__") and not isinstance(pointer, np.ndarray) else at(pointer)


def at(buffer: Any) -> int:
    return np.asarray(buffer).ctypes.data


def fits(place: int, nbytes: int) -> bool:
    """Whether an address is one, and its block, where it begins one, has that many bytes."""
    return not nbytes or bool(place) and (place not in BLOCKS or nbytes <= len(BLOCKS[place]))


def memcpy(target: Any, source: Any, nbytes: int, *_: Any) -> tuple[cudaError_t]:
    to, of, count = address(target), address(source), int(nbytes)
    if not (fits(to, count) and fits(of, count)):
        return (WRONG,)
    ctypes.memmove(to, of, count)
    return (OK,)


def memset(target: Any, value: int, nbytes: int, *_: Any) -> tuple[cudaError_t]:
    if not fits(address(target), int(nbytes)):
        return (WRONG,)
    ctypes.memset(address(target), int(value), int(nbytes))
    return (OK,)


def record(event: int, *_: Any) -> tuple[cudaError_t]:
    TIMES[int(event)] = time.perf_counter()
    return (OK,)


def elapsed(start: int, end: int) -> tuple[cudaError_t, float]:
    """Milliseconds of the host between two events."""
    if int(start) not in TIMES or int(end) not in TIMES:
        return WRONG, 0.0
    return OK, 1e3 * (TIMES[int(end)] - TIMES[int(start)])


def numbered(*_: Any) -> tuple[cudaError_t, int]:
    """A stream or an event: any block of memory has a number of its own."""
    return malloc(1)


def done(*_: Any) -> tuple[cudaError_t]:
    return (OK,)


def refused(*_: Any) -> tuple[cudaError_t, int]:
    """Graphs are captured from what a GPU is told; here nothing is."""
    return cudaError_t.cudaErrorNotSupported, 0


FUNCTIONS = {
    malloc: "cudaMalloc cudaMallocAsync cudaMallocHost cudaMallocManaged cudaHostAlloc",
    free: "cudaFree cudaFreeAsync cudaFreeHost cudaStreamDestroy cudaEventDestroy",
    memcpy: "cudaMemcpy cudaMemcpyAsync",
    memset: "cudaMemset cudaMemsetAsync",
    numbered: "cudaStreamCreate cudaStreamCreateWithFlags cudaStreamCreateWithPriority cudaEventCreate"
    " cudaEventCreateWithFlags",
    record: "cudaEventRecord",
    elapsed: "cudaEventElapsedTime",
    done: "cudaStreamSynchronize cudaDeviceSynchronize cudaEventSynchronize cudaStreamQuery cudaEventQuery"
    " cudaSetDevice cudaStreamWaitEvent cudaGetLastError cudaPeekAtLastError"
    " cudaHostRegister cudaHostUnregister cudaDeviceReset",
    refused: "cudaStreamBeginCapture cudaStreamEndCapture cudaGraphInstantiate cudaGraphLaunch",
    lambda *_: (OK, 1): "cudaGetDeviceCount",
    lambda *_: (OK, 0): "cudaGetDevice",
    lambda *_: (OK, types.SimpleNamespace(**PROPERTIES)): "cudaGetDeviceProperties",
    lambda *_: (OK, 1 << 39, 1 << 40): "cudaMemGetInfo",
    lambda *_: (OK, 13000): "cudaRuntimeGetVersion cudaDriverGetVersion",
    lambda error: (OK, cudaError_t(int(error)).name.encode()): "cudaGetErrorName cudaGetErrorString",
}
CONSTANTS = dict(cudaEventDefault=0, cudaEventDisableTiming=2, cudaStreamDefault=0, cudaStreamNonBlocking=1)
CONSTANTS |= dict(cudaHostAllocDefault=0, cudaHostRegisterDefault=0, cudaMemAttachGlobal=1)


def install() -> None:
    """Put it in place of `cuda.bindings.runtime`, and of `cuda.cudart`, its older name."""
    module = types.ModuleType("cuda.bindings.runtime", __doc__)
    for function, names in FUNCTIONS.items():
        for name in names.split():
            setattr(module, name, function)
    for kind in (cudaError_t, cudaMemcpyKind, cudaStreamCaptureMode):
        setattr(module, kind.__name__, kind)
    vars(module).update(CONSTANTS)
    with contextlib.suppress(ImportError):  # numba-cuda asks the real one for its version, also where there is no GPU
        module.__getattr__ = functools.partial(getattr, importlib.import_module("cuda.bindings.runtime"))
    for package in ("cuda", "cuda.bindings"):
        try:
            __import__(package)
        except ImportError:
            sys.modules[package] = types.ModuleType(package)
            sys.modules[package].__path__ = []  # type: ignore[attr-defined]
    for parent, name in (("cuda.bindings", "runtime"), ("cuda", "cudart")):
        sys.modules[f"{parent}.{name}"] = module
        setattr(sys.modules[parent], name, module)
