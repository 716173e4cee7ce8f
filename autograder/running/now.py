"""What runs at the moment, told to whoever shows it: the case, and which of how many."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Hearer = Callable[[str], None]
_hearer: ContextVar[Hearer | None] = ContextVar("hearer", default=None)


def says(text: str) -> None:
    """Tell what begins now, as in "case 8 of 15, n = 8192"."""
    hearer = _hearer.get()
    if hearer is not None:
        hearer(text)


@contextmanager
def heard_by(hearer: Hearer) -> Iterator[None]:
    """While the block runs, everything that begins is told to `hearer`."""
    token = _hearer.set(hearer)
    try:
        yield
    finally:
        _hearer.reset(token)
