"""While large packages are loaded, nothing is collected: what they define stays, and to look through it again and again
takes a fifth of the time that numba takes to load."""

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
