"""Iterations of a stencil that forget to exchange their arrays: each launch repeats the first one.

Told where the same line of a loop launched a kernel at least three times with the same arrays, which hold the same
after each launch; the kernel reads the neighbours of an element of one array and stores another, and the loop does
nothing else with them. A file that measures time repeats itself on purpose.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from simt.cuda_api.host_events import HostListener, address_of
from simt.errors import SimtError
from simt.events import Finding
from simt.host_order.frames import program_frame
from simt.source.loops_of_launches import looks_at_neighbours, repeats_only
from simt.source.recognise import python_function
from simt.source.trees import find_source
from simt.values.unasked import is_a, memory_on_device

MOST_BYTES = 1 << 22
ENOUGH = 3
MOST_TIMES = 8  # that a line is looked at whose launches leave something new


@dataclass
class LaunchLine:
    """A line that launches. given: what it was given last; held: what the arrays held then."""

    given: tuple
    held: tuple = ()
    times: int = 1


@dataclass
class SameAgain(HostListener):
    """Hears of launches. notes: one for each line."""

    notes: list[Finding] = field(default_factory=list)
    _lines: dict[tuple, LaunchLine | None] = field(default_factory=dict)  # None: there is nothing to tell of it
    _under_way: tuple[tuple, Any, tuple] | None = None

    def launches(self, kernel: Any, grid: tuple, block: tuple, args: tuple, stream: Any) -> None:
        self._under_way, frame = None, program_frame()
        if frame is None:
            return
        key = frame.f_code.co_filename, frame.f_lineno
        if self._lines.get(key, key) is None:
            return
        given, known = (kernel, grid, block, *map(_given, args)), self._lines.get(key)
        if known is None or known.given != given:
            self._lines[key] = LaunchLine(given)
            return
        known.times += 1
        self._under_way = key, kernel, args

    def launched(self) -> None:
        if self._under_way is None:
            return
        key, kernel, args = self._under_way
        self._under_way, line = None, self._lines[key]
        assert line is not None
        if line.times > MOST_TIMES:
            self._lines[key] = None
            return
        held = tuple(_digest(one) for one in args)
        if None in held or line.times >= ENOUGH and held == line.held:
            self._lines[key] = None
            found = _note(key, kernel, args) if None not in held else None
            self.notes += [found] if found is not None else []
            return
        line.held = held


def _array(argument: Any) -> np.ndarray | None:
    memory = memory_on_device(argument)
    return argument if memory is None and is_a(argument, np.ndarray) else memory


def _given(argument: Any) -> Any:
    """What tells whether an argument is the one that was given before."""
    array = _array(argument)
    if array is not None:
        return address_of(array), array.shape, array.strides
    return argument if type(argument) in (int, float, bool) or is_a(argument, np.generic) else id(argument)


def _digest(argument: Any) -> int | None:
    """A number that changes with what an array holds, 0 for what is none, None for one that is too large."""
    array = _array(argument)
    if array is None:
        return 0
    return zlib.crc32(array.tobytes()) if array.nbytes <= MOST_BYTES else None


def _note(key: tuple[str, int], kernel: Any, args: tuple) -> Finding | None:
    function, (file, line) = python_function(kernel), key
    repeated = repeats_only(file, line) if function is not None else None
    if function is None or repeated is None or len(repeated[1]) != len(args):
        return None
    try:
        read, stored = looks_at_neighbours(find_source(function).node)
    except (SimtError, SyntaxError):
        return None
    loop, written = repeated
    names = dict(zip(function.__code__.co_varnames, written, strict=False))
    kinds = {name: _array(one) for name, one in zip(function.__code__.co_varnames, args, strict=False)}
    for one in sorted(read & kinds.keys()):
        for other in sorted(stored & kinds.keys()):
            a, b = kinds[one], kinds[other]
            if a is not None and b is not None and a.shape == b.shape and a.dtype == b.dtype:
                first, second = names[one], names[other]
                says = (
                    f"Line {line} launches `{function.__name__}` in each iteration of the loop at line {loop}, and "
                    f"every launch reads `{first}` and stores `{second}`: nothing changes `{first}`, so each gives "
                    "what the first gave."
                )
                remedy = f"Exchange the arrays after each launch: {first}, {second} = {second}, {first}."
                detail = {"files": (file, file)}
                return Finding("same_launch", says, (line, loop), remedy=remedy, detail=detail, note=True)
    return None
