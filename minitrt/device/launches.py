"""Launches ready to go: cubins loaded, every argument an address or a number, tensor maps in device memory."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from minitrt.device.driver import Memory, bindings, call, upload
from minitrt.device.tensor_map import MAP_BYTES, encode
from minitrt.tactics.contract import Argument, Direction, KernelKey, Launch, Scalar, Tensor, TensorMap, Workspace

C_TYPES = {
    "uint8": ctypes.c_uint8,
    "uint16": ctypes.c_uint16,
    "int32": ctypes.c_int32,
    "uint32": ctypes.c_uint32,
    "int64": ctypes.c_int64,
    "uint64": ctypes.c_uint64,
    "float32": ctypes.c_float,
    "float64": ctypes.c_double,
}
Resolve = Callable[[Argument], int]  # a Tensor, Packed or Workspace -> its address


class Kernels:
    """The kernels of a plan by key: each cubin is loaded when it is first asked for, and no later."""

    def __init__(self, cubins: Mapping[str, tuple[bytes, str]]) -> None:
        """cubins: KernelKey.digest -> (machine code, entry)."""
        self._cubins, self._functions, self._shared = cubins, {}, {}

    def function(self, key: KernelKey, shared_bytes: int) -> Any:
        """The function, allowed that much dynamic shared memory. Raises: KeyError, CudaError."""
        digest = key.digest
        if digest not in self._functions:
            code, entry = self._cubins[digest]
            module = call("cuModuleLoadData", code)
            self._functions[digest] = call("cuModuleGetFunction", module, entry.encode())
        if shared_bytes > self._shared.get(digest, 0):
            limit = bindings().CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
            call("cuFuncSetAttribute", self._functions[digest], limit, shared_bytes)
            self._shared[digest] = shared_bytes
        return self._functions[digest]


@dataclass
class BoundLaunch:
    """One launch with its configuration and parameters as the driver takes them. clear: (address, bytes) to zero."""

    function: Any
    config: Any
    values: tuple
    types: tuple
    clear: tuple[int, int] | None = None

    def enqueue(self, stream: int) -> None:
        """Put it on a stream; also while the stream is captured."""
        if self.clear:
            call("cuMemsetD8Async", self.clear[0], 0, self.clear[1], stream)
        self.config.hStream = stream
        call("cuLaunchKernelEx", self.config, self.function, (self.values, self.types), 0)


def configuration(launch: Launch) -> Any:
    """The driver's launch configuration, with cluster and programmatic dependent launch where they are asked for."""
    driver = bindings()
    config, attributes = driver.CUlaunchConfig(), []

    def attribute(name: str) -> Any:
        made = driver.CUlaunchAttribute()
        made.id = getattr(driver.CUlaunchAttributeID, "CU_LAUNCH_ATTRIBUTE_" + name)
        attributes.append(made)
        return made

    if launch.dependent:
        value = driver.CUlaunchAttributeValue()
        value.programmaticStreamSerializationAllowed = 1
        attribute("PROGRAMMATIC_STREAM_SERIALIZATION").value = value
    if launch.cluster != (1, 1, 1):
        value = driver.CUlaunchAttributeValue()
        value.clusterDim.x, value.clusterDim.y, value.clusterDim.z = launch.cluster
        attribute("CLUSTER_DIMENSION").value = value
    config.gridDimX, config.gridDimY, config.gridDimZ = launch.grid
    config.blockDimX, config.blockDimY, config.blockDimZ = launch.block
    config.sharedMemBytes, config.attrs, config.numAttrs = launch.shared_bytes, attributes, len(attributes)
    return config


class MapTable:
    """Tensor maps of many launches, collected first and sent to the device in one copy."""

    def __init__(self, count: int) -> None:
        self.memory, self.rows = Memory(max(count, 1) * MAP_BYTES), []

    def add(self, described: TensorMap, address: int) -> int:
        """The address that the map will have."""
        self.rows.append(encode(described, address))
        return self.memory.address + MAP_BYTES * (len(self.rows) - 1)

    def send(self) -> None:
        if self.rows:
            upload(self.memory.address, np.stack(self.rows))


def bind(launches: Sequence[tuple[Launch, Resolve]], kernels: Kernels) -> tuple[list[BoundLaunch], MapTable]:
    """Resolve every argument, for launches in this order. The table holds the maps and must live as long as they."""
    count = sum(isinstance(argument, TensorMap) for launch, _ in launches for argument in launch.args)
    table = MapTable(count)
    bound = [_bind_one(*one, kernels, table, -(index % 2)) for index, one in enumerate(launches)]
    table.send()
    return bound, table


def aligned(address: int, argument: Argument) -> int:
    """The address, where its kernel can take it: a kernel that cannot would end the context.

    Raises: ValueError.
    """
    if isinstance(argument, Tensor) and address % argument.alignment:
        raise ValueError(
            f"{argument.role} {argument.index} of a kernel lies at {address:#x}, and the copy engine takes multiples of"
            f" {argument.alignment} bytes. Pass memory that begins at one, as cudaMalloc's does."
        )
    return address


def _bind_one(launch: Launch, resolve: Resolve, kernels: Kernels, table: MapTable, direction: int) -> BoundLaunch:
    values, types, clear = [], [], None
    for argument in launch.args:
        if isinstance(argument, Scalar):
            kind = C_TYPES[argument.type]
            values.append(float(argument.value) if argument.type.startswith("float") else int(argument.value))
        elif isinstance(argument, Direction):
            kind = ctypes.c_int32
            values.append(direction)
        elif isinstance(argument, TensorMap):
            kind = ctypes.c_uint64
            values.append(table.add(argument, resolve(argument.of)))
        else:
            kind = ctypes.c_uint64
            values.append(aligned(resolve(argument), argument))
        if isinstance(argument, Workspace) and argument.zeroed_bytes:
            clear = (values[-1], argument.zeroed_bytes)
        types.append(kind)
    function = kernels.function(launch.kernel, launch.shared_bytes)
    return BoundLaunch(function, configuration(launch), tuple(values), tuple(types), clear)
