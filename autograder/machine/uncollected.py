"""While large packages are loaded, nothing is collected: what they define stays, and to look through it again and again
takes a fifth of the time that numba takes to load. While an answer is judged, a twentieth goes into it."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator


@contextlib.contextmanager
def uncollected() -> Iterator[None]:
    """While the block runs, Python collects no garbage of itself; afterwards it does so if it did before."""
    collected = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collected:
            gc.enable()


RARELY = (20_000, 20, 50)  # objects made, and younger collections, between two looks through everything


@contextlib.contextmanager
def rarely_collected() -> Iterator[None]:
    """While the block runs, Python looks for garbage of itself rarely: arrays go when nobody has them, as ever."""
    before = gc.get_threshold()
    gc.set_threshold(*RARELY)
    try:
        yield
    finally:
        gc.set_threshold(*before)
