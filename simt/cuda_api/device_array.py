"""Arrays "on the device". There is none, so they are host memory that pretends to be elsewhere."""

from __future__ import annotations

from typing import Literal

import numpy as np

from simt.cuda_api import host_events
from simt.cuda_api.allocated import (
    allocated,
    check_contiguous,
    check_in_one_piece,
    check_like,
    check_same_order,
    order_like,
    same_memory,
    strides_like,
)
from simt.cuda_api.array_interface import interface_of, interface_to, live_at
from simt.cuda_api.host_memory import HostAndDeviceArray
from simt.cuda_api.in_words import class_in_words
from simt.cuda_api.streams import default_stream
from simt.cuda_api.unwritten import tell_of_unwritten
from simt.events.launches import Contents
from simt.memory.overlaps import bounds
from simt.memory.shared_local import poisoned
from simt.values.unasked import memory_on_device

Order = Literal["C", "F", "A"]
NO_POINTER = "there is no memory of a GPU to point to. Pass the array itself to kernels, and copy with copy_to_host()."
ELSEWHERE = {
    "to_host": "numba calls it copy_to_host().",
    "gpu_data": NO_POINTER,
    "gpu_head": NO_POINTER,
    "gpu_mem": NO_POINTER,
    "device_ctypes_pointer": NO_POINTER,
    "device_pointer": NO_POINTER,
    "get_ipc_handle": "memory is shared between processes on a GPU only. Pass host arrays to the other process.",
}


def _contents(memory: np.ndarray, filled: bool) -> Contents:
    """What a new allocation holds. One that is filled is not asked where it lies: the host would touch it."""
    if filled or not memory.size:
        return Contents(True)
    start, end = bounds(memory)
    return Contents(False, start, end - start)


