"""A list that several threads share: whoever touches it without the lock is found out, whatever the schedule."""

from __future__ import annotations

from collections.abc import Callable, MutableSequence
from typing import Any


class JudgedQueue(MutableSequence):
    """A list under a lock.

    guard: called before each touch, and raises where the lock is not held; was_put: called with what was added.
    """

    def __init__(self, guard: Callable[[], None], was_put: Callable[[Any], None]) -> None:
        self._items: list = []
        self._guard, self._was_put = guard, was_put

    def holds(self, value: Any) -> bool:
        """Whether this very object is in the list: for the judge, who needs no lock."""
        return any(item is value for item in self._items)

    def is_empty(self) -> bool:
        """Whether nothing is in the list: for the judge, too."""
        return not self._items

    def empty(self) -> None:
        """Take everything out, before a schedule begins."""
        self._items.clear()

    def __getitem__(self, at: Any) -> Any:
        self._guard()
        return self._items[at]

    def __setitem__(self, at: Any, value: Any) -> None:
        self._guard()
        self._items[at] = value

    def __delitem__(self, at: Any) -> None:
        self._guard()
        del self._items[at]

    def __len__(self) -> int:
        self._guard()
        return len(self._items)

    def insert(self, index: int, value: Any) -> None:
        """Put something before a place; append does so at the end."""
        self._guard()
        self._items.insert(index, value)
        self._was_put(value)
