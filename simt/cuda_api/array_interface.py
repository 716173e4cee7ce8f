"""``__cuda_array_interface__``: what an array says of its memory, and how `as_cuda_array` finds it again."""

from __future__ import annotations

from typing import Any
from weakref import WeakValueDictionary

import numpy as np

from simt.cuda_api.host_events import address_of

_live: WeakValueDictionary[int, Any] = WeakValueDictionary()  # by address, once one was asked


def interface_to(owner: Any, memory: np.ndarray) -> dict[str, Any]:
    """The description of an array. owner: the object whose memory it is, found by this address as long as it lives."""
    address = address_of(memory)
    _live[address] = owner
    strides = None if memory.flags.c_contiguous else memory.strides
    data = {"shape": memory.shape, "strides": strides, "typestr": memory.dtype.str, "data": (address, False)}
    return {**data, "version": 3}


def live_at(address: int) -> Any:
    """Whose memory begins at an address; None where nobody's does who was asked."""
    return _live.get(address)