@class_in_words("device_array")
class DeviceArray:
    """An array that host code reads only through `copy_to_host`, as numba's device arrays.

    Slices and reshaped arrays share its memory. simt_host_array: the memory itself, for the interpreter; stream: where
    its copies go that name none, that which it was made with.
    """

    __slots__ = ("simt_host_array", "simt_contents", "simt_turned", "stream", "__weakref__")

    def __init__(self, memory: np.ndarray, filled: bool | Contents = True, stream=0):
        self.simt_host_array, self.simt_turned, self.stream = memory, False, stream
        self.simt_contents = filled if isinstance(filled, Contents) else _contents(memory, filled)

    def __getattr__(self, name: str):
        """What numba's arrays have, or had, and these have not: says what to write instead."""
        if name in ELSEWHERE:
            raise AttributeError(f"A device array has no {name} here: {ELSEWHERE[name]}")
        says = f"A device array has no {name}"
        if hasattr(np.ndarray, name):
            raise AttributeError(f"{says}. Copy it first, as in x.copy_to_host().{name}.")
        raise AttributeError(f"{says}, nor has an array of NumPy's.")

    @property
    def simt_initialised(self) -> bool:
        """False until something was copied in, or kernels wrote all of it, or one that nobody listened to had it."""
        return self.simt_contents.filled

    def simt_mark_written(self) -> None:
        """Called after a kernel had this array as argument, and nobody heard what it wrote."""
        self.simt_contents.filled = True

    shape = property(lambda self: self.simt_host_array.shape)
    strides = property(lambda self: self.simt_host_array.strides)
    dtype = property(lambda self: self.simt_host_array.dtype)
    ndim = property(lambda self: self.simt_host_array.ndim)
    size = property(lambda self: self.simt_host_array.size)
    nbytes = property(lambda self: self.simt_host_array.nbytes)
    alloc_size = property(lambda self: self.simt_host_array.nbytes)
    itemsize = property(lambda self: self.simt_host_array.itemsize)
    flags = property(lambda self: self.simt_host_array.flags)
    T = property(lambda self: self.transpose())

    @property
    def __cuda_array_interface__(self) -> dict:
        """Where the memory is, for `as_cuda_array`; no library can use it on a GPU."""
        host_events.tell("exports", self.simt_host_array)
        return interface_to(self, self.simt_host_array)

    def _view(self, memory: np.ndarray, stream=0) -> DeviceArray:
        return DeviceArray(memory, self.simt_contents, stream or self.stream)

    def copy_to_host(self, ary: np.ndarray | None = None, stream=0) -> np.ndarray:
        """A host copy, or a copy into `ary`, which must have the same shape and dtype. Returns the host array."""
        if ary is None:
            ary = np.empty_like(self.simt_host_array)
        else:
            check_like(self.simt_host_array, ary, "copy_to_host")
            check_same_order(self.simt_host_array, ary, "copy_to_host")
        host_events.tell("copies", "down", self.simt_host_array, ary, stream or self.stream)
        tell_of_unwritten(self.simt_host_array, self.simt_contents)
        np.asarray(ary)[...] = self.simt_host_array.reshape(ary.shape)
        return ary

    def copy_to_device(self, ary, stream=0) -> None:
        """Overwrite this array with a host or device array of the same shape and dtype."""
        ary = as_cuda_array(ary) if is_cuda_array(ary) else ary
        source = ary.simt_host_array if isinstance(ary, DeviceArray) else np.asarray(ary)
        check_like(self.simt_host_array, source, "copy_to_device")
        check_in_one_piece(self.simt_host_array)
        direction = "across" if isinstance(ary, DeviceArray) else "up"
        if direction == "across":
            check_same_order(self.simt_host_array, source, "copy_to_device")
        other = source if direction == "across" else ary
        host_events.tell("copies", direction, self.simt_host_array, other, stream or self.stream)
        self.simt_host_array[...] = source.reshape(self.shape)
        self.simt_contents.filled = True

    def __getitem__(self, index):
        """A view of a slice; a single element is copied to the host."""
        return self.getitem(index)

    def getitem(self, index, stream=0):
        """The same, in a stream."""
        part = self.simt_host_array[index]
        if isinstance(part, np.ndarray) and part.ndim:
            return self._view(part, stream)
        host_events.tell("copies", "down", self._cell(index), None, stream or self.stream)
        return part

    def _cell(self, index) -> np.ndarray:
        return self.simt_host_array[(*(index if isinstance(index, tuple) else (index,)), ...)]

    def __setitem__(self, index, value) -> None:
        self.setitem(index, value)

    def setitem(self, index, value, stream=0) -> None:
        """``x[index] = value`` in a stream; without one it is waited for."""
        memory, stream = memory_on_device(value), stream or self.stream
        host_events.tell("copies", "up" if memory is None else "across", self._cell(index), memory, stream)
        self.simt_host_array[index] = value if memory is None else memory
        self.simt_contents.filled = True
        if memory is not None and host_events.names_no_stream(stream):
            default_stream().synchronize()

    def __len__(self) -> int:
        return len(self.simt_host_array)

    def __array__(self, dtype=None, copy=None) -> np.ndarray:
        """A host copy, as numba does it; never the memory itself."""
        if copy is False:
            raise ValueError("A device array cannot be seen on the host without a copy. Use copy_to_host().")
        return self.copy_to_host().astype(self.dtype if dtype is None else dtype, copy=False)

    def reshape(self, *shape, order: Order = "C") -> DeviceArray:
        """A view of another shape; one extent may be -1. Raises: NotImplementedError where none is of this memory."""
        return self._view(same_memory(self.simt_host_array, self.simt_host_array.reshape(*shape, order=order)))

    def ravel(self, order: Order = "C", stream=0) -> DeviceArray:
        """A flat view of a contiguous array. Raises: NotImplementedError for another."""
        return self._view(same_memory(self.simt_host_array, self.simt_host_array.reshape(-1, order=order)), stream)

    def transpose(self, axes=None) -> DeviceArray:
        """A view with exchanged axes. Raises: NotImplementedError for any but two axes.

        numba makes a copy without gaps: a session notes where a kernel writes to this one (`simt_turned`).
        """
        if axes and tuple(axes) == tuple(range(self.ndim)):
            return self
        if self.ndim != 2:
            raise NotImplementedError(f"numba transposes device arrays of two axes, and this one has {self.ndim}.")
        result = self._view(self.simt_host_array.transpose(axes))
        result.simt_turned = not self.simt_turned
        return result

    def squeeze(self, axis=None, stream=0) -> DeviceArray:
        """A view without axes of extent 1."""
        return self._view(self.simt_host_array.squeeze(axis), stream)

    def view(self, dtype) -> DeviceArray:
        """The same bytes as another dtype."""
        return self._view(self.simt_host_array.view(dtype))

    def split(self, section: int, stream=0):
        """Views of `section` elements of a 1-D array, one after another; the last one may be shorter."""
        if self.ndim != 1:
            raise ValueError(f"split() needs a 1-D array, but this one has shape {self.shape}. Use reshape or slices.")
        return iter([self[first : first + section] for first in range(0, self.size, section)])

    def is_c_contiguous(self) -> bool:
        return bool(self.flags.c_contiguous)

    def is_f_contiguous(self) -> bool:
        return bool(self.flags.f_contiguous)

    def bind(self, stream=0) -> DeviceArray:
        """The same array, whose copies go to a stream."""
        return DeviceArray(self.simt_host_array, self.simt_contents, stream)

    def __repr__(self) -> str:
        return f"DeviceArray(shape={self.shape}, dtype={self.dtype}; simt interpreter, no GPU)"


