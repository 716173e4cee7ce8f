"""Counts the lines that a host function executes: an endless loop on the host ends at a count, the same everywhere."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

MOST_LINES = 6_000_000  # some seconds; what a host function does itself is copies and launches


class TooManyLines(Exception):
    """A host function that went on and on. line: where it was when it was stopped; lines: how many it had executed."""

    def __init__(self, line: int, lines: int):
        super().__init__(f"Line {line} was reached when {lines:,} lines of Python had run on the host")
        self.line, self.lines = line, lines


@contextmanager
def counted(function: Callable, most: int = MOST_LINES) -> Iterator[None]:
    """Raise TooManyLines once the code of a function's own file has executed so many lines in this thread.

    Where somebody traces already, as a debugger does, nothing is counted.
    """
    filename = getattr(getattr(function, "__code__", None), "co_filename", None)
    if filename is None or sys.gettrace() is not None:
        yield
        return
    left = most

    def line(frame, event, argument):
        nonlocal left
        if event == "line":
            left -= 1
            if left < 0:
                raise TooManyLines(frame.f_lineno, most)
        return line

    sys.settrace(lambda frame, event, argument: line if frame.f_code.co_filename == filename else None)
    try:
        yield
    finally:
        sys.settrace(None)
