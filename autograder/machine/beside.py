"""Something that runs in a thread for as long as a block of code does."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from typing import Self


class Beside(contextlib.AbstractContextManager):
    """Runs `action` in a thread from `__enter__` to `__exit__`, which tells it to end and waits until it has."""

    def __init__(self, action: Callable[[], None]) -> None:
        self._over = threading.Event()
        self._thread = threading.Thread(target=action, daemon=True)

    def over_within(self, seconds: float) -> bool:
        """Wait this long, or until the block has ended. Returns: whether it has."""
        return self._over.wait(seconds)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._over.set()
        self._thread.join()
