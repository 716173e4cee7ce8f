"""The part of an array that the picture of a task shows: some places along each axis, each by its own number.

A contract's `shown` names arrays: with the places along each axis, None for all of them; or with None, where the whole
array is left out. What is not shown of an input is 0, so that the numbers of the picture can be worked out by hand.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


class TaskPart:
    """Some places along each axis of an array; an axis of which one is shown takes no room in the picture.

    axes: for each axis the places, None for all of them; shape: of what is shown; numbers: for each axis of it, the
    places.
    """

    def __init__(self, shape: Sequence[int], axes: Sequence[Sequence[int] | None]) -> None:
        if len(shape) != len(axes):
            raise ValueError(
                f"{tuple(axes)} for an array of shape {tuple(shape)}: name the places along each axis, or None for all"
            )
        self._axes = [range(n) if places is None else tuple(places) for n, places in zip(shape, axes, strict=True)]
        kept = [axis for axis, places in enumerate(self._axes) if len(places) > 1] or [len(shape) - 1]
        self._kept = kept
        self.numbers = tuple(tuple(self._axes[axis]) for axis in kept)
        self.shape = tuple(map(len, self.numbers))

    def of(self, array: np.ndarray) -> np.ndarray:
        """What is shown of the array."""
        return array[np.ix_(*self._axes)].reshape(self.shape)

    def alone(self, array: np.ndarray) -> np.ndarray:
        """The array with zeros wherever it is not shown."""
        kept = np.zeros_like(array)
        kept[np.ix_(*self._axes)] = array[np.ix_(*self._axes)]
        return kept

    def place(self, index: Sequence[int]) -> tuple[int, ...]:
        """Where an element of what is shown stands in the array."""
        full = [places[0] for places in self._axes]
        for axis, here in zip(self._kept, index, strict=True):
            full[axis] = self._axes[axis][here]
        return tuple(full)

    def inside(self, place: Sequence[int]) -> tuple[int, ...] | None:
        """Where an element of the array stands in what is shown; None where it is not."""
        if any(one not in places for one, places in zip(place, self._axes, strict=True)):
            return None
        return tuple(self._axes[axis].index(place[axis]) for axis in self._kept)
