"""The arguments of a launch, as kernels see them."""

from __future__ import annotations

import enum
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from simt.compiling.signatures import kernel_arguments
from simt.errors import UnsupportedError
from simt.events import ArrayInfo
from simt.events.launches import Contents
from simt.memory.arrays import Array, host_cells
from simt.memory.overlaps import bounds, span_around, spans_of
from simt.memory.records import Record
from simt.refusals.arguments import neither, refused_array
from simt.values import rebuild, wrap
from simt.values.unasked import is_a, memory_on_device

FIRST_ADDRESS = 1 << 20
NUMBERS = (bool, int, float, complex, np.generic, enum.Enum)
PLAIN = (np.ndarray, *NUMBERS, tuple)  # what a kernel takes besides device arrays
ALIGNMENT = 512  # bytes; also between arrays, so that none shares a sector


@dataclass
class Arguments:
    """variables: parameter name -> value; infos: the arrays among them; records: (host record, its copy);
    device_arrays: names and DeviceArrays of the arguments and globals; captured: id of a global one -> its Array."""

    variables: dict[str, Any] = field(default_factory=dict)
    infos: tuple[ArrayInfo, ...] = ()
    records: list[tuple[np.void, np.ndarray]] = field(default_factory=list)
    device_arrays: list[tuple[str, Any]] = field(default_factory=list)
    captured: dict[int, Array] = field(default_factory=dict)

    def all_arrays(self) -> tuple[ArrayInfo, ...]:
        """The arrays among the arguments, then the global device arrays."""
        return self.infos + tuple(array.info for array in self.captured.values())

    def write_back(self, only_read: Collection[str] = (), heard: bool = False) -> None:
        """After the launch: copy single records back to the host; device arrays count as written.

        only_read: names of arguments that the kernel never writes, and which count as they did before; heard: an
        analysis knows what was written, and says so itself.
        """
        for host, copy in self.records:
            for name in host.dtype.names:
                host[name] = copy[0][name]
        for name, array in self.device_arrays:
            if name not in only_read and not heard:
                array.simt_mark_written()


def bind_arguments(compiled, args: tuple, initialised, signature=None) -> Arguments:
    """Arguments by parameter name. initialised: see `launch`; signature: what the kernel was jitted with, or None.

    Raises UnsupportedError when they do not fit the kernel, KernelTypeError when they do not fit its signature.
    """
    device_arrays = map(memory_on_device, args)
    binder = _Binder(initialised, spans_of(array for array in device_arrays if array is not None))
    values = []
    for position, argument in enumerate(args):
        name = compiled.parameters[position] if position < len(compiled.parameters) else f"argument {position}"
        values.append(binder.bind(argument, name))
    values = kernel_arguments(signature, values, compiled.name)
    binder.arguments.variables = compiled.bind(values, {})
    binder.arguments.infos = tuple(binder.infos)
    binder.initialised = None  # which speaks of arguments
    binder.arguments.captured = {key: binder.bind(array, name) for key, (name, array) in compiled.device_arrays.items()}
    return binder.arguments


class _Binder:
    """Lays arrays out in a made-up address space; one that is passed twice keeps its address."""

    def __init__(self, initialised, spans=()):
        self.initialised, self.spans = initialised, spans
        self.arguments = Arguments()
        self.infos: list[ArrayInfo] = []
        self.known: dict[tuple, tuple] = {}
        self.next_address = FIRST_ADDRESS

    def bind(self, argument, name: str):
        """A kernel value for a host value."""
        host = memory_on_device(argument)
        if host is None and not is_a(argument, *PLAIN):
            raise UnsupportedError(neither(argument, name))
        if is_a(argument if host is None else host, np.ndarray):
            if (why := refused_array(argument if host is None else host, name)) is not None:
                raise UnsupportedError(why)
        if host is not None:
            self.arguments.device_arrays.append((name, argument))
            initialised = self._starts_initialised(name, argument.simt_initialised)
            contents = None if initialised or argument.simt_initialised else argument.simt_contents
            return self._array(host, name, initialised, _allocation(host), contents)
        if isinstance(argument, np.void) and argument.dtype.names:
            copy = np.array([argument])
            self.arguments.records.append((argument, copy))
            return Record(self._array(copy, name, True), 0)
        if isinstance(argument, np.ndarray):
            if argument.ndim == 0 and argument.dtype.names:
                return Record(self._array(argument.reshape(1), name, True), 0)
            if argument.ndim == 0:
                return argument[()]
            return self._array(np.asarray(argument), name, self._starts_initialised(name, True))
        if isinstance(argument, tuple):
            return rebuild(argument, (self.bind(item, f"{name}[{k}]") for k, item in enumerate(argument)))
        return wrap(argument)

    def _starts_initialised(self, name: str, default: bool) -> bool:
        if self.initialised is None:
            return default
        return bool(self.initialised(name)) if callable(self.initialised) else name in self.initialised

    def _array(
        self,
        host: np.ndarray,
        name: str,
        initialised: bool,
        allocation: int | None = None,
        contents: Contents | None = None,
    ) -> Array:
        """The array in the address space. allocation: where its allocation begins on the host; None: at its start."""
        flat, strides, base = host_cells(host)
        first, span = 0, span_around(self.spans, host)
        if span is not None:
            first = span.cell_at(bounds(host)[0])
            flat, base = span.flat, base + first
        key, address = self._address(host, flat, allocation)
        info = ArrayInfo(
            key,
            name,
            "global",
            host.dtype,
            host.shape,
            strides,
            flat.size,
            address,
            initialised,
            first_cell=first,
            host_address=flat.__array_interface__["data"][0],
            contents=contents,
        )
        self.infos.append(info)
        return Array(flat, host.shape, strides, base, info)

    def _address(self, host: np.ndarray, flat: np.ndarray, allocation: int | None) -> tuple[tuple, int]:
        start = flat.__array_interface__["data"][0]
        memory = (start, flat.nbytes, host.dtype.str) if flat.size else (id(host),)
        if memory not in self.known:
            past = 0 if allocation is None or not flat.size else (start - allocation) % ALIGNMENT
            self.known[memory] = (("global", len(self.known)), self.next_address + past)
            self.next_address += -(-max(past + flat.nbytes, 1) // ALIGNMENT) * ALIGNMENT
        return self.known[memory]


def _allocation(host: np.ndarray) -> int:
    """Where the memory begins that a slice is cut from: its lanes share sectors as that address has it."""
    root = host
    while isinstance(root.base, np.ndarray):
        root = root.base
    return root.__array_interface__["data"][0]
