"""Numbers that a store cannot keep: which lanes lose what."""

from __future__ import annotations

import numpy as np

NARROW, WIDE = "bBhH", "hHiIlLqQefd"  # types of integers that a number of the others may not fit in
DIFFERENCE = np.uint64(2**64 - 2**32)  # an unsigned integer past it is a difference below 0


def reasons(given: np.dtype, stored: np.dtype) -> tuple[str, ...]:
    """What may get lost between two types: "size", "fraction", "unsigned", "infinite" (`events.Narrowed`)."""
    of_32 = stored.kind == "i" and stored.itemsize == 4  # signed: a hash in unsigned ones is to wrap round
    if given.kind == "f" and stored.kind in "iu":
        return ("size", "fraction") if of_32 or stored.char in NARROW else ("fraction",)
    if given.char in WIDE and stored.char in NARROW or of_32 and given.kind in "iu" and given.itemsize == 8:
        return ("size",)
    if given.kind == "u" and given.itemsize == 8 and stored.kind == "f":
        return ("unsigned",)
    return ("infinite",) if given.kind == "f" and stored.char == "e" else ()


def lost(why: str, before: np.ndarray, after: np.ndarray) -> tuple[np.ndarray, int]:
    """(n,) bool, which numbers are lost for this reason; and of "fraction", how many others are not and are not 0."""
    if why == "fraction":
        size = np.abs(before)
        return (size > 0) & (size < 1), int(np.count_nonzero(size >= 1))
    if why == "unsigned":
        return before > DIFFERENCE, 0
    if why == "infinite":
        return np.isinf(after) & np.isfinite(before), 0
    if before.dtype.kind in "iu":
        return before != after, 0
    return np.abs(before.astype(np.float64) - after) >= 1, 0
