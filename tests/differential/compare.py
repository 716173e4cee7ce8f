"""Whether two launches left the same bytes; any NaN equals any NaN."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .program import Program


@dataclass(frozen=True)
class Difference:
    """One cell that differs. index: in the array; left, right: what the two launches left there."""

    array: str
    index: tuple[int, ...]
    left: object
    right: object

    def __str__(self) -> str:
        return f"{self.array}{list(self.index)}: {self.left!r} and {self.right!r}"


def canonical(array: np.ndarray) -> np.ndarray:
    """The array with one and the same NaN in place of every NaN: their signs and payloads are not compared."""
    if array.dtype.kind == "f":
        return np.where(np.isnan(array), array.dtype.type(np.nan), array)
    if array.dtype.kind == "c":
        parts = np.ascontiguousarray(array).view(array.real.dtype)
        return canonical(parts).view(array.dtype)
    return array


def digest(arguments: Sequence) -> str:
    """16 hexadecimal digits for the bytes of all arrays after a launch."""
    total = hashlib.blake2b(digest_size=8)
    for value in arguments:
        if isinstance(value, np.ndarray):
            total.update(canonical(value).tobytes())
    return total.hexdigest()


def differences(program: Program, left: Sequence, right: Sequence, most: int = 6) -> list[Difference]:
    """The first cells that differ, in the order of the arguments."""
    found = []
    for argument, one, other in zip(program.arguments, left, right, strict=True):
        if not isinstance(one, np.ndarray):
            continue
        unsigned = np.dtype(f"V{one.dtype.itemsize}")
        a, b = (np.ascontiguousarray(canonical(value)).view(unsigned) for value in (one, other))
        for index in np.argwhere(a != b)[:most]:
            at = tuple(int(k) for k in index)
            found.append(Difference(argument.name, at, one[at], other[at]))
    return found
