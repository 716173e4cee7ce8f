"""Device arrays that lie in a launcher: what a recorded plan does with them becomes operations of the launcher's.

A plan is gone through twice. The first time nothing is carried out: it shows which arrays there are and which kernels
are launched on what, so that memory is laid out and code compiled. The second time operations are collected, and
carried out whenever somebody needs what they gave.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from autograder.classroom.sealed import abi
from autograder.classroom.sealed.plan import MAX_BUFFERS, NotPossible, dim3

MAX_MOVED_BYTES = 512 << 20  # between host and device, in one call: the host's copies are in the process that judges
MAX_LITERAL_BYTES = 128 << 20
Kernel = tuple[str, tuple]  # name, and the kind of each argument
Fetch = Callable[["Remote", str], np.ndarray]  # carries out what is pending; a whole buffer, as (bytes,) uint8


@dataclass
class Remote:
    """A device that is elsewhere, as `replay.Replay` uses one.

    fetch: None to go through a plan without carrying anything out. buffers: name -> bytes; kernels: each with its
    types, once, in the order of first use; operations: not carried out yet; uploads: contents of the buffers from
    which they copy; looked: whether anything was copied to the host.
    """

    fetch: Fetch | None = None
    prefix: str = ""  # of the names of buffers that are no arguments
    buffers: dict[str, int] = field(default_factory=dict)
    kernels: list[Kernel] = field(default_factory=list)
    operations: list[dict[str, Any]] = field(default_factory=list)
    uploads: dict[str, np.ndarray] = field(default_factory=dict)
    looked: bool = False
    moved_bytes: int = 0
    max_literal_bytes: int = MAX_LITERAL_BYTES

    def move(self, n_bytes: int) -> None:
        """Count bytes that are about to be moved. Raises NotPossible before there are too many."""
        self.moved_bytes += n_bytes
        if self.moved_bytes > MAX_MOVED_BYTES:
            raise NotPossible(f"One call copies up to {MAX_MOVED_BYTES >> 20} MiB between host and device.")

    def given(self, name: str, like: np.ndarray) -> RemoteArray:
        """An argument that is on the device already."""
        return self._new(like.shape, like.dtype, name=name)

    def device_array(self, shape: Any, dtype: Any = np.float64, order: str = "C", **_stream: Any) -> RemoteArray:
        return self._new(shape, dtype, order)

    def to_device(self, host: Any, **_stream: Any) -> RemoteArray:
        if isinstance(host, RemoteArray):
            return host
        host = np.asarray(host)
        self.move(host.nbytes)
        order = "F" if host.flags.f_contiguous and not host.flags.c_contiguous else "C"
        array = self._new(host.shape, host.dtype, order)
        self.write(array.name, np.asarray(host, order=order).reshape(-1, order="A"))  # type: ignore[call-overload]
        return array

    def _new(self, shape: Any, dtype: Any, order: str = "C", name: str = "") -> RemoteArray:
        if len(self.buffers) >= MAX_BUFFERS:
            raise NotPossible(f"A call has up to {MAX_BUFFERS} arrays on the device.")
        whole = np.empty(shape, dtype, order="F" if order == "F" else "C")  # nobody touches it: it costs only addresses
        name = name or f"{self.prefix}array {len(self.buffers)}"
        self.buffers[name] = whole.nbytes
        return RemoteArray(self, name, whole, whole)

    def write(self, name: str, contents: np.ndarray) -> None:
        """The host's bytes become a whole buffer's. contents: one axis, as they lie in memory."""
        source = f"{self.prefix}upload {len(self.buffers)}"
        self.buffers[source] = contents.nbytes
        self.uploads[source] = np.array(contents)
        self.operations.append({"copy": [name, 0, source, 0, contents.nbytes]})

    def read(self, name: str) -> np.ndarray:
        """A whole buffer as (bytes,) uint8, of one's own; zeros where nothing is carried out."""
        self.looked = True
        self.move(self.buffers[name])
        return np.zeros(self.buffers[name], np.uint8) if self.fetch is None else self.fetch(self, name)

    def launch(self, kernel: str, grid: Any, block: Any, shared: int, arguments: tuple) -> None:
        """One launch. Host arrays among the arguments are copied there and back, as numba does it."""
        there = [self.to_device(value) if isinstance(value, np.ndarray) else value for value in arguments]
        kinds = tuple(abi.kind_of(value.view if isinstance(value, RemoteArray) else value) for value in there)
        if (kernel, kinds) not in self.kernels:
            self.kernels.append((kernel, kinds))
        words: list[Any] = []
        for value in there:
            words += value.words if isinstance(value, RemoteArray) else abi.of_number(value)
        launch = {"launch": self.kernels.index((kernel, kinds)), "grid": dim3(grid), "block": dim3(block)}
        self.operations.append({**launch, "shared": int(shared), "arguments": words})
        for host, remote in zip(arguments, there, strict=True):
            if isinstance(host, np.ndarray):
                host[...] = remote.copy_to_host()


