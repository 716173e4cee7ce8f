"""Arrays at addresses of host memory."""

from __future__ import annotations

import ctypes

import numpy as np


def array_at(address: int, shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    """The elements at an address, as a view: writing to it writes to that memory."""
    nbytes = int(np.prod(shape, dtype=np.int64)) * np.dtype(dtype).itemsize
    if nbytes == 0:
        return np.zeros(shape, dtype)
    buffer = (ctypes.c_char * nbytes).from_address(int(address))
    return np.frombuffer(buffer, dtype).reshape(shape)


def address_of(array: np.ndarray) -> int:
    return array.ctypes.data
