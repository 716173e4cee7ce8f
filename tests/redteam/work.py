"""Work as a number that no machine changes: how many calls and lines of Python a function takes."""

from __future__ import annotations

import sys
from collections.abc import Callable


def steps_of(work: Callable[[], object]) -> int:
    """Calls, of Python's and of C's functions, that a function makes."""
    count = 0

    def note(_frame, event: str, _argument) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count


def growth(work: Callable[[int], Callable[[], object]], n: int) -> float:
    """How many times the steps for n are taken for 4 n: 4 where they are proportional, 16 where they are quadratic.

    work: what to do with so much of it, made ready beforehand.
    """
    work(n)()  # what is imported for the first time is none of it
    small, large = work(n), work(4 * n)
    return steps_of(large) / steps_of(small)