class RemoteKernel:
    """A kernel as a plan launches it: ``kernel[grid, block, stream, shared](...)``."""

    py_func = None  # that there is such a thing is how a replay knows a kernel

    def __init__(self, remote: Remote, name: str):
        self.remote, self.name = remote, name

    def __getitem__(self, configuration: tuple) -> Callable[..., None]:
        grid, block, _stream, shared = configuration
        return lambda *arguments: self.remote.launch(self.name, grid, block, shared, arguments)


class RemoteArray:
    """A part of a buffer. view: a NumPy array with its geometry, inside `whole`, which stands for the buffer."""

    def __init__(self, remote: Remote, name: str, whole: np.ndarray, view: np.ndarray):
        self.remote, self.name, self.whole, self.view = remote, name, whole, view
        self.shape, self.dtype, self.ndim, self.size = view.shape, view.dtype, view.ndim, view.size

    def __len__(self) -> int:
        return len(self.view)

    @property
    def offset(self) -> int:
        """Of its first element in the buffer, in bytes."""
        first, start = (a.__array_interface__["data"][0] for a in (self.view, self.whole))
        return first - start if self.view.size else 0

    @property
    def words(self) -> list[Any]:
        """What a kernel is given of it."""
        return abi.of_array(self.name, self.view, self.offset)

    def _part(self, view: np.ndarray) -> RemoteArray:
        if view.size and not np.may_share_memory(view, self.whole):
            raise ValueError("This part of a device array is not one: its elements do not lie evenly.")
        return RemoteArray(self.remote, self.name, self.whole, view)

    def _within(self, buffer: np.ndarray) -> np.ndarray:
        """The elements of this part in the bytes of a whole buffer, no copy."""
        return np.ndarray(self.shape, self.dtype, buffer.data, self.offset, self.view.strides)

    def copy_to_host(self) -> np.ndarray:
        return np.array(self._within(self.remote.read(self.name))) if self.size else np.empty(self.shape, self.dtype)

    def copy_to_device(self, value: Any) -> None:
        self[...] = value

    def __getitem__(self, index: Any) -> Any:
        part = self.view[index]
        if isinstance(part, np.ndarray) and part.ndim:
            return self._part(part)
        place = np.asarray(self.view[index if isinstance(index, tuple) else (index,)])
        return self._within(self.remote.read(self.name))[index] if place.ndim == 0 else self._part(place)

    def __setitem__(self, index: Any, value: Any) -> None:
        host = value.copy_to_host() if isinstance(value, RemoteArray) else value
        is_whole = index is Ellipsis and self.view.nbytes == self.whole.nbytes
        buffer = np.empty(self.whole.nbytes, np.uint8) if is_whole else self.remote.read(self.name)
        if self.size:
            self._within(buffer)[index] = host
        self.remote.write(self.name, buffer)

    def reshape(self, *shape: Any) -> RemoteArray:
        if not self.view.flags.forc:  # NumPy would copy it, and numba refuses
            raise NotImplementedError("reshape() supports contiguous arrays only")
        return self._part(self.view.reshape(*shape, order="C" if self.view.flags.c_contiguous else "F"))

    def ravel(self) -> RemoteArray:
        return self.reshape(-1)

    def transpose(self, axes: Any = None) -> RemoteArray:
        return self._part(self.view.transpose(axes))
