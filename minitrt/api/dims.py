"""Dimensions and permutations: sequences of ints that compare with any tuple."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator


class Dims:
    """Dimensions of a tensor; -1 is a dimension known only at run time. ``Dims.of(None)`` has unknown rank: len()
    raises, as in the bindings."""

    MAX_DIMS = 8

    def __init__(self, shape: Iterable[int] = ()):
        values: list[int] | None = [int(n) for n in shape]
        if len(values) > self.MAX_DIMS:
            raise ValueError(f"The input length exceeds the max number of dimensions: {len(values)} > {self.MAX_DIMS}")
        self._values = values

    @classmethod
    def of(cls, shape: Iterable[int] | None) -> Dims:
        """Dimensions of a shape, or of unknown rank for None."""
        made = cls(shape or ())
        made._values = None if shape is None else made._values
        return made

    def __len__(self) -> int:
        if self._values is None:
            raise ValueError("__len__() should return >= 0: the rank of these dimensions is unknown")
        return len(self._values)

    def __iter__(self) -> Iterator[int]:
        return iter(self._values or [])

    def __getitem__(self, index):
        found = (self._values or [])[index]
        return tuple(found) if isinstance(index, slice) else found

    def __setitem__(self, index, value) -> None:
        self._values[index] = value

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Dims):
            return self._values == other._values
        return isinstance(other, tuple | list) and self._values == list(other)

    def __hash__(self) -> int:
        return hash(tuple(self._values or ()))

    def __add__(self, other):
        return tuple(self) + tuple(other)

    def __radd__(self, other):
        return tuple(other) + tuple(self)

    def __str__(self) -> str:
        return "(unknown rank)" if self._values is None else str(tuple(self))

    __repr__ = __str__


def fixed(rank: int, name: str, **parts: int) -> type[Dims]:
    """A class of Dims with exactly `rank` values; parts: names of single ones."""

    names = list(parts) or [f"dim{index}" for index in range(rank)]

    def __init__(self, *values, shape=None, **named):
        if named:
            values = (*values, *(named.pop(key) for key in names[len(values) :] if key in named))
        if named:
            raise TypeError(f"{name} takes {names} or a shape, and not {list(named)}")
        values = shape if shape is not None else values
        values = values[0] if len(values) == 1 and not isinstance(values[0], int) else values
        if values and len(values) != rank:
            raise ValueError(f"{name} takes {rank} values, but got {len(values)}: {tuple(values)}")
        Dims.__init__(self, values or [0] * rank)

    def part(index: int) -> property:
        return property(lambda self: self[index], lambda self, value: self.__setitem__(index, value))

    return type(name, (Dims,), {"__init__": __init__, **{key: part(index) for key, index in parts.items()}})


Dims2 = fixed(2, "Dims2")
DimsHW = fixed(2, "DimsHW", h=0, w=1)
Dims3 = fixed(3, "Dims3")
Dims4 = fixed(4, "Dims4")


class Permutation(Dims):
    """An order of axes."""


def volume(iterable: Iterable[int]) -> int:
    """The number of elements of a shape; 1 for an empty one."""
    return math.prod(iterable)
