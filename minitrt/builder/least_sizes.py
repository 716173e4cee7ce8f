"""Whether a network can run at a profile's smallest sizes, and if not, from which sizes on it can."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from minitrt.builder.profile import MINIMUM, OPTIMUM, WrongSizes, concrete_at, listed
from minitrt.graph.ir import Graph
from minitrt.shapes import TooSmall

Shapes = dict[str, tuple[int, ...]]
Place = tuple[str, int]  # an input, an axis of it


def check_minimum(graph: Graph, shapes: dict[str, Any], elements: dict[str, Any], warn: Callable[[str], None]) -> None:
    """shapes, elements: (min, opt, max) of inputs and shape tensors. What else does not fit at the minimum, as sizes of
    several inputs that are not meant together, is a warning.

    Raises: WrongSizes where an image is smaller than a window there, or a list than an index, with sizes that fit.
    """
    if all(each[MINIMUM] == each[OPTIMUM] for given in (shapes, elements) for each in given.values()):
        return  # the optimum is looked at anyway

    def wrong(at: Shapes) -> WrongSizes | None:
        try:
            concrete_at(graph, {name: (shape,) * 3 for name, shape in at.items()}, elements, MINIMUM)
        except WrongSizes as error:
            return error
        return None

    low, high = ({name: tuple(triple[which]) for name, triple in shapes.items()} for which in (MINIMUM, OPTIMUM))
    error = wrong(low)
    if error is None:
        return
    if not isinstance(error.__cause__, TooSmall):
        warn(f"{error}: a run with these sizes will be refused")
        return
    if wrong(high) is not None:
        raise error
    fits = least(low, high, list(graph.equal.values()), lambda at: wrong(at) is None)
    raise WrongSizes(f"{error}. Give it a minimum of {listed({name: (at,) for name, at in fits.items()}, 0)} or more")


def least(low: Shapes, high: Shapes, together: Sequence[list[Place]], fits: Callable[[Shapes], bool]) -> Shapes:
    """Sizes between `low`, which do not fit, and `high`, which do. None of them alone can be smaller, where larger ones
    fit if smaller ones do. together: places that have one size, of those that are not on their own."""
    found, one_size = dict(high), {place for places in together for place in places}
    alone = [
        [(name, axis)] for name, shape in low.items() for axis in range(len(shape)) if (name, axis) not in one_size
    ]
    for places in (*together, *alone):
        places = [(name, axis) for name, axis in places if name in low]
        smallest = max((low[name][axis] for name, axis in places), default=0)
        largest = max((high[name][axis] for name, axis in places), default=0)
        while smallest < largest:
            middle = (smallest + largest) // 2
            if fits(with_size(found, places, middle)):
                largest = middle
            else:
                smallest = middle + 1
        found = with_size(found, places, largest)
    return found


def with_size(shapes: Shapes, places: list[Place], size: int) -> Shapes:
    found = dict(shapes)
    for name, axis in places:
        found[name] = (*found[name][:axis], size, *found[name][axis + 1 :])
    return found
