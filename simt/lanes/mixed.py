"""A variable that holds things of different kinds in different threads: an error where somebody looks, not before.

numba gives each assignment a version of its own and asks for one type only where a later line reads what two of them
left. So `total = cuda.atomic.add(total, 0, x)` inside an `if` is right as long as nobody reads `total` after it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from simt.errors import UnsupportedError
from simt.lanes.blend import merge, narrow, scatter
from simt.values import UNDEFINED

if TYPE_CHECKING:
    from simt.lanes.masks import Mask
    from simt.values import Value


class Mixed:
    """Values that no type unifies, each with the lanes that hold it. error: what to say to who reads several."""

    def __init__(self, parts: list[tuple[np.ndarray, Value]], error: UnsupportedError):
        self.parts, self.error = [(bits, value) for bits, value in parts if bits.any()], error

    def seen_by(self, mask: Mask) -> Value:
        """What the active lanes hold. Raises: UnsupportedError where these are things of several kinds."""
        active = ((bits if mask.bits is None else bits & mask.bits, value) for bits, value in self.parts)
        (_, seen), *others = [(bits, value) for bits, value in active if bits.any()]
        for bits, value in others:
            try:
                seen = merge(seen, value, bits)
            except UnsupportedError:
                raise self.error from None
        return seen

    def narrow(self, index: np.ndarray) -> Mixed:
        return Mixed([(bits[index], narrow(value, index)) for bits, value in self.parts], self.error)

    def replaced(self, bits: np.ndarray, value: Value) -> Mixed:
        """The same with another value for some lanes."""
        return Mixed([*((held & ~bits, old) for held, old in self.parts), (bits, value)], self.error)


def merged(old: Value, new: Value, mask: Mask) -> Value:
    """A variable after some lanes, those of a mask, assigned to it."""
    if type(old) is Mixed:
        return old.replaced(mask.bits, new)
    try:
        return merge(old, new, mask.bits, mask)
    except UnsupportedError as error:
        return Mixed([(~mask.bits, old), (mask.bits, new)], error)


def scattered(old: Value, new: Value, index: np.ndarray, width: int) -> Value:
    """A variable after the lanes `index` assigned to it in an environment of their own."""
    bits = np.zeros(width, bool)
    bits[index] = True
    if type(new) is Mixed:
        known = old.parts if type(old) is Mixed else [] if old is UNDEFINED else [(np.ones(width, bool), old)]
        parts = [(held & ~bits, value) for held, value in known]
        for held, value in new.parts:
            where = np.zeros(width, bool)
            where[index[held]] = True
            parts.append((where, scatter(UNDEFINED, narrow(value, np.flatnonzero(held)), index[held], width)))
        return Mixed(parts, new.error)
    if type(old) is Mixed:
        return old.replaced(bits, scatter(UNDEFINED, new, index, width))
    try:
        return scatter(old, new, index, width)
    except UnsupportedError as error:
        return Mixed([(~bits, old), (bits, scatter(UNDEFINED, new, index, width))], error)
