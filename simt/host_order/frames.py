"""The host program that is being watched: the line it is at, and what it calls its things."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

# Whose frames are not the program's.
OURS = ("simt", "autograder", "numba", "numba_cuda", "numpy", "contextlib", "functools")


def program_frame() -> FrameType | None:
    """The innermost frame of the program itself."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and str(frame.f_globals.get("__name__", "")).split(".")[0] in OURS:
        frame = frame.f_back
    return frame


def local_name(frame: FrameType | None, is_it: Callable[[Any], bool]) -> str:
    """The name of a local or global variable for which `is_it` holds; "" where there is none."""
    if frame is None:
        return ""
    for variables in (frame.f_locals, frame.f_globals):
        for name, value in list(variables.items()):
            if not name.startswith("_") and is_it(value):
                return name
    return ""
