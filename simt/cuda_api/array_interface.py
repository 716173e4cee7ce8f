"""``__cuda_array_interface__``: what an array says of its memory, and how `as_cuda_array` finds it again."""

from __future__ import annotations

from typing import Any
from weakref import WeakValueDictionary

import numpy as np

from simt.cuda_api.host_events import address_of
from simt.values.unasked import is_a, kind_has

PLAIN = (np.ndarray, np.generic, int, float, complex, str, type(None))
_live: WeakValueDictionary[int, Any] = WeakValueDictionary()  # by address, once one was asked


def interface_to(owner: Any, memory: np.ndarray) -> dict[str, Any]:
    """The description of an array. owner: the object whose memory it is, found by this address as long as it lives."""
    address = address_of(memory)
    _live[address] = owner
    strides = None if memory.flags.c_contiguous else memory.strides
    data = {"shape": memory.shape, "strides": strides, "typestr": memory.dtype.str, "data": (address, False)}
    return {**data, "version": 3}


def interface_of(obj: Any) -> dict | None:
    """What an object says of its memory on a device; None where it says nothing, or fails to."""
    if is_a(obj, *PLAIN) and not kind_has(obj, "__cuda_array_interface__"):
        return None
    try:
        return getattr(obj, "__cuda_array_interface__", None)
    except Exception:  # an object of the program that answers no question: whoever takes it says what it is
        return None


def live_at(address: int) -> Any:
    """Whose memory begins at an address; None where nobody's does who was asked."""
    return _live.get(address)
