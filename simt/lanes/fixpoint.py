"""Does a turn of a loop change anything? One that does not will be followed by turns like it forever."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from simt.lanes.masks import Loop, Mask

if TYPE_CHECKING:
    from simt.lanes.masks import Env


def watched(one_turn, env: Env, mask: Mask, loop: Loop, decided: bool) -> tuple[Mask | None, bool]:
    """One turn, and whether it left every variable and every memory cell with the bits it had before."""
    batch, before = env.batch, dict(env.variables)
    was_watched, batch.watched = batch.watched, True
    altered = batch.altered
    after = one_turn(env, mask, loop, decided)
    batch.watched = was_watched
    same = batch.altered == altered and all(_same(before.get(name), value) for name, value in env.variables.items())
    return after, same


def _same(old, new) -> bool:
    """Whether a variable holds the same bits as before."""
    if old is new:
        return True
    if isinstance(old, (np.ndarray, np.generic)) and isinstance(new, (np.ndarray, np.generic)):
        return old.dtype == new.dtype and old.shape == new.shape and old.tobytes() == new.tobytes()
    if isinstance(old, tuple) and isinstance(new, tuple):
        return len(old) == len(new) and all(_same(a, b) for a, b in zip(old, new, strict=True))
    return False