def to_device(obj, stream=0, copy: bool = True, to: DeviceArray | None = None) -> DeviceArray:
    """A device copy of a host array (or a copy into the device array `to`)."""
    if to is not None:
        if copy:
            to.copy_to_device(obj)
        return to
    if is_cuda_array(obj):
        return as_cuda_array(obj)
    host = np.asarray(obj)
    check_contiguous(host)
    memory = host.copy(order="K") if copy else poisoned(host.size, host.dtype).reshape(host.shape)
    result = DeviceArray(memory, stream=stream)
    host_events.tell("allocates", result.simt_host_array)
    if copy:
        host_events.tell("copies", "up", result.simt_host_array, obj if isinstance(obj, np.ndarray) else None, stream)
    return result


def device_array(shape, dtype=np.float64, strides=None, order: str = "C", stream=0) -> DeviceArray:
    """An uninitialised device array; floats hold NaN, so that a kernel which misses an element is seen."""
    memory = allocated(shape, dtype, strides, order)
    host_events.tell("allocates", memory)
    return DeviceArray(memory, False, stream)


def device_array_like(ary, stream=0) -> DeviceArray:
    """An uninitialised device array of the shape, dtype and order of a host or device array."""
    if isinstance(ary, DeviceArray) and ary.simt_turned:  # a copy without gaps, in numba
        return device_array(ary.shape, ary.dtype, stream=stream)
    return device_array(ary.shape, ary.dtype, strides_like(ary), order_like(ary), stream)


def is_cuda_array(obj) -> bool:
    """Whether an object is a device array, or says where its memory is as one."""
    return isinstance(obj, DeviceArray) or interface_of(obj) is not None


def as_cuda_array(obj, sync: bool = True) -> DeviceArray:
    """A device array as a device array; raises TypeError for anything else."""
    if isinstance(obj, DeviceArray):
        return obj
    if (interface := interface_of(obj)) is not None:
        return from_cuda_array_interface(interface, obj)
    raise TypeError(f"{type(obj).__name__} is no device array. Use cuda.to_device.")


def from_cuda_array_interface(desc: dict, owner=None, sync: bool = True) -> DeviceArray:
    """The device array that a description came from. Raises TypeError for memory that is not one's."""
    known = live_at(desc["data"][0])
    if known is None:
        raise TypeError("This array is not one of numba's: memory of other libraries is out of reach without a GPU.")
    cells = host_events.memory_of(known)
    memory = np.ndarray(desc["shape"], np.dtype(desc["typestr"]), cells, strides=desc.get("strides"))
    return known._view(memory) if isinstance(known, DeviceArray) else DeviceArray(memory)


def auto_device(obj, stream=0, copy: bool = True, user_explicit: bool = False) -> tuple[DeviceArray, bool]:
    """A device array, and whether it is new: numba's own modules ask for it."""
    if is_cuda_array(obj):
        return as_cuda_array(obj), False
    return to_device(obj, stream, copy), True


def open_ipc_array(*args, **options):
    """Raises: NotImplementedError."""
    raise NotImplementedError("open_ipc_array: memory is shared between processes on a GPU only. Pass host arrays.")


def array_given(argument):
    """What a function of arrays was given: an object that says where its memory is, as the array that is there."""
    return argument if isinstance(argument, np.ndarray) or not is_cuda_array(argument) else as_cuda_array(argument)


def kernel_argument(argument):
    """An argument of a launch as the interpreter takes it: what says where its memory is, as the array that is there.

    Raises: ValueError for a host array that numba cannot copy to a GPU.
    """
    if isinstance(argument, tuple):
        for item in argument:
            if isinstance(item, np.ndarray | tuple):
                kernel_argument(item)
    elif isinstance(argument, np.ndarray) and not isinstance(argument, HostAndDeviceArray):
        check_contiguous(argument)
    else:
        return array_given(argument)
    return argument
