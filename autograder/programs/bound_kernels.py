"""A kernel written as a method: `self.step[1, 32](x)` ends in a TypeError that speaks of methods and not of kernels."""

from __future__ import annotations

import linecache
import re

from simt.values.unasked import held, held_by_kind

SUBSCRIPTED = "'method' object is not subscriptable"
LAUNCHED = re.compile(r"(\w+)\.(\w+)\s*\[")


def note_on(error: BaseException) -> str:
    """What to do about it; "" where the error is another one, or no kernel was meant."""
    if type(error) is not TypeError or str(error) != SUBSCRIPTED or error.__traceback__ is None:
        return ""
    last = error.__traceback__
    while last.tb_next is not None:
        last = last.tb_next
    frame = last.tb_frame
    line = linecache.getline(frame.f_code.co_filename, last.tb_lineno, frame.f_globals)
    for name, kernel in LAUNCHED.findall(line):
        owner = frame.f_locals.get(name, frame.f_globals.get(name))
        if held(held_by_kind(owner, kernel), "targetoptions") is not None:
            return (
                f"`{kernel}` is a kernel, and `{name}.{kernel}` binds it to the object as it binds a method. Write "
                f"@staticmethod above its @cuda.jit, and hand it what it needs of the object in place of the object."
            )
    return ""
