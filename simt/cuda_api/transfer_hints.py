"""``cuda.In(a)``, ``cuda.Out(a)`` and ``cuda.InOut(a)``: which way the copies of a kernel's argument go.

And ``@cuda.jit(extensions=[...])``, objects that make an argument of what is none, as of a library's own array.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from simt.cuda_api.device_array import DeviceArray, as_cuda_array, device_array_like, is_cuda_array, to_device
from simt.values.unasked import is_a, module_of_type, text_held

HINTS = ("In", "Out", "InOut")
MODULES = ("numba", "numba_cuda_mlir", "simt")


class In:
    """Is copied to the device before the kernel runs, and not back. value: an array; one of a device stays as it is."""

    def __init__(self, value: Any):
        self.value = value


class Out(In):
    """Begins without values, and is copied back."""


class InOut(Out):
    """Is copied both ways, as every array without a hint."""


def is_hint(argument: Any) -> bool:
    """Whether an argument is one of these, or numba's own."""
    named = text_held(type(argument), "__name__") in HINTS
    return named and module_of_type(argument).partition(".")[0] in MODULES


def on_device(hint: Any, stream: Any, after: list[Callable[[], Any]]) -> DeviceArray:
    """The device array that a hint stands for; what copies it back is put on `after`, which is to be called then."""
    value, way = hint.value, type(hint).__name__
    if is_cuda_array(value):
        return as_cuda_array(value)
    host = value if is_a(value, np.ndarray) else np.asarray(value)
    array = device_array_like(host) if way == "Out" else to_device(host, stream)
    if way != "In":
        after.append(lambda: array.copy_to_host(host, stream))
    return array


def prepared(kernel: Any, args: tuple, stream: Any, after: list[Callable[[], Any]]) -> tuple:
    """The arguments as the kernel's extensions hand them on, the last one first, as numba asks them.

    after: what an extension wants called when the kernel is done. An extension is given numba's type of the argument,
    where numba is there to name it, else None, as numba's simulator gives it.
    """
    extensions = getattr(kernel, "extensions", None) or ()
    return tuple(_through(extensions, kernel, one, stream, after) for one in args) if extensions else args


def _through(extensions: Any, kernel: Any, argument: Any, stream: Any, after: list[Callable[[], Any]]) -> Any:
    try:
        kind = kernel.typeof_pyval(argument)
    except Exception:  # what numba knows no type of is what an extension is for
        kind = None
    for extension in reversed(extensions):
        kind, argument = extension.prepare_args(kind, argument, stream=stream, retr=after)
    return argument
