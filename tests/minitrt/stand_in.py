"""A GPU that is not there: the driver's calls on host memory, and kernels in the interpreter.

What a caller of an engine sees of the runtime is then tested without hardware: which buffers are written, by whom, and
with what. A copy to or from the device must name memory that the driver gave, so host and device cannot be mixed up.
"""

from __future__ import annotations

import ctypes
import enum
import json
from types import SimpleNamespace
from typing import Any

import numpy as np
from numba import types

import simt
from minitrt.kernels.compile import Cubin
from minitrt.kernels.factories import kernel
from minitrt.tactics.contract import Device
from tests.minitrt.interpreted import POISON, WORDS_OF_ARRAY

DEVICE = Device("NVIDIA stand-in", (9, 0), 132, 232448, 50 << 20, 80 << 30)
POINTER, COUNT = 4, 2  # words of an array argument


class Result(enum.Enum):
    CUDA_SUCCESS = 0
    CUDA_ERROR_INVALID_VALUE = 1


class StandIn:
    """The functions of cuda.bindings.driver that the runtime calls. memory: address -> bytes, filled with POISON."""

    CUresult = Result

    def __init__(self):
        self.memory: dict[int, np.ndarray] = {}

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("cu"):
            raise AttributeError(name)
        return lambda *_: (Result.CUDA_SUCCESS, 1)  # contexts, streams, events: nothing waits here

    def holds(self, address: int, nbytes: int) -> bool:
        return any(a <= address and address + nbytes <= a + len(block) for a, block in self.memory.items())

    def cuMemAlloc(self, nbytes):
        block = np.full(nbytes, POISON, np.uint8)
        self.memory[block.ctypes.data] = block
        return Result.CUDA_SUCCESS, block.ctypes.data

    def cuMemFree(self, address):
        self.memory.pop(int(address), None)
        return (Result.CUDA_SUCCESS,)

    def copy(self, there, here, nbytes, on_device) -> tuple[Result]:
        if not all(self.holds(int(address), nbytes) for address in on_device):
            return (Result.CUDA_ERROR_INVALID_VALUE,)
        ctypes.memmove(int(there), int(here), nbytes)
        return (Result.CUDA_SUCCESS,)

    def cuMemcpyHtoDAsync(self, there, here, nbytes, stream):
        return self.copy(there, here, nbytes, [there])

    def cuMemcpyDtoHAsync(self, there, here, nbytes, stream):
        return self.copy(there, here, nbytes, [here])

    def cuMemcpyAsync(self, there, here, nbytes, stream):
        return self.copy(there, here, nbytes, [there, here])

    def cuMemsetD8Async(self, address, byte, nbytes, stream):
        ctypes.memset(int(address), byte, nbytes)
        return (Result.CUDA_SUCCESS,)

    def cuModuleLoadData(self, code):
        return Result.CUDA_SUCCESS, code

    def cuModuleGetFunction(self, module, entry):
        return Result.CUDA_SUCCESS, module

    def cuLaunchKernelEx(self, config, function, parameters, extra):
        factory, constants = json.loads(function)
        made, words, taken = kernel(factory, constants), list(parameters[0]), []
        for kind in made.signature.args:
            if not isinstance(kind, types.Array):
                taken.append(np.dtype(str(kind)).type(words.pop(0)))
                continue
            row, words = words[:WORDS_OF_ARRAY], words[WORDS_OF_ARRAY:]
            taken.append(self.array(row[POINTER], row[COUNT], kind.dtype))
        simt.launch(made.function, config.grid, config.block, *taken)
        return (Result.CUDA_SUCCESS,)

    def array(self, address: int, count: int, kind: Any) -> np.ndarray:
        """A kernel's argument; its memory must be the device's."""
        dtype = np.dtype(bool) if kind == types.boolean else np.dtype(str(kind))
        nbytes = count * dtype.itemsize
        assert self.holds(address, nbytes), "a kernel was given memory that the driver did not give"
        return np.frombuffer((ctypes.c_char * nbytes).from_address(address), dtype)


ONLY = StandIn()  # one for all tests: memory of an earlier one is freed whenever its owner goes


def install(monkeypatch) -> StandIn:
    """Put the stand-in in the driver's place. Kernels are not compiled, and a tactic takes as long as its name."""
    from minitrt.device import driver, graph, launches, tensor_map
    from minitrt.runtime import steps
    from minitrt.tactics import tuner

    there = ONLY
    for module in (driver, graph, launches, tensor_map):
        monkeypatch.setattr(module, "bindings", lambda: there)
    monkeypatch.setattr(driver, "_primary_context", lambda ordinal: 1)
    monkeypatch.setattr(driver, "_facts", lambda ordinal: DEVICE)
    monkeypatch.setattr(driver, "device_count", lambda: 1)
    monkeypatch.setattr(launches, "configuration", lambda one: SimpleNamespace(grid=one.grid, block=one.block))
    monkeypatch.setattr(steps, "capture", lambda each: SimpleNamespace(launch=lambda s: [x.enqueue(s) for x in each]))
    monkeypatch.setattr(tuner, "cubins", lambda requests, *_, **__: [uncompiled(*request) for request in requests])
    monkeypatch.setattr(tuner, "time_tactic", lambda op, tactic, *_: 1.0 + len(tactic.name))
    return there


def uncompiled(factory: str, constants: dict[str, Any]) -> Cubin:
    return Cubin(json.dumps([factory, constants]).encode(), factory, 0, 0, 0, ())
