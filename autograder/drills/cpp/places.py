"""Memory: elements of arrays and pointers, and pointers with their offsets."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from autograder.drills.cpp.body import Body, Variable
from autograder.drills.cpp.kinds_of_number import BITS, Value, whole
from autograder.drills.cpp.parsing import mistaken, text_of


@dataclass(frozen=True)
class Place:
    """What can be set: Python's target, the kind of its number, whether C++ forbids to write there."""

    code: str
    kind: str
    const: bool = False


@dataclass(frozen=True)
class Pointer:
    """An array and how many elements from its beginning. at: None at the beginning.

    rows: the shape of what it points to, () for numbers.
    """

    base: Variable
    at: Value | None
    rows: tuple[int, ...] = ()

    def moved(self, by: Value) -> Pointer:
        """So many of what it points to further on."""
        return Pointer(self.base, sum_of(self.at, scaled(by, math.prod(self.rows))), self.rows)

    def row(self, index: Value) -> Pointer:
        """The row of that index, as a pointer to what is in it."""
        return Pointer(self.base, self.moved(index).at, self.rows[1:])


PLACES: dict[str, Callable[[Body, Any], Place]] = {}  # what else may stand on the left of `=`, by a node's type


def sum_of(one: Value | None, other: Value | None) -> Value | None:
    """Offsets are added as 64-bit numbers, as addresses are."""
    if one is None or other is None:
        return other if one is None else one
    if one.known is not None and other.known is not None:
        return whole(one.known + other.known, "int64")
    return Value(f"({one.code} + {other.code})", "int64")


def whole_number(body: Body, node) -> Value:
    """An index. Raises: CppError where it is no whole number."""
    value = body.value(node)
    if value.kind not in BITS and value.kind != "boolean":
        raise mistaken(node, f"`{text_of(node)}` is an index and no whole number")
    return value


def scaled(index: Value, count: int) -> Value:
    """An index of rows or records as one of numbers."""
    if count == 1:
        return index
    if index.known is not None:
        return whole(index.known * count, "int64")
    return Value(f"({count} * int64({index.code}))", "int64")


def element(base: Variable, at: Value | None) -> Place:
    """An element of an array."""
    inside = at.code if at is not None else "0"
    if inside[:1] == "(" and inside[-1:] == ")" and inside.count("(") == 1:
        inside = inside[1:-1]
    return Place(f"{base.name}[{inside}]", base.kind, base.const)
