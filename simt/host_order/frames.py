"""The host program that is being watched: the line it is at, and what it calls its things."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

from simt.source.libraries import is_of_python
from simt.values.unasked import is_a

# Whose frames are not the program's.
OURS = ("simt", "autograder", "numba", "numba_cuda", "numpy", "contextlib", "functools")


def program_frame() -> FrameType | None:
    """The innermost frame of the program itself; of Python's own library where it alone called, as a thread does."""
    frame: FrameType | None = sys._getframe(1)
    of_python = None
    while frame is not None:
        package = package_of(frame)
        if package not in OURS:
            if not is_of_python(package, frame.f_code.co_filename):
                return frame
            of_python = of_python or frame
        frame = frame.f_back
    return of_python


def package_of(frame: FrameType) -> str:
    """The package whose code a frame runs; "" where its module has no name."""
    name = dict.get(frame.f_globals, "__name__")
    return name.partition(".")[0] if type(name) is str else ""


def local_name(frame: FrameType | None, is_it: Callable[[Any], bool]) -> str:
    """The name of a local or global variable for which `is_it` holds; "" where there is none.

    is_it: asked about every variable of a program, so it looks at types and asks no object (`simt.values.unasked`).
    """
    if frame is None:
        return ""
    for variables in (frame.f_locals, frame.f_globals):
        if not is_a(variables, dict):  # the body of a class whose metaclass keeps names in something of its own
            continue
        for name, value in list(dict.items(variables)):
            if type(name) is str and not name.startswith("_") and is_it(value):
                return name
    return ""
