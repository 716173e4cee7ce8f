"""Host memory that a GPU reaches: pinned, which no copy waits for; mapped or managed, which kernels use as it is."""

from __future__ import annotations

import numpy as np

from simt.cuda_api import host_events
from simt.cuda_api.allocated import allocated_on_host, order_like, strides_like
from simt.cuda_api.array_interface import interface_to
from simt.cuda_api.in_words import class_in_words


def pinned_array(shape, dtype=np.float64, strides=None, order: str = "C") -> np.ndarray:
    """An uninitialised host array; pinning has no effect but on what counts as a copy that is waited for."""
    return host_events.made(allocated_on_host(shape, dtype, strides, order), "pinned")


def pinned_array_like(ary) -> np.ndarray:
    """A pinned array of the shape, dtype and order of another."""
    return pinned_array(ary.shape, ary.dtype, strides_like(ary), order_like(ary))


@class_in_words("mapped_array")
class HostAndDeviceArray(np.ndarray):
    """Mapped or managed memory: one array that host and kernels both use."""

    @property
    def __cuda_array_interface__(self) -> dict:
        """Where the memory is, for `as_cuda_array`; no library can use it on a GPU."""
        return interface_to(self, self)

    def copy_to_host(self, ary: np.ndarray | None = None, stream=0) -> np.ndarray:
        """A plain copy."""
        if ary is None:
            return np.array(self)
        ary[...] = self
        return ary

    def copy_to_device(self, ary, stream=0) -> None:
        """Overwrite with another array."""
        self[...] = np.asarray(ary)


def mapped_array(shape, dtype=np.float64, strides=None, order: str = "C", stream=0, portable=False, wc=False):
    """An uninitialised array in mapped host memory."""
    return _shared_with_host(allocated_on_host(shape, dtype, strides, order), "mapped")


def _shared_with_host(memory: np.ndarray, space: str) -> np.ndarray:
    array = memory.view(HostAndDeviceArray)
    host_events.tell("allocates", array)
    return host_events.made(array, space)


def mapped_array_like(ary, stream=0, portable=False, wc=False):
    """A mapped array of the shape, dtype and order of another."""
    return mapped_array(ary.shape, ary.dtype, strides_like(ary), order_like(ary))


def managed_array(shape, dtype=np.float64, strides=None, order: str = "C", stream=0, attach_global=True):
    """An uninitialised array in managed memory."""
    return _shared_with_host(allocated_on_host(shape, dtype, strides, order), "managed")
