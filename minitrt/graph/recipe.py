"""Constants that are kept as what they are made of, while that is smaller: quantised weights that are dequantised.

A value's `data` is an array, or makes one whenever it is asked for. So neither a build nor a plan has FLOATs of weights
that a file has as bytes; an engine that runs keeps what it made.
"""

from __future__ import annotations

import copy
import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from minitrt.graph.ir import Op, Value

LARGE = 1 << 16  # bytes from which on it matters
Run = Callable[["Op", list], list]


class Recipe:
    """The first result of an operation on constants. run: computes one. keep: whether what was made stays."""

    def __init__(self, op: Op, run: Run, keep: bool = False):
        self.op, self.run, self.keep = copy.copy(op), run, keep
        self.op.inputs = [copy.copy(value) for value in op.inputs]
        self.kept: np.ndarray | None = None
        self.made: Callable[[], np.ndarray | None] = lambda: None

    @property
    def bytes_held(self) -> int:
        return sum(bytes_held(value) for value in self.op.present)

    def array(self) -> np.ndarray:
        """What it makes; whoever asks while another still holds that gets the same array."""
        found = self.kept if self.kept is not None else self.made()
        if found is None:
            found = self.run(self.op, [None if value is None else value.data for value in self.op.inputs])[0]
            self.made, self.kept = weakref.ref(found), found if self.keep else None
        return found


class Elements:
    """`Value.data`: an array or None, made now where a recipe is held."""

    def __get__(self, value: Any, owner: type | None = None) -> np.ndarray | None:
        found = None if value is None else value.__dict__["data"]
        return found.array() if isinstance(found, Recipe) else found

    def __set__(self, value: Any, data: np.ndarray | Recipe | None) -> None:
        value.__dict__["data"] = data


def held(value: Value) -> np.ndarray | Recipe | None:
    """What a value's elements are kept as."""
    return value.__dict__["data"]


def bytes_held(value: Value) -> int:
    """Bytes that a constant takes as it is kept."""
    found = held(value)
    return 0 if found is None else found.bytes_held if isinstance(found, Recipe) else found.nbytes


def give_elements(value: Value, op: Op, run: Run) -> None:
    """Make the one output of an operation on constants a constant, in the smaller of two ways."""
    if worth_a_recipe(op, value.nbytes):
        value.data = Recipe(op, run)
    else:
        value.data = np.ascontiguousarray(run(op, [None if each is None else each.data for each in op.inputs])[0])


def worth_a_recipe(op: Op, nbytes: int) -> bool:
    """Whether a constant of `nbytes` is better kept as the operation that makes it."""
    return nbytes >= LARGE and len(op.outputs) == 1 and nbytes > 1.5 * sum(bytes_held(value) for value in op.present)


def settle_recipes(values: list[Value]) -> None:
    """Make what is asked for often."""
    for value in values:
        if isinstance(held(value), Recipe):
            value.data = value.data
