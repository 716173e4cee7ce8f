"""Fresh host memory for the arrays that host code asks for, and what can be sent: as numba-cuda takes it.

Checked against numba-cuda's own `prepare_shape_strides_dtype` and device array, 0.30.4: what one refuses, so does the
other, with the same class of error.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from simt.memory.shared_local import poisoned

TAKES = "A shape is an integer or a tuple of integers"


def allocated(shape: Any, dtype: Any, strides: Any, order: str) -> np.ndarray:
    """An array of which no element has a value yet. strides: in bytes, or None for those of `order`, "C" or "F".

    Raises: TypeError, ValueError, OverflowError, as numba-cuda does.
    """
    dtype, extents = np.dtype(dtype), _extents(shape)
    if any(extent < 0 for extent in extents):
        raise OverflowError(f"{TAKES}, and none of {extents} may be negative.")
    if not strides and strides != 0:
        if extents and order not in ("C", "F"):
            raise ValueError(f"order is 'C' or 'F', not {order!r}.")
        return poisoned(math.prod(extents), dtype).reshape(extents, order="F" if order == "F" else "C")
    steps = (strides,) if isinstance(strides, int) else tuple(strides)
    if len(steps) != len(extents):
        raise ValueError(f"There is one stride for each axis: {extents} has {len(extents)}, and {steps} {len(steps)}.")
    reach = [(extent - 1) * step for extent, step in zip(extents, steps, strict=True)]
    first = -sum(min(0, one) for one in reach)
    n_bytes = first + sum(max(0, one) for one in reach) + dtype.itemsize
    memory = poisoned(-(-n_bytes // dtype.itemsize) if all(extents) else 0, dtype)
    return np.ndarray(extents, dtype, memory, first if all(extents) else 0, steps)


def _extents(shape: Any) -> tuple[int, ...]:
    """The shape as a tuple. An integer of NumPy's is none of Python's, so numba takes it inside a tuple only."""
    if isinstance(shape, int):
        return (int(shape),)
    if isinstance(shape, np.integer):
        raise TypeError(f"{TAKES}, and {shape!r} is NumPy's own: numba-cuda refuses it. Write int(...) around it.")
    try:
        extents = tuple(shape)
    except TypeError:
        raise TypeError(f"{TAKES}, not {shape!r}: divide with //.") from None
    wrong = next((one for one in extents if not isinstance(one, int | np.integer)), None)
    if wrong is not None:
        raise TypeError(f"{TAKES}, and {wrong!r} in {shape!r} is none: divide with //.")
    return tuple(map(int, extents))


def strides_like(array: Any) -> tuple[int, ...] | None:
    """Strides of a packed array whose axes lie in memory in the order of another's; None where `order` says enough."""
    if array.flags["C_CONTIGUOUS"] or array.flags["F_CONTIGUOUS"] or array.ndim <= 1:
        return None
    strides, step = [0] * array.ndim, array.dtype.itemsize
    for axis in sorted(range(array.ndim), key=lambda axis: array.strides[axis]):
        strides[axis] = step
        step *= array.shape[axis]
    return tuple(strides)


def order_like(array: Any) -> str:
    """ "F" for an array in Fortran's order alone."""
    return "F" if array.flags["F_CONTIGUOUS"] and not array.flags["C_CONTIGUOUS"] else "C"


def allocated_on_host(shape: Any, dtype: Any, strides: Any, order: str) -> np.ndarray:
    """The same in host memory, pinned, mapped or managed, of which no bytes at all cannot be had.

    Raises: as `allocated`; ValueError for an empty array, as from the driver.
    """
    memory = allocated(shape, dtype, strides, order)
    if not memory.size:
        raise ValueError(f"An array of shape {memory.shape} has no elements, and the driver allocates no 0 bytes.")
    return memory


def check_contiguous(array: np.ndarray) -> None:
    """Raises: ValueError for a host array that cannot go to a GPU in one piece, as numba does."""
    if array.flags["C_CONTIGUOUS"] or array.flags["F_CONTIGUOUS"]:
        return
    core = array[tuple(slice(None) if step else 0 for step in array.strides)]  # what is repeated is sent once
    if not core.flags["C_CONTIGUOUS"] and not core.flags["F_CONTIGUOUS"]:
        raise ValueError(
            f"A host array of shape {array.shape} and strides {array.strides} has gaps, or runs backwards, so numba "
            "cannot copy it to a GPU in one piece. Pass np.ascontiguousarray(...) of it, or slice it once it is there."
        )


def check_in_one_piece(array: np.ndarray) -> None:
    """Raises: ValueError for a device array with gaps, into which numba copies nothing whole."""
    core = array[tuple(slice(None) if step else 0 for step in array.strides)] if array.size else array
    core = core.transpose(sorted(range(core.ndim), key=lambda axis: -core.strides[axis]))  # that of a repeated array
    if not core.flags["C_CONTIGUOUS"]:
        raise ValueError(
            f"copy_to_device: this part of a device array, of shape {array.shape} and strides {array.strides}, has "
            "gaps, and numba copies into whole memory only. Assign to it, as in x[...] = value."
        )


def check_same_order(device: np.ndarray, other: np.ndarray, operation: str) -> None:
    """Raises: ValueError for arrays whose elements lie in another order: numba copies bytes as they are."""
    strides = device.squeeze().strides, other.squeeze().strides
    if device.size and strides[0] != strides[1]:
        raise ValueError(
            f"{operation}: the device array has strides {device.strides}, the other one {other.strides}, and numba "
            "copies bytes as they lie. Make both in one order, as with order='F', or copy without naming an array."
        )


def same_memory(memory: np.ndarray, made: np.ndarray) -> np.ndarray:
    """A view that NumPy made. Raises: NotImplementedError where it had to copy, which numba does not."""
    if made.size and not np.may_share_memory(memory, made):
        raise NotImplementedError(
            f"A device array of shape {memory.shape} and strides {memory.strides} has gaps, so no array of shape "
            f"{made.shape} lies in its memory. Copy it to one without gaps first."
        )
    return made


def check_like(device: np.ndarray, host: np.ndarray, operation: str) -> None:
    """Raises: ValueError, TypeError for a copy between arrays of other shapes or types."""
    if host.squeeze().shape != device.squeeze().shape:
        raise ValueError(
            f"{operation}: the device array has shape {device.shape}, the other one {host.shape}. They must agree."
        )
    if host.dtype != device.dtype:
        raise TypeError(
            f"{operation}: the device array holds {device.dtype}, the other one {host.dtype}. Give both "
            "one dtype where they are made: cuda.device_array(shape) is float64 without one."
        )
