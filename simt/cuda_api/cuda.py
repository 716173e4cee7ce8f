"""A `cuda` module for machines without numba: ``from simt.cuda_api import cuda``."""

from __future__ import annotations

import sys

from simt.cuda_api import random as random  # `cuda.random` has the generators
from simt.cuda_api import types
from simt.cuda_api.device import (
    close,
    current_context,
    detect,
    get_current_device,
    gpus,
    is_available,
    is_bfloat16_supported,
    is_float16_supported,
    is_fp8_supported,
    list_devices,
    require_context,
    select_device,
)
from simt.cuda_api.device_array import (
    DeviceArray,
    as_cuda_array,
    device_array,
    device_array_like,
    from_cuda_array_interface,
    is_cuda_array,
    open_ipc_array,
    to_device,
)
from simt.cuda_api.dispatcher import jit
from simt.cuda_api.guvectorize import guvectorize
from simt.cuda_api.host_memory import managed_array, mapped_array, mapped_array_like, pinned_array, pinned_array_like
from simt.cuda_api.in_words import module_in_words
from simt.cuda_api.placeholders import kernel_names
from simt.cuda_api.reduction import Reduce, reduce
from simt.cuda_api.streams import (
    default_stream,
    defer_cleanup,
    event,
    event_elapsed_time,
    external_stream,
    legacy_default_stream,
    mapped,
    per_thread_default_stream,
    pinned,
    profile_start,
    profile_stop,
    profiling,
    stream,
    synchronize,
)
from simt.cuda_api.transfer_hints import In, InOut, Out
from simt.cuda_api.vectorize import vectorize

__simt_cuda__ = True

INSIDE_KERNELS = {**types.NAMES, **kernel_names()}  # number types, threadIdx, grid, atomic, ...
globals().update(INSIDE_KERNELS)

STAND_IN_ONLY = {
    "Reduce": Reduce,
    "reduce": reduce,
    "In": In,
    "Out": Out,
    "InOut": InOut,
}  # numba has its own

__all__ = [  # the host side, which also replaces that of numba.cuda where there is no GPU
    "DeviceArray",
    "as_cuda_array",
    "close",
    "current_context",
    "default_stream",
    "defer_cleanup",
    "detect",
    "device_array",
    "device_array_like",
    "event",
    "event_elapsed_time",
    "external_stream",
    "get_current_device",
    "gpus",
    "is_available",
    "is_cuda_array",
    "list_devices",
    "managed_array",
    "mapped",
    "mapped_array",
    "mapped_array_like",
    "pinned",
    "pinned_array",
    "pinned_array_like",
    "profiling",
    "require_context",
    "select_device",
    "stream",
    "synchronize",
    "to_device",
    "guvectorize",
    "from_cuda_array_interface",
    "is_bfloat16_supported",
    "is_float16_supported",
    "is_fp8_supported",
    "legacy_default_stream",
    "open_ipc_array",
    "per_thread_default_stream",
    "profile_start",
    "profile_stop",
    "vectorize",
    "jit",
]

globals().update(module_in_words(sys.modules[__name__], __all__))
