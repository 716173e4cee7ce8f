"""Does a loop come back to where it was? What it did since then will follow again, forever."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from simt.memory.arrays import Array

if TYPE_CHECKING:
    from simt.lanes.masks import Env, Mask


class Watch:
    """What variables held before an iteration, and whether a later one finds them so with no memory altered between.

    Stores are compared with what they overwrite only while a watch is on, so it ends as soon as it can find nothing.
    A loop that takes back what it adds alters memory in every iteration: what its arrays hold is compared instead.
    """

    __slots__ = ("turn", "_batch", "_lanes", "_before", "_altered", "_was_on", "_last", "_decide", "_cells", "_held")

    def __init__(self, env: Env, mask: Mask, turn: int, decide: tuple[str, ...] = (), cells: list | None = None):
        """decide: the variables that alone decide how long the loop turns; (): all of them, and memory.

        cells: all that the loop may change in memory, where that is known.
        """
        self.turn, self._batch, self._lanes, self._decide = turn, env.batch, mask.count, decide
        self._cells = cells
        self._held = [flat.tobytes() for flat in cells or ()]
        self._before, self._altered = dict(env.variables), env.batch.altered
        self._was_on = env.batch.watched
        env.batch.watched = self._was_on or not decide
        self._last = ""  # the variable that was found changed the last time: the first to be asked

    def is_in_vain(self, mask: Mask | None) -> bool:
        """Whether lanes have left, or memory is another: the loop will not be where it was."""
        if mask is None or mask.count != self._lanes:
            return True
        return not self._decide and self._cells is None and self._batch.altered != self._altered

    def came_back(self, env: Env) -> bool:
        """Whether every variable that counts has the bits that it had."""
        all_of_them = self._decide or env.variables
        names = [self._last, *all_of_them] if self._last in env.variables else all_of_them
        changed = (name for name in names if not _same(self._before.get(name), env.variables.get(name)))
        self._last = next(changed, "")
        return not self._last and all(
            flat.tobytes() == held for flat, held in zip(self._cells or (), self._held, strict=True)
        )

    def ends(self) -> None:
        """Stores need not be compared any more."""
        self._batch.watched = self._was_on


def cells_of(env: Env, names: tuple[str, ...]) -> list[np.ndarray] | None:
    """The cells of arrays; None where a name is none of an array."""
    arrays = [env.get(name) for name in names]
    return [array.flat for array in arrays] if all(isinstance(array, Array) for array in arrays) else None


def hold_nothing_below_zero(env: Env, names: tuple[str, ...]) -> bool:
    """Whether all cells of arrays are at least 0; what only grows from there is never 0 again."""
    cells = cells_of(env, names)
    return cells is not None and all(bool((flat >= 0).all()) for flat in cells)


def _same(old, new) -> bool:
    """Whether a variable holds the same bits as before."""
    if old is new:
        return True
    if isinstance(old, (np.ndarray, np.generic)) and isinstance(new, (np.ndarray, np.generic)):
        return old.dtype == new.dtype and old.shape == new.shape and old.tobytes() == new.tobytes()
    if isinstance(old, tuple) and isinstance(new, tuple):
        return len(old) == len(new) and all(_same(a, b) for a, b in zip(old, new, strict=True))
    return False
