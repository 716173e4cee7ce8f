"""Dimensions of which some are known only at run time: whether two can be equal, and what comes of two that meet.

What bounds or algebra do not tell is taken to fit: the sizes of a profile, and those of a run, are looked at again.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import prod
from typing import Any

import numpy as np

from minitrt.shapes.choices import chosen, equal
from minitrt.shapes.size import Number, Size, bounds, terms_of

Shape = tuple[Number, ...]


def is_open(*numbers: Any) -> bool:
    """Whether some of these numbers, or of the lists among them, is known only at run time."""
    return any(
        is_open(*each) if isinstance(each, list | tuple) else isinstance(each, Size) for each in numbers
    )  # fmt: skip


def axis_of(axis: Any, rank: int) -> int:
    """Counted from the first one. Raises: ValueError where a tensor of so many axes has none of that number."""
    rank = max(rank, 1)
    if not -rank <= axis < rank:
        raise ValueError(f"there is no axis {int(axis)} among {rank}")
    return int(axis) % rank


def whole(number: Any) -> Number:
    """As an int, unless it is known only at run time."""
    return number if isinstance(number, Size) else int(number)


def fit(one: Number, two: Number) -> bool:
    """False where two dimensions differ for every size."""
    return one == two or not isinstance(equal(one, two), int)


def all_fit(one: Iterable[Number], two: Iterable[Number]) -> bool:
    one, two = list(one), list(two)
    return len(one) == len(two) and all(map(fit, one, two))


def better_known(one: Number, two: Number) -> Number:
    """Of two dimensions that must be equal."""
    return two if isinstance(one, Size) and isinstance(two, int) else one


def broadcast(*shapes: Shape) -> Shape:
    """numpy.broadcast_shapes, with open sizes among them. Raises: ValueError."""
    if not is_open(*shapes):
        return tuple(np.broadcast_shapes(*shapes))
    rank = max(map(len, shapes))
    found: list[Number] = [1] * rank
    for shape in shapes:
        for axis, n in enumerate(shape, rank - len(shape)):
            found[axis] = joint(found[axis], n)
    return tuple(found)


def joint(one: Number, two: Number) -> Number:
    """What a dimension and another become: the other of a 1, and otherwise both. Raises: ValueError."""
    if two == 1 or one == two:
        return one
    if isinstance(one, int):
        if one == 1:
            return two
        if not fit(one, two) and not fit(1, two):
            raise ValueError(f"{one} and {two} do not go together")
        return one
    if isinstance(two, int):
        return joint(two, one)
    for large, small in ((one, two), (two, one)):
        if bounds(small)[0] >= 1 and bounds(large - small)[0] >= 0:  # equal, or a 1
            return large
    return chosen(equal(one, 1), two, one)


def is_guessed(number: Number) -> bool:
    """Whether numbers of which nothing is known are in it."""
    stack = [number]
    while stack:
        atoms = [each for product in terms_of(stack.pop()) for each in product]
        if any(each.kind == "unknown" for each in atoms):
            return True
        stack += [arg for each in atoms for arg in each.args if isinstance(arg, Size)]
    return False


def product(shape: Iterable[Number]) -> Number:
    return prod(shape)


def known(shape: Shape) -> tuple[int, ...]:
    """-1 for what is known only at run time."""
    return tuple(-1 if isinstance(n, Size) else int(n) for n in shape)


def surely_below(one: Number, two: Number) -> bool:
    """Whether it is smaller for every size."""
    return bounds(one - two)[1] < 0
